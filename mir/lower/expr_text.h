// The source form of an expression, as run-time messages about sizes quote it: one blank around infix operators, one
// after commas, parentheses kept.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace fermiac::mir {

std::string expr_text(const ast::Expr& expr);

/// The function that an operator stands for in the MIR, and its source spelling.
std::string_view operator_function(ast::BinaryOp op);
std::string_view operator_function(ast::UnaryOp op);

}  // namespace fermiac::mir
