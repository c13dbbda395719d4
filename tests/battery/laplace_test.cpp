// The embedded Laplace approximation: exact for normal likelihoods; gradients against differences; the built-in
// likelihoods against the same ones written in the language; draws against the moments.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/battery/gradient_check.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

constexpr const char* kCovariance = R"(
  matrix cov(array[] real x, real alpha, real rho) {
    return add_diag(gp_exp_quad_cov(x, alpha, rho), 1e-2);
  }
)";
constexpr const char* kData =
    R"({"x": [0, 0.7, 1.1, 2.3], "y": [1, 0, 4, 2], "b": [1, 0, 0, 1], "z": [0.3, -0.4, 1.2, 0.9],
  "g": [1, 2, 3, 4], "many": [2, 0, 1, 5, 3, 1], "gm": [1, 1, 2, 4, 4, 3]})";
constexpr const char* kDeclarations = R"(
  data { array[4] real x; array[4] int y; array[4] int b; vector[4] z; array[4] int g; array[6] int many; array[6] int gm; }
)";

std::unique_ptr<interp::InterpModel> model_of(const std::string& functions, const std::string& parameters,
                                              const std::string& body) {
  return load(fmt::format("functions {{ {} {} }} {} parameters {{ {} }} model {{ {} }}", kCovariance, functions,
                          kDeclarations, parameters, body),
              kData);
}

/// With a normal likelihood the approximation is exact: y ~ N(0, K + s² I).
TEST(Laplace, NormalLikelihoodIsExact) {
  const auto approximate =
      model_of("real ll(vector theta, vector z, real s) { return normal_lpdf(z | theta, s); }",
               "real alpha; real rho; real s;", "target += laplace_marginal(ll, (z, s), 1, cov, (x, alpha, rho));");
  const auto exact =
      model_of("", "real alpha; real rho; real s;",
               "target += multi_normal_lpdf(z | rep_vector(0, 4), add_diag(cov(x, alpha, rho), s ^ 2));");
  for (const std::vector<double>& theta : {std::vector{0.8, 1.2, 0.5}, std::vector{2.0, 0.6, 0.05}}) {
    const Point a = evaluate(*approximate, theta), b = evaluate(*exact, theta);
    ASSERT_EQ(a.error, "");
    EXPECT_NEAR(a.lp, b.lp, 1e-10 * std::abs(b.lp));
    for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(a.grad[i], b.grad[i], 1e-8 * (1 + std::abs(b.grad[i])));
  }
}

class EverySolver : public ::testing::TestWithParam<int> {};

TEST_P(EverySolver, GradientsOfUserLikelihoods) {
  const std::string functions = R"(
    real ll(vector theta, array[] int y, real phi) { return neg_binomial_2_log_lpmf(y | theta, phi); })";
  const auto model = model_of(functions, "real alpha; real rho; real phi;",
                              fmt::format("target += laplace_marginal_tol(ll, (y, phi), 1, cov, (x, alpha, rho), "
                                          "(rep_vector(0.1, 4), 1e-10, 200, {}, 100, 0));",
                                          GetParam()));
  expect_gradient(*model, {0.8, 1.2, 3}, 1e-7);
}
INSTANTIATE_TEST_SUITE_P(Solvers, EverySolver, ::testing::Values(1, 2, 3));

/// Latent values that act in pairs: log mean and log scale of each observation.
TEST(Laplace, BlocksOfTwo) {
  const std::string functions = R"(
    real ll(vector theta, vector z, real m) {
      real lp = 0;
      for (i in 1:2) lp += normal_lpdf(z[i] | m + theta[2 * i - 1], exp(0.3 * theta[2 * i]));
      return lp;
    })";
  const auto model = model_of(functions, "real alpha; real rho; real m;",
                              "target += laplace_marginal(ll, (z, m), 2, cov, (x, alpha, rho));");
  expect_gradient(*model, {0.6, 1.2, 0.2}, 1e-6);
}

/// Mode and log marginal of one latent value from their definitions.
TEST(Laplace, OneCountByHand) {
  const auto model = model_of(
      "matrix k1(real v) { return [[v]]; } real ll(vector theta, int n) { return poisson_log_lpmf(n | theta); }",
      "real v;", "target += laplace_marginal(ll, (3, ), 1, k1, (v, ));");
  const double v = 0.7;
  double theta = 0;
  for (int i = 0; i < 50; ++i) theta -= (3 - std::exp(theta) - theta / v) / (-std::exp(theta) - 1 / v);
  const double lp =
      3 * theta - std::exp(theta) - std::log(6) - theta * theta / (2 * v) - std::log(1 + v * std::exp(theta)) / 2;
  const Point at = evaluate(*model, {v});
  EXPECT_NEAR(at.lp, lp, 1e-11);
  expect_gradient(*model, {v}, 1e-8);
}

struct Family {
  const char *name, *written, *call;
};
class EveryFamily : public ::testing::TestWithParam<Family> {};

/// The built-in likelihoods are those of the language.
TEST_P(EveryFamily, AgreesWithTheUserFunction) {
  const Family& family = GetParam();
  const std::string parameters = "real alpha; real rho; real eta; vector[4] m;";
  const auto built_in = model_of("", parameters, fmt::format("target += {};", family.call));
  const auto user =
      model_of(fmt::format("real ll(vector theta, array[] int y, array[] int g, real eta, vector m) {{ return {}; }}",
                           family.written),
               parameters,
               fmt::format("target += laplace_marginal(ll, ({}, eta, m), 1, cov, (x, alpha, rho));",
                           std::string(family.name) == "bernoulli_logit" ? "b, g" : "many, gm"));
  const std::vector<double> theta = {0.8, 1.2, 2.5, 0.1, -0.2, 0.3, 0.5};
  const Point a = evaluate(*built_in, theta), b = evaluate(*user, theta);
  ASSERT_EQ(a.error, "");
  ASSERT_EQ(b.error, "");
  EXPECT_NEAR(a.lp, b.lp, 1e-9 * std::abs(b.lp));
  for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(a.grad[i], b.grad[i], 1e-7) << i;
  expect_gradient(*built_in, theta, 1e-7);
}
INSTANTIATE_TEST_SUITE_P(
    Families, EveryFamily,
    ::testing::Values(Family{"bernoulli_logit", "bernoulli_logit_lpmf(y | (theta + m)[g])",
                             "laplace_marginal_bernoulli_logit_lpmf(b | g, m, 1, cov, (x, alpha, rho))"},
                      Family{"poisson_log", "poisson_log_lpmf(y | (theta + m)[g])",
                             "laplace_marginal_tol_poisson_log_lpmf(many | gm, m, 1, cov, (x, alpha, rho), "
                             "generate_laplace_options(4))"},
                      Family{
                          "neg_binomial_2_log", "neg_binomial_2_log_lpmf(y | (theta + m)[g], eta)",
                          "laplace_marginal_neg_binomial_2_log_lpmf(many | gm, [eta]', m, 1, cov, (x, alpha, rho))"}),
    [](const auto& family) { return std::string(family.param.name); });

/// A statement with `~`.
TEST(Laplace, Tilde) {
  const auto tilde = model_of("", "real alpha;",
                              "many ~ laplace_marginal_poisson_log(gm, rep_vector(0, 4), 1, cov, (x, alpha, 1.0));");
  const auto plain =
      model_of("", "real alpha;",
               "target += laplace_marginal_poisson_log_lpmf(many | gm, rep_vector(0, 4), 1, cov, (x, alpha, 1.0));");
  EXPECT_NEAR(evaluate(*tilde, {0.9}).grad[0], evaluate(*plain, {0.9}).grad[0], 1e-12);
}

/// For a normal likelihood the posterior of theta is known: covariance (K⁻¹ + I / s²)⁻¹.
TEST(Laplace, DrawsAndMoments) {
  const std::string functions = fmt::format(R"(functions {{ {}
    real ll(vector theta, vector z) {{ return normal_lpdf(z | theta, 0.5); }} }})",
                                            kCovariance);
  const std::vector<double> r = results(R"(
    array[3] real x = {0, 0.7, 1.1};
    vector[3] z = [0.3, -0.4, 1.2]';
    matrix[3, 3] s = inverse(add_diag(inverse(cov(x, 1.0, 1.0)), 4));
    tuple(vector[3], matrix[3, 3]) found = laplace_latent_solve(ll, (z, ), 1, cov, (x, 1.0, 1.0));
    vector[3] sum = rep_vector(0, 3);
    matrix[3, 3] squares = rep_matrix(0, 3, 3);
    for (i in 1:20000) {
      vector[3] draw = laplace_latent_rng(ll, (z, ), 1, cov, (x, 1.0, 1.0)) - 4 * s * z;
      sum += draw;
      squares += draw * draw';
    }
    array[4] real r = {max(abs(found.1 - 4 * s * z)), max(abs(found.2 - cholesky_decompose(s))), max(abs(sum / 20000)),
                       max(abs(squares / 20000 - s))};
  )",
                                        functions);
  ASSERT_EQ(r.size(), 4u);
  EXPECT_LT(r[0], 1e-9);
  EXPECT_LT(r[1], 1e-9);
  EXPECT_LT(r[2], 0.015);
  EXPECT_LT(r[3], 0.015);
}

TEST(Laplace, Errors) {
  const std::string functions =
      "functions { matrix k(real v) { return v * identity_matrix(2); } matrix k23(real v) { return rep_matrix(v, 2, "
      "3); } }";
  const auto message = [&](const std::string& call) { return error_of("real r = " + call + ";", functions); };
  EXPECT_NE(
      message("laplace_marginal_poisson_log_lpmf({1, 2} | {1, 3}, [0, 0]', 1, k, (1.0, ))").find("y_index[2] is 3"),
      std::string::npos);
  EXPECT_NE(message("laplace_marginal_poisson_log_lpmf({1, -2} | {1, 2}, [0, 0]', 1, k, (1.0, ))").find("y[2] is -2"),
            std::string::npos);
  EXPECT_NE(message("laplace_marginal_poisson_log_lpmf({1, 2} | {1, 2}, [0]', 1, k, (1.0, ))").find("offset has 1"),
            std::string::npos);
  EXPECT_NE(message("laplace_marginal_poisson_log_lpmf({1, 2} | {1, 2}, [0, 0]', 3, k, (1.0, ))")
                .find("hessian_block_size is 3"),
            std::string::npos);
  EXPECT_NE(
      message("laplace_marginal_poisson_log_lpmf({1, 2} | {1, 2}, [0, 0]', 1, k23, (1.0, ))").find("must be square"),
      std::string::npos);
}

}  // namespace
}  // namespace fermiac::testing
