// The answer at a point does not depend on the points evaluated before: a density whose argument is NaN or infinite there gives the
// same value, gradient and message, whether the tape was recorded at that point or at another.
#include <gtest/gtest.h>

#include <cmath>
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

}  // namespace
}  // namespace fermiac::interp
