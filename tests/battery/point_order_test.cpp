// The answer at a point does not depend on the points evaluated before: a density whose argument is NaN or infinite there gives the
// same value, gradient and message, whether the tape was recorded at that point or at another. Neither does it where a link, exp or
// inv_logit, has reached an end of its range: densities that are fused with it answer what the program as written answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/battery/program_gradient.h"

namespace fermiac::interp {
namespace {

struct Statement {
  const char* name;
  const char* text;
};

class PointOrder : public ::testing::TestWithParam<Statement> {};

/// log(c) is NaN for c < 0 and -inf at 0; 1 / c is infinite there.
TEST_P(PointOrder, DoesNotMatter) {
  const std::string program = std::string("transformed data { array[12] int y = {0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1}; vector[12] v = to_vector(y) + 0.5; }"
                                          " parameters { real a; real c; vector[12] x; } model { ") + GetParam().text + " }";
  const auto point = [](double c) {
    std::vector<double> theta(14, 0.2);
    theta[1] = c;
    for (std::size_t k = 2; k < theta.size(); ++k) theta[k] = 0.1 * static_cast<double>(k);
    return theta;
  };
  for (const double c : {-1.0, 0.0, 1.0, 1e-320}) {
    const Gradient alone = evaluate(program, point(c), point(c));
    for (const double first : {-1.0, 0.0, 1.0, 2.0}) {
      const Gradient after = evaluate(program, point(first), point(c));
      EXPECT_EQ(after.error, alone.error) << "c = " << c << " after " << first;
      if (!alone.error.empty()) continue;
      EXPECT_TRUE(after.lp == alone.lp || (std::isnan(after.lp) && std::isnan(alone.lp)) || std::fabs(after.lp - alone.lp) < 1e-12 * std::fabs(alone.lp))
          << after.lp << " and " << alone.lp << ", c = " << c << " after " << first;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, PointOrder,
    ::testing::Values(Statement{"Bernoulli", "y ~ bernoulli(inv_logit(x + log(c)));"},
                      Statement{"BernoulliOfAScalar", "y ~ bernoulli(inv_logit(a + log(c)));"},
                      Statement{"BernoulliInALoop", "for (n in 1:12) y[n] ~ bernoulli(inv_logit(x[n] + log(c)));"},
                      Statement{"BernoulliIncrement", "target += bernoulli_lpmf(y | inv_logit(x + log(c)));"},
                      Statement{"Binomial", "y ~ binomial(3, inv_logit(x + log(c)));"},
                      Statement{"BinomialOfAScalar", "y ~ binomial(3, inv_logit(log(c)));"},
                      Statement{"Poisson", "y ~ poisson(exp(x + log(c)));"},
                      Statement{"PoissonOfAScalar", "y ~ poisson(exp(a + log(c)));"},
                      Statement{"Exponential", "v ~ exponential(exp(a + log(c)));"},
                      Statement{"Gamma", "v ~ gamma(2, exp(a + log(c)));"},
                      Statement{"BernoulliLogit", "y ~ bernoulli_logit(x + log(c));"},
                      Statement{"PoissonLog", "y ~ poisson_log(x + log(c));"},
                      Statement{"Normal", "v ~ normal(a + log(c) * x, 1);"},
                      Statement{"NormalWithAScale", "v ~ normal(a, log(c) + 1);"},
                      Statement{"NormalOfLinearModel", "v ~ normal(a + 1 / c * v, 2);"},
                      Statement{"NormalInALoop", "for (n in 1:12) v[n] ~ normal(x[n] + 1 / c, 1);"},
                      Statement{"Lognormal", "v ~ lognormal(a + log(c), 1);"},
                      Statement{"Mixture", "for (n in 1:12) target += log_mix(inv_logit(log(c)), normal_lpdf(v[n] | 0, 1), normal_lpdf(v[n] | a, 1));"},
                      Statement{"Beta", "inv_logit(x + log(c)) ~ beta(2, 3);"}),
    [](const auto& c) { return std::string(c.param.name); });

// ---------------------------------------------------------------- links at the ends of their range

/// A density of a link of p[1]; p[2] is a parameter that it does not saturate.
struct Linked {
  const char* name;
  const char* text;
};

class SaturatedLinks : public ::testing::TestWithParam<Linked> {
 protected:
  using Points = std::vector<std::vector<double>>;

  static std::shared_ptr<const CompiledModel> compiled(const std::string& program) {
    auto out = compile_model({.text = program, .path = "test.stan", .name = "test"});
    EXPECT_TRUE(*out) << render_errors(out->sources(), out->diagnostics);
    return out;
  }
  /// At the last of the points, after the others.
  static Gradient after(const InterpModel& model, const Points& points) {
    const auto workspace = model.workspace();
    Gradient out;
    for (const auto& theta : points) out = testing::evaluate(*workspace, theta);
    return out;
  }
  static bool same(double a, double b, double tolerance) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(a));
  }
  /// A gradient of the program as written that is not a number (0 times the infinite slope at a subnormal rate) may be finite on a tape.
  static Gradient with_slopes_of(Gradient written, const Gradient& on_tape) {
    for (std::size_t i = 0; i < written.grad.size(); ++i)
      if (std::isnan(written.grad[i])) written.grad[i] = on_tape.grad[i];
    return written;
  }
  static void expect_same(const Gradient& got, const Gradient& expected, double tolerance, const std::string& where) {
    EXPECT_EQ(got.error, expected.error) << where;
    if (!got.error.empty() || !expected.error.empty()) return;
    EXPECT_TRUE(same(got.lp, expected.lp, tolerance)) << got.lp << " instead of " << expected.lp << where;
    for (std::size_t i = 0; i < got.grad.size() && std::isfinite(expected.lp); ++i)
      EXPECT_TRUE(same(got.grad[i], expected.grad[i], tolerance)) << "gradient " << i << ": " << got.grad[i] << " instead of " << expected.grad[i] << where;
  }
  /// 1 - inv_logit(p) has but so many digits in the program.
  static double digits_lost(double p) { return 1e-11 + 4e-15 * std::exp(std::min(std::fabs(p), 36.75)); }
};

constexpr double kPoints[] = {-1e4, -800, -745.5, -744, -715, -700, -40, -36, 0.3, 36, 36.9, 40, 700, 709.9, 715, 800, 1e4};

TEST_P(SaturatedLinks, GiveTheSameWhateverCameBefore) {
  const std::string program = std::string(
      "functions { real part(array[] int n, int s, int e, real x) { return poisson_lpmf(n | exp(x)) + bernoulli_lpmf(1 | inv_logit(x)); } }"
      " transformed data { array[12] int y = {0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1}; array[12] int none = rep_array(0, 12), all = rep_array(1, 12);"
      " vector[12] v = to_vector(y) + 0.5, u = rep_vector(0, 12); array[4000] int many = rep_array(2, 4000); }"
      " parameters { real p; real q; } model { ") + GetParam().text + " }";
  const auto source = compiled(program);
  const InterpModel model(source, DataSource::parse("{}", "test"), 1);
  const InterpModel plain(source, DataSource::parse("{}", "test"), 1, PrintSink(), nullptr, {.rewrite = false});
  for (const double p : kPoints) {
    const std::vector<double> here = {p, 0.4};
    const Gradient alone = after(model, {here});
    expect_same(alone, with_slopes_of(after(plain, {here}), alone), digits_lost(p), " at " + std::to_string(p) + ", compared with the program as written");
    for (const Points& before : {Points{{0.3, 0.4}}, {{800, 0.4}}, {{-800, 0.4}}, {{38, 0.4}}, {{0.3, 0.4}, {800, 0.4}}, {{-800, 0.4}, {0.3, 0.4}}}) {
      Points points = before;
      points.push_back(here);
      expect_same(after(model, points), alone, 1e-12, " at " + std::to_string(p) + " after " + std::to_string(before.front()[0]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SaturatedLinks,
    ::testing::Values(
        Linked{"Exponential", "v ~ exponential(exp(p));"}, Linked{"ExponentialAtZero", "u ~ exponential(exp(p));"},
        Linked{"ExponentialOfALink", "exp(p) ~ exponential(1.5); exp(p) ~ exponential(0.5);"},
        Linked{"Poisson", "y ~ poisson(exp(p));"}, Linked{"PoissonOfNone", "none ~ poisson(exp(p));"},
        Linked{"PoissonInALoop", "for (n in 1:12) y[n] ~ poisson(exp(p + 0.01 * n));"},
        Linked{"PoissonOfAVector", "y ~ poisson(exp(p + 0.01 * v));"},
        Linked{"PoissonMixture", "target += log_sum_exp(poisson_lpmf(y | exp(p)), poisson_lpmf(y | exp(q)));"},
        Linked{"PoissonOfNoneMixture", "target += log_sum_exp(poisson_lpmf(none | exp(p)), poisson_lpmf(y | exp(q)));"},
        Linked{"PoissonLog", "y ~ poisson_log(p); none ~ poisson_log(p);"},
        Linked{"Gamma", "v ~ gamma(2, exp(p));"}, Linked{"GammaOfALink", "exp(p) ~ gamma(2, 1); exp(p) ~ gamma(3, 1);"},
        Linked{"GammaOfShapeOne", "exp(p) ~ gamma(1, 1); exp(p) ~ gamma(1, 2);"},
        Linked{"GammaThatCancels", "exp(p) ~ gamma(0.5, 1); exp(p) ~ gamma(1.5, 2);"},
        Linked{"GammaShape", "v ~ gamma(exp(p), 2);"}, Linked{"Weibull", "v ~ weibull(2, exp(p));"},
        Linked{"Lognormal", "v ~ lognormal(0, exp(p)); exp(p) ~ lognormal(0, 1);"},
        Linked{"Normal", "v ~ normal(0, exp(p));"}, Linked{"NormalMean", "v ~ normal(exp(p), 1);"},
        Linked{"NormalWithALinearMean", "append_row(v, append_row(v, v)) ~ normal(q + exp(p) * append_row(u, append_row(v, v)), 1);"},
        Linked{"NegBinomial", "y ~ neg_binomial_2(exp(p), 3);"}, Linked{"NegBinomialOverdispersion", "y ~ neg_binomial_2(3, exp(p));"},
        Linked{"NegBinomialLog", "y ~ neg_binomial_2_log(p, 3);"},
        Linked{"Bernoulli", "y ~ bernoulli(inv_logit(p));"}, Linked{"BernoulliOfNone", "none ~ bernoulli(inv_logit(p));"},
        Linked{"BernoulliOfAll", "all ~ bernoulli(inv_logit(p));"}, Linked{"BernoulliOfAVector", "y ~ bernoulli(inv_logit(p + 0.001 * v));"},
        Linked{"BernoulliLogit", "y ~ bernoulli_logit(p); all ~ bernoulli_logit(p);"},
        Linked{"BernoulliMixture", "for (n in 1:12) target += log_mix(0.3, bernoulli_lpmf(y[n] | inv_logit(p)), bernoulli_lpmf(y[n] | inv_logit(q)));"},
        Linked{"Binomial", "y ~ binomial(3, inv_logit(p));"}, Linked{"BinomialOfAll", "all ~ binomial(1, inv_logit(p));"},
        Linked{"Beta", "inv_logit(p) ~ beta(2, 3); inv_logit(p) ~ beta(1.5, 1);"},
        Linked{"BetaOfSmallShapes", "inv_logit(p) ~ beta(0.5, 0.2); inv_logit(p) ~ beta(0.5, 0.5);"},
        Linked{"BetaThatCancels", "inv_logit(p) ~ beta(0.5, 0.5); inv_logit(p) ~ beta(1.5, 1.5);"},
        Linked{"BetaOfOnes", "inv_logit(p) ~ beta(1, 1); y ~ bernoulli(inv_logit(p));"},
        Linked{"LogOfExp", "target += log(exp(p)) - square(q);"}, Linked{"LogOfExpTwice", "real s = exp(p); v ~ normal(log(s), 1); target += -s;"},
        Linked{"LogOfExpInALoop", "vector[12] s; for (n in 1:12) { s[n] = exp(p + v[n]); target += -square(log(s[n])); }"},
        Linked{"LogOfInvLogit", "target += log(inv_logit(p)) + log1m(inv_logit(p));"},
        Linked{"LogMixOfALink", "for (n in 1:12) target += log_mix(inv_logit(p), normal_lpdf(v[n] | 0, 1), normal_lpdf(v[n] | q, 1));"},
        Linked{"SquareOfSqrt", "real h = sqrt(exp(p)); v ~ normal(0, h); target += -square(h);"},
        Linked{"ABranch", "if (q > 0) y ~ bernoulli(inv_logit(p)); else y ~ poisson(exp(p));"},
        Linked{"ABranchOnTheLink", "if (p > 0) all ~ bernoulli(inv_logit(p)); else y ~ poisson(exp(p));"},
        Linked{"AChoice", "real r = p > 0 ? poisson_lpmf(y | exp(p)) : poisson_lpmf(y | exp(-p)); target += r;"},
        Linked{"ReadsTarget", "y ~ bernoulli(inv_logit(p)); target += 0.1 * target();"},
        Linked{"ReduceSum", "target += reduce_sum(part, many, 500, p);"},
        Linked{"Categorical", "for (n in 1:12) y[n] + 1 ~ categorical(softmax([p, q]'));"}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace fermiac::interp
