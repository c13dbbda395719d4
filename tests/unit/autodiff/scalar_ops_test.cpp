// The rows of autodiff/ops/list.h against each other: partials against differences of values, adjoints against partials,
// intervals against values of numbers in them.
#include "autodiff/ops/scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "autodiff/ops/range.h"

namespace fermiac::ad {
namespace {

constexpr int kRounds = 200;

template <class Op>
class ScalarOps : public testing::Test {
 protected:
  std::mt19937 random_{7};
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
};

/// Of all rows; their commas come first.
#define FERMIAC_TYPE(Name, ...) , ops::Name
template <class None, class... Ops>
using Behind = testing::Types<Ops...>;
using Listed = Behind<void FERMIAC_SCALAR_OPS(FERMIAC_TYPE)>;
#undef FERMIAC_TYPE
TYPED_TEST_SUITE(ScalarOps, Listed);

TYPED_TEST(ScalarOps, PartialsAreSlopes) {
  for (int round = 0; round < kRounds; ++round) {
    const double x[] = {this->number(0.2, 3), this->number(0.2, 3), this->number(0.2, 3)};
    double d[3], a[3];
    const double v = TypeParam::value(x), g = this->number(-2, 2);
    TypeParam::partials(x, v, g, d);
    TypeParam::adjoints(x, v, g, a);
    for (int j = 0; j < TypeParam::kArity; ++j) {
      double up[] = {x[0], x[1], x[2]}, down[] = {x[0], x[1], x[2]};
      up[j] += 1e-5, down[j] -= 1e-5;
      EXPECT_NEAR(d[j], g * (TypeParam::value(up) - TypeParam::value(down)) / 2e-5, 1e-6 * (1 + std::fabs(d[j])));
      EXPECT_NEAR(a[j], d[j], 1e-14 * (1 + std::fabs(d[j])));
    }
  }
}

TYPED_TEST(ScalarOps, IntervalsHoldTheValues) {
  for (int round = 0; round < kRounds; ++round) {
    Range r[3];
    double x[3];
    for (int j = 0; j < 3; ++j) {
      const double low = this->number(-3, 3), high = low + this->number(0, 3);
      r[j] = Range(low, high, false);
      x[j] = this->number(low, high);
    }
    const Range range = TypeParam::value(static_cast<const Range*>(r));
    const double v = TypeParam::value(static_cast<const double*>(x));
    if (std::isnan(v)) EXPECT_TRUE(range.may_be_nan);
    else EXPECT_TRUE(range.lo <= v && v <= range.hi) << v << " is not in " << range.lo << ", " << range.hi;
  }
}

TEST(Ranges, ArithmeticKeepsSigns) {
  const Range positive(1, 2, false), anything;
  EXPECT_EQ((positive + positive).lo, 2);
  EXPECT_EQ((positive * -positive).hi, -1);
  EXPECT_EQ((positive / positive).hi, 2);
  EXPECT_EQ(sqrt(positive).lo, 0);
  EXPECT_TRUE((positive * anything).may_be_nan);
  EXPECT_TRUE(sqrt(-positive).may_be_nan);
}

}  // namespace
}  // namespace fermiac::ad
