#include "frontend/ast/ast.h"

namespace fermiac::ast {
namespace {

/// Takes out the operand that long trees go on in: the left one.
ExprPtr take_left(Expr& expr) {
  if (auto* binary = std::get_if<Binary>(&expr.node)) return std::move(binary->left);
  if (auto* unary = std::get_if<Unary>(&expr.node)) return std::move(unary->operand);
  if (auto* indexed = std::get_if<Indexed>(&expr.node)) return std::move(indexed->base);
  if (auto* projection = std::get_if<Projection>(&expr.node)) return std::move(projection->tuple);
  return nullptr;
}

}  // namespace

Expr::~Expr() {
  for (ExprPtr below = take_left(*this); below;) below = take_left(*below);
}

Type DeclaredType::type() const {
  const auto dims = static_cast<std::uint8_t>(array_dims);
  if (base != BaseType::Tuple) return Type(base, dims);
  std::vector<Type> types;
  for (const DeclaredType& slot : slots) types.push_back(slot.type());
  return Type::tuple(std::move(types)).with_array_dims(dims);
}

}  // namespace fermiac::ast
