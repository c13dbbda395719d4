// Constraining and unconstraining transforms against known values, through the functions of the language.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "support/base/errors.h"
#include "tests/conformance/oracle_values.h"

namespace fermiac::selfcheck::oracle {
namespace {

struct Kind {
  std::string_view name;   // in the file
  std::string_view stem;   // of our functions
  int sizes;               // how many of the result's dimensions the constraining function wants
};
constexpr Kind kKinds[] = {
    {"lb", "lower_bound", 0},
    {"ub", "upper_bound", 0},
    {"lub", "lower_upper_bound", 0},
    {"offset_multiplier", "offset_multiplier", 0},
    {"ordered", "ordered", 0},
    {"positive_ordered", "positive_ordered", 0},
    {"simplex", "simplex_stick_breaking", 0},  // until Stan 2.36
    {"simplex_ilr", "simplex", 0},
    {"unit_vector", "unit_vector", 0},
    {"sum_to_zero", "sum_to_zero", 0},
    {"sum_to_zero_matrix", "sum_to_zero", 0},
    {"cholesky_factor_corr", "cholesky_factor_corr", 1},
    {"corr_matrix", "corr_matrix", 1},
    {"cov_matrix", "cov_matrix", 1},
    {"cholesky_factor_cov", "cholesky_factor_cov", 2},
    {"stochastic_column", "stochastic_column", 0},
    {"stochastic_row", "stochastic_row", 0},
};

const Kind* find_kind(const std::string& name) {
  for (const Kind& k : kKinds)
    if (k.name == name) return &k;
  return nullptr;
}

std::vector<double> numbers_of(const Json& list) {
  std::vector<double> out;
  for (const Json& j : list.items) out.push_back(to_double(j));
  return out;
}

Value real_value(const Json& j) {
  if (j.kind != Json::Kind::Array) return to_double(j);
  return to_value("vector", j);
}

/// Bounds, offset and multiplier, in the order of the function's arguments.
std::vector<Value> bounds(const Json& c) {
  std::vector<Value> out;
  const Json* params = c.find("params");
  for (const char* name : {"lower", "upper", "offset", "multiplier"})
    if (const Json* p = params ? params->find(name) : nullptr) out.push_back(real_value(*p));
  return out;
}

/// K, M, N: from the parameters, else from the result.
std::vector<Value> sizes(const Json& c, const Kind& kind, const Shape& result) {
  std::vector<Value> out;
  const Json* params = c.find("params");
  const std::uint32_t dims[] = {result.rows, result.cols};
  const char* names[] = {kind.sizes == 2 ? "M" : "K", "N"};
  for (int i = 0; i < kind.sizes; ++i) {
    const Json* p = params ? params->find(names[i]) : nullptr;
    out.push_back(p ? static_cast<std::int32_t>(p->number) : static_cast<std::int32_t>(dims[i]));
  }
  return out;
}

Shape free_shape(const Json& c, std::size_t n) {
  if (const Json* dims = c.find("unconstrained_dims"))
    return Shape::matrix(static_cast<std::uint32_t>(dims->items[0].number), static_cast<std::uint32_t>(dims->items[1].number));
  return Shape::vector(static_cast<std::uint32_t>(n));
}

/// Where all numbers are smaller than `least`, errors count by that.
bool agrees(double ours, double theirs, double tol, double m, double least, Rules& rules) {
  if (close(ours, theirs, tol, m, 0)) return true;
  const bool finite = std::isfinite(theirs);
  if (finite && !close(ours, theirs, tol, least, 0)) return false;
  rules.note(finite ? Rule::Cancellation : Rule::InfiniteInFile);
  return true;
}

/// Evaluation of one constraining transform on the tape.
struct Constrained {
  std::vector<double> value, gradient, jacobian_gradient;
  double log_jacobian = 0;
};

std::vector<double> gradient_of(ad::Recorder&& recorder, const std::vector<double>& theta) {
  ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(recorder).finish()));
  std::vector<double> gradient(theta.size());
  double lp = 0;
  if (const auto status = workspace.gradient(theta, &lp, gradient); status.kind != ad::ReplayStatus::Kind::Ok)
    throw ad::DomainError("the replay stopped: " + status.message);
  return gradient;
}

class TransformCase {
 public:
  TransformCase(const Json& c, const Kind& kind, Rules& rules)
      : c_(c), kind_(kind), theta_(numbers_of(member(c, "unconstrained"))), rules_(rules) {}

  OracleOutcome check() {
    if (flag(c_, "throws")) return check_throws();
    const Value result = to_value(member(c_, "result"));
    const Constrained ours = evaluate(result.shape());
    const double tol = number_of(c_, "tol", 1e-8);
    std::string wrong = compare("value", ours.value, flatten(result), tol);
    if (wrong.empty()) wrong = compare("log Jacobian", {ours.log_jacobian}, {number_of(c_, "log_jacobian", 0)}, tol);
    if (wrong.empty()) wrong = compare("gradient", ours.gradient, numbers_of(member(c_, "grad")), 1e-8);
    if (wrong.empty())
      wrong = compare("gradient of the log Jacobian", ours.jacobian_gradient, numbers_of(member(c_, "grad_log_jacobian")), 1e-8,
                      1e-7);  // where terms of order 1 cancel, rounding is what is left: 1e-15
    return wrong.empty() ? passed(c_) : failed(c_, wrong);
  }

 private:
  std::string compare(std::string_view what, const std::vector<double>& ours, const std::vector<double>& theirs, double tol,
                      double least = 1e-10) {
    for (std::size_t k = 0; k < theirs.size(); ++k) {
      if (k < ours.size() && agrees(ours[k], theirs[k], tol, largest(theirs), least, rules_)) continue;
      return fmt::format("{} is {}, expected {}", what, list_text(ours), list_text(theirs));
    }
    return {};
  }

  OracleOutcome check_throws() {
    try {
      const Constrained ours = evaluate(Shape::matrix(0, 0));
      return failed(c_, fmt::format("gave {} where an error was expected", list_text(ours.value)));
    } catch (const ad::EvalError&) {
      return passed(c_);
    }
  }

  Value apply(CallContext& context, const Shape& result) {
    std::vector<Ref> refs(theta_.size());
    std::iota(refs.begin(), refs.end(), Ref());
    std::vector<Value> args = {Value::refs(free_shape(c_, theta_.size()), std::move(refs))};
    for (Value& v : bounds(c_)) args.push_back(std::move(v));
    for (Value& v : sizes(c_, kind_, result)) args.push_back(std::move(v));
    return LibraryFunction::find(std::string(kind_.stem) + "_jacobian")->apply(context, args);
  }

  Constrained evaluate(const Shape& result) {
    Constrained out;
    ad::Recorder jacobian(theta_), both(theta_);
    CallContext jacobian_context{.recorder = &jacobian}, context{.recorder = &both};
    apply(jacobian_context, result);
    out.log_jacobian = jacobian.target_value();
    const Value x = apply(context, result);
    out.value = flatten(without_derivatives(context, x));
    static const NamedMap kMultiply("multiply");
    RealBuffer weights(x.shape().size());
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = std::cos(k);
    const Value pair[] = {x, Value::reals(x.shape(), std::move(weights))};
    add_to_target(both, kMultiply(context, pair));
    out.jacobian_gradient = gradient_of(std::move(jacobian), theta_);
    out.gradient = gradient_of(std::move(both), theta_);
    return out;
  }

  const Json& c_;
  const Kind& kind_;
  std::vector<double> theta_;
  Rules& rules_;
};

OracleOutcome check_unconstrain(const Json& c, const Kind& kind, Rules& rules) {
  std::vector<Value> args = {to_value(member(c, "constrained"))};
  for (Value& v : bounds(c)) args.push_back(std::move(v));
  CallContext context;
  try {
    const Value ours = LibraryFunction::find(std::string(kind.stem) + "_unconstrain")->apply(context, args);
    if (flag(c, "throws")) return failed(c, fmt::format("gave {} where an error was expected", list_text(flatten(ours))));
    const std::vector<double> x = flatten(ours), y = flatten(to_value(member(c, "result")));
    const double tol = number_of(c, "tol", 1e-8);
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (k < x.size() && close(x[k], y[k], tol, largest(y), 0)) continue;
      if (k >= x.size() || !close(x[k], y[k], tol, largest(y), 1e-14))
        return failed(c, fmt::format("value {}, expected {}", list_text(x), list_text(y)));
      rules.note(Rule::Cancellation);
    }
    return passed(c);
  } catch (const ad::EvalError& e) {
    return flag(c, "throws") ? passed(c) : failed(c, fmt::format("raised an error: {}", e.what()));
  }
}

}  // namespace

OracleOutcome check_transform(const Json& c) {
  const bool forward = c.find("transform") != nullptr;
  const std::string name = text_of(c, forward ? "transform" : "unconstrain");
  const Kind* kind = find_kind(name);
  if (!kind) return unsupported(c, "unknown transform");
  if (!LibraryFunction::find(std::string(kind->stem) + (forward ? "_constrain" : "_unconstrain")))
    return unsupported(c, "there is no function of this name");
  try {
    Rules rules;
    OracleOutcome outcome = forward ? TransformCase(c, *kind, rules).check() : check_unconstrain(c, *kind, rules);
    outcome.rules = rules;
    return outcome;
  } catch (const NotImplemented& e) {
    return unsupported(c, e.what());
  } catch (const std::exception& e) {
    return failed(c, fmt::format("raised an error: {}", e.what()));
  }
}

}  // namespace fermiac::selfcheck::oracle
