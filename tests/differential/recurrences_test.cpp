// Linear recurrences written as loops, which are one kernel on the tape (autodiff/tape/rewrite/recurrences.cpp): the numbers of the
// steps for any coefficient, second derivatives, what is not finite. tests/golden/tape/recurrences.cases has the traces.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "inference/model/second_derivatives.h"
#include "interp/model/workspace.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

using Numbers = std::vector<double>;

struct Case {
  const char* name;
  const char* body;
};

std::string program(const char* body, int n) {
  return fmt::format(R"(transformed data {{ int N = {}; vector[N] y; for (i in 1:N) y[i] = sin(i); }}
    parameters {{ real a; real b; real c; vector[N] z; }}
    model {{ z ~ normal(0, 2); {} }})", n, body);
}

constexpr DensityOptions kOptions{.propto = false, .jacobian = true};

/// Of the rewritten tape and of the one as recorded, at theta.
void expect_same(const interp::InterpModel& one, const interp::InterpModel& other, const Numbers& theta) {
  const auto x = one.workspace(), y = other.workspace();
  Numbers g1(theta.size()), g2(theta.size());
  double a = 0, b = 0;
  ASSERT_TRUE(x->log_density_gradient(theta, kOptions, &a, g1));
  ASSERT_TRUE(y->log_density_gradient(theta, kOptions, &b, g2));
  EXPECT_NEAR(a, b, 1e-12 * (1 + std::abs(b)));
  double largest = 1;
  for (const double g : g2) largest = std::fmax(largest, std::abs(g));
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(g1[i], g2[i], 1e-12 * largest) << i;
}

Numbers point(std::size_t n, double a, int k) {
  Numbers theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.5 * std::sin(2 + 0.9 * static_cast<double>(i) + k);
  theta[0] = a;
  return theta;
}

class Recurrences : public ::testing::TestWithParam<Case> {};

/// Fours and what is left of them; coefficients in the range of the kernel's fours, and beyond.
TEST_P(Recurrences, AreThoseOfTheSteps) {
  for (const int n : {40, 41, 42, 43}) {
    const auto one = load(program(GetParam().body, n)), other = load(program(GetParam().body, n), "{}", {.rewrite = false});
    ASSERT_TRUE(one && other);
    for (const double a : {0.4, -0.9, 0.0, 1e-70, 1.0, 1.9, 2.5}) expect_same(*one, *other, point(static_cast<std::size_t>(n + 3), a, n));
  }
}

/// Hessians stay exact: against differences of gradients.
TEST_P(Recurrences, HaveSecondDerivatives) {
  const auto model = load(program(GetParam().body, 20));
  const auto workspace = model->workspace();
  const Numbers theta = point(23, 0.6, 1);
  auto* const exact = dynamic_cast<ExactSecondDerivatives*>(workspace.get());
  ASSERT_TRUE(exact);
  ASSERT_EQ(exact->why_inexact(theta, kOptions), "");
  Numbers hessian(23 * 23);
  ASSERT_TRUE(inference::exact_hessian(*workspace, kOptions, theta, hessian));
  for (std::size_t j = 0; j < 23; ++j) {
    Numbers slope(23, 0.0), g(23);
    for (int k = -3; k <= 3; ++k) {
      static constexpr double kWeights[] = {0, 45.0 / 60, -9.0 / 60, 1.0 / 60};
      const double h = 1e-3, w = kWeights[std::abs(k)] * (k < 0 ? -1 : 1) / h;
      Numbers moved = theta;
      moved[j] += k * h;
      double lp = 0;
      ASSERT_TRUE(workspace->log_density_gradient(moved, kOptions, &lp, g));
      for (std::size_t i = 0; i < 23; ++i) slope[i] += w * g[i];
    }
    for (std::size_t i = 0; i < 23; ++i) EXPECT_NEAR(hessian[i * 23 + j], slope[i], 1e-7 * (1 + std::abs(slope[i]))) << i << ", " << j;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Recurrences,
    ::testing::Values(
        Case{"Autoregression", "vector[N] x; x[1] = z[1]; for (i in 2:N) x[i] = a * x[i - 1] + b * z[i]; y ~ normal(x, 2);"},
        Case{"WithoutNoise", "real x = c; for (i in 1:N) { x = a * x + y[i]; target += -1e-3 * square(x); }"},
        Case{"RandomWalk", "vector[N] x; x[1] = z[1]; for (i in 2:N) x[i] = x[i - 1] + b * z[i]; y ~ normal(x, 2);"},
        Case{"AroundAMean", "vector[N] h = z; for (i in 2:N) h[i] += a * (h[i - 1] - b); y ~ normal(h, 2);"},
        Case{"Smoothing", "real l = c; for (i in 1:N) { y[i] ~ normal(l, 2); l = l + a * (y[i] - l); }"},
        Case{"Learning", "real q = c; for (i in 1:N) { real e = y[i] - q; target += -0.1 * square(e - b); q += a * e; }"},
        Case{"MovingAverage", "real e = 0; for (i in 1:N) { e = y[i] - (c + a * e); target += -0.1 * square(e); }"},
        Case{"Variances", "vector[N] h; h[1] = 1; for (i in 2:N) h[i] = exp(b) + exp(c) * square(y[i - 1]) + a * h[i - 1]; y ~ normal(h, 2);"},
        Case{"Backwards", "vector[N] x; x[N] = c; for (i in 1:(N - 1)) x[N - i] = z[i] - a * x[N - i + 1]; y ~ normal(x, 2);"},
        Case{"TwoAtOnce",
             "vector[N] u; vector[N] v; u[1] = b; v[1] = c; for (i in 2:N) { u[i] = a * u[i - 1] + z[i]; v[i] = b * v[i - 1] + y[i]; } y ~ normal(u + v, 2);"},
        Case{"OneUponTheOther",
             "vector[N] u; vector[N] v; u[1] = b; v[1] = c; for (i in 2:N) { u[i] = a * u[i - 1] + z[i]; v[i] = b * v[i - 1] + u[i]; } y ~ normal(v, 2);"},
        Case{"SecondOrder", "vector[N] x; x[1] = b; x[2] = c; for (i in 3:N) x[i] = a * x[i - 1] + 0.3 * x[i - 2]; y ~ normal(x, 2);"},
        Case{"ChangingCoefficients", "vector[N] x; x[1] = b; for (i in 2:N) x[i] = z[i] * x[i - 1] + c; y ~ normal(x, 2);"},
        Case{"NotLinear", "vector[N] x; x[1] = b; for (i in 2:N) x[i] = tanh(a * x[i - 1] + z[i]); y ~ normal(x, 2);"}),
    [](const auto& c) { return std::string(c.param.name); });

TEST(ARecurrence, CarriesWhatIsNotFinite) {
  const auto model = load(program("real x = c; for (i in 1:N) x = a * x + z[i]; target += x;", 40));
  const auto workspace = model->workspace();
  Numbers theta = point(43, 0.5, 0), gradient(43);
  double lp = 0;
  ASSERT_TRUE(workspace->log_density_gradient(theta, kOptions, &lp, gradient));
  theta[20] = std::numeric_limits<double>::infinity();
  (void)workspace->log_density_gradient(theta, kOptions, &lp, gradient);
  EXPECT_FALSE(std::isfinite(lp));
}

}  // namespace
}  // namespace fermiac::testing
