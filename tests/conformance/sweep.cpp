#include "tests/conformance/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "frontend/builtins/builtins.h"
#include "interp/functions/builtin_tools.h"
#include "interp/functions/functions.h"
#include "interp/value/selection.h"
#include "support/base/errors.h"
#include "tests/conformance/oracle_values.h"
#include "tests/conformance/recorded_call.h"

namespace fermiac::selfcheck {
namespace {

using oracle::flatten;

constexpr double kStep = 1e-2;
constexpr double kGradientTolerance = 1e-6;
constexpr double kValueTolerance = 1e-10;

/// Functions whose arguments are functions: they need user code and have tests of their own.
bool takes_functions(const Signature& s) {
  return std::ranges::any_of(s.formals, [](const Formal& f) { return f.type.base() == BaseType::Function; });
}
bool is_random(const Signature& s) {
  return s.name.ends_with("_rng");
}

bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view e) { return name.ends_with(e); });
}
bool is_log_density(std::string_view name) {
  return ends_with_any(name, {"_lpdf", "_lpmf", "_lcdf", "_lccdf", "_lcdf_unnorm", "_lccdf_unnorm"});
}

/// Deeper than any value can be.
bool too_deep(const Signature& s) {
  return std::ranges::any_of(s.formals, [](const Formal& f) { return f.type.array_dims() > ad::Shape::kMaxRank; });
}

double difference(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  return std::abs(a - b) / (1 + std::max(std::abs(a), std::abs(b)));
}

std::string text(double x) {
  return fmt::format("{:.17g}", x);
}

class Call {
 public:
  Call(const Signature& s, std::uint64_t seed)
      : s_(s), builtin_(*LibraryFunction::find(s.name)), domains_(sweep_domains(s)), seed_(seed), rng_(seed) {}

  std::vector<Value> arguments(double t) const {
    std::vector<Value> args;
    for (std::size_t j = 0; j < s_.formals.size(); ++j)
      args.push_back(sweep_value(s_.formals[j].type, domains_[j], seed_ + 7 * j, t));
    return args;
  }
  Value plain(const std::vector<Value>& args) {
    extra_ = 0;
    CallContext context{.rng = &rng_, .target = &extra_};
    return builtin_.apply(context, args);
  }
  /// Σ cos(k) result_k at place t, with what the function adds to target.
  double weighted(double t) {
    const std::vector<double> x = flatten(plain(arguments(t)));
    double sum = extra_;
    for (std::size_t k = 0; k < x.size(); ++k) sum += result_weight(k) * x[k];
    return sum;
  }

  /// What is wrong with the recorded value and gradient; nothing if both are right or there is none.
  std::optional<std::string> check_gradient(bool& compared);

 private:
  /// Bit j: argument j may carry derivatives.
  unsigned differentiable() const;
  std::vector<double> velocity() const;

  const Signature& s_;
  const LibraryFunction& builtin_;
  std::vector<std::string> domains_;
  std::uint64_t seed_;
  Rng rng_;
  double extra_ = 0;
};

/// Central differences of order six of f at 0.
template <class F>
double slope(const F& f) {
  const auto pair = [&](int k) { return f(k * kStep) - f(-k * kStep); };
  return (45 * pair(1) - 9 * pair(2) + pair(3)) / (60 * kStep);
}

unsigned Call::differentiable() const {
  unsigned mask = 0;
  for (std::size_t j = 0; j < s_.formals.size(); ++j)
    if (!s_.formals[j].data_only && !s_.formals[j].type.is_discrete()) mask |= 1u << j;
  return mask;
}

/// How fast the parameters move along the curve.
std::vector<double> Call::velocity() const {
  std::map<int, std::vector<double>> at;
  for (const int k : {-3, -2, -1, 1, 2, 3}) {
    as_parameters(arguments(k * kStep), differentiable(), at[k]);
  }
  std::vector<double> v(at[1].size());
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = (45 * (at[1][i] - at[-1][i]) - 9 * (at[2][i] - at[-2][i]) + at[3][i] - at[-3][i]) / (60 * kStep);
  return v;
}

std::optional<std::string> Call::check_gradient(bool& compared) {
  const std::vector<Value> args = arguments(0);
  const std::vector<double> expected = flatten(plain(args));
  std::vector<double> theta;
  const std::vector<Value> parameters = as_parameters(args, differentiable(), theta);
  if (theta.empty() || s_.result.is_discrete() || is_free_up_to_phase(s_)) return std::nullopt;
  ad::Recorder recorder(theta);
  CallContext context{.recorder = &recorder};
  const Value result = builtin_.apply(context, parameters);
  const std::vector<double> found = flatten(plain_numbers(context, result));
  if (found.size() != expected.size())
    return fmt::format("recorded {} numbers, plainly {}", found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    if (!(difference(found[k], expected[k]) < kValueTolerance))
      return fmt::format("recorded value {} is {}, plainly {}", k + 1, text(found[k]), text(expected[k]));
  if (!std::ranges::all_of(expected, [](double x) { return std::isfinite(x); })) return std::nullopt;  // no slope there
  record_weighted_sum(context, result);
  ad::Trace trace = std::move(recorder).finish();
  ad::rewrite(trace);
  ad::Workspace workspace(std::make_shared<const ad::Tape>(std::move(trace)));
  workspace.poison();
  std::vector<double> gradient(theta.size());
  double lp = 0;
  const ad::ReplayStatus status = workspace.gradient(theta, &lp, gradient);
  if (status.kind != ad::ReplayStatus::Kind::Ok) return "the replay failed: " + status.message;
  const std::vector<double> v = velocity();
  const double ours = std::inner_product(v.begin(), v.end(), gradient.begin(), 0.0);
  const double wanted = slope([&](double t) { return weighted(t); });
  compared = true;
  if (difference(ours, wanted) < kGradientTolerance) return std::nullopt;
  return fmt::format("derivative along a curve is {}, by differences {}", text(ours), text(wanted));
}

// ---------------------------------------------------------------- containers against loops

/// Functions of arrays that are not element by element; linear models, whose matrix belongs to all observations.
const std::set<std::string_view>& structural() {
  static const std::set<std::string_view> names = {"append_array", "head",           "tail",           "reverse",
                                                   "segment",      "rep_array",      "cumulative_sum", "sort_asc",
                                                   "sort_desc",    "linspaced_array"};
  return names;
}

/// The type of one element, or nothing for types that have none to loop over.
std::optional<Type> element_type(const Type& t) {
  if (t.is_array()) return t.element();
  if (t.is(BaseType::Vector) || t.is(BaseType::RowVector)) return Type(BaseType::Real);
  if (t.is(BaseType::ComplexVector) || t.is(BaseType::ComplexRowVector)) return Type(BaseType::Complex);
  return std::nullopt;
}

/// Which arguments a loop runs over, and whether the results add up (densities) or are the elements of the result.
struct Loop {
  unsigned mask = 0;
  bool sums = false;
};

std::optional<Loop> find_loop(const Signature& s) {
  if (structural().contains(s.name) || s.name.find("_glm_") != std::string_view::npos) return std::nullopt;
  const bool sums = is_log_density(s.name) && s.result.is(BaseType::Real);
  const std::optional<Type> element = element_type(s.result);
  if (!sums && !element) return std::nullopt;
  std::optional<Loop> best;
  for (unsigned mask = 1; mask < 1u << s.formals.size(); ++mask) {
    std::vector<Formal> formals = s.formals;
    bool possible = true;
    for (std::size_t j = 0; j < formals.size() && possible; ++j) {
      if (!(mask >> j & 1u)) continue;
      const auto type = element_type(formals[j].type);
      possible = type.has_value();
      if (type) formals[j].type = *type;
    }
    if (!possible || (best && std::popcount(mask) <= std::popcount(best->mask))) continue;
    for (const Signature& other : signatures(s.name))
      if (other.formals == formals && other.result == (sums ? Type(BaseType::Real) : *element)) best = Loop{mask, sums};
  }
  return best;
}

Value element_of(const Value& v, std::uint32_t i) {
  if (v.shape().rank == 0) {
    const std::vector<double> x = flatten(v);
    return v.shape().complex ? Value::complex(x[2 * i], x[2 * i + 1]) : Value(x[i]);
  }
  const Position at[] = {
      {.kind = mir::Index::Kind::Single, .low = static_cast<std::int32_t>(i) + 1, .high = 0, .list = {}}};
  return read(v, select("element", v.shape(), at));
}

std::optional<std::string> check_loop(const Signature& s, const Loop& loop, Call& call) {
  const std::vector<Value> args = call.arguments(0);
  const std::vector<double> whole = flatten(call.plain(args));
  std::uint32_t n = 0;
  for (std::size_t j = 0; j < args.size(); ++j)
    if (loop.mask >> j & 1u) n = args[j].shape().length();
  std::vector<double> parts;
  double sum = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    std::vector<Value> one = args;
    for (std::size_t j = 0; j < args.size(); ++j)
      if (loop.mask >> j & 1u) one[j] = element_of(args[j], i);
    for (const double x : flatten(call.plain(one))) parts.push_back(x), sum += x;
  }
  if (loop.sums) parts = {sum};
  if (parts.size() != whole.size()) return fmt::format("{} numbers, a loop gives {}", whole.size(), parts.size());
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (!(difference(whole[k], parts[k]) < kValueTolerance))
      return fmt::format("number {} is {}, a loop over {} gives {}", k + 1, text(whole[k]), s.name, text(parts[k]));
  return std::nullopt;
}

void sweep_one(const Signature& s, std::uint64_t seed, SweepReport& report) {
  const auto finding = [&](std::string what) { report.findings.push_back({signature_text(s), std::move(what)}); };
  ++report.signatures;
  if (takes_functions(s)) return void(++report.take_functions);
  if (!LibraryFunction::find(s.name)) return finding("there is no implementation");
  ++report.implemented;
  if (too_deep(s)) return void(++report.too_deep);
  try {
    Call call(s, seed);
    call.plain(call.arguments(0));
    ++report.called;
    if (is_random(s)) return;
    bool compared = false;
    if (const auto wrong = call.check_gradient(compared)) finding(*wrong);
    if (compared) ++report.differentiated;
    const std::optional<Loop> loop = find_loop(s);
    if (!loop) return;
    ++report.looped;
    if (const auto wrong = check_loop(s, *loop, call)) finding(*wrong);
  } catch (const std::exception& e) {
    finding(fmt::format("raised an error: {}", e.what()));
  }
}

}  // namespace

SweepReport sweep_functions(std::string_view prefix, std::uint64_t seed) {
  SweepReport report;
  for (const std::string& name : builtin_names()) {
    if (!name.starts_with(prefix)) continue;
    for (const Signature& s : signatures(name)) sweep_one(s, seed, report);
  }
  return report;
}

}  // namespace fermiac::selfcheck
