// Exact second derivatives of models against differences of their gradients: the examples, and programs that have what tapes are
// made of - products, sums, softmax, linear models, long vectors in tiles, weights.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "inference/model/second_derivatives.h"
#include "interp/model/conditioned_model.h"
#include "support/base/render.h"
#include "support/base/rng.h"
#include "tests/differential/example_models.h"

namespace fermiac::interp {
namespace {

using Numbers = std::vector<double>;

/// A workspace that says nothing of exact derivatives.
class Plain final : public ModelWorkspace {
 public:
  explicit Plain(ModelWorkspace& of) : of_(of) {}
  EvalStatus log_density(std::span<const double> theta, DensityOptions options, double* lp) override { return of_.log_density(theta, options, lp); }
  EvalStatus log_density_gradient(std::span<const double> theta, DensityOptions options, double* lp, std::span<double> gradient) override {
    return of_.log_density_gradient(theta, options, lp, gradient);
  }
  EvalStatus write_array(std::span<const double> theta, bool transformed, bool generated, Rng& rng, std::span<double> out) override {
    return of_.write_array(theta, transformed, generated, rng, out);
  }

 private:
  ModelWorkspace& of_;
};

Numbers point(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  Numbers theta(n);
  for (double& x : theta) x = 0.4 * rng.normal();
  return theta;
}

/// Why its Hessian is not exact, or empty; then it agrees with differences.
std::string compare(const Model& model, const Numbers& theta) {
  const auto workspace = model.workspace();
  auto* const exact = dynamic_cast<ExactSecondDerivatives*>(workspace.get());
  EXPECT_TRUE(exact);
  if (std::string why = exact->why_inexact(theta, {}); !why.empty()) return why;
  const std::size_t n = theta.size();
  Numbers found(n * n), expected(n * n), column(n);
  EXPECT_TRUE(inference::exact_hessian(*workspace, {}, theta, found));
  Plain plain(*workspace);
  EXPECT_TRUE(inference::hessian(plain, {}, theta, expected));
  double largest = 1;
  for (const double x : expected) largest = std::fmax(largest, std::fabs(x));
  for (std::size_t i = 0; i < n * n; ++i) EXPECT_NEAR(found[i], expected[i], 1e-8 * largest) << i / n << ", " << i % n;
  return {};
}

std::unique_ptr<InterpModel> model_of(const std::string& text, const std::string& data, const Conditioning& conditioning = {}) {
  const auto compiled = compile_model({.text = text, .path = "m.stan", .name = "m_model"});
  EXPECT_TRUE(*compiled) << render_errors(compiled->sources(), compiled->diagnostics);
  return bound_model(compiled, DataSource::parse(data, "data"), conditioning, 1, [](std::string_view) {});
}

std::string numbers(int n, double step, bool counts = false) {
  std::string out;
  for (int i = 1; i <= n; ++i) out += (i == 1 ? "" : ",") + (counts ? std::to_string(i % 3) : fmt::format("{:.3f}", std::sin(step * i)));
  return "[" + out + "]";
}
std::string data(int n) {
  std::string rows, outcomes;
  for (int i = 1; i <= n; ++i) rows += fmt::format("{}[{:.3f},{:.3f},{:.3f}]", i == 1 ? "" : ",", std::sin(i), std::cos(2.3 * i), std::sin(0.7 * i));
  for (int i = 1; i <= n; ++i) outcomes += fmt::format("{}{}", i == 1 ? "" : ",", i % 2);
  return fmt::format(R"({{"N": {}, "x": {}, "y": {}, "k": {}, "z": [{}], "X": [{}]}})", n, numbers(n, 1.3), numbers(n, 0.37), numbers(n, 0, true), outcomes, rows);
}

constexpr const char* kHead = R"(
data { int N; vector[N] x; vector[N] y; array[N] int<lower=0> k; array[N] int<lower=0, upper=1> z; matrix[N, 3] X; }
parameters { real a; vector[3] b; real<lower=0> s; vector<lower=0, upper=2>[3] c; }
model { a ~ normal(0, 2); b ~ student_t(4, 0, 1); s ~ gamma(2, 3); c ~ lognormal(0, 1);
)";

TEST(SecondDerivatives, ExamplesAgreeWithDifferences) {
  std::size_t exact = 0;
  for (const std::string& name : example_names()) {
    SCOPED_TRACE(name);
    const auto model = load_example(name);
    ASSERT_TRUE(model);
    if (model->unconstrained_size() > 200) continue;
    const std::string why = compare(*model, point(model->unconstrained_size(), 3));
    exact += why.empty();
    if (!why.empty()) std::printf("%s: %s\n", name.c_str(), why.c_str());
  }
  EXPECT_GE(exact, 6u);
}

/// What they have on the tape. All are exact but for tgamma, and for regressions that the pass `linear` makes sums of squares.
constexpr const char* kPrograms[] = {
    "y ~ normal(a + b[1] * x, s);",
    "y ~ normal(a + X * b, s);",
    "for (n in 1:N) y[n] ~ cauchy(a + b[1] * x[n], s + square(c[2]));",
    "z ~ bernoulli_logit(a + X * b);",
    "k ~ poisson_log(a + X * b); target += 0.3 * log_sum_exp(X * b);",
    "k ~ neg_binomial_2_log(a + X * b, s);",
    "z ~ bernoulli_logit_glm(X, a, b); k ~ poisson_log_glm(X, a + x, b);",
    "y ~ normal_id_glm(X, a, b, s); k ~ neg_binomial_2_log_glm(X, x * a, b, s);",
    "real t = 2.0 * bernoulli_logit_glm_lpmf(z | X, a, b); target += t * t / 100;",
    "target += dot_product(softmax(b), exp(c)) + sum(log_softmax(c .* b)) + dot_self(b - c) + variance(b) + mean(exp(b));",
    "matrix[3, 3] m = diag_pre_multiply(c, b * b'); target += -0.1 * sum(m * m' + crossprod(m)) - squared_distance(b, c);",
    "vector[N] f = cumulative_sum(x * a); for (n in 2:N) y[n] ~ normal(b[1] * y[n - 1] + f[n], s);",
    "for (n in 1:N) target += log_mix(inv_logit(a), normal_lpdf(y[n] | b[1], s), normal_lpdf(y[n] | b[2], s));",
    "for (n in 1:N) y[n] ~ normal(a, s) T[-2, ];",
    "c / 2 ~ beta_proportion(0.2 + 0.3 * inv_logit(a), 3); b ~ skew_normal(a, s, 1.5); b ~ exp_mod_normal(a, s, 2); b ~ double_exponential(a, s);",
    "b ~ gumbel(a, s); c ~ weibull(1 + s, 2); c ~ inv_gamma(2 + s, s); b ~ logistic(a, s); s ~ inv_chi_square(3); c ~ frechet(2, s);",
    "target += lgamma(s) + digamma(c[1] + s) + sum(Phi(b)) + pow(c[1] + 1, a) + tgamma(1);",
};

std::vector<std::string> programs() {
  std::vector<std::string> out;
  for (const char* p : kPrograms) out.push_back(std::string(kHead) + p + "}");
  return out;
}

TEST(SecondDerivatives, ProgramsAgreeWithDifferences) {
  for (const std::string& text : programs())
    for (const int n : {5, 400}) {
      SCOPED_TRACE(text);
      const auto model = model_of(text, data(n));
      const std::string why = compare(*model, point(model->unconstrained_size(), 5));
      const bool is_known = text.find("tgamma") != std::string::npos || why.starts_with("normal_lpdf");
      EXPECT_TRUE(why.empty() || is_known) << why;
    }
}

TEST(SecondDerivatives, WeightsAndMissingNumbersCount) {
  Conditioning conditioning;
  conditioning.weights.push_back({"y", {0.3}, false});
  conditioning.missing = {"y[2:4]"};
  for (const char* text : {kPrograms[2], kPrograms[11], kPrograms[13]}) {
    SCOPED_TRACE(text);
    const auto model = model_of(std::string(kHead) + text + "}", data(30), conditioning);
    EXPECT_EQ(compare(*model, point(model->unconstrained_size(), 7)), "");
  }
}

/// -N / s² by a, and so on, in closed form.
TEST(SecondDerivatives, OfNormalObservationsAreThoseOfTheFormula) {
  const auto model = model_of("data { int N; vector[N] y; } parameters { real a; real u; } model { y ~ normal(a, exp(u)); }",
                              R"({"N": 3, "y": [1, -0.5, 2]})");
  const double a = 0.4, u = 0.3, v = std::exp(-2 * u);
  double first = 0, second = 0;
  for (const double y : {1.0, -0.5, 2.0}) first += y - a, second += (y - a) * (y - a);
  Numbers h(4);
  const auto workspace = model->workspace();
  ASSERT_TRUE(inference::exact_hessian(*workspace, {}, Numbers{a, u}, h));
  const Numbers expected = {-3 * v, -2 * first * v, -2 * first * v, -2 * second * v};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(h[i], expected[i], 1e-14 * 10);
}

/// A call without second derivatives is named, and differences take its place.
TEST(SecondDerivatives, WhatIsNotCoveredIsNamed) {
  const auto model = model_of("parameters { cov_matrix[2] S; vector[2] x; } model { x ~ multi_normal([0, 0]', S); S ~ wishart(4, identity_matrix(2)); }", "{}");
  const Numbers theta = point(model->unconstrained_size(), 2);
  const std::string why = compare(*model, theta);
  EXPECT_NE(why.find("has no exact second derivatives here"), std::string::npos) << why;
  const auto workspace = model->workspace();
  Numbers h(theta.size() * theta.size());
  EXPECT_FALSE(inference::exact_hessian(*workspace, {}, theta, h));
  EXPECT_TRUE(inference::hessian(*workspace, {}, theta, h));
  EXPECT_LT(h[0], 0);
}

}  // namespace
}  // namespace fermiac::interp
