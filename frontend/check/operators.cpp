// Operators are built-in functions under other names; a few of their uses deserve a warning.
#include <algorithm>
#include <array>

#include "frontend/builtins/builtins.h"
#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"
#include "frontend/check/walk.h"
#include "frontend/parse/parse.h"

namespace fermiac::check {
namespace {

using namespace ast;

constexpr std::size_t kShownSignatures = 8;

bool is_comparison(const Expr& expr) {
  const auto* binary = std::get_if<Binary>(&expr.node);
  return binary && binary->op >= BinaryOp::Equals;
}

/// `%/%` takes what int division takes, and nothing else that divide takes.
bool too_wide(BinaryOp op, const Match& match) {
  return op == BinaryOp::IntDivide && !match.best.result->is(BaseType::Int);
}

/// A way to write one side of a division of ints as a real.
std::string as_real(const Expr& left, const Expr& right) {
  if (std::holds_alternative<IntLiteral>(right.node)) return operand_text(left) + " / " + operand_text(right) + ".0";
  if (std::holds_alternative<IntLiteral>(left.node)) return operand_text(left) + ".0 / " + operand_text(right);
  return operand_text(left) + " * 1.0 / " + operand_text(right);
}

/// What was checked, in parentheses.
ExprPtr parenthesised(ExprPtr inner) {
  auto outer = std::make_unique<Expr>();
  outer->span = inner->span;
  outer->type = inner->type;
  outer->ad = inner->ad;
  outer->node = Paren{std::move(inner)};
  return outer;
}

bool is_matrix_like(const Type& type) {
  return type.base() == BaseType::Matrix && type.array_dims() <= 1;
}

}  // namespace

std::string operand_text(const Expr& expr) {
  if (const auto* e = std::get_if<IntLiteral>(&expr.node)) return e->text;
  if (const auto* e = std::get_if<RealLiteral>(&expr.node)) return e->text;
  if (const auto* e = std::get_if<Variable>(&expr.node)) return e->name.text;
  if (const auto* e = std::get_if<Paren>(&expr.node)) return "(" + operand_text(*e->inner) + ")";
  if (const auto* e = std::get_if<Call>(&expr.node)) return e->name.text + "(…)";
  if (const auto* e = std::get_if<Indexed>(&expr.node)) return operand_text(*e->base) + "[…]";
  if (const auto* e = std::get_if<Projection>(&expr.node)) return operand_text(*e->tuple) + "." + e->slot;
  if (const auto* e = std::get_if<Unary>(&expr.node)) {
    const std::string spelling(operator_row(e->op).spelling), operand = operand_text(*e->operand);
    return e->op == UnaryOp::Transpose ? operand + spelling : spelling + operand;
  }
  if (const auto* e = std::get_if<Binary>(&expr.node))
    return operand_text(*e->left) + " " + std::string(operator_row(e->op).spelling) + " " + operand_text(*e->right);
  return "…";
}

/// The operator's signatures, those nearest to the operands first.
std::string Checker::operator_signatures(std::span<const Builtin> functions, Arguments arguments) const {
  const bool any_complex = std::ranges::any_of(arguments, [](const ExprPtr& arg) { return is_complex(arg->type.base()); });
  std::vector<std::pair<std::size_t, const Signature*>> all;
  for (const Builtin function : functions)
    for (const auto& signature : signatures(name_of(function))) {
      constexpr std::size_t kFar = 10;  // behind all that stays with real numbers
      std::size_t misfits = is_complex(signature.result.base()) && !any_complex ? kFar : 0;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        misfits += !converts(arguments[i]->type, signature.formals[i].type);
      all.emplace_back(misfits, &signature);
    }
  std::ranges::stable_sort(all, {}, [](const auto& item) { return item.first; });
  std::string out;
  for (std::size_t i = 0; i < std::min(all.size(), kShownSignatures); ++i)
    out += (i > 0 ? "\n" : "") + signature_line(all[i].second->formals, all[i].second->result);
  if (all.size() > kShownSignatures)
    out += "\n(" + std::to_string(all.size() - kShownSignatures) + " more are not shown)";
  return out;
}

std::optional<Match> Checker::operator_match(std::span<const Builtin> functions, Arguments arguments,
                                             Resolution& resolution) {
  for (const Builtin function : functions) {
    const std::optional<Match> best = resolver_.cheapest_builtin(name_of(function), arguments);
    if (!best) continue;
    resolution = {};
    resolution.name = name_of(function);
    resolution.formals.assign(best->best.formals.begin(), best->best.formals.end());
    resolution.result = *best->best.result;
    return best;
  }
  return std::nullopt;
}

/// Real-valued conditions were removed from the language: where that is asked for, a checked real becomes its
/// comparison with 0. False, and nothing is done, for what is no real.
bool Checker::compare_with_zero(Expr& real) {
  if (!options_.rewrite_removed || !real.type.is(BaseType::Real)) return false;
  const std::string text = operand_text(real);
  auto value = std::make_unique<Expr>(std::move(real)), zero = std::make_unique<Expr>();
  real.span = value->span;
  real.type = BaseType::Int;
  real.ad = value->ad;
  zero->span = value->span;
  zero->node = RealLiteral{"0.0"};
  zero->type = BaseType::Real;
  if (std::holds_alternative<Ternary>(value->node)) value = parenthesised(std::move(value));
  std::array<ExprPtr, 2> pair = {std::move(value), std::move(zero)};
  Resolution resolution;
  operator_match(operator_row(BinaryOp::NEquals).functions(), pair, resolution);
  real.node = Binary{BinaryOp::NEquals, std::move(pair[0]), std::move(pair[1]), real.span, std::move(resolution)};
  warn(real.span, parse::kRemovedFeature,
       "Conditions that are real numbers were removed from the language. Write " + text + " != 0.0 instead.");
  return true;
}

void Checker::logical_operand(ExprPtr& operand) {
  if (compare_with_zero(*operand)) operand = parenthesised(std::move(operand));
}

void Checker::check(Expr& e, Binary& node) {
  expression(*node.left);
  expression(*node.right);
  if (node.op == BinaryOp::And || node.op == BinaryOp::Or) {
    logical_operand(node.left);
    logical_operand(node.right);
  }
  e.type = BaseType::Error;
  if (node.left->type.is_error() || node.right->type.is_error()) return;
  std::array<ExprPtr, 2> pair = {std::move(node.left), std::move(node.right)};
  const OperatorRow& row = operator_row(node.op);
  const auto found = operator_match(row.functions(), pair, node.resolution);
  const bool good = found && !too_wide(node.op, *found);
  if (!good)
    error(e.span, kOperatorTypes, std::string(row.spelling), operator_signatures(row.functions(), pair),
          pair[0]->type.str() + ", " + pair[1]->type.str(), operator_hint(node.op, *pair[0], *pair[1]));
  node.left = std::move(pair[0]);
  node.right = std::move(pair[1]);
  if (!good) return;
  e.type = node.resolution.result;
  e.ad = AdLevel{node.left->ad.any() || node.right->ad.any(), {}};  // of ints, too: a > 1 depends on a
  binary_warnings(e, node);
}

void Checker::binary_warnings(const Expr& e, const Binary& node) {
  const Expr& left = *node.left;
  const Expr& right = *node.right;
  if (node.op == BinaryOp::Divide && left.type.is(BaseType::Int) && right.type.is(BaseType::Int))
    warn_with({{}, {{"Round: write %/%", node.op_span, "%/%"}}}, left.span, kWarnIntDivision, operand_text(left), operand_text(right),
              as_real(left, right));
  if (node.op == BinaryOp::Pow && is_matrix_like(left.type) &&
      right.type.is_number())
    warn_with({{}, {{"Every element: write .^", node.op_span, ".^"}}}, left.span, kWarnMatrixPower);
  if (is_comparison(e) && is_comparison(left)) {
    const auto symbol = std::string(operator_row(node.op).spelling);
    const auto& inner = std::get<Binary>(left.node);
    warn(e.span, kWarnChain, operand_text(e),
         operand_text(left) + " && " + operand_text(*inner.right) + " " + symbol + " " + operand_text(right),
         "(" + operand_text(left) + ") " + symbol + " " + operand_text(right));
  }
}

void Checker::check(Expr& e, Unary& node) {
  expression(*node.operand);
  if (node.op == UnaryOp::Not) logical_operand(node.operand);
  e.type = BaseType::Error;
  if (node.operand->type.is_error()) return;
  const OperatorRow& row = operator_row(node.op);
  if (!operator_match(row.functions(), std::span(&node.operand, 1), node.resolution))
    return error(e.span, kOperatorTypes, std::string(row.spelling),
                 operator_signatures(row.functions(), std::span(&node.operand, 1)), node.operand->type.str(), "");
  e.type = node.resolution.result;
  e.ad = AdLevel{node.operand->ad.any(), {}};
}

/// `left op= right` is allowed iff `left op right` has the type of `left`, with elementwise division only, and
/// elementwise forms not for scalars.
bool Checker::compound_operator(const Type& left, Assignment& node) {
  const bool elementwise = *node.op == BinaryOp::EltTimes || *node.op == BinaryOp::EltDivide;
  if (elementwise && left.is_number()) return false;
  if (std::holds_alternative<TupleLiteral>(node.left->node)) return false;
  std::array<ExprPtr, 2> pair = {std::move(node.left), std::move(node.right)};
  const OperatorRow& row = operator_row(*node.op == BinaryOp::Divide ? BinaryOp::IntDivide : *node.op);
  const auto found = operator_match(row.functions(), pair, node.resolution);
  node.left = std::move(pair[0]);
  node.right = std::move(pair[1]);
  return found && node.resolution.result == left;
}

}  // namespace fermiac::check
