// Members that are alike in all models: overloads that hand on to the templates, as the base class calls them.
#pragma once

#include <string>

namespace fermiac::codegen::stan_math {

/// The counts are C++ expressions: how many numbers write_array() puts out for each block.
std::string fixed_members(const std::string& parameters, const std::string& transformed, const std::string& generated);

}  // namespace fermiac::codegen::stan_math
