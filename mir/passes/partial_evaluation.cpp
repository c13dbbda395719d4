// Folding of literals and replacement of calls by better ones with the same value.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass.h"
#include "mir/passes/pass_tools.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::mir {
namespace {

// ---------------------------------------------------------------- literals

std::optional<std::int64_t> int_value(const Expr& expr) {
  const Lit* lit = as_lit(expr);
  if (!lit || lit->kind != Lit::Kind::Int) return std::nullopt;
  return literal_int(lit->text);
}

std::optional<double> real_value(const Expr& expr) {
  const Lit* lit = as_lit(expr);
  if (!lit || lit->kind != Lit::Kind::Real) return std::nullopt;
  return literal_real(lit->text);
}

std::optional<double> number_value(const Expr& expr) {
  if (const auto value = int_value(expr)) return static_cast<double>(*value);
  return real_value(expr);
}

ExprPtr literal(std::int64_t value, Span span) {
  if (value > std::numeric_limits<std::int32_t>::max() || value < std::numeric_limits<std::int32_t>::min())
    return nullptr;
  return with_span(int_lit(static_cast<int>(value)), span);
}

// Short if it reads back to the same number; always recognisable as a real.
std::string real_text(double value) {
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.15g", value);
  if (literal_real(buffer.data()) != value) std::snprintf(buffer.data(), buffer.size(), "%.17g", value);
  std::string text = buffer.data();
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += '.';
  return text;
}

ExprPtr literal(double value, Span span) {
  return std::isfinite(value) ? with_span(real_lit(real_text(value)), span) : nullptr;
}

// ---------------------------------------------------------------- folding of operators

std::optional<bool> compared(Builtin op, double a, double b) {
  switch (op) {
    case Builtin::Equals: return a == b;
    case Builtin::NEquals: return a != b;
    case Builtin::Less: return a < b;
    case Builtin::Leq: return a <= b;
    case Builtin::Greater: return a > b;
    case Builtin::Geq: return a >= b;
    default: return std::nullopt;
  }
}

template <class Number>
ExprPtr folded(Builtin op, Number a, Number b, Span span) {
  constexpr bool kInts = std::is_integral_v<Number>;
  if (op == Builtin::Plus) return literal(a + b, span);
  if (op == Builtin::Minus) return literal(a - b, span);
  if (op == Builtin::Times) return literal(a * b, span);
  if (kInts && b == 0) return nullptr;
  if (op == Builtin::Divide || (kInts && op == Builtin::IntDivide)) return literal(a / b, span);
  if constexpr (kInts)
    if (op == Builtin::Modulo) return literal(a % b, span);
  return nullptr;
}

ExprPtr folded_unary(Builtin op, const Expr& operand, Span span) {
  if (const auto value = int_value(operand)) {
    if (op == Builtin::PMinus) return literal(-*value, span);
    if (op == Builtin::PPlus) return literal(*value, span);
    if (op == Builtin::PNot) return literal(std::int64_t{*value == 0}, span);
  }
  if (const auto value = real_value(operand)) {
    if (op == Builtin::PMinus) return literal(-*value, span);
    if (op == Builtin::PPlus) return literal(*value, span);
  }
  return nullptr;
}

ExprPtr folded_binary(Builtin op, const Expr& left, const Expr& right, Span span) {
  const auto a = number_value(left), b = number_value(right);
  if (!a || !b) return nullptr;
  if (const auto result = compared(op, *a, *b)) return literal(std::int64_t{*result}, span);
  if (int_value(left) && int_value(right)) return folded(op, *int_value(left), *int_value(right), span);
  if (real_value(left) && real_value(right)) return folded(op, *a, *b, span);
  return nullptr;
}

bool is_imaginary(const Expr& expr) {
  const Lit* lit = as_lit(expr);
  return lit && lit->kind == Lit::Kind::Imaginary;
}

// `1 + 2i` in either order.
ExprPtr complex_literal(Builtin op, const Expr& left, const Expr& right, const Expr& whole) {
  if (op != Builtin::Plus || is_imaginary(left) == is_imaginary(right)) return nullptr;
  const Expr& real = bare(is_imaginary(left) ? right : left);
  const Lit* part = as_lit(real);
  if (!part || !number_value(real)) return nullptr;
  const std::string& text = as_lit(is_imaginary(left) ? left : right)->text;
  const bool integral = text.find_first_not_of("0123456789") == std::string::npos;
  ExprPtr imaginary = make_expr(Lit{integral ? Lit::Kind::Int : Lit::Kind::Real, text},
                                integral ? BaseType::Int : BaseType::Real, {}, whole.span);
  return stan_call(Builtin::to_complex, {make_expr(real.node, real.type, real.ad, real.span), std::move(imaginary)},
                   BaseType::Complex, whole.span);
}

ExprPtr folded_call(const Expr& expr, const FunApp& call) {
  const auto* fn = std::get_if<StanLib>(&call.fn);
  if (!fn) return nullptr;
  if (call.args.size() == 1) return folded_unary(fn->fn, *call.args[0], expr.span);
  if (call.args.size() != 2) return nullptr;
  if (ExprPtr sum = complex_literal(fn->fn, *call.args[0], *call.args[1], expr)) return sum;
  return folded_binary(fn->fn, *call.args[0], *call.args[1], expr.span);
}

ExprPtr folded_projection(const TupleProjection& projection) {
  if (!is_internal(*projection.tuple, Internal::FnMakeTuple) || has_side_effect(*projection.tuple) ||
      has_rng(*projection.tuple))
    return nullptr;
  return as_call(*projection.tuple)->args.at(static_cast<std::size_t>(projection.slot - 1));
}

ExprPtr folded_logical(const ExprPtr& left, const ExprPtr& right, bool conjunction, Span span) {
  const auto a = int_value(*left), b = int_value(*right);
  if (!a || !b) return nullptr;
  const bool result = conjunction ? (*a != 0 && *b != 0) : (*a != 0 || *b != 0);
  return literal(std::int64_t{result}, span);
}

ExprPtr simplified(const ExprPtr& expr) {
  ExprPtr result;
  if (const FunApp* call = as_call(*expr)) {
    result = folded_call(*expr, *call);
    if (!result) result = apply_rewrite_rules(expr);
  } else if (const auto* choice = std::get_if<TernaryIf>(&expr->node)) {
    if (const auto test = int_value(*choice->test)) result = *test != 0 ? choice->yes : choice->no;
  } else if (const auto* both = std::get_if<EAnd>(&expr->node)) {
    result = folded_logical(both->left, both->right, true, expr->span);
  } else if (const auto* either = std::get_if<EOr>(&expr->node)) {
    result = folded_logical(either->left, either->right, false, expr->span);
  } else if (const auto* projection = std::get_if<TupleProjection>(&expr->node)) {
    result = folded_projection(*projection);
  }
  return result ? result : expr;
}

// ---------------------------------------------------------------- indexes

bool is_multi(const Index& index) {
  return index.kind != Index::Kind::Single;
}

// What the first multi-index of an inner index list becomes when its i-th element is taken.
Index picked(const Index& index, const ExprPtr& i) {
  switch (index.kind) {
    case Index::Kind::All:
      return single(i);
    case Index::Kind::Multi:
      return single(indexed(index.low, {single(i)}));
    default:
      return single(int_op(Builtin::Minus, int_op(Builtin::Plus, index.low, i), int_lit(1)));
  }
}

ExprPtr merged_indexes(const ExprPtr& expr) {
  const auto* outer = std::get_if<Indexed>(&expr->node);
  const auto* inner = outer ? std::get_if<Indexed>(&outer->base->node) : nullptr;
  if (!inner || outer->indexes.empty() || is_multi(outer->indexes[0])) return expr;
  std::vector<Index> indexes = inner->indexes;
  for (Index& index : indexes) {
    if (!is_multi(index)) continue;
    index = picked(index, outer->indexes[0].low);
    std::vector<Index> rest(outer->indexes.begin() + 1, outer->indexes.end());
    ExprPtr base =
        make_expr(Indexed{inner->base, indexes}, indexed_type(inner->base->type, indexes), expr->ad, expr->span);
    if (rest.empty()) return base;
    Type type = indexed_type(base->type, rest);
    return merged_indexes(make_expr(Indexed{std::move(base), std::move(rest)}, std::move(type), expr->ad, expr->span));
  }
  return expr;
}

ExprPtr without_trailing_all(const ExprPtr& expr) {
  const auto* node = std::get_if<Indexed>(&expr->node);
  if (!node || node->indexes.empty() || node->indexes.back().kind != Index::Kind::All) return expr;
  std::vector<Index> indexes = node->indexes;
  while (!indexes.empty() && indexes.back().kind == Index::Kind::All) indexes.pop_back();
  if (indexes.empty()) return node->base;
  return make_expr(Indexed{node->base, std::move(indexes)}, expr->type, expr->ad, expr->span);
}

ExprPtr simplified_indexes(const ExprPtr& expr) {
  const ExprPtr here = merged_indexes(without_trailing_all(expr));
  return map_children(here, simplified_indexes);
}

// ---------------------------------------------------------------- statements

bool divides_by_zero(const Expr& expr) {
  const FunApp* call = as_call(expr);
  const auto* fn = call ? std::get_if<StanLib>(&call->fn) : nullptr;
  if (!fn || call->args.size() != 2 || !expr.type.is(BaseType::Int)) return false;
  const bool division = fn->fn == Builtin::Divide || fn->fn == Builtin::IntDivide || fn->fn == Builtin::Modulo;
  return division && int_value(*call->args[1]) == std::int64_t{0};
}

// Whether evaluating the expression certainly divides by zero: what `&&`, `||` and `?:` guard does not count.
bool must_divide_by_zero(const Expr& expr) {
  if (divides_by_zero(expr)) return true;
  if (const auto* both = std::get_if<EAnd>(&expr.node)) return must_divide_by_zero(*both->left);
  if (const auto* either = std::get_if<EOr>(&expr.node)) return must_divide_by_zero(*either->left);
  if (const auto* choice = std::get_if<TernaryIf>(&expr.node)) return must_divide_by_zero(*choice->test);
  bool found = false;
  each_child(expr, [&](const Expr& child) { found = found || must_divide_by_zero(child); });
  return found;
}

StmtPtr evaluated(const StmtPtr& stmt) {
  const StmtPtr done =
      map_exprs(stmt, [](const ExprPtr& expr) { return partially_evaluated(simplified_indexes(expr)); });
  if (std::holds_alternative<Decl>(done->node) || std::holds_alternative<For>(done->node)) return done;
  bool zero = false;
  each_expr(*done, [&](const Expr& expr) { zero = zero || must_divide_by_zero(expr); });
  if (!zero) return done;
  return internal_stmt({.fn = Internal::FnReject}, {str_lit("Integer division by zero")}, done->span);
}

void evaluate(Transform& transform) {
  if (transform.first) transform.first = partially_evaluated(transform.first);
  if (transform.second) transform.second = partially_evaluated(transform.second);
}

void evaluate(SizedType& type) {
  for (ExprPtr& size : type.array_dims) size = partially_evaluated(size);
  for (ExprPtr& size : type.sizes) size = partially_evaluated(size);
  for (SizedType& slot : type.slots) evaluate(slot);
}

void evaluate(OutputVar& output) {
  evaluate(output.constrained);
  evaluate(output.unconstrained);
  evaluate(output.transform);
  for (Transform& transform : output.slot_transforms) evaluate(transform);
}

void run(Program& program, PassContext&) {
  for (InputVar& input : program.input_vars) evaluate(input.type);
  for (OutputVar& output : program.output_vars) evaluate(output);
  for (Function& function : program.functions)
    if (function.body) function.body = rewrite(function.body, evaluated);
  for (std::vector<StmtPtr>* section : sections(program)) *section = rewrite(*section, evaluated);
}

}  // namespace

ExprPtr partially_evaluated(const ExprPtr& expr) {
  return rewrite(expr, simplified);
}

bool is_literal_or_promoted(const Expr& expr) {
  return as_lit(bare(expr)) != nullptr;
}

const Pass kPartialEvaluation = {"partial-evaluation",
                                 "folds literals and replaces calls by better ones of equal value", false, run};

}  // namespace fermiac::mir
