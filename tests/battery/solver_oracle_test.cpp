// Solvers against recorded cases, given as source: values, gradients (recorded and replayed) and errors; and against
// solutions known in closed form.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/battery/program_gradient.h"
#include "tests/conformance/oracle.h"
#include "tests/shared/unzipped.h"

namespace fermiac::interp {
namespace {

TEST(SolverOracle, EveryCase) {
  using selfcheck::OracleOutcome;
  const selfcheck::OracleReport report =
      selfcheck::check_oracle_text(unzipped(FERMIAC_SOURCE_DIR "/tests/battery/data/solvers.jsonl.gz"));
  ASSERT_EQ(report.outcomes.size(), 71u);
  for (const OracleOutcome& o : report.outcomes) EXPECT_EQ(o.kind, OracleOutcome::Kind::Passed) << o.id << ": " << o.message;
}

class EveryOde : public ::testing::TestWithParam<const char*> {};

/// y' = -k y, y(t0) = y0: y(t) = y0 exp(-k (t - t0)); everything carries derivatives.
TEST_P(EveryOde, ExponentialDecay) {
  const std::string program = fmt::format(R"(
    functions {{ vector decay(real t, vector y, real k) {{ return -k * y; }} }}
    parameters {{ real y0; real t0; real t1; real k; }}
    model {{ target += {}(decay, [y0]', t0, {{t1}}, 1e-10, 1e-10, 1000000, k)[1, 1]; }})", GetParam());
  const double y0 = 1.5, t0 = 0.25, t1 = 2, k = 0.7;
  const Gradient g = evaluate(program, {1, 0, 1, 1}, {y0, t0, t1, k});
  ASSERT_EQ(g.error, "");
  const double y = y0 * std::exp(-k * (t1 - t0));
  EXPECT_NEAR(g.lp, y, 1e-8);
  EXPECT_NEAR(g.grad[0], y / y0, 1e-8);
  EXPECT_NEAR(g.grad[1], k * y, 1e-8);
  EXPECT_NEAR(g.grad[2], -k * y, 1e-8);
  EXPECT_NEAR(g.grad[3], -(t1 - t0) * y, 1e-8);
}

/// A right-hand side that takes another path from time 1 on.
TEST_P(EveryOde, SwitchesPath) {
  const std::string program = fmt::format(R"(
    functions {{ vector f(real t, vector y, real a, real b) {{ if (t < 1) return [a]'; return [b]'; }} }}
    parameters {{ real a; real b; }}
    model {{ target += {}(f, [0.0]', 0, {{1, 3}}, 1e-8, 1e-8, 1000000, a, b)[2, 1]; }})", GetParam());
  const Gradient g = evaluate(program, {1, 1}, {0.5, 2});
  ASSERT_EQ(g.error, "");
  EXPECT_NEAR(g.lp, 4.5, 1e-5);
  EXPECT_NEAR(g.grad[0], 1, 1e-4);
  EXPECT_NEAR(g.grad[1], 2, 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryOde,
                         ::testing::Values("ode_rk45_tol", "ode_ckrk_tol", "ode_adams_tol", "ode_bdf_tol"));

/// A matrix product has no forward mode: sensitivities come from reverse sweeps.
TEST(Ode, MatrixProducts) {
  const Gradient g = evaluate(R"(
    functions { vector f(real t, vector y, matrix a) { return a * y; } }
    parameters { real w; }
    transformed parameters { matrix[20, 20] a = rep_matrix(0, 20, 20); a[1, 2] = w; a[2, 1] = -w; }
    model {
      vector[20] y0 = rep_vector(0, 20);
      y0[1] = 1;
      target += ode_rk45_tol(f, y0, 0, {2.0}, 1e-10, 1e-10, 10000, a)[1, 1];
    })", {1}, {0.8});
  ASSERT_EQ(g.error, "");
  EXPECT_NEAR(g.lp, std::cos(1.6), 1e-8);
  EXPECT_NEAR(g.grad[0], -2 * std::sin(1.6), 1e-7);
}

TEST(Ode, AdjointGradients) {
  const Gradient g = evaluate(R"(
    functions { vector f(real t, vector y, real k) { return -k * y; } }
    parameters { real y0; real t0; real k; }
    model {
      array[2] vector[1] y = ode_adjoint_tol_ctl(f, [y0]', t0, {1.0, 2.0}, 1e-10, [1e-10]', 1e-10, [1e-10]', 1e-10, 1e-10,
                                                 100000, 100, 1, 2, 2, k);
      target += y[1, 1] + 3 * y[2, 1];
    })", {1, 0, 1}, {1.5, 0.25, 0.7});
  ASSERT_EQ(g.error, "");
  const double a = 1.5 * std::exp(-0.7 * 0.75), b = 1.5 * std::exp(-0.7 * 1.75);
  EXPECT_NEAR(g.lp, a + 3 * b, 1e-7);
  EXPECT_NEAR(g.grad[0], (a + 3 * b) / 1.5, 1e-7);
  EXPECT_NEAR(g.grad[1], 0.7 * (a + 3 * b), 1e-6);
  EXPECT_NEAR(g.grad[2], -0.75 * a - 1.75 * 3 * b, 1e-6);
}

TEST(Ode, WrongNumberOfDerivativesIsAnError) {
  const Gradient g = evaluate(R"(
    functions { vector f(real t, vector y, real k) { return rep_vector(k, 2); } }
    parameters { real k; }
    model { target += ode_rk45(f, [1.0]', 0, {1.0}, k)[1, 1]; })", {1}, {1});
  EXPECT_NE(g.error.find("ode_rk45: f returned 2 values, but there must be 1"), std::string::npos) << g.error;
}

class EveryQuadrature : public ::testing::TestWithParam<const char*> {};

/// The integral of exp(-k x) from 0 to b, and of the normal density over the line.
TEST_P(EveryQuadrature, KnownIntegrals) {
  const std::string program = fmt::format(R"(
    functions {{
      real decay(real x, real xc, real k) {{ return exp(-k * x); }}
      real bell(real x, real xc, real m, real s) {{ return exp(normal_lpdf(x | m, s)) * x; }}
    }}
    parameters {{ real k; real b; real m; real s; }}
    model {{
      target += {0}(decay, 0, b, k);
      target += {0}(bell, negative_infinity(), positive_infinity(), m, s);
    }})", GetParam());
  const double k = 0.7, b = 2.5;
  const Gradient g = evaluate(program, {1, 1, 0, 1}, {k, b, 0.4, 1.3});
  ASSERT_EQ(g.error, "");
  const double e = std::exp(-k * b);
  EXPECT_NEAR(g.lp, (1 - e) / k + 0.4, 1e-7);
  EXPECT_NEAR(g.grad[0], b * e / k - (1 - e) / (k * k), 1e-7);
  EXPECT_NEAR(g.grad[1], e, 1e-9);
  EXPECT_NEAR(g.grad[2], 1, 1e-7);
  EXPECT_NEAR(g.grad[3], 0, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryQuadrature,
                         ::testing::Values("integrate_1d_double_exponential", "integrate_1d_gauss_kronrod"));

class EveryRoot : public ::testing::TestWithParam<const char*> {};

/// y1 y2 = a, y1 = b: the root is (b, a / b).
TEST_P(EveryRoot, KnownRoot) {
  const std::string program = fmt::format(R"(
    functions {{ vector f(vector y, real a, real b) {{ return [y[1] * y[2] - a, y[1] - b]'; }} }}
    parameters {{ real a; real b; vector[2] guess; }}
    model {{ target += {}(f, guess, a, b)[2]; }})", GetParam());
  const Gradient g = evaluate(program, {1, 1, 1, 1}, {3, 2, 0.5, 4});
  ASSERT_EQ(g.error, "");
  EXPECT_NEAR(g.lp, 1.5, 1e-8);
  EXPECT_NEAR(g.grad[0], 0.5, 1e-8);
  EXPECT_NEAR(g.grad[1], -0.75, 1e-8);
  EXPECT_EQ(g.grad[2], 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryRoot, ::testing::Values("solve_newton", "solve_powell"));

}  // namespace
}  // namespace fermiac::interp
