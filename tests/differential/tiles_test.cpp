// Vector ops that run in tiles (autodiff/tape/replay/tiles.h): the same densities, gradients and messages as op by op, the same
// bits on one thread or several, and nothing of the vectors' length is kept.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "support/platform/threads.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct TileCase {
  const char* name;
  const char* model;
  double kept;  // numbers for each observation in the workspace and its adjoints, at most
};

const TileCase kCases[] = {
    {"mixture", "for (n in 1:N) target += log_mix(p, normal_lpdf(y[n] | a, s), normal_lpdf(y[n] | b, 2 * s));", 3},
    {"chain", "vector[N] m = exp(a + 0.1 * y); target += normal_lpdf(x | m .* m + b, s); target += log1p(square(m));", 4},
    {"value_alone", "vector[N] m = a * x; target += sin(m); target += -square(m - b);", 3},
    {"choice", "for (n in 1:N) { real m = a * x[n]; if (m > 0) m = m * b; target += -square(m - s); }", 4},
    {"read_elsewhere", "vector[N] m = a * x; y ~ normal(m, s); target += m[7] * b + 1e-3 * log_sum_exp(m[1:20]);", 7},
    {"parts_that_overlap", "vector[N - 1] d = v[2:] - v[:(N - 1)]; target += -square(d .* d * a - b); target += -0.1 * square(v);", 9},
    {"two_lengths", "vector[N] m = a * x; target += -square(m + b); vector[N - 9] q = exp(b * y[10:]); target += -q .* q * s;", 5},
    {"groups", "for (n in 1:N) k[n] ~ bernoulli_logit(w[g[n]] + a * x[n]);", 7},
};

std::string program(const TileCase& c, int n) {
  return "transformed data { int N = " + std::to_string(n) +
         "; vector[N] x; vector[N] y; array[N] int k; array[N] int g; for (n in 1:N) { x[n] = sin(n); y[n] = cos(3 * n); k[n] = n * 7 % 3 == 0; g[n] = n * 11 % 50 + 1; } }"
         "parameters { real a; real b; real<lower=0> s; real<lower=0, upper=1> p; vector[50] w; vector[N] v; } model { w ~ normal(0, 1); " + c.model + " }";
}

std::vector<double> point(std::size_t n) {
  std::vector<double> theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i));
  return theta;
}

struct Answer {
  double lp = 0, value = 0;
  std::vector<double> gradient;
};

Answer evaluate(const interp::InterpModel& model, unsigned threads) {
  Answer out;
  const std::vector<double> theta = point(model.unconstrained_size());
  out.gradient.resize(theta.size());
  const auto workspace = model.workspace();
  run_parallel(threads, 1, [&](std::size_t) {
    EXPECT_TRUE(workspace->log_density_gradient(theta, {.propto = true, .jacobian = true}, &out.lp, out.gradient));
    EXPECT_TRUE(workspace->log_density_gradient(theta, {.propto = true, .jacobian = true}, &out.lp, out.gradient));
    EXPECT_TRUE(workspace->log_density(theta, {.propto = true, .jacobian = true}, &out.value));
  });
  return out;
}

class Tiles : public ::testing::TestWithParam<TileCase> {};

TEST_P(Tiles, AgreeWithWholeVectors) {
  for (const int n : {5000, 40'013}) {  // one piece, three
    const auto model = load(program(GetParam(), n));
    ASSERT_TRUE(model);
    const Answer tiled = evaluate(*model, 1), threaded = evaluate(*model, 4);
    const std::size_t bytes = model->statistics({.propto = true, .jacobian = true}).workspace_bytes;
    EXPECT_LE(static_cast<double>(bytes), 8 * GetParam().kept * n + 150'000);
    const Answer whole = evaluate(*model->with_settings({.skipped_passes = {"tile"}}), 1);
    EXPECT_EQ(tiled.lp, threaded.lp);
    EXPECT_EQ(tiled.gradient, threaded.gradient);
    const double scale = 1 + std::abs(whole.lp);
    EXPECT_NEAR(tiled.lp, whole.lp, 1e-12 * scale);
    EXPECT_NEAR(tiled.value, whole.lp, 1e-12 * scale);
    for (std::size_t i = 0; i < whole.gradient.size(); ++i) EXPECT_NEAR(tiled.gradient[i], whole.gradient[i], 1e-12 * scale) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Chains, Tiles, ::testing::ValuesIn(kCases), [](const auto& test) { return std::string(test.param.name); });

TEST(Tiles, ErrorsNameTheElementOfTheWholeVector) {
  const auto model = load("transformed data { int N = 40000; vector[N] x; vector[N] y; for (n in 1:N) { x[n] = n == 34567; y[n] = sin(n); } }"
                          "parameters { real a; } model {\ny ~ normal(0, exp(a) - 100 * a * x); }");
  ASSERT_TRUE(model);
  const std::vector<double> fine = {-0.1}, wrong = {0.1};
  const auto message = [&](const interp::InterpModel& evaluated) {
    const auto workspace = evaluated.workspace();
    double lp = 0;
    std::vector<double> gradient(1);
    EXPECT_TRUE(workspace->log_density_gradient(fine, {.propto = true, .jacobian = true}, &lp, gradient));
    const EvalStatus status = workspace->log_density_gradient(wrong, {.propto = true, .jacobian = true}, &lp, gradient);
    EXPECT_EQ(status.kind, EvalStatus::Kind::Rejected);
    EXPECT_TRUE(workspace->log_density_gradient(fine, {.propto = true, .jacobian = true}, &lp, gradient));
    return status.message;
  };
  const std::string tiled = message(*model);
  EXPECT_NE(tiled.find("normal_lpdf: Scale parameter[34567] is -8.89482908192435"), std::string::npos) << tiled;
  EXPECT_NE(tiled.find("(in 'test.stan', line 2"), std::string::npos) << tiled;
  EXPECT_EQ(tiled, message(*model->with_settings({.skipped_passes = {"tile"}})));
}

}  // namespace
}  // namespace fermiac::testing
