// Calls every expanded signature of the function table with arguments made up from their types and domains
// (sweep_domains): the recorded value against the plain one, gradients against differences, functions of containers
// against loops over their elements.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "interp/value/value.h"
#include "tests/conformance/names.h"

namespace fermiac::selfcheck {

struct SweepFinding {
  std::string signature;
  std::string what;
};

struct SweepReport {
  std::size_t signatures = 0;      // of the table
  std::size_t take_functions = 0;  // need user code: tested with the solvers, not here
  std::size_t implemented = 0;     // there is an implementation of the name
  std::size_t too_deep = 0;        // arrays of more dimensions than values can have
  std::size_t called = 0;          // and it took the arguments made up for it
  std::size_t differentiated = 0;  // gradient compared with differences
  std::size_t looped = 0;          // compared with a loop over elements
  std::vector<SweepFinding> findings;
};

/// All functions whose name begins with `prefix`.
SweepReport sweep_functions(std::string_view prefix, std::uint64_t seed);

/// The domain of each argument, in the notation of sweep_arguments.cpp.
std::vector<std::string> sweep_domains(const Signature& signature);

/// A value of `type` in `domain` at place t of the curve that `seed` names.
Value sweep_value(const Type& type, std::string_view domain, std::uint64_t seed, double t);

/// Whether results are complex vectors that the function leaves free up to a phase, which differences would have to follow:
/// unit tests compare what does not depend on it.
bool is_free_up_to_phase(const Signature& signature);

}  // namespace fermiac::selfcheck
