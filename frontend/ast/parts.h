// The expressions that an expression is made of.
#pragma once

#include <variant>
#include <vector>

#include "frontend/ast/ast.h"

namespace fermiac::ast {

/// Calls f(part) for each direct part, in the order of the text; f may replace it. Bounds of ranges that are left out are no parts.
template <class F>
void each_part(Expr& expr, F f) {
  const auto all = [&](std::vector<ExprPtr>& parts) {
    for (ExprPtr& part : parts) f(part);
  };
  if (auto* call = std::get_if<Call>(&expr.node)) all(call->args);
  else if (auto* array = std::get_if<ArrayLiteral>(&expr.node)) all(array->items);
  else if (auto* row = std::get_if<RowLiteral>(&expr.node)) all(row->items);
  else if (auto* tuple = std::get_if<TupleLiteral>(&expr.node)) all(tuple->items);
  else if (auto* paren = std::get_if<Paren>(&expr.node)) f(paren->inner);
  else if (auto* binary = std::get_if<Binary>(&expr.node)) f(binary->left), f(binary->right);
  else if (auto* unary = std::get_if<Unary>(&expr.node)) f(unary->operand);
  else if (auto* choice = std::get_if<Ternary>(&expr.node)) f(choice->test), f(choice->yes), f(choice->no);
  else if (auto* projection = std::get_if<Projection>(&expr.node)) f(projection->tuple);
  else if (auto* indexed = std::get_if<Indexed>(&expr.node)) {
    f(indexed->base);
    for (Index& index : indexed->indexes)
      for (ExprPtr* bound : {&index.low, &index.high})
        if (*bound) f(*bound);
  }
}

}  // namespace fermiac::ast
