// A replay allocates nothing once its workspace exists: every operator new of this program is counted.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "tests/shared/program_runner.h"

namespace {
std::atomic<std::size_t> allocations{0};

void* counted(std::size_t bytes) {
  ++allocations;
  if (void* p = std::malloc(bytes > 0 ? bytes : 1)) return p;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes);
}
void* operator new[](std::size_t bytes) {
  return counted(bytes);
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete[](void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  std::free(p);
}

namespace fermiac::testing {
namespace {

struct Case {
  const char* name;
  const char* text;
};

const Case kCases[] = {
    {"hierarchy",
     R"(transformed data { vector[8] y = [28, 8, -3, 7, -1, 1, 18, 12]'; vector[8] s = [15, 10, 16, 11, 9, 11, 10, 18]'; }
      parameters { real mu; real<lower=0> tau; vector[8] z; } model { y ~ normal(mu + tau * z, s); z ~ std_normal(); mu ~ normal(0, 5); tau ~ cauchy(0, 5); })"},
    {"regressions",
     R"(transformed data { matrix[40, 3] X; array[40] int y; vector[40] v; for (i in 1:40) { y[i] = i % 2; v[i] = i; for (j in 1:3) X[i, j] = sin(i * j); } }
      parameters { vector[3] b; real a; real<lower=0> s; } model { y ~ bernoulli_logit_glm(X, a, b); v ~ normal(a + X * b, s); y ~ bernoulli_logit(X * b); })"},
    {"gaussian_process",
     R"(transformed data { array[12] real x; vector[12] y; for (i in 1:12) { x[i] = i; y[i] = cos(i); } }
      parameters { real<lower=0> rho; real<lower=0> alpha; real<lower=0> sigma; }
      model { matrix[12, 12] K = add_diag(gp_exp_quad_cov(x, alpha, rho), square(sigma)); y ~ multi_normal_cholesky(rep_vector(0, 12), cholesky_decompose(K)); })"},
    {"mixture_and_recurrence", R"(transformed data { vector[50] y; for (i in 1:50) y[i] = sin(i); }
      parameters { ordered[2] m; real<lower=0, upper=1> p; simplex[3] q; } model { real e = 0; for (i in 1:50) { e = y[i] - p * e; target += log_mix(p, normal_lpdf(e | m[1], 1), normal_lpdf(y[i] | m[2], 2)); } target += sum(log(q)); })"},
};

TEST(Allocation, ReplaysAllocateNothing) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const auto model = load(c.text);
    ASSERT_TRUE(model);
    const auto workspace = model->workspace();
    std::vector<double> theta(model->unconstrained_size(), 0.1), gradient(theta.size());
    double lp = 0;
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(workspace->log_density_gradient(theta, {}, &lp, gradient));  // it has its machine code by now
    const std::size_t before = allocations;
    for (int i = 0; i < 100; ++i) {
      theta[0] = 0.01 * i;
      if (!workspace->log_density_gradient(theta, {}, &lp, gradient) || !workspace->log_density(theta, {}, &lp)) FAIL();
    }
    EXPECT_EQ(allocations - before, 0u);
  }
}

/// Allocations of one gradient of a solve with this relative tolerance, once there is machine code.
std::size_t allocations_of(const std::string& solver, double tolerance) {
  const auto model = load("functions { vector f(real t, vector y, real a, real b) { return [(a - b * y[2]) * y[1], (y[1] * b - exp(-a * t)) * y[2]]'; } }"
                          "parameters { real<lower=0> a; real<lower=0> b; } model { target += sum(" + solver +
                          "(f, [1.2, 0.7]', 0, {1, 2.5, 7}, " + std::to_string(tolerance) + ", 1e-9, 100000, a, b)[3]); }");
  if (!model) return 0;
  const auto workspace = model->workspace();
  std::vector<double> theta(2, 0.1), gradient(2);
  double lp = 0;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(workspace->log_density_gradient(theta, {}, &lp, gradient));
  const std::size_t before = allocations;
  EXPECT_TRUE(workspace->log_density_gradient(theta, {}, &lp, gradient));
  return allocations - before;
}

/// A solve has its vectors; steps, of which closer tolerances want many more, have none.
TEST(Allocation, StepsOfSolversAllocateNothing) {
  for (const char* solver : {"ode_rk45_tol", "ode_ckrk_tol", "ode_adams_tol", "ode_bdf_tol"}) {
    const std::size_t few = allocations_of(solver, 1e-3);
    EXPECT_GT(few, 0u) << solver;
    EXPECT_EQ(allocations_of(solver, 1e-6), few) << solver;
  }
}

}  // namespace
}  // namespace fermiac::testing
