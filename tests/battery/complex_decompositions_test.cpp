// Gradients of complex decompositions, through what does not depend on the phases that they leave free.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/battery/gradient_check.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

/// `body` adds to target, with the complex matrix z [3, 3] made of 18 parameters and weights w(i, j, k) at hand.
void expect_gradient_of(const std::string& body) {
  const auto model = load(fmt::format(R"(
    functions {{ real w(int i, int j, int k) {{ return cos(i + 3.0 * j + 7.0 * k); }} }}
    parameters {{ matrix[3, 3] re; matrix[3, 3] im; }}
    model {{ complex_matrix[3, 3] z = to_complex(re, im); {} }})",
                                      body));
  ASSERT_NE(model, nullptr);
  expect_gradient(*model,
                  {2.1, 0.3, -0.4, 0.5, 3.9, 0.2, -0.1, 0.6, 6.2, 0.2, 0.5, -0.3, 0.1, -0.4, 0.7, 0.25, 0.35, -0.6},
                  1e-6, 1e-3);
}
constexpr const char* kSymmetric = "complex_matrix[3, 3] h = to_complex(re + re', rep_matrix(0, 3, 3));";
constexpr const char* kSquares = "for (i in 1:3) for (j in 1:3) target += w(i, j, 1) * abs(v[i, j])^2;";

TEST(ComplexDecompositions, SingularValues) {
  expect_gradient_of("target += dot_product(singular_values(z), [1, -2, 0.5]');");
}

/// u_k v_k* is unique; so are the absolute values.
TEST(ComplexDecompositions, SingularVectors) {
  expect_gradient_of(R"(
    complex_matrix[3, 3] u = svd_U(z); complex_matrix[3, 3] v = svd_V(z);
    for (i in 1:3) for (j in 1:3) for (k in 1:3) target += w(i, j, k) * get_real(u[i, k] * conj(v[j, k])) + w(k, j, i) * abs(u[i, j])^2;)");
}

TEST(ComplexDecompositions, SchurVectors) {
  expect_gradient_of(std::string("complex_matrix[3, 3] v = complex_schur_decompose_u(z);") + kSquares);
}
TEST(ComplexDecompositions, SchurForm) {
  expect_gradient_of(std::string("complex_matrix[3, 3] v = complex_schur_decompose_t(z);") + kSquares);
}
TEST(ComplexDecompositions, Eigenvectors) {
  expect_gradient_of(std::string("complex_matrix[3, 3] v = eigenvectors(z);") + kSquares);
}
TEST(ComplexDecompositions, SymmetricEigenvectors) {
  expect_gradient_of(std::string(kSymmetric) + "complex_matrix[3, 3] v = eigenvectors_sym(h);" + kSquares);
}
TEST(ComplexDecompositions, SymmetricEigenvalues) {
  expect_gradient_of(std::string(kSymmetric) +
                     "complex_vector[3] v = eigenvalues_sym(h); target += get_real(v[1]) - 2 * get_real(v[3]);");
}
TEST(ComplexDecompositions, SymmetricIsNotHermitian) {
  EXPECT_NE(error_of("complex_vector[2] r = eigenvalues_sym(to_complex([[1, 2], [2, 3]], [[0, 1], [-1, 0]]));")
                .find("not symmetric"),
            std::string::npos);
}

}  // namespace
}  // namespace fermiac::testing
