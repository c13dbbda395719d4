// Draws in order, distances from the median in order, scores of ranks: against sorts and counts.
#include "inference/diagnostics/ordered_draws.h"
#include "inference/math/quantiles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "support/base/rng.h"

namespace fermiac::inference {
namespace {

Vec pooled(const ChainVecs& chains) {
  Vec all;
  for (const Vec& chain : chains) all.insert(all.end(), chain.begin(), chain.end());
  return all;
}

/// Chains of so many draws from `next`.
template <class Next>
ChainVecs draws_of(std::size_t chains, std::size_t draws, Next next) {
  ChainVecs out(chains, Vec(draws));
  for (Vec& chain : out)
    for (double& x : chain) x = next();
  return out;
}

/// Values in order, and every place once, with its value.
void expect_in_order(const OrderedDraws& ordered, Vec expected) {
  std::vector<bool> seen(expected.size());
  ASSERT_EQ(ordered.values.size(), expected.size());
  ASSERT_EQ(ordered.places.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_LT(ordered.places[i], expected.size());
    EXPECT_FALSE(seen[ordered.places[i]]);
    seen[ordered.places[i]] = true;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(ordered.values[i]), std::bit_cast<std::uint64_t>(expected[ordered.places[i]]));
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(ordered.values, expected);
}

TEST(OrderedDraws, AreThoseOfASort) {
  Rng rng(20261125);
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
    const ChainVecs smooth = draws_of(3, n, [&] { return rng.normal() * std::exp(20 * rng.normal()); });
    const ChainVecs ties = draws_of(3, n, [&] { return std::floor(4 * rng.normal()); });
    const ChainVecs same = draws_of(3, n, [] { return 1.5; });
    for (const ChainVecs& chains : {smooth, ties, same}) {
      const Vec all = pooled(chains);
      const OrderedDraws ordered = order_draws(chains);
      expect_in_order(ordered, all);
      Vec distances;
      for (const double x : all) distances.push_back(std::fabs(x - ordered.median()));
      expect_in_order(order_distances(ordered), distances);
    }
  }
}

TEST(OrderedDraws, ZerosOfBothSignsAndInfinitiesHaveTheirPlaces) {
  const double inf = std::numeric_limits<double>::infinity(), least = std::numeric_limits<double>::denorm_min();
  const OrderedDraws ordered = order_draws({{inf, -0.0, 1, -least}, {0.0, -inf, least, -1}});
  expect_in_order(ordered, {inf, -0.0, 1, -least, 0.0, -inf, least, -1});
  expect_in_order(order_distances(ordered), {inf, 0, 1, least, 0, inf, least, 1});
}

TEST(OrderedDraws, WithoutDrawsThereIsNoQuantile) {
  EXPECT_TRUE(std::isnan(order_draws({}).median()));
  EXPECT_TRUE(std::isnan(order_draws({{}, {}}).quantile(0.05)));
}

TEST(NormalScores, AreQuantilesOfRanksAndOfMeansOfTies) {
  const NormalScores score(10);
  EXPECT_EQ(score.draws(), 10u);
  for (std::size_t first = 0; first < 10; ++first)
    for (std::size_t last = first; last < 10; ++last) {
      const double rank = 0.5 * static_cast<double>(first + 1 + last + 1);
      EXPECT_EQ(score(first, last), normal_quantile((rank - 0.375) / 10.25));
    }
}

}  // namespace
}  // namespace fermiac::inference
