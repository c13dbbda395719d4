// Gradients against differences that know how far off they may be.
#include "inference/math/difference_slope.h"

#include <gtest/gtest.h>

#include <cmath>

namespace fermiac::inference {
namespace {

const double kUnits[] = {1, 1e3};

TEST(DifferenceSlope, OfSmoothFunctions) {
  for (const double unit : kUnits) {
    const auto f = [&](double t) { return std::sin(1 + t / unit) * unit; };
    const DifferenceSlope d = difference_slope(f, unit, kAllSteps);
    EXPECT_NEAR(d.slope, std::cos(1), 1e-10);
    EXPECT_LT(d.doubt, 1e-8);
    EXPECT_TRUE(agrees(std::cos(1), d, 1e-9));
    EXPECT_FALSE(agrees(std::cos(1) + 1e-6, d, 1e-9));
  }
}

/// Values as those of a solver: off by other amounts everywhere.
double noisy(double t) { return std::exp(t) + 1e-8 * std::sin(1e9 * t); }

TEST(DifferenceSlope, LargerStepsWhereValuesAreOff) {
  const DifferenceSlope d = difference_slope(noisy, 1, kAllSteps);
  EXPECT_NEAR(d.slope, 1, 1e-5);
  EXPECT_LE(std::fabs(d.slope - 1), d.doubt);
  const double small[] = {1e-6};
  EXPECT_GT(difference_slope(noisy, 1, small).doubt, 1e-4);
}

TEST(DifferenceSlope, SmallerStepsAtTheEdgeOfTheSupport) {
  const auto f = [](double t) { return t > -1e-4 ? std::sqrt(1e-4 + t) : std::nan(""); };
  const DifferenceSlope d = difference_slope(f, 1, kAllSteps);
  EXPECT_NEAR(d.slope, 50, 1e-4);
  EXPECT_TRUE(std::isnan(difference_slope([](double) { return std::nan(""); }, 1, kAllSteps).slope));
}

TEST(DifferenceSlope, JudgesWhatIsWrong) {
  double error = 1e-3;  // of the slope, for the tolerances of a solver
  const auto best = [] { return DifferenceSlope{2, 1e-9}; };
  const auto stricter = [&]() -> std::shared_ptr<void> { return std::make_shared<int>(0); };
  const auto none = []() -> std::shared_ptr<void> { return nullptr; };
  const auto stays = [&] { return 2 + error; };
  const auto comes = [&] { return 2 + kStricter * error; };
  EXPECT_EQ(judge(2 + 1e-10, 1e-6, best, stricter, stays).judgement, Judgement::Difference);
  EXPECT_EQ(judge(2 + error, 1e-6, best, stricter, comes).judgement, Judgement::Solver);
  EXPECT_EQ(judge(2 + error, 1e-6, best, stricter, stays).judgement, Judgement::Slope);
  EXPECT_EQ(judge(2 + error, 1e-6, best, none, comes).judgement, Judgement::Slope);
  EXPECT_EQ(judge(std::nan(""), 1e-6, best, stricter, [] { return std::nan(""); }).judgement, Judgement::Slope);
}

}  // namespace
}  // namespace fermiac::inference
