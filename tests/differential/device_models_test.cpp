// Whole programs with everything on a device that can be there: the same densities and gradients as without.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "autodiff/tape/device/use.h"
#include "interp/model/workspace.h"
#include "support/device.h"
#include "tests/unit/program_runner.h"

namespace fermiac::testing {
namespace {

using ad::device::DeviceUse;
using ad::device::Placing;

struct DeviceModel {
  const char* name;
  const char* parameters;
  const char* model;
  std::size_t placed;  // operations, at least
};

const DeviceModel kModels[] = {
    {"regression", "real a; vector[K] b; real<lower=0> s;", "b ~ normal(0, 2); s ~ exponential(1); y ~ student_t(4, a + X * b, s);", 2},
    {"logistic_glm", "real a; vector[K] b;", "b ~ std_normal(); k ~ bernoulli_logit_glm(X, a, b);", 1},
    {"hierarchical", "real m; real<lower=0> t; vector[J] w; vector[K] b;", "w ~ normal(m, t); m ~ normal(0, 1); t ~ lognormal(0, 1); k ~ bernoulli_logit(w[g] + X * b);", 3},
    {"mixture", "ordered[2] mu; real<lower=0> s; real<lower=0, upper=1> p;",
     "mu ~ normal(0, 2); s ~ gamma(2, 2); for (n in 1:N) target += log_mix(p, normal_lpdf(y[n] | mu[1], s), normal_lpdf(y[n] | mu[2], s));", 1},
    {"counts", "vector[J] w; real<lower=0> phi; real<lower=0> t;", "w ~ normal(0, t); t ~ cauchy(0, 1); phi ~ inv_gamma(2, 2); c ~ neg_binomial_2_log(0.3 * w[g], phi);", 2},
};

std::string program(const DeviceModel& m) {
  return std::string("transformed data { int N = 400; int K = 3; int J = 7; matrix[N, K] X; vector[N] y; array[N] int k; array[N] int c; array[N] int g;"
                     " for (n in 1:N) { y[n] = cos(3 * n); k[n] = n * 7 % 3 == 0; c[n] = n * 5 % 4; g[n] = n * 11 % J + 1; for (j in 1:K) X[n, j] = sin(n * j + j); } }"
                     " parameters { ") + m.parameters + " } model { " + m.model + " }";
}

struct Answer {
  double lp = 0;
  std::vector<double> gradient;
};

Answer evaluate(const interp::InterpModel& model, double at) {
  Answer out;
  std::vector<double> theta(model.unconstrained_size());
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.3 * std::sin(at + 0.7 * static_cast<double>(i));
  out.gradient.resize(theta.size());
  const auto workspace = model.workspace();
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(workspace->log_density_gradient(theta, {}, &out.lp, out.gradient));
  return out;
}

class DeviceModels : public ::testing::TestWithParam<DeviceModel> {};

TEST_P(DeviceModels, AreTheSameThere) {
  const OpenedDevice opened = open_device("cpu");
  if (!opened.device) GTEST_SKIP() << opened.problem;
  const auto use = std::make_shared<DeviceUse>(opened.device, Placing::All, [](const std::string& told) { ADD_FAILURE() << told; });
  const auto here = load(program(GetParam())), there = load(program(GetParam()));
  ASSERT_TRUE(here && there);
  there->use_device(use);
  for (const double at : {1.0, 2.0}) {
    const Answer host = evaluate(*here, at), device = evaluate(*there, at);
    EXPECT_NEAR(device.lp, host.lp, 1e-10 * std::max(1.0, std::abs(host.lp)));
    for (std::size_t i = 0; i < host.gradient.size(); ++i)
      EXPECT_NEAR(device.gradient[i], host.gradient[i], 1e-10 * std::max(1.0, std::abs(host.gradient[i]))) << i;
  }
  EXPECT_GE(there->statistics({}).placed, GetParam().placed) << there->dump_tape(std::vector<double>(there->unconstrained_size(), 0.1), {});
  EXPECT_EQ(here->statistics({}).placed, 0u);
}

INSTANTIATE_TEST_SUITE_P(Programs, DeviceModels, ::testing::ValuesIn(kModels), [](const auto& program) { return std::string(program.param.name); });

// ---------------------------------------------------------------- @gpu

/// As small as these are, nothing of them pays.
struct Asked {
  std::size_t placed = 0;
  std::string told;
};
Asked asked(const std::string& functions, const std::string& model) {
  Asked out;
  const OpenedDevice opened = open_device("cpu");
  const auto use = std::make_shared<DeviceUse>(opened.device, Placing::Worth, [&](const std::string& text) { out.told += text + "\n"; });
  const auto m = load("functions { " + functions + " } transformed data { int N = 40; vector[N] x = linspaced_vector(N, -1, 1); }\n"
                      "parameters { real a; real b; }\nmodel {\n" + model + "\n}");
  m->use_device(use);
  evaluate(*m, 1);
  out.placed = m->statistics({}).placed;
  return out;
}

TEST(Annotations, PlaceWhatDoesNotPay) {
  if (const OpenedDevice opened = open_device("cpu"); !opened.device) GTEST_SKIP() << opened.problem;
  EXPECT_EQ(asked("", "vector[N] m = exp(a * x); x ~ normal(m, 1);").placed, 0u);
  const Asked variable = asked("", "@gpu vector[N] m = exp(a * x);\nx ~ normal(m, 1);");
  EXPECT_GE(variable.placed, 1u);
  EXPECT_EQ(variable.told, "");
  const Asked function = asked("@gpu real f(vector m, vector x) { return normal_lpdf(x | exp(m), 1); }", "target += f(a * x, x);");
  EXPECT_GE(function.placed, 1u);
  EXPECT_EQ(function.told, "");
}

TEST(Annotations, TellWhatCannotBePlaced) {
  if (const OpenedDevice opened = open_device("cpu"); !opened.device) GTEST_SKIP() << opened.problem;
  const Asked scalar = asked("", "@gpu real z = exp(a) + b;\ntarget += -z;");
  EXPECT_EQ(scalar.placed, 0u);
  EXPECT_NE(scalar.told.find("@gpu: nothing of this statement runs on the device (in 'test.stan', line 4"), std::string::npos) << scalar.told;
}

}  // namespace
}  // namespace fermiac::testing
