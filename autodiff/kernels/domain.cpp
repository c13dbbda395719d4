// Messages for broken domain rules. The drivers only detect; this finds the first offender and names it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "autodiff/kernels/fail_domain.h"
#include "autodiff/kernels/scalar_driver.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

bool holds(const DomainRule& rule, double v, double other) {
  switch (rule.rule) {
    case Rule::NotNan: return !std::isnan(v);
    case Rule::Finite: return std::isfinite(v);
    case Rule::Positive: return v > 0;
    case Rule::PositiveFinite: return v > 0 && std::isfinite(v);
    case Rule::NonNegative: return v >= 0;
    case Rule::NonNegativeFinite: return v >= 0 && std::isfinite(v);
    case Rule::Probability: return v >= 0 && v <= 1;
    case Rule::Bounded01Open: return v > 0 && v < 1;
    case Rule::GreaterOrEqual: return v >= other;
    case Rule::LessOrEqual: return v <= other;
    case Rule::Less: return v < other;
    case Rule::Greater: return v > other;
    case Rule::NotBelow: return !(v < rule.bound);
    case Rule::NotAbove: return !(v > rule.bound);
  }
  return true;
}

std::string requirement(const DomainRule& rule, double other) {
  const auto than = [&](const char* relation) {
    return rule.other_label ? fmt::format("{} {}, which is {}", relation, rule.other_label, other)
                            : fmt::format("{} {}", relation, other);
  };
  switch (rule.rule) {
    case Rule::NotNan: return "not nan";
    case Rule::Finite: return "finite";
    case Rule::Positive: return "positive";
    case Rule::PositiveFinite: return "positive finite";
    case Rule::NonNegative: return "nonnegative";
    case Rule::NonNegativeFinite: return "nonnegative finite";
    case Rule::Probability: return "in the interval [0, 1]";
    case Rule::Bounded01Open: return "in the interval (0, 1)";
    case Rule::GreaterOrEqual: return than("greater than or equal to");
    case Rule::LessOrEqual: return than("less than or equal to");
    case Rule::Less: return than("less than");
    case Rule::Greater: return than("greater than");
    case Rule::NotBelow: return fmt::format("greater than or equal to {}", rule.bound);
    case Rule::NotAbove: return fmt::format("less than or equal to {}", rule.bound);
  }
  return {};
}

bool compares(const DomainRule& rule) {
  switch (rule.rule) {
    case Rule::GreaterOrEqual:
    case Rule::LessOrEqual:
    case Rule::Less:
    case Rule::Greater: return true;
    default: return false;
  }
}

/// Messages print nan, whatever sign bit the processor gave it.
double unsigned_nan(double x) { return std::isnan(x) ? std::fabs(x) : x; }

/// Throws for the first element that breaks the rule. `by_elements`: as of MapOp.
void explain_rule(std::string_view function, const DomainRule& rule, const MapArgs& args, bool by_elements) {
  const auto at = [&](int j, std::uint32_t i) { return args.x[j][args.vector_mask >> j & 1u ? i : 0]; };
  const bool indexed = by_elements || (args.vector_mask >> rule.operand & 1u);
  const std::uint32_t read = 1u << rule.operand | (compares(rule) ? 1u << rule.other : 0u);
  const std::uint32_t n = (args.vector_mask & read) != 0 ? args.n : std::min(args.n, 1u);  // scalars are looked at once
  for (std::uint32_t i = 0; i < n; ++i) {
    const double v = at(rule.operand, i), other = at(rule.other, i);
    if (holds(rule, v, other)) continue;
    const std::string index = indexed ? fmt::format("[{}]", (by_elements ? rule.operand : i) + 1) : "";
    throw DomainError(
        fmt::format("{}: {}{} is {}, but must be {}!", function, rule.label, index, unsigned_nan(v), requirement(rule, other)));
  }
}

void explain(std::string_view function, std::span<const DomainRule> rules, const MapArgs& args, bool by_elements) {
  for (const bool comparing : {false, true})  // what is wrong by itself is not blamed on what it is compared with
    for (const DomainRule& rule : rules)
      if (compares(rule) == comparing) explain_rule(function, rule, args, by_elements);
}

}  // namespace

bool rules_hold(std::span<const DomainRule> rules, const double* x) {
  for (const DomainRule& rule : rules)
    if (!holds(rule, x[rule.operand], x[rule.other])) return false;
  return true;
}

void explain_rules(std::string_view function, std::span<const DomainRule> rules, const MapArgs& args) {
  explain(function, rules, args, false);
}

void explain_domain(const MapOp& op, const MapArgs& args) { explain(op.function(), op.rules, args, op.by_elements); }

void fail_domain(const MapOp& op, const MapArgs& args) {
  explain_domain(op, args);
  throw DomainError(fmt::format("{}: an argument is outside its domain", op.function()));
}

void fail_domain(const MapOp& op, const double* x) {
  MapArgs args;
  for (int j = 0; j < op.arity; ++j) args.x[j] = x + j;
  fail_domain(op, args);
}

}  // namespace fermiac::ad
