// Sums written as loops, s += term: one sum on the tape, or terms of target, with the numbers of the chain of additions.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

const std::string kFunctions = R"(functions {
    real products(vector x, vector y) { real s = 0; for (i in 1:num_elements(x)) s += x[i] * y[i]; return s; }
    real densities(vector y, vector mu) { real s = 1.5; for (i in 1:num_elements(y)) s += normal_lpdf(y[i] | mu[i], 2); return s; }
    real summed_lpdf(vector y, vector mu) { real s = 0; for (i in 1:num_elements(y)) s = normal_lpdf(y[i] | mu[i], 2) + s; return s; }
    real halves(vector x, int n) { return n == 1 ? x[1] : halves(x[1 : n %/% 2], n %/% 2) + halves(x[n %/% 2 + 1 : n], n - n %/% 2); }
  }
  transformed data { int N = 60; vector[N] y; for (i in 1:N) y[i] = sin(i); }
  parameters { vector[N] mu; }
  model { )";

struct Case {
  const char* name;
  const char* body;
  std::size_t most_ops;  // of the rewritten tape
};

class Sums : public ::testing::TestWithParam<Case> {};

TEST_P(Sums, AreThoseOfTheChain) {
  const std::string program = kFunctions + GetParam().body + " }";
  const auto rewritten = load(program), plain = load(program);
  ASSERT_TRUE(rewritten && plain);
  plain->set_rewrite(false);
  const auto one = rewritten->workspace(), other = plain->workspace();
  for (const bool propto : {false, true})
    for (const int k : {0, 1, 2}) {
      std::vector<double> theta(60), g1(60), g2(60);
      for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.7 * std::sin(2 + 0.9 * static_cast<double>(i) + k);
      double a = 0, b = 0;
      ASSERT_TRUE(one->log_density_gradient(theta, {.propto = propto, .jacobian = true}, &a, g1));
      ASSERT_TRUE(other->log_density_gradient(theta, {.propto = propto, .jacobian = true}, &b, g2));
      EXPECT_NEAR(a, b, 1e-13 * (1 + std::abs(b)));
      for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(g1[i], g2[i], 1e-12 * (1 + std::abs(g2[i]))) << i;
    }
  EXPECT_LE(rewritten->statistics({.propto = false, .jacobian = true}).ops, GetParam().most_ops)
      << rewritten->dump_tape(std::vector<double>(60, 0.3), {.propto = false, .jacobian = true});
}

INSTANTIATE_TEST_SUITE_P(
    All, Sums,
    ::testing::Values(
        Case{"InAFunction", "target += square(products(mu, y));", 5},
        Case{"InAFunctionIntoTarget", "target += products(mu, y);", 3},
        Case{"DensitiesInAFunction", "target += 0.5 * densities(y, mu);", 5},
        Case{"DensitiesIntoTarget", "target += densities(y, mu);", 2},
        Case{"AUserDensity", "y ~ summed(mu);", 2},
        Case{"InTheModelBlock", "real s = 0; for (i in 1:N) s += mu[i] * y[i]; target += square(s);", 5},
        Case{"TwoSumsInOneLoop",
             "real s = 0; real t = 0; for (i in 1:N) { s += exp(mu[i]); t += mu[i] * s; } target += t - log(s);", 200},
        Case{"ReadInBetween",
             "real s = 0; vector[N] c; for (i in 1:N) { s += mu[i]; c[i] = s; } target += -dot_self(c);", 200},
        Case{"ATermTwice", "real s = 0; for (i in 1:N) { s += mu[1]; s += mu[i]; } target += -square(s);", 5},
        Case{"ATree", "target += square(halves(mu, N));", 80},
        Case{"TwiceIntoTarget", "real s = products(mu, y); target += s; target += s;", 5}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace fermiac::testing
