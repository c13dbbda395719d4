// Whole programs with everything on a device that can be there: the same densities and gradients as without.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "autodiff/tape/opencl/use.h"
#include "interp/model/workspace.h"
#include "plugins/opencl/device.h"
#include "tests/shared/device_choice.h"
#include "tests/shared/failing_device.h"
#include "tests/shared/program_runner.h"

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
    {"logistic_glm", "real a; vector[K] b;", "b ~ std_normal(); k ~ bernoulli_logit_glm(X, a, b);", 2},
    {"count_glm", "real a; vector[K] b; real<lower=0> phi;", "b ~ std_normal(); phi ~ gamma(2, 2); c ~ neg_binomial_2_log_glm(X, a, b, phi);", 2},
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

/// The same densities and gradients with everything there that can be, `placed` operations at least.
void expect_same_there(const std::string& source, std::size_t placed) {
  const OpenedDevice opened = open_test_device();
  if (!opened.device) GTEST_SKIP() << opened.problem;
  const auto use = std::make_shared<DeviceUse>(opened.device, Placing::All, [](const std::string& told) { ADD_FAILURE() << told; });
  const auto here = load(source), there = load(source, "{}", {.device = use});
  ASSERT_TRUE(here && there);
  for (const double at : {1.0, 2.0}) {
    const Answer host = evaluate(*here, at), device = evaluate(*there, at);
    EXPECT_NEAR(device.lp, host.lp, 1e-10 * std::max(1.0, std::abs(host.lp)));
    for (std::size_t i = 0; i < host.gradient.size(); ++i)
      EXPECT_NEAR(device.gradient[i], host.gradient[i], 1e-10 * std::max(1.0, std::abs(host.gradient[i]))) << i;
  }
  EXPECT_GE(there->statistics({}).placed, placed) << there->dump_tape(std::vector<double>(there->unconstrained_size(), 0.1), {});
  EXPECT_EQ(here->statistics({}).placed, 0u);
}

class DeviceModels : public ::testing::TestWithParam<DeviceModel> {};

TEST_P(DeviceModels, AreTheSameThere) { expect_same_there(program(GetParam()), GetParam().placed); }

INSTANTIATE_TEST_SUITE_P(Programs, DeviceModels, ::testing::ValuesIn(kModels), [](const auto& program) { return std::string(program.param.name); });

// ---------------------------------------------------------------- matrices

const DeviceModel kMatrixModels[] = {
    {"marginal", "real<lower=0> a; real<lower=0> r; real<lower=0> s; real m;",
     "matrix[N, N] L = cholesky_decompose(add_diag(gp_exp_quad_cov(x, a, r), square(s) + 0.1)); y ~ multi_normal_cholesky(rep_vector(m, N), L);", 4},
    {"lengths", "real<lower=0> a; array[2] real<lower=0> r; vector[N] m; vector<lower=0.1>[N] d;", "z ~ multi_normal(m, add_diag(gp_matern52_cov(p, a, r), d));", 3},
    {"latent", "real<lower=0> a; real<lower=0> r; vector[N] e;",
     "matrix[N, N] L = cholesky_decompose(add_diag(gp_matern32_cov(p, a, r), 0.2)); e ~ std_normal(); vector[N] f = L * e; y ~ normal(f, 0.5 + square(f));", 4},
    {"read_by_both", "real<lower=0> a; real<lower=0> r; vector[N] e;",
     "matrix[N, N] K = add_diag(gp_exponential_cov(x, a, r), 0.3); matrix[N, N] L = cholesky_decompose(K);"
     "target += -0.1 * sum(square(to_vector(L))) - 0.01 * sum(to_vector(K) .* to_vector(K)); y ~ multi_normal(e, K); e ~ multi_normal_cholesky(y, L);", 5},
    {"brought", "cov_matrix[N] S; vector[N] e;", "matrix[N, N] L = cholesky_decompose(S); y ~ multi_normal_cholesky(L * e, L); z ~ multi_normal(e, S);", 4},
    {"elements", "real<lower=0> a; real<lower=0> r; real<lower=0> s;", "matrix[N, N] K = square(a) * exp(-D / r); for (n in 1:N) K[n, n] += s + 0.1; y ~ multi_normal(rep_vector(0, N), K);", 3},
    {"sum_and_product", "real<lower=0> a; real<lower=0> r; real<lower=0> s; real e;",
     "matrix[N, N] P = gp_exp_quad_cov(x, a, r); matrix[N, N] K = P + gp_matern32_cov(p, s, 0.7) .* P + 0.1 * exp(-D .* D / (r + s)) + diag_matrix(rep_vector(0.3, N));"
     "y ~ multi_normal_cholesky(rep_vector(e, N), cholesky_decompose(K));", 5},
    {"elements_read_by_both", "real<lower=0> a; real<lower=0> r;",
     "matrix[N, N] E = exp(-D / r); matrix[N, N] K = a * E + 0.1 * E; target += -0.01 * sum(E); target += 0.001 * K[1, N]; y ~ multi_normal(rep_vector(0, N), add_diag(K, 0.4));", 2},
    {"of_special_functions", "real<lower=0> a; real<lower=0> r;", "y ~ multi_normal(rep_vector(0.1, N), add_diag(0.2 * inv_logit(a - D ./ r) + 0.01 * lgamma(1.5 + D), 60 + a));", 2},
    {"divided", "real<lower=0> a; real<lower=0> r; vector[N] e;",
     "matrix[N, N] K = add_diag(gp_matern52_cov(x, a, r), 0.3); matrix[N, N] L = cholesky_decompose(K); vector[N] z1 = mdivide_left_tri_low(L, y - e);"
     "target += -0.5 * dot_self(z1) - sum(log(diagonal(L))); target += -0.1 * dot_product(e, mdivide_left_spd(K, y)); to_vector(mdivide_left_tri_low(L, D[, 1 : min(3, N)])) ~ normal(0, 9);", 5},
    {"periodic_and_dot_product", "real<lower=0> a; real<lower=0> r; real<lower=0> q; real<lower=0> s;",
     "y ~ multi_normal(rep_vector(0, N), add_diag(gp_periodic_cov(p, a, r, q) + gp_dot_prod_cov(x, s), 400)); z ~ multi_normal(y, add_diag(gp_periodic_cov(x, a, 0.7, q + s), 0.3));", 6},
    {"products_of_matrices", "real<lower=0> a; real<lower=0> r; vector[N] e;",
     "matrix[N, N] A = gp_exp_quad_cov(x, a, r); matrix[N, N] B = gp_matern32_cov(p, r, a); matrix[N, N] C = A * (D * B); y ~ normal(C * e, 1); target += 0.001 * sum(A * A) + 0.002 * sum(B[, 1 : min(3, N)]);", 6},
    {"products_of_what_is_brought", "matrix[M, N] A; matrix[N, 3] B;",
     "matrix[M, 3] C = A * B; matrix[N, N] E = A' * A; target += -0.01 * sum(square(C)) + 0.001 * sum(E .* D); target += -0.01 * sum(square(D[1 : M] * E)) - 0.1 * sum(square(B));", 3},
    {"self_products", "matrix[M, N] A; matrix[N, N] B;",
     "y ~ multi_normal(rep_vector(0, N), add_diag(crossprod(A), 1)); target += -0.01 * sum(square(tcrossprod(A)));"
     "target += -0.001 * sum(multiply_lower_tri_self_transpose(B) .* (D + tcrossprod(B)));", 5},
    {"constant_times_vector", "vector[N] e;", "vector[N] f = D * e; target += -0.5 * square(f[1] - 0.3) - 0.001 * dot_self(f); e ~ std_normal();", 1},
    {"constant_factor", "vector[N] e;", "y ~ multi_normal(e, add_diag(gp_exp_quad_cov(x, 1.0, 0.5), 0.2)); e ~ std_normal();", 0},
};

std::string matrix_program(const DeviceModel& m, int n) {
  return "transformed data { int N = " + std::to_string(n) + "; int M = (N + 1) %/% 2; array[N] real x; array[N] vector[2] p; vector[N] y; array[3] vector[N] z; matrix[N, N] D;"
         " for (n in 1:N) { x[n] = 0.3 * n; p[n] = [cos(n), sin(1.7 * n)]'; y[n] = cos(3 * n); for (k in 1:3) z[k, n] = sin(n * k); for (m in 1:N) D[m, n] = 0.1 * abs(m - n); } }"
         " parameters { " + std::string(m.parameters) + " } model { " + m.model + " }";
}

class DeviceMatrices : public ::testing::TestWithParam<DeviceModel> {};

/// One block, its edges, several.
TEST_P(DeviceMatrices, AreTheSameThere) {
  const bool many_parameters = std::string_view(GetParam().parameters).find("cov_matrix") != std::string_view::npos;
  for (const int n : {1, 2, 63, 64, 65, 200})
    if (n < 64 || n == 65 || !many_parameters) expect_same_there(matrix_program(GetParam(), n), n > 8 ? GetParam().placed : 0);  // smaller diagonals stay elements
}
INSTANTIATE_TEST_SUITE_P(Programs, DeviceMatrices, ::testing::ValuesIn(kMatrixModels), [](const auto& program) { return std::string(program.param.name); });

/// The message is the host's, and so is what comes after it.
TEST(DeviceMatrices, LeaveWhatGoesWrongToTheHost) {
  const OpenedDevice opened = open_test_device();
  if (!opened.device) GTEST_SKIP() << opened.problem;
  const auto use = std::make_shared<DeviceUse>(opened.device, Placing::All, [](const std::string& told) { ADD_FAILURE() << told; });
  const DeviceModel negative{"", "real d;", "matrix[N, N] L = cholesky_decompose(add_diag(gp_exp_quad_cov(x, 1, 1), d)); y ~ multi_normal_cholesky(y, L);", 0};
  const auto here = load(matrix_program(negative, 70)), there = load(matrix_program(negative, 70), "{}", {.device = use});
  const auto mine = here->workspace(), theirs = there->workspace();
  for (const double d : {0.5, -3.0, 0.7}) {
    const std::vector<double> theta{d};
    std::vector<double> host(1), device(1);
    double host_lp = 0, device_lp = 0;
    const auto said = mine->log_density_gradient(theta, {}, &host_lp, host), said_there = theirs->log_density_gradient(theta, {}, &device_lp, device);
    EXPECT_EQ(static_cast<bool>(said), d > 0);
    EXPECT_EQ(static_cast<bool>(said_there), d > 0);
    EXPECT_EQ(said.message, said_there.message);
    if (d > 0) {
      EXPECT_NEAR(device[0], host[0], 1e-9 * std::abs(host[0]));
    }
  }
  EXPECT_FALSE(use->lost());
}

/// Wherever it fails, in the sweep there or back, the host does the evaluation and all that follow.
TEST(DeviceMatrices, MayFailAnywhere) {
  const OpenedDevice opened = open_test_device();
  if (!opened.device) GTEST_SKIP() << opened.problem;
  const std::string source = matrix_program(kMatrixModels[2], 70);
  const auto here = load(source);
  for (const int launches : {0, 3, 9, 14, 18, 24}) {
    std::string told;
    const auto use = std::make_shared<DeviceUse>(std::make_shared<FailingDevice>(opened.device, launches, true), Placing::All,
                                                 [&](const std::string& text) { told += text; });
    const auto there = load(source, "{}", {.device = use});
    const Answer host = evaluate(*here, 1), device = evaluate(*there, 1);
    EXPECT_NEAR(device.lp, host.lp, 1e-10 * std::abs(host.lp)) << launches;
    for (std::size_t i = 0; i < host.gradient.size(); ++i) EXPECT_NEAR(device.gradient[i], host.gradient[i], 1e-9 * std::max(1.0, std::abs(host.gradient[i]))) << launches;
    EXPECT_NE(told.find("the device is gone"), std::string::npos) << launches << ": " << told;
  }
}

// ---------------------------------------------------------------- @gpu

/// As small as these are, nothing of them pays.
struct Asked {
  std::size_t placed = 0;
  std::string told;
};
Asked asked(const std::string& functions, const std::string& model) {
  Asked out;
  const OpenedDevice opened = open_test_device();
  const auto use = std::make_shared<DeviceUse>(opened.device, Placing::Worth, [&](const std::string& text) { out.told += text + "\n"; });
  const auto m = load("functions { " + functions + " } transformed data { int N = 40; vector[N] x = linspaced_vector(N, -1, 1); }\n"
                      "parameters { real a; real b; }\nmodel {\n" + model + "\n}", "{}", {.device = use});
  evaluate(*m, 1);
  out.placed = m->statistics({}).placed;
  return out;
}

TEST(Annotations, PlaceWhatDoesNotPay) {
  if (const OpenedDevice opened = open_test_device(); !opened.device) GTEST_SKIP() << opened.problem;
  EXPECT_EQ(asked("", "vector[N] m = exp(a * x); x ~ normal(m, 1);").placed, 0u);
  const Asked variable = asked("", "@gpu vector[N] m = exp(a * x);\nx ~ normal(m, 1);");
  EXPECT_GE(variable.placed, 1u);
  EXPECT_EQ(variable.told, "");
  const Asked function = asked("@gpu real f(vector m, vector x) { return normal_lpdf(x | exp(m), 1); }", "target += f(a * x, x);");
  EXPECT_GE(function.placed, 1u);
  EXPECT_EQ(function.told, "");
}

TEST(Annotations, TellWhatCannotBePlaced) {
  if (const OpenedDevice opened = open_test_device(); !opened.device) GTEST_SKIP() << opened.problem;
  const Asked scalar = asked("", "@gpu real z = exp(a) + b;\ntarget += -z;");
  EXPECT_EQ(scalar.placed, 0u);
  EXPECT_NE(scalar.told.find("@gpu: nothing of this statement runs on the device (in 'test.stan', line 4"), std::string::npos) << scalar.told;
}

}  // namespace
}  // namespace fermiac::testing
