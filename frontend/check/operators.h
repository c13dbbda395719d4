// How operators are spoken of.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace fermiac::check {

/// An operand as the program writes it, roughly: enough for a suggestion.
std::string operand_text(const ast::Expr& expr);
/// What may have been meant by an operator whose operands do not fit, on a line of its own; empty if there is no idea.
std::string operator_hint(ast::BinaryOp op, const ast::Expr& left, const ast::Expr& right);

}  // namespace fermiac::check
