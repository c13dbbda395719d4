// Functions that a program declares and a user's header in C++ defines: classes that codegen/runtime/external.h calls them by.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/code.h"
#include "mir/ir/ir.h"

namespace fermiac::codegen::native {

/// Without a body, here or further down in the program.
bool is_external(const mir::Program& program, const mir::Function& f);

/// Their numbers among the functions of the program.
std::vector<std::size_t> external_functions(const mir::Program& program);

/// Why there is no way to call one of them, with its name; or empty.
std::string external_problem(const mir::Program& program);

/// What is in front of a user's header: codegen/runtime/stan_math.h.
std::string before_header(const mir::Program& program);
/// And what stands behind it: codegen/runtime/external.h.
std::string_view behind_header();
/// For systems without Boost: what headers include of it.
std::string_view promotion_header();

/// The namespace of the model, in which headers define them.
std::string model_namespace(const mir::Program& program);

/// Behind the header: the classes, in the namespace of the model.
void define_externals(Lines& out, const mir::Program& program);

/// Rows of the module's table.
std::vector<std::string> external_rows(const mir::Program& program);

}  // namespace fermiac::codegen::native
