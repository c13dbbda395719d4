// Gradients through eigenvectors whose eigenvalues nearly coincide: of functions of the matrix, which are smooth there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/battery/gradient_check.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

std::unique_ptr<interp::InterpModel> model_of(const std::string& inverse) {
  return load(fmt::format(R"(
    data {{ int n; real nugget; }}
    parameters {{ real s; real rho; }}
    model {{
      matrix[n, n] k;
      for (i in 1:n) for (j in 1:n) k[i, j] = s * exp(-rho * square((i - j) / 4.0)) + (i == j ? nugget : 0);
      {}
      for (i in 1:n) for (j in 1:n) target += cos(i + 3 * j) * a[i, j];
    }})",
                          inverse),
              R"({"n": 12, "nugget": 1e-5})");
}

/// A smooth kernel plus a small diagonal: most eigenvalues lie within rounding of the diagonal.
TEST(CloseEigenvalues, FunctionsOfTheMatrix) {
  const auto direct = model_of("matrix[n, n] a = inverse_spd(add_diag(k, 0.7));");
  const auto spectral = model_of(R"(
      matrix[n, n] q = eigenvectors_sym(k);
      matrix[n, n] a = diag_post_multiply(q, inv(eigenvalues_sym(k) + 0.7)) * q';)");
  for (const std::vector<double>& theta : {std::vector{0.9, 0.3}, std::vector{1.7, 0.05}, std::vector{0.2, 0.9}}) {
    const Point a = evaluate(*direct, theta), b = evaluate(*spectral, theta);
    ASSERT_EQ(b.error, "");
    EXPECT_NEAR(a.lp, b.lp, 1e-12 * (1 + std::abs(a.lp)));
    for (std::size_t i = 0; i < theta.size(); ++i) EXPECT_NEAR(a.grad[i], b.grad[i], 1e-10 * (1 + std::abs(a.grad[i])));
  }
}

}  // namespace
}  // namespace fermiac::testing
