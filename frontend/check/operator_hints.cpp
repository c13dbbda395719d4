// What may have been meant by operands that do not fit an operator. One rule per mistake.
#include <algorithm>

#include "frontend/builtins/builtins.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"

namespace fermiac::check {
namespace {

using namespace ast;

bool is_arithmetic(BinaryOp op) {
  return op < BinaryOp::Or;
}
bool is_vector(const Type& type) {
  return type.is(BaseType::Vector) || type.is(BaseType::RowVector);
}
bool is_real(const Type& type) {
  return type.is(BaseType::Real);
}

bool takes(std::string_view function, const Type& a, const Type& b) {
  return std::ranges::any_of(signatures(function), [&](const Signature& signature) {
    return signature.formals.size() == 2 && converts(a, signature.formals[0].type) &&
           converts(b, signature.formals[1].type);
  });
}

std::string for_array(BinaryOp op, const Expr& operand) {
  const Type& type = operand.type;
  const bool numbers = is_number(type.base());
  if (!is_arithmetic(op) || !type.is_array()) return "";
  if (!numbers || type.array_dims() > 1) return "Arrays have no arithmetic; vectors and matrices do.";
  return "Arrays have no arithmetic; vectors do: declare a vector, or write to_vector(" + operand_text(operand) + ").";
}

std::string for_product(const Expr& left, const Expr& right) {
  const std::string a = operand_text(left), b = operand_text(right);
  if (is_vector(left.type) && left.type == right.type)
    return "Write " + a + " .* " + b + " for the elementwise product, or dot_product(" + a + ", " + b + ").";
  if (takes("multiply", right.type, left.type)) return "In the other order they fit: " + b + " * " + a + ".";
  return "";
}

std::string for_reals(BinaryOp op, const Expr& left, const Expr& right) {
  const std::string a = operand_text(left), b = operand_text(right);
  if (op == BinaryOp::Modulo) return "For reals write fmod(" + a + ", " + b + ").";
  if (op == BinaryOp::IntDivide) return "For reals write " + a + " / " + b + ".";
  if (op == BinaryOp::And || op == BinaryOp::Or)
    return "A condition is an int: compare " + operand_text(is_real(left.type) ? left : right) + " with something.";
  return "";
}

/// `pi` for `pi()`.
std::string for_function(const Expr& operand) {
  if (!is_function(operand.type)) return "";
  const bool constant = operand.type.signature().formals.empty();
  const std::string name = operand_text(operand);
  return "'" + name + "' is a function: write " + name + (constant ? "()." : "(...).");
}

std::string text(BinaryOp op, const Expr& left, const Expr& right) {
  for (const Expr* operand : {&left, &right})
    if (std::string hint = for_function(*operand); !hint.empty()) return hint;
  for (const Expr* operand : {&left, &right})
    if (std::string hint = for_array(op, *operand); !hint.empty()) return hint;
  if (op == BinaryOp::Times) return for_product(left, right);
  if (op == BinaryOp::Divide && is_vector(left.type) && left.type == right.type)
    return "Write " + operand_text(left) + " ./ " + operand_text(right) + " to divide elementwise.";
  if (is_real(left.type) || is_real(right.type)) return for_reals(op, left, right);
  if (op >= BinaryOp::Equals) return "Only numbers are compared; the elements of containers are compared one by one.";
  return "";
}

}  // namespace

std::string operator_hint(BinaryOp op, const Expr& left, const Expr& right) {
  const std::string hint = text(op, left, right);
  return hint.empty() ? "" : "\n" + hint;
}

}  // namespace fermiac::check
