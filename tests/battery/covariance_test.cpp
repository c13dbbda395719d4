// Covariance functions of many points, which go by vectors, runs and squares, against the same in loops of scalars.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/battery/gradient_check.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct Function {
  const char* name;
  const char* formula;  // of the squared distance s2, already scaled but for the periodic function
  const char* scales;   // behind alpha
};
const Function kFunctions[] = {
    {"gp_exp_quad_cov", "exp(-0.5 * s2)", "rho"},
    {"gp_exponential_cov", "exp(-sqrt(s2))", "rho"},
    {"gp_matern32_cov", "(1 + sqrt(3 * s2)) * exp(-sqrt(3 * s2))", "rho"},
    {"gp_matern52_cov", "(1 + sqrt(5 * s2) + 5 * s2 / 3) * exp(-sqrt(5 * s2))", "rho"},
    {"gp_periodic_cov", "exp(-2 * square(sin(pi() * sqrt(s2) / period) / rho))", "rho, period"},
};

// N points of dimension 2 on a line that bends, moved by a parameter; weights that are not symmetric.
constexpr const char* kProgram = R"(
  data {{ int N; int M; }}
  transformed data {{ matrix[N, M] w; for (i in 1:N) for (j in 1:M) w[i, j] = sin(i + 0.7 * j); }}
  parameters {{ real alpha; real rho; real period; real shift; }}
  model {{
    array[N] vector[2] x;
    array[M] vector[2] y;
    for (i in 1:N) x[i] = [0.03 * i + shift * sin(i), cos(0.1 * i)]';
    for (j in 1:M) y[j] = [0.05 * j, shift * cos(j)]';
    {}
  }})";

void expect_same(const std::string& body, const std::string& reference, int n, int m, double scale) {
  const std::string data = fmt::format(R"({{"N": {}, "M": {}}})", n, m);
  const auto fast = load(fmt::format(kProgram, body), data), slow = load(fmt::format(kProgram, reference), data);
  const std::vector<double> theta = {1.3, 0.8, 1.7, 0.4};
  const Point a = evaluate(*fast, theta), b = evaluate(*slow, theta);
  ASSERT_EQ(a.error, "") << body;
  ASSERT_EQ(b.error, "") << reference;
  EXPECT_NEAR(a.lp, b.lp, 1e-12 * scale) << body;
  for (std::size_t i = 0; i < theta.size(); ++i)
    EXPECT_NEAR(a.grad[i], b.grad[i], 1e-11 * scale) << body << ", parameter " << i;
}

std::string loops(const Function& f, const char* other) {
  const bool periodic = std::string(f.name) == "gp_periodic_cov";
  return fmt::format(
      "for (i in 1:N) for (j in 1:rows({0})) {{ real s2 = squared_distance(x[i], {0}[j]){1}; target += w[i, j] * "
      "square(alpha) * ({2}); }}",
      other, periodic ? "" : " / square(rho)", f.formula);
}

TEST(Covariances, OfTwoSetsOfPoints) {
  for (const Function& f : kFunctions)
    for (const auto& [n, m] : {std::pair{1, 1}, {3, 10}, {17, 9}, {270, 3}}) {
      const std::string body = fmt::format("target += sum(w .* {}(x, y, alpha, {}));", f.name, f.scales);
      std::string reference = loops(f, "y");
      reference.replace(reference.find("rows(y)"), 7, "M");
      expect_same(body, reference, n, m, n * m);
    }
}

/// Off the diagonal, where the distance has a slope, by loops; the diagonal is alpha².
TEST(Covariances, OfOneSetOfPoints) {
  for (const Function& f : kFunctions)
    for (const int n : {1, 2, 7, 8, 9, 35, &f == kFunctions ? 260 : 41}) {
      const std::string body = fmt::format("target += sum(w .* {}(x, alpha, {}));", f.name, f.scales);
      std::string reference = loops(f, "x");
      reference.replace(reference.find("rows(x)"), 7, "M");
      reference.replace(reference.find("{ real s2"), 1,
                        "{ if (i == j) { target += w[i, j] * square(alpha); continue; }");
      expect_same(body, reference, n, n, n * n);
    }
}

/// A length scale per dimension, and both sets moved by the parameters.
TEST(Covariances, LengthScalePerDimension) {
  const char* const kScaled = "square((x[i, 1] - {0}[j, 1]) / rho) + square((x[i, 2] - {0}[j, 2]) / period)";
  for (const Function& f : kFunctions) {
    if (std::string(f.name) == "gp_periodic_cov") continue;
    for (const auto& [n, m] : {std::pair{1, 1}, {5, 12}, {19, 8}, {270, 250}})
      for (const bool one_set : {false, true}) {
        if (n > 100 && &f != kFunctions) continue;
        const std::string other = one_set ? "x" : "y";
        const std::string body = fmt::format("target += sum(w .* {}(x, {}alpha, {{rho, period}}));", f.name, one_set ? "" : "y, ");
        const std::string reference = fmt::format(
            "for (i in 1:N) for (j in 1:M) {{ if ({} && i == j) {{ target += w[i, j] * square(alpha); continue; }} real s2 = "
            "{}; target += w[i, j] * square(alpha) * ({}); }}",
            one_set ? 1 : 0, fmt::format(fmt::runtime(kScaled), other), f.formula);
        expect_same(body, reference, n, one_set ? n : m, n * m);
      }
  }
}

TEST(Covariances, DotProducts) {
  for (const auto& [n, m] : {std::pair{1, 1}, {3, 10}, {33, 20}, {130, 70}}) {
    const std::string sum = "for (i in 1:N) for (j in 1:M) target += w[i, j] * (square(alpha) + dot_product(x[i], {}[j]));";
    expect_same("target += sum(w .* gp_dot_prod_cov(x, y, alpha));", fmt::format(fmt::runtime(sum), "y"), n, m, n * m);
    expect_same("target += sum(w .* gp_dot_prod_cov(x, alpha));", fmt::format(fmt::runtime(sum), "x"), n, n, n * n);
  }
}

}  // namespace
}  // namespace fermiac::testing
