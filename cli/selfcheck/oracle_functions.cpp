// Function values and gradients against known ones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <optional>

#include "autodiff/errors.h"
#include "autodiff/tape/recorder.h"
#include "autodiff/tape/rewrite.h"
#include "autodiff/tape/tape.h"
#include "cli/selfcheck/oracle_values.h"
#include "interp/eval/builtin_tools.h"

namespace fermiac::selfcheck::oracle {
namespace {

/// Names that the language no longer has, and what they are called now.
struct Renamed {
  std::string_view old_name, name;
};
constexpr Renamed kRenamed[] = {{"fabs", "abs"},
                                {"multiply_log", "lmultiply"},
                                {"binomial_coefficient_log", "lchoose"},
                                {"cov_exp_quad", "gp_exp_quad_cov"}};

std::string function_name(const Json& c) {
  std::string name = text_of(c, "alias_of", text_of(c, "fn"));
  for (const Renamed& r : kRenamed)
    if (r.old_name == name) return std::string(r.name);
  return name;
}

Value call(CallContext& context, const std::string& name, Args args) {
  if (name == "if_else") return args[args[0].as_int() != 0 ? 1 : 2];  // removed: the ternary operator
  return Builtin::find(name)->apply(context, args);
}

// ---- comparing results

struct Comparison {
  double tol, atol;
};

/// Largest element of each tuple slot; a plain value is one slot.
std::vector<double> scales(const Value& theirs) {
  std::vector<double> out;
  if (theirs.kind() != Value::Kind::Tuple) {
    const std::vector<double> x = flatten(theirs);
    return std::vector<double>(x.size(), x.size() == 1 ? 0 : largest(x));
  }
  for (const Value& slot : theirs.values()) {
    const auto part = scales(slot);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

/// Distribution functions that the reference rounds to 0 or 1 before taking logs or derivatives: its 0 stands for anything
/// below the spacing of doubles at 1.
constexpr double kRounding = 2.3e-16;
bool rounds_to_zero(std::string_view name, double ours, double theirs) {
  return theirs == 0 && std::abs(ours) < kRounding && name.find("cdf") != std::string_view::npos;
}

bool all_close(const std::vector<double>& ours, const std::vector<double>& theirs, const std::vector<double>& m,
               Comparison how) {
  if (ours.size() != theirs.size()) return false;
  for (std::size_t k = 0; k < ours.size(); ++k)
    if (!close(ours[k], theirs[k], how.tol, m[k], how.atol)) return false;
  return true;
}

bool same_form(const Value& ours, const Value& theirs) {
  if (ours.kind() == Value::Kind::Tuple || theirs.kind() == Value::Kind::Tuple) {
    if (ours.kind() != theirs.kind() || ours.values().size() != theirs.values().size()) return false;
    for (std::size_t k = 0; k < ours.values().size(); ++k)
      if (!same_form(ours.values()[k], theirs.values()[k])) return false;
    return true;
  }
  if (is_ints(ours) && !is_ints(theirs) && !is_plain_scalar(ours)) return false;
  return (ours.shape() == theirs.shape() || ours.shape().size() + theirs.shape().size() == 0);
}

using C = std::complex<double>;

std::vector<C> complex_scalars(const Value& v) {
  const std::vector<double> x = flatten(v);
  std::vector<C> out;
  const std::size_t width = v.shape().complex ? 2 : 1;
  for (std::size_t k = 0; k < x.size(); k += width) out.emplace_back(x[k], width == 2 ? x[k + 1] : 0);
  return out;
}

/// Columns of ours turned (by a sign or a phase) so that they agree with theirs where theirs is largest.
bool columns_agree(const Value& ours, const Value& theirs, double tol, bool any_order) {
  const std::vector<C> x = complex_scalars(ours), y = complex_scalars(theirs);
  const std::size_t rows = theirs.shape().rows, cols = theirs.shape().cols;
  if (x.size() != y.size()) return false;
  const auto agree = [&](std::size_t i, std::size_t j) {  // |<x_i, y_j>| = |x_i| |y_j|
    C dot = 0;
    double a = 0, b = 0;
    for (std::size_t k = 0; k < rows; ++k) {
      dot += std::conj(x[i * rows + k]) * y[j * rows + k];
      a += std::norm(x[i * rows + k]);
      b += std::norm(y[j * rows + k]);
    }
    return std::abs(a - b) <= 1e3 * tol * b && std::abs(std::abs(dot) - b) <= 1e3 * tol * b;
  };
  for (std::size_t j = 0; j < cols; ++j) {
    bool found = agree(j, j);
    for (std::size_t i = 0; any_order && i < cols && !found; ++i) found = agree(i, j);
    if (!found) return false;
  }
  return true;
}

bool same_set(const Value& ours, const Value& theirs, double tol) {
  std::vector<C> x = complex_scalars(ours);
  const std::vector<C> y = complex_scalars(theirs);
  const double m = largest(flatten(theirs));
  for (const C& value : y) {
    const auto it = std::ranges::find_if(x, [&](const C& z) { return std::abs(z - value) <= 1e2 * tol * std::max(m, 1e-300); });
    if (it == x.end()) return false;
    x.erase(it);
  }
  return x.empty();
}

bool agree_up_to(const Value& ours, const Value& theirs, double tol, bool any_order) {
  if (theirs.kind() == Value::Kind::Tuple) {
    for (std::size_t k = 0; k < theirs.values().size(); ++k)
      if (!agree_up_to(ours.values()[k], theirs.values()[k], tol, any_order)) return false;
    return true;
  }
  return theirs.shape().inner == ad::Inner::Matrix ? columns_agree(ours, theirs, tol, any_order)
                                                   : same_set(ours, theirs, tol);
}

/// U T U^H = A with U unitary and T upper triangular.
bool is_schur(CallContext& context, const Value& a) {
  const auto apply = [&](std::string_view name, std::initializer_list<Value> args) {
    return Builtin::find(name)->apply(context, {args.begin(), args.size()});
  };
  const Value u = apply("complex_schur_decompose_u", {a}), t = apply("complex_schur_decompose_t", {a});
  const Value uh = apply("transpose", {apply("conj", {u})});
  const Value z = a.shape().complex ? a : apply("to_complex", {a});
  const Value back = apply("multiply", {apply("multiply", {u, t}), uh}), one = apply("multiply", {u, uh});
  const std::vector<C> product = complex_scalars(back), wanted = complex_scalars(z), unit = complex_scalars(one);
  const std::size_t n = a.shape().rows;
  const double m = std::max(largest(flatten(z)), 1e-300);
  for (std::size_t k = 0; k < product.size(); ++k) {
    if (std::abs(product[k] - wanted[k]) > 1e-8 * m) return false;
    if (std::abs(unit[k] - (k % n == k / n ? 1.0 : 0.0)) > 1e-8) return false;
    if (k % n > k / n && std::abs(complex_scalars(t)[k]) > 1e-8 * m) return false;
  }
  return true;
}

struct Match {
  bool ok = false;
  bool exact = false;  // without turning signs or orders: gradients are comparable
};

/// Equal but for elements that are NaN in the file.
bool nan_is_refined(const std::vector<double>& ours, const std::vector<double>& theirs, Comparison how) {
  for (std::size_t k = 0; k < ours.size(); ++k)
    if (!std::isnan(theirs[k]) && !close(ours[k], theirs[k], how.tol, 0, how.atol)) return false;
  return true;
}

bool all_finite(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double v) { return std::isfinite(v); });
}

class FunctionCase {
 public:
  explicit FunctionCase(const Json& c) : c_(c), name_(function_name(c)) {
  }

  Raised raised() {
    if (!read_arguments()) return {};
    CallContext context{.propto = propto()};
    try {
      call(context, name_, args_);
      return {};
    } catch (const ad::SizeError& e) {
      return {"invalid_argument", e.what()};
    } catch (const ad::IndexError& e) {
      return {"out_of_range", e.what()};
    } catch (const ad::EvalError& e) {
      return {"domain_error", e.what()};
    }
  }

  OracleOutcome check() {
    if (!Builtin::find(name_) && name_ != "if_else") return unsupported(c_, "there is no function of this name");
    try {
      if (!read_arguments()) return flag(c_, "throws") ? passed(c_) : check_order();
      if (flag(c_, "throws")) return check_throws();
      return check_value();
    } catch (const NotImplemented& e) {
      return unsupported(c_, e.what());
    } catch (const std::exception& e) {
      return failed(c_, fmt::format("raised an error: {}", e.what()));
    }
  }

 private:
  /// The language has no arrays of vectors of different sizes; to element-wise functions they are like one long vector.
  bool read_arguments() {
    try {
      for (const Json& a : member(c_, "args").items) args_.push_back(to_value(a));
      if (text_of(c_, "fn") == "fabs") args_[0] = to_reals(args_[0]);  // unlike abs
      to_result();
      return true;
    } catch (const DataError&) {
      if (args_.size() > 1 || flag(c_, "throws") || text_of(member(c_, "args").items[0], "type") != "array[] vector") return false;
    }
    args_ = {joined_vectors(member(member(c_, "args").items[0], "value"))};
    theirs_ = joined_vectors(member(member(c_, "result"), "value"));
    return true;
  }
  void to_result() {
    if (c_.find("result")) theirs_ = to_value(member(c_, "result"));
  }
  Value joined_vectors(const Json& rows) const {
    Json all{.kind = Json::Kind::Array};
    for (const Json& row : rows.items) all.items.insert(all.items.end(), row.items.begin(), row.items.end());
    return to_value("vector", all);
  }
  /// What happened instead of an error, or nothing if one was raised.
  std::optional<std::string> raise();
  OracleOutcome check_throws();
  OracleOutcome check_order();
  OracleOutcome check_value();
  OracleOutcome check_gradient(bool also_gradient);
  Match matches(const Value& ours, const Value& theirs);
  bool gradient_required() const { return !c_.find("grad_note") && !c_.find("grad_throws"); }
  /// C99 says what complex functions are at infinity and at their poles; the file has NaN there.
  bool infinite_complex_argument() const {
    return std::ranges::any_of(args_, [](const Value& v) {
      return is_complex(v) && (!all_finite(flatten(v)) || std::abs(flatten(v)[0]) == 1);
    });
  }
  bool propto() const { return flag(c_, "propto"); }
  bool differentiated(std::size_t arg) const;
  std::string gradient_difference(const std::vector<double>& ours) const;
  std::string replay(ad::Trace trace, const std::vector<double>& theta) const;
  std::optional<double> suspect_gradient(std::size_t arg, std::size_t k) const;
  bool symmetric_argument(std::size_t arg) const;
  bool mirrored_sums_agree(std::size_t arg, std::size_t k, const std::vector<double>& ours, std::size_t at, double allowed) const;
  std::vector<Value> as_parameters(std::vector<double>& theta) const;

  const Json& c_;
  std::string name_;
  std::vector<Value> args_;
  Value theirs_;
};

std::optional<std::string> FunctionCase::raise() {
  CallContext context{.propto = propto()};
  try {
    const Value v = call(context, name_, args_);
    const Json* suspect = c_.find("suspect");
    if (suspect && close(flatten(v)[0], to_double(*suspect), number_of(c_, "tol", 1e-8), 0, 0)) return std::nullopt;
    return "gave " + list_text(flatten(v));
  } catch (const ad::EvalError&) {
    return std::nullopt;
  }
}

OracleOutcome FunctionCase::check_throws() {
  const auto instead = raise();
  return instead ? failed(c_, *instead + " where an error (" + text_of(c_, "exception") + ") was expected") : passed(c_);
}

bool same_numbers(const Json& a, const Json& b) {
  return a.kind == b.kind && a.number == b.number &&
         std::ranges::equal(a.items, b.items, [](const Json& x, const Json& y) { return same_numbers(x, y); });
}

/// The language has no arrays of matrices of different sizes; what a function does to the order of elements it also does to their
/// numbers 1, 2, …, and the gradient is that order again.
OracleOutcome FunctionCase::check_order() {
  if (member(c_, "args").items.size() > 1) return unsupported(c_, "arrays of different sizes");
  const std::vector<Json>& before = member(member(c_, "args").items[0], "value").items;
  const std::vector<Json>& after = member(member(c_, "result"), "value").items;
  RealBuffer numbers(before.size());
  std::iota(numbers.data(), numbers.data() + numbers.size(), 0.0);
  CallContext context;
  const Shape shape = Shape::array(static_cast<std::uint32_t>(numbers.size()), Shape::scalar());
  const Value list[] = {Value::reals(shape, std::move(numbers))};
  const std::vector<double> order = flatten(call(context, name_, list));
  if (order.size() != after.size()) return failed(c_, fmt::format("{} elements, expected {}", order.size(), after.size()));
  for (std::size_t k = 0; k < order.size(); ++k)
    if (!same_numbers(before.at(static_cast<std::size_t>(order[k])), after[k]))
      return failed(c_, fmt::format("element {} is element {} of the argument", k + 1, order[k] + 1));
  return passed(c_);
}

Match FunctionCase::matches(const Value& ours, const Value& theirs) {
  const Comparison how{number_of(c_, "tol", 1e-8), number_of(c_, "atol", 0)};
  if (!same_form(ours, theirs)) return {};
  std::vector<double> x = flatten(ours);
  const std::vector<double> y = flatten(theirs);
  if (is_ints(theirs) && !is_ints(ours))  // results that the reference truncates where all arguments are ints
    std::ranges::transform(x, x.begin(), [](double v) { return std::trunc(v); });
  if (all_close(x, y, scales(theirs), how)) return {true, true};
  const Json* suspect = c_.find("suspect");
  if (suspect && suspect->kind != Json::Kind::Array && x.size() == 1 && close(x[0], to_double(*suspect), how.tol, 0, how.atol))
    return {true, true};
  if (suspect && suspect->kind == Json::Kind::Array) {
    std::vector<double> truth;
    for (const Json& j : suspect->items) truth.push_back(to_double(j));
    if (all_close(x, truth, std::vector<double>(truth.size(), largest(truth)), how)) return {true, true};
  }
  if (x.size() == 1 && rounds_to_zero(name_, x[0], y[0])) return {true, true};
  if (infinite_complex_argument() && nan_is_refined(x, y, how)) return {true, false};
  const std::string up_to = text_of(c_, "up_to");
  if (up_to.empty()) return {};
  if (name_.starts_with("complex_schur")) {
    CallContext context;
    return {is_schur(context, args_[0]), false};
  }
  return {agree_up_to(ours, theirs, std::max(how.tol, 1e-9), up_to != "column_sign"), false};
}

OracleOutcome FunctionCase::check_value() {
  const Value& theirs = theirs_;
  if (propto()) return check_gradient(true);
  CallContext context;
  const Value ours = call(context, name_, args_);
  const Match match = matches(ours, theirs);
  if (!match.ok) {
    if (!same_form(ours, theirs))
      return failed(c_, fmt::format("value has the form {}{}, expected {}{}", is_ints(ours) ? "int " : "", ours.shape().str(),
                                    is_ints(theirs) ? "int " : "", theirs.shape().str()));
    return failed(c_, fmt::format("value {}, expected {}", list_text(flatten(ours)), list_text(flatten(theirs))));
  }
  return check_gradient(match.exact);
}

bool FunctionCase::differentiated(std::size_t arg) const {
  if (is_ints(args_[arg])) return false;
  if (const Json* autodiff = c_.find("autodiff")) return autodiff->items[arg].number != 0;
  return member(c_, "grad").items[arg].kind == Json::Kind::Array;
}

std::vector<Value> FunctionCase::as_parameters(std::vector<double>& theta) const {
  std::vector<Value> out = args_;
  for (std::size_t j = 0; j < args_.size(); ++j) {
    if (!differentiated(j)) continue;
    const std::vector<double> x = flatten(args_[j]);
    std::vector<Ref> refs(x.size());
    std::iota(refs.begin(), refs.end(), static_cast<Ref>(theta.size()));
    theta.insert(theta.end(), x.begin(), x.end());
    out[j] = Value::refs(args_[j].shape(), std::move(refs));
  }
  return out;
}

/// target += sum of w_i r_i, w_i = cos i; a complex element adds w_i (re + im / 2). A scalar result has weight 1.
struct WeightedSum {
  CallContext& context;
  std::size_t next = 0;
  bool scalar = false;

  void add(const Value& v) {
    if (v.kind() == Value::Kind::Tuple || v.kind() == Value::Kind::Tuples) {
      for (const Value& slot : v.values()) add(slot);
      return;
    }
    const std::uint32_t width = v.shape().complex ? 2 : 1;
    for (std::uint32_t k = 0; k < v.shape().scalars(); ++k, ++next)
      for (std::uint32_t w = 0; w < width; ++w) add_number(v, k * width + w, (scalar ? 1 : std::cos(next)) * (w ? 0.5 : 1));
  }
  void add_number(const Value& v, std::uint32_t k, double weight) {
    static const NamedMap kMultiply("multiply");
    if (v.kind() != Value::Kind::Ref && v.kind() != Value::Kind::Refs) return;
    const Ref r = v.kind() == Value::Kind::Ref ? v.as_ref() : v.ref_data()[k];
    const Value pair[] = {Value::reference(r), weight};
    add_to_target(*context.recorder, kMultiply(context, pair));
  }
};

Value recorded_numbers(const CallContext& context, const Value& v) {
  if (v.kind() != Value::Kind::Tuple) return without_derivatives(context, v);
  std::vector<Value> slots;
  for (const Value& slot : v.values()) slots.push_back(recorded_numbers(context, slot));
  return Value::tuple(std::move(slots));
}

/// Records the call, compares the recorded value, replays the tape and compares the gradient.
OracleOutcome FunctionCase::check_gradient(bool exact) {
  const Value& theirs = theirs_;
  std::vector<double> theta;
  const std::vector<Value> args = as_parameters(theta);
  if (theta.empty() && !propto()) return passed(c_);
  ad::Recorder recorder(theta);
  CallContext context{.recorder = &recorder, .propto = propto()};
  const Value result = call(context, name_, args);
  const Value ours = recorded_numbers(context, result);
  if (!matches(ours, theirs).ok)
    return failed(c_, fmt::format("recorded value {}, expected {}", list_text(flatten(ours)), list_text(flatten(theirs))));
  // Where a value is infinite or no number its derivative means nothing.
  if (!exact || !gradient_required() || !all_finite(flatten(ours))) return passed(c_);
  WeightedSum sum{context};
  sum.scalar = flatten(ours).size() == 1;
  sum.add(result);
  ad::Trace trace = std::move(recorder).finish();
  std::string difference = replay(trace, theta);
  if (difference.empty()) {
    ad::rewrite(trace);
    difference = replay(std::move(trace), theta);
    if (!difference.empty()) difference = "after rewriting: " + difference;
  }
  return difference.empty() ? passed(c_) : failed(c_, difference);
}

/// What is wrong with the gradient of a replay, from a workspace full of NaN.
std::string FunctionCase::replay(ad::Trace trace, const std::vector<double>& theta) const {
  ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(trace)));
  workspace.poison();
  std::vector<double> gradient(theta.size());
  double lp = 0;
  const ad::ReplayStatus status = workspace.gradient(theta, &lp, gradient);
  if (status.kind == ad::ReplayStatus::Kind::GuardFailed) return "the replay stopped at a guard";
  return status.kind == ad::ReplayStatus::Kind::Ok ? gradient_difference(gradient) : "the replay failed: " + status.message;
}

std::optional<double> FunctionCase::suspect_gradient(std::size_t arg, std::size_t k) const {
  const Json* all = c_.find("suspect_grad");
  const Json* one = all ? all->find(fmt::format("{}:{}", arg, k)) : nullptr;
  return one ? std::optional(to_double(*one)) : std::nullopt;
}

/// Arguments that must be symmetric: how a derivative is shared between an element and its mirror image is up to the algorithm.
bool FunctionCase::symmetric_argument(std::size_t arg) const {
  return name_ == "gaussian_dlm_obs_lpdf" && arg >= 3 && args_[arg].shape().inner == ad::Inner::Matrix;
}

bool FunctionCase::mirrored_sums_agree(std::size_t arg, std::size_t k, const std::vector<double>& ours, std::size_t at,
                                       double allowed) const {
  const std::size_t n = args_[arg].shape().rows, mirror = k % n * n + k / n;
  const std::vector<Json>& theirs = member(c_, "grad").items[arg].items;
  return std::abs(ours[at + k] + ours[at + mirror] - to_double(theirs[k]) - to_double(theirs[mirror])) <= 2 * allowed;
}

std::string FunctionCase::gradient_difference(const std::vector<double>& ours) const {
  const Json& grad = member(c_, "grad");
  std::vector<double> theirs;
  for (const Json& arg : grad.items)
    for (const Json& entry : arg.items) theirs.push_back(to_double(entry));
  const double m = theirs.size() == 1 ? 0 : largest(theirs);
  const double tol = number_of(c_, "grad_tol", 1e-6);
  const double suspect_tol = number_of(c_, "suspect_grad_tol", tol);
  std::size_t at = 0;
  for (std::size_t j = 0; j < args_.size(); ++j) {
    if (!differentiated(j)) continue;
    const std::vector<Json>& entries = grad.items[j].items;
    const std::size_t n = flatten(args_[j]).size();
    for (std::size_t k = 0; k < n && k < entries.size(); ++k) {
      const double want = to_double(entries[k]), have = ours[at + k];
      const auto truth = suspect_gradient(j, k);
      if (!std::isfinite(want) && !truth) continue;
      if (std::isfinite(want) && close(have, want, tol, m, 0)) continue;
      if (rounds_to_zero(name_, have, want)) continue;
      if (truth && close(have, *truth, suspect_tol, std::isfinite(*truth) ? std::abs(*truth) : 0, 0)) continue;
      if (symmetric_argument(j) && mirrored_sums_agree(j, k, ours, at, tol * m)) continue;
      return fmt::format("gradient of argument {}, entry {} is {:.17g}, expected {:.17g}{}", j + 1, k + 1, have, want,
                         truth ? fmt::format(" or {:.17g}", *truth) : "");
    }
    at += n;
  }
  return {};
}

}  // namespace

OracleOutcome check_function(const Json& c) {
  return FunctionCase(c).check();
}

std::string current_name(const Json& c) { return function_name(c); }

Raised raised_error(const Json& c) { return FunctionCase(c).raised(); }

}  // namespace fermiac::selfcheck::oracle
