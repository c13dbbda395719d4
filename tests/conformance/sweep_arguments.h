// Arguments for calling any built-in function: values of a type in a domain, each on a smooth curve through its domain,
// so that differences along the curve can be taken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/builtins/builtins.h"
#include "interp/value/value.h"
#include "tests/conformance/names.h"

namespace fermiac::selfcheck {

/// The domain of each argument, in the notation of sweep_arguments.cpp.
std::vector<std::string> sweep_domains(const Signature& signature);

/// A value of `type` in `domain` at place t of the curve that `seed` names.
Value sweep_value(const Type& type, std::string_view domain, std::uint64_t seed, double t);

/// Whether results are complex vectors that the function leaves free up to a phase, which differences would have to follow:
/// unit tests compare what does not depend on it.
bool is_free_up_to_phase(const Signature& signature);

}  // namespace fermiac::selfcheck
