// Adams and BDF methods: solutions in closed form at random tolerances, stiff systems, jumps, and what cannot be integrated.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tests/battery/program_gradient.h"

namespace fermiac::interp {
namespace {

class EveryMultistep : public ::testing::TestWithParam<const char*> {
 protected:
  /// ode(f, y0, 0, {times}, tolerances, p), a weighted sum of all outputs.
  std::string program(const std::string& derivative, const std::string& state, const std::string& times, double tolerance,
                      int parameters, double max_steps = 1e7) const {
    return fmt::format(R"(
      functions {{ vector f(real t, vector y, vector p) {{ {} }} }}
      parameters {{ vector[{}] p; }}
      model {{
        array[{}] real ts = {{{}}};
        for (y in {}(f, {}, 0, ts, {}, {}, {:.0f}, p)) target += sum(y);
      }})", derivative, parameters, 1 + std::count(times.begin(), times.end(), ','), times, GetParam(), state, tolerance, tolerance,
                       max_steps);
  }
};

/// y_i' = -p_i y_i + q y_{i+1}, fast and slow: triangular, with q = 0 the sum of exponentials is known, and d/dp of it.
TEST_P(EveryMultistep, RandomRatesAtRandomTolerances) {
  const bool stiff = std::string(GetParam()) == "ode_bdf_tol";
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    const double tolerance = std::pow(10, -4 - 7 * unit(random)), t1 = 0.2 + unit(random), t2 = t1 * (1.5 + 5 * unit(random));
    std::vector<double> rates(3);
    for (double& r : rates) r = std::pow(10, -2 + (stiff ? 5 : 3) * unit(random));
    const Gradient g = evaluate(program("return -p .* y;", "[1, 2, 3]'", fmt::format("{}, {}", t1, t2), tolerance, 3),
                                {1, 1, 1}, rates);
    ASSERT_EQ(g.error, "") << "seed " << seed;
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double a = static_cast<double>(i + 1) * std::exp(-rates[i] * t1), b = static_cast<double>(i + 1) * std::exp(-rates[i] * t2);
      sum += a + b;
      EXPECT_NEAR(g.grad[i], -t1 * a - t2 * b, 300 * tolerance) << "seed " << seed << " tolerance " << tolerance << " rate " << rates[i];
    }
    EXPECT_NEAR(g.lp, sum, 300 * tolerance) << "seed " << seed << " tolerance " << tolerance;
  }
}

/// An infusion from 1 to 1.5: the derivative jumps twice.
TEST_P(EveryMultistep, Jumps) {
  const Gradient g = evaluate(program("return [-p[1] * y[1] + (t >= 1 && t < 1.5 ? p[2] : 0)]';", "[0]'", "0.5, 1.25, 3", 1e-10, 2),
                              {1, 1}, {0.7, 3});
  ASSERT_EQ(g.error, "");
  const double k = 0.7, at_125 = 3 / k * (1 - std::exp(-k * 0.25)), at_3 = 3 / k * (1 - std::exp(-k * 0.5)) * std::exp(-k * 1.5);
  EXPECT_NEAR(g.lp, at_125 + at_3, 1e-6);
  EXPECT_NEAR(g.grad[1], (at_125 + at_3) / 3, 1e-6);
}

/// Tolerances that are hardly above rounding.
TEST_P(EveryMultistep, TolerancesNearRounding) {
  const std::string lynx = "return [(p[1] - p[2] * y[2]) * y[1], (-p[3] + p[4] * y[1]) * y[2]]';";
  const std::vector<double> at = {0.55, 0.028, 0.8, 0.024};
  const Gradient strict = evaluate(program(lynx, "[30, 5]'", "1, 5, 12, 20", 1e-13, 4), at, at);
  const Gradient usual = evaluate(program(lynx, "[30, 5]'", "1, 5, 12, 20", 1e-10, 4), at, at);
  ASSERT_EQ(strict.error, "");
  ASSERT_EQ(usual.error, "");
  EXPECT_NEAR(strict.lp, usual.lp, 1e-6);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(strict.grad[i], usual.grad[i], 1e-6 * std::abs(usual.grad[i]));
}

TEST_P(EveryMultistep, Errors) {
  const auto error = [&](const std::string& f, const std::string& times, double max_steps) {
    return evaluate(program(f, "[1]'", times, 1e-8, 1, max_steps), {1}, {1}).error;
  };
  const std::string name = GetParam();
  EXPECT_EQ(error("return [p[1] * y[1]^2]';", "2", 1e7).find(name + ": ") , 0u);  // a pole at 1
  EXPECT_NE(error("return [p[1] * log(-y[1])]';", "2", 1e7).find("the solution is not finite at time 0 with steps of"), std::string::npos);
  EXPECT_NE(error("return [-p[1] * y[1]]';", "1, 9", 3).find("Failed to integrate to next output time (1) in less than max_num_steps steps"),
            std::string::npos);
  EXPECT_NE(error("if (t > 1) reject(\"late\"); return [-p[1] * y[1]]';", "9", 1e7).find("late"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMultistep, ::testing::Values("ode_adams_tol", "ode_bdf_tol"));

/// H. H. Robertson's reaction, the standard stiff problem, against an explicit method with very many steps.
TEST(Bdf, Robertson) {
  const std::string text = R"(
    functions {{
      vector f(real t, vector y, vector p) {{
        real a = p[1] * y[1], b = p[2] * y[2] * y[3], c = p[3] * square(y[2]);
        return [b - a, a - b - c, c]';
      }}
    }}
    parameters {{ vector[3] p; }}
    model {{ for (y in {}(f, [1, 0, 0]', 0, {{0.4, 4}}, 1e-10, 1e-14, 10000000, p)) target += y[1] + 2 * y[3] + 1e4 * y[2]; }})";
  const std::vector<double> at = {0.04, 1e4, 3e7};
  const std::string bdf = fmt::format(fmt::runtime(text), "ode_bdf_tol"), explicit_method = fmt::format(fmt::runtime(text), "ode_rk45_tol");
  const Gradient ours = evaluate(bdf, at, at), other = evaluate(explicit_method, at, at);
  ASSERT_EQ(ours.error, "");
  ASSERT_EQ(other.error, "");
  EXPECT_NEAR(ours.lp, other.lp, 1e-7);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(ours.grad[i], other.grad[i], 1e-7 * std::abs(other.grad[i])) << i;
}

}  // namespace
}  // namespace fermiac::interp
