// The exponential of badly scaled matrices, whose squarings lose all digits without balancing: values and gradients from 80 digits.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/battery/program_gradient.h"

namespace fermiac::interp {
namespace {

using Matrix = std::vector<double>;  // by columns

/// Element (i, j), from 1, and the sum of all elements with its gradient.
void expect_exponential(const Matrix& a, int n, const Matrix& exponential, const Matrix& gradient_of_sum, double tolerance) {
  const std::string begin = "parameters { matrix[" + std::to_string(n) + "," + std::to_string(n) + "] A; } model { target += ";
  const auto at = [&](const Matrix& m, int i, int j) { return m[static_cast<std::size_t>(i - 1 + (j - 1) * n)]; };
  for (int j = 1; j <= n; ++j)
    for (int i = 1; i <= n; ++i) {
      const Gradient g = evaluate(begin + "matrix_exp(A)[" + std::to_string(i) + "," + std::to_string(j) + "]; }", a, a);
      ASSERT_EQ(g.error, "");
      EXPECT_NEAR(g.lp, at(exponential, i, j), tolerance * std::fabs(at(exponential, i, j))) << i << ", " << j;
    }
  const Gradient sum = evaluate(begin + "sum(matrix_exp(A)); }", a, a);
  ASSERT_EQ(sum.error, "");
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(sum.grad[k], gradient_of_sum[k], tolerance * std::fabs(gradient_of_sum[k])) << k;
}

/// Moler, A Balancing Act for the Matrix Exponential (2012).
TEST(MatrixExp, OfMolersMatrix) {
  expect_exponential({0, -(2e10 + 4e8 / 6.0), 200 / 3.0, 1e-8, -3, 0, 0, 2e10, -200 / 3.0}, 3,
                     {0.4468494682831737842, -5743067.779479561738, 0.44772297784949330989, 1.5404415738395201465e-9, -0.015283003868682250089,
                      1.5427048451959121974e-9, 0.46281145355877362632, -4526542.7127841015679, 0.46348064883765004214},
                     {-51488849.28465702709, 0.14206914781669654965, 42761473.288693054063, 565372085239423.52428, -1615201.2128735114872,
                      -485538688278655.76784, -51573550.047058730152, 0.1423119171607587423, 42834441.810848423014},
                     1e-8);
}

TEST(MatrixExp, OfAGradedMatrix) {
  expect_exponential({1, 1e-6, 1e6, 2}, 2, {4.8492054642475106039, 5.4754968830116922295e-6, 5475496.8830116924773, 10.324702347259203081},
                     {2315461.8861652930548, 844588284599.86886807, 6.3200851676060858103, 3160050.170759686426}, 1e-13);
}

}  // namespace
}  // namespace fermiac::interp
