// Random calls of built-in functions, with arguments inside and outside their domains and of sizes that need not fit.
// One seed, one call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "interp/value/value.h"

namespace fermiac::fuzz {

struct Call {
  const Signature* signature = nullptr;
  std::vector<interp::Value> arguments;
  unsigned parameters = 0;          // bit j: argument j carries derivatives where the call is recorded
  std::vector<double> elsewhere;    // another point for these arguments, to replay the recording at
};

/// A call of a function whose name begins with `prefix` and that has an implementation and takes no functions.
Call make_call(std::uint64_t seed, std::string_view prefix = "");

/// `normal_lpdf(real = 0.5, vector[2] = {0, inf}, real = -1)`, the arguments that carry derivatives marked.
std::string text(const Call& call);

}  // namespace fermiac::fuzz
