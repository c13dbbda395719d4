// Derivatives at corners: where a function has a finite value and an infinite or undefined derivative, its partial is 0, so that a
// chain rule whose inner derivative is 0 there gives 0 and not NaN. And powers at 0, whose derivative depends on the exponent.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/battery/program_gradient.h"

namespace fermiac::interp {
namespace {

/// `u` is 0 * k, so that the right derivative by k is 0; `k` is the parameter itself.
struct Corner {
  const char* name;
  const char* expression;
  double k;
  double value, derivative;
};

class Corners : public ::testing::TestWithParam<Corner> {
 protected:
  static std::string program(const std::string& term) {
    return "functions { real apply(real k, real u) { real s = 0; for (i in 1:3) s += " + term +
           "; return s; } } parameters { real k; } transformed parameters { real u = 0 * k; } model { ";
  }
  static void expect(const std::string& statement, int times) {
    const Corner& c = GetParam();
    for (const double first : {c.k, 0.7}) {
      const Gradient g = evaluate(program(c.expression) + statement + " }", {first}, {c.k});
      ASSERT_EQ(g.error, "") << statement;
      EXPECT_NEAR(g.lp, times * c.value, 1e-14 * std::fabs(c.value)) << statement << ", recorded at " << first;
      EXPECT_NEAR(g.grad.at(0), times * c.derivative, 1e-14) << statement << ", recorded at " << first;
    }
  }
};

TEST_P(Corners, OfAStatement) { expect(std::string("target += ") + GetParam().expression + ";", 1); }
TEST_P(Corners, OfAFunctionWithALoop) { expect("target += apply(k, u);", 3); }
TEST_P(Corners, OfALongLoop) {
  expect(std::string("vector[40] w; for (i in 1:40) w[i] = ") + GetParam().expression + "; target += sum(w);", 40);
}
TEST_P(Corners, OfANumberAmongOthers) {
  expect(std::string("if (k > -1e9) target += ") + GetParam().expression + "; else target += k;", 1);
}

constexpr double kHalfPi = 1.57079632679489661923;
INSTANTIATE_TEST_SUITE_P(
    All, Corners,
    ::testing::Values(
        Corner{"Sqrt", "sqrt(u)", 0.3, 0, 0}, Corner{"SqrtOfDotSelf", "sqrt(dot_self([u, u]'))", 0.3, 0, 0},
        Corner{"SqrtInASum", "square(1 - sqrt(u))", 0.3, 1, 0}, Corner{"SqrtUnderflows", "sqrt(exp(-1e4 * k))", 0.3, 0, 0},
        Corner{"Cbrt", "cbrt(u)", 0.3, 0, 0}, Corner{"Asin", "asin(1 + u)", 0.3, kHalfPi, 0},
        Corner{"AsinBelow", "asin(u - 1)", 0.3, -kHalfPi, 0}, Corner{"Acos", "acos(1 + u)", 0.3, 0, 0},
        Corner{"Acosh", "acosh(1 + u)", 0.3, 0, 0}, Corner{"Hypot", "hypot(u, u)", 0.3, 0, 0},
        Corner{"HypotOfData", "hypot(u, 0)", 0.3, 0, 0}, Corner{"Atan2", "atan2(u, u)", 0.3, 0, 0},
        Corner{"Atan2OfData", "atan2(u, 0)", 0.3, 0, 0}, Corner{"Atan2Tiny", "atan2(1e-300 * k, 1e-300)", 1, kHalfPi / 2, 0.5},
        Corner{"Atan2Huge", "atan2(1e300 * k, 1e300)", 1, kHalfPi / 2, 0.5}, Corner{"Lmultiply", "lmultiply(u, u)", 0.3, 0, 0},
        Corner{"LmultiplyOfData", "lmultiply(0, u)", 0.3, 0, 0}, Corner{"MultiplyLogOfItself", "lmultiply(u, k)", 0.3, 0, 0},
        Corner{"PowOfHalf", "pow(u, 0.5)", 0.3, 0, 0}, Corner{"Norm2", "norm2([u, u]')", 0.3, 0, 0},
        Corner{"Distance", "distance([u]', [u]')", 0.3, 0, 0}, Corner{"Sd", "sd([u, u, u]')", 0.3, 0, 0},
        Corner{"AbsOfComplex", "abs(to_complex(u, u))", 0.3, 0, 0}, Corner{"SqrtOfComplex", "get_real(sqrt(to_complex(u, u)))", 0.3, 0, 0},
        Corner{"LambertW0", "lambert_w0(-0.36787944117144233 + u)", 0.3, -1, 0},
        Corner{"DirichletAtAnEdge", "dirichlet_lpdf([u, 1 - u]' | [1, 1]')", 0.3, 0, 0},
        Corner{"PhiApproxFarOut", "Phi_approx(1e200 * k)", 1, 1, 0},
        Corner{"FirstPower", "k ^ 1", 0, 0, 1}, Corner{"FirstPowerByAReal", "k ^ 1.0", 0, 0, 1},
        Corner{"FirstPowerByPow", "pow(k, 1)", 0, 0, 1}, Corner{"FirstPowerOfAVector", "sum([k, k]' .^ 1)", 0, 0, 2},
        Corner{"FirstPowersOfAVector", "sum([k, k]' .^ [1, 1]')", 0, 0, 2}, Corner{"FirstPowerByAParameter", "k ^ (1 + u)", 0, 0, 1},
        Corner{"SecondPower", "k ^ 2", 0, 0, 0}, Corner{"ZerothPower", "k ^ 0", 0, 1, 0}, Corner{"PowerOfAHalf", "k ^ 0.5", 0, 0, 0},
        Corner{"PowerOfThreeHalves", "k ^ 1.5", 0, 0, 0}),
    [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace fermiac::interp
