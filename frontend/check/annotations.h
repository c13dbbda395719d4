// `@name` before declarations: a wish, never a condition. Programs mean the same without.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "support/base/diagnostics.h"

namespace fermiac::check {

/// Warns about unknown names, about places where an annotation means nothing, about elements of @const variables that
/// are assigned, and about @grad_adj_jac(f, n) whose f or n do not exist, or whose function does not take the arguments
/// of f and the adjoint of its result and return what argument n is. `for_cpp`: also about annotations without an effect
/// in C++ for Stan Math. `constants`: @const variables that were declared before the program.
void check_annotations(const ast::Program& program, bool for_cpp, Diagnostics& diagnostics,
                       const std::set<std::string>& constants = {});

/// `@grad_adj_jac(f, n)`: what stands in the parentheses, without blanks, split at commas.
std::vector<std::string> annotation_arguments(const std::string& text);
/// What stands before them.
std::string annotation_name(const std::string& text);
/// Whether values of this type have an adjoint that @grad_adj_jac can take or return: reals and containers of them.
bool has_adjoint(const Type& type);
bool has_annotation(const std::vector<ast::Annotation>& annotations, std::string_view name);

}  // namespace fermiac::check
