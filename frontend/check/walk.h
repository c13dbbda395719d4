// Visits every expression of a tree, outside in.
#pragma once

#include <functional>

#include "frontend/ast/ast.h"

namespace fermiac::check {

using ExprVisitor = std::function<void(const ast::Expr&)>;
void visit_expressions(const ast::Expr& expr, const ExprVisitor& visit);
void visit_expressions(const ast::Stmt& stmt, const ExprVisitor& visit);

/// Visits the name of every function that a statement calls in any way: calls, `~`, procedure calls, names passed on.
void visit_called_names(const ast::Stmt& stmt, const std::function<void(std::string_view)>& visit);

/// The same but for places, parentheses and resolutions.
bool same_expression(const ast::Expr& a, const ast::Expr& b);

/// Without the parentheses around it.
const ast::Expr& unparenthesised(const ast::Expr& expr);

}  // namespace fermiac::check
