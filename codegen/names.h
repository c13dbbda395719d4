// Names of the program that C++ or the headers take for something else.
#pragma once

#include <string>
#include <string_view>

namespace fermiac::codegen {

/// The name that stands for a function of the program.
std::string function_id(std::string_view name);
/// The same for a variable: names of the class's own members are taken, too.
std::string variable_id(std::string_view name);

}  // namespace fermiac::codegen
