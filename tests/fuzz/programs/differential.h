// One program, every way to evaluate it: plain evaluator, its differences, tape as recorded, each rewriting pass of the
// tape alone and left out, all of them, each pass of the middle end and each level, replays at several points.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autodiff/tape/opencl/use.h"
#include "tests/fuzz/programs/generate.h"

namespace fermiac::fuzz {

struct Difference {
  std::string check;  // which comparison, without numbers: two differences of one cause have the same
  std::string detail;
};

struct CheckOptions {
  bool differences = true;  // compare the gradient with differences of the plain evaluator
  bool middle_end = true;
  bool tape = true;
  std::shared_ptr<ad::device::DeviceUse> device;  // null: none
  double seconds = 0;  // more than this counts as no difference; 0: without a limit
};

std::optional<Difference> first_difference(const GeneratedProgram& program, const CheckOptions& options = {});

/// Density and gradient by the default engine at all points, one line of hexadecimal numbers a point: what different
/// instruction sets must agree on.
std::string replayed(const GeneratedProgram& program);

/// The program without the lines that the difference does not need. Every attempt is given a few seconds: without its
/// increment a loop may go on for ever.
GeneratedProgram shrunk(const GeneratedProgram& program, const Difference& difference, CheckOptions options = {});

}  // namespace fermiac::fuzz
