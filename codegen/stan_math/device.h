// Densities that the library evaluates on an OpenCL device.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::codegen::stan_math {

/// Whether a call of a density with these arguments has a version there.
bool runs_on_device(std::string_view function, const std::vector<mir::ExprPtr>& args);
/// The member that holds the copy of a data variable.
std::string device_name(std::string_view variable);

}  // namespace fermiac::codegen::stan_math
