// Chains as a program in OpenCL C, and what goes to it and comes back: where each number lies.
//
// The device holds three blocks: constants C, whole numbers I, both written once, and the numbers D of one workspace:
//   [in: scalars, vectors, sources of gathers | between kernels | out: sums by group, sums of gathers and products, adjoints]
// `in` goes there in one piece, `out` comes back in one piece. Each kernel goes over its chain once: values forward, adjoints back
// in registers, sums by group in a fixed order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autodiff/tape/opencl/chains.h"
#include "plugins/opencl/device.h"

namespace fermiac::ad::device {

/// How work is cut on a device.
struct Cut {
  std::uint32_t lanes = 1, group = 64, groups = 256;  // of a kernel at most
};
Cut cut_for(const DeviceInfo& device);

/// A quantity that elements share (MapFormula), to D[to]: computed on the host from the scalars `x` of the arena.
struct SharedIn {
  const symbols::MapFormula* map = nullptr;
  int number = 0;
  std::vector<std::uint32_t> x;  // by operand; 0 for vectors
  Keep keep;
  std::uint32_t to = 0;
};
/// Numbers of the arena, from..from+n, to D[to]….
struct RunIn {
  std::uint32_t from = 0, n = 0, to = 0;
};

struct KernelLaunch {
  std::string name;
  std::vector<std::uint32_t> numbers;  // arguments behind the blocks
  bool constants = false, integers = false;  // which blocks it takes besides D: C in front of it, I behind
  std::uint32_t items = 0;
};

/// For a chain, from `at` of `out` on: for each group whether a rule was broken, the sum of terms, adjoints of scalars.
struct SumsOut {
  std::uint32_t at = 0, groups = 0;
  std::vector<std::uint32_t> scalars;  // of the arena
};
/// Numbers of `out` that are to be added to adjoints, `each` of them to one.
struct AdjointsOut {
  std::uint32_t at = 0, each = 1;
  std::vector<std::uint32_t> to;       // of the arena
};
/// The same for a run of the arena.
struct RunOut {
  std::uint32_t at = 0, n = 0, to = 0;
};

struct ProgramText {
  std::string source;
  std::vector<double> constants;
  std::vector<std::uint32_t> integers;
  // in
  std::vector<std::pair<std::uint32_t, std::uint32_t>> singles;  // number of the arena, place in D
  std::vector<SharedIn> shared;
  std::vector<RunIn> runs;
  std::uint32_t in = 0;                // numbers
  // out, from D[out_at] on
  std::uint32_t out_at = 0, out = 0;
  std::vector<SumsOut> sums;
  std::vector<AdjointsOut> adjoints;
  std::vector<RunOut> adjoint_runs;

  std::vector<KernelLaunch> launches;  // in order
  std::vector<std::pair<std::uint32_t, double>> target;  // weight and what it multiplies
  std::vector<Ascent> ascents;         // to be looked at by the host, before it launches
  /// Bytes of all blocks on the device, those of constants counted too.
  std::uint64_t bytes() const;
};

/// Throws symbols::NoFormula where an operation of a chain calls what only the host has.
ProgramText write_program(const TapeView& tape, const std::vector<Chain>& chains, const Cut& cut);

}  // namespace fermiac::ad::device
