// What is added to the diagonal of a matrix, in a loop or by diag_matrix: add_diag on the tape, with the numbers of the elements.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct Case {
  const char* name;
  const char* matrix;    // K of N rows, of a, r, s and the vector v
  std::size_t calls;     // of add_diag, and
  bool copies = false;   // gathers of whole matrices on the tape
};

std::string program(const Case& c) {
  return std::string("transformed data { int N = 9; array[N] real x = linspaced_array(N, 0, 3); vector[N] y = linspaced_vector(N, -1, 1);"
                     " matrix[N, N] D; for (i in 1:N) for (j in 1:N) D[i, j] = abs(x[i] - x[j]); }\n"
                     "parameters { real<lower=0> a; real<lower=0> r; real<lower=0> s; vector<lower=0>[N] v; }\nmodel { ") +
         c.matrix + " y ~ multi_normal(rep_vector(0, N), K); }";
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

class Diagonals : public ::testing::TestWithParam<Case> {};

TEST_P(Diagonals, AreAddedTo) {
  const auto rewritten = load(program(GetParam())), plain = load(program(GetParam()));
  ASSERT_TRUE(rewritten && plain);
  plain->set_rewrite(false);
  const auto one = rewritten->workspace(), other = plain->workspace();
  std::vector<double> theta(12), g1(12), g2(12);
  for (const int k : {0, 1, 2}) {
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.7 * std::sin(2 + 0.9 * static_cast<double>(i) + k);
    double lp1 = 0, lp2 = 0;
    ASSERT_TRUE(one->log_density_gradient(theta, {}, &lp1, g1));
    ASSERT_TRUE(other->log_density_gradient(theta, {}, &lp2, g2));
    EXPECT_NEAR(lp1, lp2, 1e-13 * (1 + std::abs(lp2)));
    for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(g1[i], g2[i], 1e-12 * (1 + std::abs(g2[i]))) << i;
  }
  const std::string tape = rewritten->dump_tape(theta, {});
  EXPECT_EQ(count(tape, "= add_diag"), GetParam().calls) << tape;
  EXPECT_EQ(tape.find("gather") != std::string::npos, GetParam().copies) << tape;
}

INSTANTIATE_TEST_SUITE_P(
    All, Diagonals,
    ::testing::Values(
        Case{"OneNumberInALoop", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 1:N) K[n, n] = K[n, n] + square(s);", 1},
        Case{"OneNumberIncrements", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 1:N) K[n, n] += s;", 1},
        Case{"TheOtherWayRound", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 1:N) K[n, n] = s + K[n, n];", 1},
        Case{"AConstant", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 1:N) K[n, n] = K[n, n] + 1e-3;", 1},
        Case{"AVector", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 1:N) K[n, n] += v[n];", 1},
        Case{"TwoLoops", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 1:N) K[n, n] += v[n]; for (n in 1:N) K[n, n] += s;", 2},
        Case{"DiagMatrix", "matrix[N, N] K = gp_exp_quad_cov(x, a, r) + diag_matrix(rep_vector(s, N));", 1},
        Case{"DiagMatrixOfAVector", "matrix[N, N] K = diag_matrix(v) + gp_exp_quad_cov(x, a, r);", 1},
        Case{"OfElements", "matrix[N, N] K = square(a) * exp(-D / r); for (n in 1:N) K[n, n] = K[n, n] + s;", 1},
        Case{"OneElementIsLeftOut", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 2:N) K[n, n] += s; K[1, 1] += 0.5;", 0, true},
        Case{"AnotherDiagonal", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 1:N) K[n, n] = 2 * a * a + s;", 0, true},
        Case{"MoreThanTheDiagonal", "matrix[N, N] K = gp_exp_quad_cov(x, a, r); for (n in 1:N) K[n, n] += s; K[1, 2] *= 0.9; K[2, 1] *= 0.9;", 0, true}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace fermiac::testing
