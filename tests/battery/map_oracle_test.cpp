// Every map against independently computed values and gradients: scalar cases through value_and_partials, container
// cases by broadcasting through map/map_reverse and reduce/fused, domain errors, dropped summands.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autodiff/errors.h"
#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {
namespace {

using simdjson::dom::element;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// Log probabilities of the reference are logs of probabilities: below this they are rounding.
constexpr double kProbabilityRounding = 1e-14;

std::string read_gzip(const std::string& path) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("gzip -dc '" + path + "'").c_str(), "r"), pclose);
  char buffer[1 << 16];
  while (const std::size_t n = fread(buffer, 1, sizeof buffer, pipe.get())) text.append(buffer, n);
  return text;
}

double number(element e) {
  if (e.is_string()) {
    const std::string_view s = e.get_string().value();
    return s == "NaN" ? kNan : s == "Infinity" ? kInf : -kInf;
  }
  return e.is_null() ? kNan : e.get_double().value();
}

/// Elements in the layout of values: arrays outermost, matrices column-major.
void flatten(element e, bool matrix, int array_rank, std::vector<double>& out) {
  if (!e.is_array()) return out.push_back(number(e));
  if (matrix && array_rank == 0) {
    std::vector<std::vector<double>> rows;
    for (const element row : e.get_array()) flatten(row, false, 0, rows.emplace_back());
    for (std::size_t j = 0; !rows.empty() && j < rows[0].size(); ++j)
      for (const auto& row : rows) out.push_back(row[j]);
    return;
  }
  for (const element x : e.get_array()) flatten(x, matrix, array_rank - 1, out);
}

int array_rank(std::string_view type) {
  if (!type.starts_with("array")) return 0;
  return 1 + static_cast<int>(std::count(type.begin(), type.end(), ','));
}

struct Arg {
  std::vector<double> v;
  bool vector = false;
  bool autodiff = false;
  std::vector<double> grad;  // expected
};

struct Case {
  std::string id, fn, kind;
  std::vector<Arg> args;
  std::string container;  // type of the container arguments
  bool throws = false, propto = false, grad_note = false, nested_mix = false, mixed = false;
  std::vector<double> result;
  double tol = 0, grad_tol = 1e-8, atol = 0, suspect_grad_tol = 0;
  std::vector<double> suspect;
  std::map<std::pair<int, int>, double> suspect_grad;
};

std::vector<double> numbers(element e, std::string_view type) {
  std::vector<double> v;
  flatten(e, type.find("matrix") != type.npos, array_rank(type), v);
  return v;
}

std::optional<double> field(element e, const char* name) {
  element f;
  if (e[name].get(f)) return std::nullopt;
  return number(f);
}

void read_args(element e, Case& c) {
  int deepest = 0;
  bool matrix = false;
  for (const element a : e["args"].get_array()) {
    const std::string_view type = a["type"].get_string().value();
    if (a["value"].is_array()) {
      c.mixed |= !c.container.empty() && (c.container != type || type == "matrix");
      c.container = type;
    }
    Arg arg{.v = numbers(a["value"], type), .vector = a["value"].is_array(), .autodiff = false, .grad = {}};
    deepest = std::max(deepest, array_rank(type));
    matrix |= type.find("matrix") != type.npos;
    c.args.push_back(std::move(arg));
  }
  c.nested_mix = matrix && deepest > 1;
}

void read_suspects(element e, Case& c) {
  element s;
  if (!e["suspect"].get(s)) {
    element value;
    if (s.is_object() && !s["value"].get(value)) s = value;
    flatten(s, false, 8, c.suspect);
  }
  simdjson::dom::object g;
  if (e["suspect_grad"].get(g)) return;
  for (const auto [key, value] : g) {
    int a = 0, k = 0;
    sscanf(std::string(key).c_str(), "%d:%d", &a, &k);
    c.suspect_grad[{a, k}] = number(value);
  }
}

Case read_case(element e) {
  Case c;
  c.id = e["id"].get_string().value();
  c.fn = e["fn"].get_string().value();
  c.kind = e["kind"].get_string().value();
  read_args(e, c);
  element f;
  c.throws = !e["throws"].get(f);
  c.propto = !e["propto"].get(f);
  c.grad_note = !e["grad_note"].get(f);
  if (!e["result"].get(f)) c.result = numbers(f["value"], f["type"].get_string().value());
  c.tol = field(e, "tol").value_or(1e-10);
  c.grad_tol = field(e, "grad_tol").value_or(1e-8);
  c.atol = std::max(field(e, "atol").value_or(0), c.fn.ends_with("cdf") ? kProbabilityRounding : 0);
  c.suspect_grad_tol = field(e, "suspect_grad_tol").value_or(c.grad_tol);
  simdjson::dom::array grads;
  if (!e["grad"].get(grads)) {
    std::size_t j = 0;
    for (const element g : grads) {
      if (!g.is_null()) {
        flatten(g, false, 8, c.args[j].grad);
        c.args[j].autodiff = true;
      }
      ++j;
    }
  }
  simdjson::dom::array autodiff;
  if (!e["autodiff"].get(autodiff)) {
    std::size_t j = 0;
    for (const element flag : autodiff) {
      if (flag.is_bool()) c.args[j++].autodiff = flag.get_bool().value();
      else c.args[static_cast<std::size_t>(number(flag))].autodiff = true;
    }
  }
  read_suspects(e, c);
  return c;
}

/// Cases whose recorded value is the reference's own error, each checked by hand.
constexpr std::string_view kReferenceErrors[] = {
    // an int argument made the reference truncate the result to an int
    "bessel_first_kind/19", "bessel_second_kind/19",
    // shape derivatives at the end of the support, where the function is constant
    "inc_beta/7", "beta_lcdf/6", "beta_cdf/4",
    // wrong sign or underflow of a derivative
    "bernoulli_logit_lpmf/4", "skew_normal_lcdf/5", "gamma_q/r6", "poisson_lcdf/9", "poisson_lccdf/9",
    // no convergence although the value exists
    "gamma_lcdf/13", "gamma_cdf_log/5", "beta_binomial_lccdf/10", "beta_binomial_ccdf_log/5",
    // above the upper bound a distribution function is one
    "uniform_cdf/17", "uniform_lcdf/17",
    // an infinite location or outcome
    "pareto_type_2_lcdf/22", "pareto_type_2_lccdf/22", "exp_mod_normal_lpdf/18",
    // one outcome outside makes the reference drop the partials of all others; the value is -inf, they do not matter
    "uniform_lpdf/28", "uniform_lpdf/36", "uniform_lpdf/r8", "uniform_lcdf/r8", "uniform_log/4", "bernoulli_lccdf/r8",
    // one rounding error from the end of the support
    "von_mises_lcdf/7", "von_mises_lccdf/6"};

/// Runs one case; empty when it agrees, else what differs.
class Runner {
 public:
  explicit Runner(const Case& c) : c_(c), op_(map_op(find_map(c.fn))) {}

  std::string run() {
    try {
      evaluate();
    } catch (const EvalError& error) {
      return c_.throws || overflows() ? "" : fmt::format("raised \"{}\"", error.what());
    }
    if (c_.throws) return c_.suspect.empty() ? "must raise an error" : "";
    return compare();
  }
  /// Sizes and container types that differ are the caller's business.
  bool applicable() const {
    std::size_t n = 0;
    if (c_.mixed && c_.throws) return false;
    for (const Arg& a : c_.args)
      if (a.vector) {
        if (n != 0 && a.v.size() != n) return false;
        n = a.v.size();
        if (n == 0) return false;
      }
    return !c_.nested_mix && c_.args.size() == op_.arity;
  }

 private:
  static bool overflows() { return false; }

  void bind() {
    n_ = 1;
    m_ = {};
    std::uint8_t ad = 0;
    for (std::size_t j = 0; j < c_.args.size(); ++j) {
      const Arg& a = c_.args[j];
      values_[j] = a.v;
      if (a.vector) n_ = a.v.size(), m_.vector_mask |= static_cast<std::uint16_t>(1u << j);
      adjoints_[j].assign(a.v.size() + 8, 0.0);
      values_[j].resize(a.v.size() + 8, a.v.back());
      m_.x[j] = values_[j].data();
      if (a.autodiff) m_.a[j] = adjoints_[j].data(), ad |= static_cast<std::uint8_t>(1u << j);
    }
    m_.n = static_cast<std::uint32_t>(n_);
    m_.keep = c_.propto ? Keep::propto(ad) : Keep{0xff, ad};
  }

  void evaluate() {
    bind();
    if (m_.vector_mask == 0) return evaluate_scalar();
    if (op_.density) {
      double plain = 0, sum = 0;
      if (!op_.reduce(m_, &plain)) explain_domain(op_, m_);
      if (!op_.fused(m_, &sum)) explain_domain(op_, m_);
      if (!(std::fabs(plain - sum) <= 1e-12 * std::fabs(sum) + 1e-14) && !(std::isnan(plain) && std::isnan(sum)) && plain != sum)
        note_ = fmt::format("reduce {} but fused {}; ", plain, sum);
      result_ = {sum};
      return;
    }
    result_.assign(n_ + 8, 0.0);
    weights_.assign(n_ + 8, 0.0);
    for (std::size_t i = 0; i < n_; ++i) weights_[i] = std::cos(static_cast<double>(i));
    m_.out = result_.data();
    m_.out_a = weights_.data();
    if (!op_.map(m_)) explain_domain(op_, m_);
    op_.map_reverse(m_);
    result_.resize(n_);
  }

  void evaluate_scalar() {
    double x[kMaxMapArity]{}, d[kMaxMapArity]{};
    for (std::size_t j = 0; j < c_.args.size(); ++j) x[j] = c_.args[j].v[0];
    if (!op_.valid(x)) explain_domain(op_, m_);
    const double plain = op_.value(x, m_.keep);
    const double v = op_.value_and_partials(x, m_.keep, d);
    if (!(std::fabs(plain - v) <= 1e-13 * std::fabs(v)) && plain != v && !(std::isnan(plain) && std::isnan(v)))
      note_ = fmt::format("value {} but with partials {}; ", plain, v);
    for (std::size_t j = 0; j < c_.args.size(); ++j) adjoints_[j][0] = d[j];
    result_ = {v};
  }

  static bool close(double x, double y, double tol, double scale, double atol) {
    if (std::isnan(y)) return std::isnan(x);
    if (std::isinf(y) || std::isinf(x)) return x == y;
    return std::fabs(x - y) <= tol * std::max(std::fabs(y), scale) + atol;
  }
  static double largest(const std::vector<double>& v) {
    double m = 0;
    for (const double x : v)
      if (std::isfinite(x)) m = std::max(m, std::fabs(x));
    return m;
  }

  std::string compare() {
    std::string text = note_;
    const double scale = c_.result.size() > 1 ? largest(c_.result) : 0;
    if (c_.result.size() != result_.size()) return "size of the result";
    for (std::size_t i = 0; i < result_.size(); ++i) {
      const bool agrees = close(result_[i], c_.result[i], c_.tol, scale, c_.atol);
      const bool agrees_true = i < c_.suspect.size() && close(result_[i], c_.suspect[i], c_.tol, scale, c_.atol);
      if (!agrees && !agrees_true)
        text += fmt::format("value[{}] {} instead of {}{}; ", i, result_[i], c_.result[i],
                            i < c_.suspect.size() ? fmt::format(" (or {})", c_.suspect[i]) : "");
    }
    return text + compare_gradients();
  }

  std::string compare_gradients() {
    if (c_.grad_note) return "";
    std::string text;
    double scale = 0;
    for (const Arg& a : c_.args) scale = std::max(scale, largest(a.grad));
    for (std::size_t j = 0; j < c_.args.size(); ++j)
      for (std::size_t i = 0; i < c_.args[j].grad.size(); ++i) {
        const double expected = c_.args[j].grad[i];
        if (!std::isfinite(expected)) continue;  // not a requirement
        const double got = adjoints_[j][i];
        if (close(got, expected, c_.grad_tol, scale, c_.atol)) continue;
        const auto it = c_.suspect_grad.find({static_cast<int>(j), static_cast<int>(i)});
        if (it != c_.suspect_grad.end() && close(got, it->second, c_.suspect_grad_tol, scale, c_.atol)) continue;
        text += fmt::format("d/darg{}[{}] {} instead of {}{}; ", j, i, got, expected,
                            it != c_.suspect_grad.end() ? fmt::format(" (or {})", it->second) : "");
      }
    return text;
  }

  const Case& c_;
  const MapOp& op_;
  MapArgs m_;
  std::size_t n_ = 1;
  std::vector<double> values_[kMaxMapArity], adjoints_[kMaxMapArity], result_, weights_;
  std::string note_;
};

std::string describe(const Case& c) {
  std::string text = c.fn + "(";
  for (const Arg& a : c.args) text += fmt::format("{}{}", &a == &c.args[0] ? "" : ", ", fmt::join(a.v, " "));
  return text + ")" + (c.propto ? " propto" : "");
}

TEST(MapOracle, AgreesWithReferenceValues) {
  const std::string text = read_gzip(FERMIAC_SOURCE_DIR "/tests/battery/data/functions_maps.jsonl.gz");
  ASSERT_FALSE(text.empty());
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text);
  int run = 0, skipped = 0;
  std::map<std::string, int> missing;
  std::map<std::string, std::pair<int, int>> tally;  // per function: failures, cases
  for (const element e : parser.parse_many(padded)) {
    const Case c = read_case(e);
    if (std::ranges::find(kReferenceErrors, c.id) != std::ranges::end(kReferenceErrors)) continue;
    if (find_map(c.fn) == kNoMap) {
      ++missing[c.fn];
      continue;
    }
    Runner runner(c);
    if (!runner.applicable()) {
      ++skipped;
      continue;
    }
    ++run;
    ++tally[c.fn].second;
    const std::string difference = runner.run();
    if (difference.empty()) continue;
    ++tally[c.fn].first;
    ADD_FAILURE() << c.id << " [" << c.kind << "] " << describe(c) << ": " << difference;
  }
  int failures = 0;
  for (const auto& [fn, counts] : tally) failures += counts.first;
  fmt::print("{} cases on {}, {} skipped, {} failed\n", run, isa_name(active_isa()), skipped, failures);
  for (const auto& [fn, counts] : tally)
    if (counts.first) fmt::print("FAILED {} {} of {}\n", fn, counts.first, counts.second);
  for (const auto& [fn, n] : missing) fmt::print("MISSING {} ({} cases)\n", fn, n);
  EXPECT_TRUE(missing.empty());
  EXPECT_GT(run, 5000);
}

/// The same in child processes that are held to the other instruction sets.
TEST(MapOracle, AgreesOnEveryInstructionSet) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  for (const std::string_view isa : isa_names()) {
    if (isa == isa_name(active_isa())) continue;
    const std::string command =
        fmt::format("FERMIAC_ISA={} '{}' --gtest_filter=MapOracle.AgreesWithReferenceValues > /dev/null", isa, self);
    EXPECT_EQ(std::system(command.c_str()), 0) << isa;
  }
}

}  // namespace
}  // namespace fermiac::ad
