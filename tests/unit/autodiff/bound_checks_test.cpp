// Bounds of containers: each element is looked at, whichever place of a group it has, and the first one that breaks is named.
#include "autodiff/tape/ir/checks.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

/// What is wrong, empty if nothing is.
template <class X>
std::string problem(bool lower, const std::vector<X>& x, const std::vector<double>& bounds) {
  try {
    check_bounds(lower, "k", Shape::array(static_cast<std::uint32_t>(x.size()), {}), x.data(), bounds);
  } catch (const DomainError& e) {
    return e.what();
  }
  return {};
}

template <class X>
void expect_each_place_is_seen(X good, X bad, bool lower, double bound) {
  for (std::size_t n = 0; n < 20; ++n) {
    std::vector<X> x(n, good);
    EXPECT_EQ(problem(lower, x, {bound}), "");
    EXPECT_EQ(problem(lower, x, std::vector<double>(n, bound)), "");
    for (std::size_t at = 0; at < n; ++at) {
      x.assign(n, good);
      x[at] = x[n - 1] = bad;
      const std::string name = "k[" + std::to_string(at + 1) + "] is ";
      EXPECT_EQ(problem(lower, x, {bound}).rfind(name, 0), 0u) << at << " of " << n;
      EXPECT_EQ(problem(lower, x, std::vector<double>(n, bound)).rfind(name, 0), 0u) << at << " of " << n;
    }
  }
}

TEST(BoundChecks, SeeEveryElement) {
  expect_each_place_is_seen<std::int32_t>(0, -1, true, 0);
  expect_each_place_is_seen<std::int32_t>(3, 4, false, 3);
  expect_each_place_is_seen<double>(1, 0.5, true, 1);
  expect_each_place_is_seen<double>(1, std::numeric_limits<double>::quiet_NaN(), true, 0);
  expect_each_place_is_seen<double>(1, std::numeric_limits<double>::quiet_NaN(), false, 2);
}

TEST(BoundChecks, EachElementHasItsBound) {
  std::vector<std::int32_t> x;
  std::vector<double> bounds;
  for (int i = 0; i < 17; ++i) x.push_back(i), bounds.push_back(i);
  EXPECT_EQ(problem(true, x, bounds), "");
  EXPECT_EQ(problem(false, x, bounds), "");
  bounds[11] = 11.5;
  EXPECT_EQ(problem(true, x, bounds), "k[12] is 11, but must be greater than or equal to 11.5");
  EXPECT_EQ(problem(true, x, {1}), "k[1] is 0, but must be greater than or equal to 1");
}

}  // namespace
}  // namespace fermiac::ad
