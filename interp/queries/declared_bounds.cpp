#include "interp/queries/declared_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "interp/exec/runs/code.h"
#include "interp/exec/runs/frame.h"
#include "interp/functions/builtin_tools.h"
#include "interp/value/numbers.h"
#include "mir/ir/visit.h"

namespace fermiac::interp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

double bound_of(const ExprPtr& bound, std::size_t offset, double none, Frame& f) {
  if (!bound) return none;
  const Value v = bound->eval(f);
  return element_value(f.context(false), v, v.shape().is_scalar() ? 0 : static_cast<std::uint32_t>(offset));
}

bool has_bounds(mir::TransformKind kind) {
  return kind >= mir::TransformKind::Lower && kind <= mir::TransformKind::LowerUpper;
}

}  // namespace

/// Among the variables that the density declares; kNowhere of data that are constants.
std::size_t DeclaredBounds::position(NumberName number) const {
  const std::string& name = c_.numbers().of(number).name;
  const auto& outputs = model_.compiled().program.output_vars;
  const std::size_t count = model_.compiled().code->log_prob_parameters.size();
  for (std::size_t i = 0; i < std::min(count, outputs.size()); ++i)
    if (outputs[i].name == name) return i;
  return kNowhere;
}

mir::TransformKind DeclaredBounds::transform(NumberName number) const {
  const std::size_t at = position(number);
  return at == kNowhere ? mir::TransformKind::None : model_.compiled().code->log_prob_parameters[at]->transform;
}

Interval DeclaredBounds::of(NumberName number, Frame& f) const {
  if (!has_bounds(transform(number))) return {-kInfinity, kInfinity};
  const ParameterNode& declared = *model_.compiled().code->log_prob_parameters[position(number)];
  const auto offset = static_cast<std::size_t>(number - c_.numbers().of(number).first);
  return {bound_of(declared.first, offset, -kInfinity, f), bound_of(declared.second, offset, kInfinity, f)};
}

std::vector<std::string> DeclaredBounds::sources(NumberName number) const {
  std::vector<std::string> out;
  const std::size_t at = position(number);
  if (at == kNowhere || !has_bounds(transform(number))) return out;
  const auto& outputs = model_.compiled().program.output_vars;
  for (const mir::OutputVar& other : outputs)
    for (const mir::ExprPtr& bound : {outputs[at].transform.first, outputs[at].transform.second})
      if (bound && other.block == mir::BlockKind::Parameters && mir::mentions(*bound, other.name)) out.push_back(other.name);
  return out;
}

std::string DeclaredBounds::structure(NumberName number) const { return structure_name(transform(number)); }

// ---------------------------------------------------------------- probabilities

namespace {

Interval both(const Interval& a, const Interval& b) { return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)}; }

Interval truncation(const SiteCall& call) {
  const Value lower = call.lower(), upper = call.upper();
  return {lower.is_none() ? -kInfinity : number(lower), upper.is_none() ? kInfinity : number(upper)};
}

bool counts(const SiteCall& call) {
  const Value& left = call.whole_arguments()[0];
  return left.is_int() || left.kind() == Value::Kind::Ints;
}

/// Nothing where the end is open.
std::optional<Value> end_of(double x, bool ints, bool up) {
  if (std::isinf(x)) return std::nullopt;
  if (!ints) return Value(x);
  return Value(static_cast<std::int32_t>(std::clamp(up ? std::floor(x) : std::ceil(x), -2147483646.0, 2147483646.0)));
}

double log_mass(SiteCall& call, std::size_t i, const Interval& within) {
  const bool ints = counts(call);
  if (within.lower > within.upper || (!ints && within.lower == within.upper)) return -kInfinity;
  const auto lower = end_of(within.lower, ints, false), upper = end_of(within.upper, ints, true);
  if (!lower && !upper) return 0;
  return call.log_mass_between(i, lower ? &*lower : nullptr, upper ? &*upper : nullptr);
}

}  // namespace

double log_mass_within(SiteCall& call, std::size_t i, const Interval& bounds, const Interval& interval) {
  const Interval whole = both(bounds, truncation(call));
  return log_mass(call, i, both(whole, interval)) - log_mass(call, i, whole);
}

double log_mass_of_bounds(SiteCall& call, std::size_t i, const Interval& bounds) {
  const Interval cut = truncation(call);
  return log_mass(call, i, both(bounds, cut)) - log_mass(call, i, cut);
}

}  // namespace fermiac::interp
