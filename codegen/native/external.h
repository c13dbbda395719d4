// Functions that a program declares and a user's header in C++ defines: classes that codegen/runtime/external.h calls them by.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "mir/ir/ir.h"
#include "support/base/status.h"

namespace fermiac::codegen::native {

/// Without a body, here or further down in the program.
bool is_external(const mir::Program& program, const mir::Function& f);

/// Their numbers among the functions of the program.
std::vector<std::size_t> external_functions(const mir::Program& program);

/// Fails if there is no way to call one of them, with its name.
Status check_external(const mir::Program& program);

/// The text before a user's header: codegen/runtime/external_abi.h and stan_math.h.
std::string before_header(const mir::Program& program);
/// The text after it: codegen/runtime/external.h, the classes in the namespace of the model, and the module. `version`: of the program
/// that makes it, for the comment. `sum`: of the text that the functions are declared in; the loader compares it.
std::string after_header(const mir::Program& program, const std::string& version, const std::string& sum);
/// For systems without Boost: what headers include of it.
std::string_view promotion_header();

/// The namespace of the model, in which headers define them.
std::string model_namespace(const mir::Program& program);

}  // namespace fermiac::codegen::native
