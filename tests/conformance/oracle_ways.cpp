#include "tests/conformance/oracle_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "support/base/errors.h"
#include "tests/conformance/recorded_call.h"

namespace fermiac::selfcheck::oracle {
namespace {

bool all_finite(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double v) { return std::isfinite(v); });
}

bool is_real_scalar(const Value& v) {
  return v.shape().is_scalar() && !v.shape().complex && flatten(v).size() == 1;
}

std::string value_difference(const FunctionCase& c, const Value& ours) {
  if (!same_form(ours, c.result()))
    return fmt::format("value has the form {}{}, expected {}{}", is_ints(ours) ? "int " : "", ours.shape().str(),
                       is_ints(c.result()) ? "int " : "", c.result().shape().str());
  return fmt::format("value {}, expected {}", list_text(flatten(ours)), list_text(flatten(c.result())));
}

std::string number_difference(const FunctionCase& c, double ours) {
  return fmt::format("value {:.17g}, expected {}", ours, list_text(flatten(c.result())));
}

/// Relative differences of target between a recording and its replays, which need not take vector loops where it does:
/// large terms of a density that cancel leave their rounding, more of it where rewriting sums them in another order.
constexpr double kSameOrder = 1e-10, kOtherOrder = 1e-9, kAbsolute = 2e-15;

/// Of sums that are not finite the kind depends on the order: inf - inf.
bool same_sum(double a, double b, double scale, double tol) {
  if (!std::isfinite(b)) return !std::isfinite(a);
  return std::abs(a - b) <= tol * scale + kAbsolute;
}

/// Sum of the sizes of the terms w_k x_k.
double scale_of(const std::vector<double>& x, const std::vector<double>& w) {
  double scale = 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (std::isfinite(x[k])) scale += std::abs(w[k] * x[k]);
  return scale;
}

}  // namespace

Ways::Ways(const FunctionCase& c, Rules& rules)
    : c_(c), rules_(rules), parameters_(as_parameters(c.args(), c.throws() ? ~0u : c.parameters(), theta_)) {}

std::string Ways::first_difference() {
  struct Way {
    std::string_view name;
    std::string (Ways::*evaluate)();
  };
  static constexpr Way kWays[] = {{"", &Ways::plainly},
                                  {"", &Ways::recorded},
                                  {"into target: ", &Ways::into_target},
                                  {"without a tape: ", &Ways::without_tape},
                                  {"into target without a tape: ", &Ways::without_tape_into_target},
                                  {"in lanes: ", &Ways::in_lanes},
                                  {"", &Ways::along_differences}};
  for (const Way& way : kWays)
    if (const std::string difference = (this->*way.evaluate)(); !difference.empty())
      return fmt::format("{}{}", way.name, difference);
  return {};
}

/// Without a recorder no operand carries derivatives: of a density without constants nothing would be left.
std::string Ways::plainly() {
  if (c_.propto()) return {};
  CallContext context;
  const Value ours = c_.builtin().apply(context, c_.args());
  return match_result(c_, ours, rules_).ok ? std::string() : value_difference(c_, ours);
}

bool Ways::compares_gradient(const std::vector<double>& value) const {
  if (!match_.gradient || theta_.empty()) return false;
  if (!c_.gradient_required()) {
    rules_.note(Rule::NoGradientRequired);
    return false;
  }
  if (all_finite(value)) return true;
  rules_.note(Rule::ValueNotFinite);  // its derivative means nothing
  return false;
}

// ---- on the tape

std::string Ways::recorded() {
  if (theta_.empty() && !c_.propto()) return {};
  ad::Recorder recorder(theta_);
  CallContext context{.recorder = &recorder, .propto = c_.propto()};
  const Value result = c_.builtin().apply(context, parameters_);
  const Value ours = plain_numbers(context, result);
  match_ = match_result(c_, ours, rules_);
  if (!match_.ok) return "recorded " + value_difference(c_, ours);
  if (!match_.gradient) return {};
  record_weighted_sum(context, result, match_.weights);
  const Sum sum{recorder.target_value(), scale_of(flatten(ours), match_.weights)};
  return rewritten_too(std::move(recorder).finish(), sum, Form::Scalar);
}

std::string Ways::rewritten_too(ad::Trace trace, Sum recorded, Form form) {
  if (std::string difference = replayed(trace, recorded, kSameOrder, form); !difference.empty()) return difference;
  ad::rewrite(trace);
  const std::string difference = replayed(trace, recorded, kOtherOrder, form);
  return difference.empty() ? difference : "after rewriting: " + difference;
}

/// From a workspace full of NaN.
std::string Ways::replayed(const ad::Trace& trace, Sum recorded, double tol, Form form) {
  ad::Workspace workspace(std::make_shared<const ad::Tape>(ad::Trace(trace)));
  workspace.poison();
  std::vector<double> ours(theta_.size());
  double lp = 0;
  const ad::ReplayStatus status = workspace.gradient(theta_, &lp, ours);
  if (status.kind == ad::ReplayStatus::Kind::GuardFailed) return "the replay stopped at a guard";
  if (status.kind != ad::ReplayStatus::Kind::Ok) return "the replay failed: " + status.message;
  if (!same_sum(lp, recorded.value, recorded.scale, tol))
    return fmt::format("replayed sum {:.17g}, recorded {:.17g}", lp, recorded.value);
  if (!compares_gradient({recorded.value})) return {};
  gradient_ = ours;
  return gradient_difference(c_, ours, form, rules_);
}

/// `target += f(…)` need not make the value a number of its own: densities have a form that fuses value and
/// derivatives.
std::string Ways::into_target() {
  if (!match_.gradient || !is_real_scalar(c_.result())) return {};
  ad::Recorder recorder(theta_);
  CallContext context{.recorder = &recorder, .propto = c_.propto()};
  c_.builtin().apply_to_target(context, parameters_);
  const double ours = recorder.target_value();
  if (!match_number(c_, ours, Form::Lanes, rules_)) return "recorded " + number_difference(c_, ours);
  return rewritten_too(std::move(recorder).finish(), {ours, std::abs(ours)}, Form::Lanes);
}

// ---- without a tape

std::string Ways::without_tape() {
  if (!match_.gradient || theta_.empty()) return {};
  ad::Recorder recorder(theta_);
  recorder.evaluate(theta_, true, false);
  CallContext context{.recorder = &recorder, .propto = c_.propto()};
  const Value result = c_.builtin().apply(context, parameters_);
  const Value ours = plain_numbers(context, result);
  if (!match_result(c_, ours, rules_).ok) return value_difference(c_, ours);
  record_weighted_sum(context, result, match_.weights);
  std::vector<double> slopes(theta_.size());
  recorder.pull_back(slopes);
  return compares_gradient(flatten(ours)) ? gradient_difference(c_, slopes, Form::Scalar, rules_) : std::string();
}

std::string Ways::without_tape_into_target() {
  if (!match_.gradient || theta_.empty() || !is_real_scalar(c_.result())) return {};
  ad::Recorder recorder(theta_);
  recorder.evaluate(theta_, true, false);
  CallContext context{.recorder = &recorder, .propto = c_.propto()};
  c_.builtin().apply_to_target(context, parameters_);
  const double ours = recorder.target_value();
  if (!match_number(c_, ours, Form::Lanes, rules_)) return number_difference(c_, ours);
  std::vector<double> slopes(theta_.size());
  recorder.pull_back(slopes);
  return compares_gradient({ours}) ? gradient_difference(c_, slopes, Form::Lanes, rules_) : std::string();
}

bool overflows_unfused(const FunctionCase& c, const std::vector<double>& values) {
  return c.name() == "fma" && std::isinf(plain_scalar(c.args()[0]) * plain_scalar(c.args()[1])) &&
         std::ranges::all_of(values, [](double v) { return std::isnan(v); });
}

std::string Ways::in_lanes() {
  if (is_ints(c_.result()) || !runs_in_lanes(c_.name(), c_.args())) return {};
  const InLanes ours = run_in_lanes(c_.name(), c_.args(), c_.parameters(), c_.propto());
  if (overflows_unfused(c_, ours.values)) {
    rules_.note(Rule::UnfusedProduct);
    return {};
  }
  for (const double value : ours.values)
    if (!match_number(c_, value, Form::Lanes, rules_)) return number_difference(c_, value);
  if (!compares_gradient(ours.values)) return {};
  for (const std::vector<double>& slopes : ours.gradients)
    if (std::string difference = gradient_difference(c_, slopes, Form::Lanes, rules_); !difference.empty())
      return difference;
  return {};
}

// ---- adjoints of kernels against differences of their values

constexpr double kStep = 1e-5, kSlopeTolerance = 1e-5;

/// Symmetric for arguments that are, so that checks of symmetry still hold.
double direction_of(const Value& a, const std::vector<double>& numbers, std::size_t arg, std::size_t i) {
  std::size_t at = i;
  const std::size_t n = a.shape().rows;
  if (a.shape().rank == 0 && a.shape().inner == ad::Inner::Matrix && n == a.shape().cols && !a.shape().complex) {
    bool symmetric = true;
    for (std::size_t k = 0; k < n * n; ++k) symmetric &= numbers[k] == numbers[k / n + (k % n) * n];
    if (symmetric) at = std::min(i, i / n + (i % n) * n);
  }
  return std::sin(1.0 + 1.7 * static_cast<double>(at) + 0.9 * static_cast<double>(arg));
}

std::vector<double> Ways::direction() const {
  std::vector<double> out;
  for (std::size_t j = 0; j < c_.args().size(); ++j) {
    if (!c_.differentiated(j)) continue;
    const std::vector<double> x = flatten(c_.args()[j]);
    for (std::size_t i = 0; i < x.size(); ++i)
      out.push_back(kStep * std::max(1.0, std::abs(x[i])) * direction_of(c_.args()[j], x, j, i));
  }
  return out;
}

double Ways::sum_at(const std::vector<double>& theta) const {
  ad::Recorder recorder(theta);
  CallContext context{.recorder = &recorder, .propto = c_.propto()};
  record_weighted_sum(context, c_.builtin().apply(context, parameters_), match_.weights);
  return recorder.target_value();
}

std::string Ways::along_differences() {
  const ad::Kernel* kernel = ad::find_kernel(c_.name());
  if (!kernel || !kernel->reverse || c_.json().find("grad_scale") || gradient_.empty() || !all_finite(flatten(c_.result()))) return {};
  const std::vector<double> step = direction(), numbers = flatten(c_.result());
  std::vector<double> up = theta_, down = theta_;
  double slope = 0, size = 0, difference = 0;
  for (std::size_t k = 0; k < theta_.size(); ++k) {
    up[k] += step[k];
    down[k] -= step[k];
    slope += gradient_[k] * step[k];
    size += std::abs(gradient_[k] * step[k]);
  }
  for (const double x : numbers) size += std::abs(x) * 1e-10;
  try {
    difference = (sum_at(up) - sum_at(down)) / 2;
  } catch (const ad::EvalError&) {
    return {};  // over the edge of the domain
  }
  if (!std::isfinite(difference) || !std::isfinite(slope)) return {};
  if (std::abs(difference - slope) <= kSlopeTolerance * size + 1e-14) return {};
  return fmt::format("slope by adjoints {:.10g}, by differences {:.10g}", slope, difference);
}

// ---- errors

namespace {

/// Whether the evaluation raises an error of the language.
bool raises(const std::function<void()>& evaluate) {
  try {
    evaluate();
    return false;
  } catch (const ad::EvalError&) {
    return true;
  }
}

}  // namespace

std::string plain_result(const FunctionCase& c, Rules& rules) {
  CallContext context{.propto = c.propto()};
  try {
    const std::vector<double> ours = flatten(c.builtin().apply(context, c.args()));
    const Json* suspect = c.json().find("suspect");
    if (!suspect || !close(ours.at(0), to_double(*suspect), c.number("tol", 1e-8), 0, 0))
      return "gave " + list_text(ours);
    rules.note(Rule::ErrorOrValue);
  } catch (const ad::EvalError&) {
  }
  return {};
}

std::string Ways::first_without_error() {
  if (std::string result = plain_result(c_, rules_); !result.empty() || rules_.has(Rule::ErrorOrValue)) return result;
  const auto call = [this](bool with_tape, auto evaluate) {
    ad::Recorder recorder(theta_);
    if (!with_tape) recorder.evaluate(theta_, true, false);
    CallContext context{.recorder = &recorder, .propto = c_.propto()};
    evaluate(context);
  };
  const auto apply = [this](CallContext& context) { c_.builtin().apply(context, parameters_); };
  const auto add = [this](CallContext& context) { c_.builtin().apply_to_target(context, parameters_); };
  const bool result_is_number = !is_ints(c_.result());
  if (!raises([&] { call(true, apply); })) return "recorded without an error";
  if (!raises([&] { call(false, apply); })) return "evaluated without a tape and without an error";
  if (result_is_number && !raises([&] { call(true, add); })) return "recorded into target without an error";
  if (result_is_number && !raises([&] { call(false, add); })) return "evaluated into target without an error";
  if (runs_in_lanes(c_.name(), c_.args()) &&
      !raises([&] { run_in_lanes(c_.name(), c_.args(), c_.parameters(), c_.propto()); }))
    return "evaluated in lanes without an error";
  return {};
}

}  // namespace fermiac::selfcheck::oracle
