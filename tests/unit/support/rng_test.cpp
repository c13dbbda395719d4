#include "support/base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "support/base/normal_layers.h"

namespace fermiac {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Rng, SameSeedAndStreamGiveTheSameDraws) {
  Rng a(17, 3), b(17, 3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a(), b());
}

TEST(Rng, StreamsAndSeedsDiffer) {
  Rng a(17, 1), b(17, 2), c(18, 1);
  int same = 0;
  for (int i = 0; i < 100; ++i) {
    const auto x = a();
    same += x == b();
    same += x == c();
  }
  EXPECT_EQ(same, 0);
}

TEST(Rng, KnownValues) {
  // xoshiro256++ from the state {1, 2, 3, 4} is published; through splitmix64 we check the first word of seed 0, whose
  // state words are the published splitmix64 outputs 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
  // 0xf88bb8a8724c81ec: rotl(s0 + s3, 23) + s0.
  Rng rng(0);
  EXPECT_EQ(rng(), 0x53175d61490b23dfULL);
}

TEST(Rng, UniformStaysInsideAndHasTheRightMoments) {
  Rng rng(1);
  const int n = 200000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 4 / std::sqrt(12.0 * n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / n));
}

TEST(Rng, NormalAndExponentialMoments) {
  Rng rng(2);
  const int n = 200000;
  double m1 = 0, m2 = 0, m4 = 0, e1 = 0;
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal();
    m1 += z;
    m2 += z * z;
    m4 += z * z * z * z;
    e1 += rng.exponential();
  }
  EXPECT_NEAR(m1 / n, 0, 4 / std::sqrt(1.0 * n));
  EXPECT_NEAR(m2 / n, 1, 4 * std::sqrt(2.0 / n));
  EXPECT_NEAR(m4 / n, 3, 4 * std::sqrt(96.0 / n));
  EXPECT_NEAR(e1 / n, 1, 4 / std::sqrt(1.0 * n));
}

TEST(Rng, NormalsInABlockAreThoseOfSingleCalls) {
  Rng one(3), many(3);
  for (const std::size_t n : {0, 1, 2, 63, 20000}) {
    std::vector<double> block(n);
    many.normals(block);
    for (const double z : block) EXPECT_EQ(z, one.normal());
    EXPECT_EQ(many.state(), one.state());
  }
}

double upper_tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2)); }

TEST(Rng, LayersOfTheNormalHaveOneArea) {
  const auto f = [](double x) { return std::exp(-x * x / 2); };
  const double r = kNormalEdges[1], area = r * f(r) + std::sqrt(2 * std::numbers::pi) * upper_tail(r);
  EXPECT_NEAR(kNormalEdges[0] * f(r), area, 1e-17);
  for (std::size_t i = 1; i < kNormalLayers; ++i) EXPECT_NEAR(kNormalEdges[i] * (f(kNormalEdges[i + 1]) - f(kNormalEdges[i])), area, 1e-15) << i;
  EXPECT_EQ(kNormalEdges.back(), 0);
}

/// Counts of `n` normals in the cells between `edges` and outside of them, against what the distribution says: chi-square, less its degrees of
/// freedom, in its standard deviations.
double misfit(std::span<const double> edges, std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> counts(edges.size() + 1);
  Rng rng(seed);
  for (std::size_t k = 0; k < n; ++k) ++counts[static_cast<std::size_t>(std::ranges::upper_bound(edges, rng.normal()) - edges.begin())];
  double chi_square = 0;
  for (std::size_t cell = 0; cell < counts.size(); ++cell) {
    const double from = cell == 0 ? -kInfinity : edges[cell - 1], to = cell == edges.size() ? kInfinity : edges[cell];
    const double share = from >= 0 ? upper_tail(from) - upper_tail(to) : upper_tail(-to) - upper_tail(-from);
    const double expected = share * static_cast<double>(n), off = static_cast<double>(counts[cell]) - expected;
    chi_square += off * off / expected;
  }
  const auto freedom = static_cast<double>(edges.size());
  return (chi_square - freedom) / std::sqrt(2 * freedom);
}

/// Cells that end where layers do: what a layer gets too much or too little of shows in its own.
TEST(Rng, NormalsFillTheirLayersAsTheyShould) {
  std::vector<double> edges(kNormalEdges.begin() + 1, kNormalEdges.end());  // r to 0
  for (std::size_t i = 0; i + 1 < kNormalLayers; ++i) edges.push_back(-edges[i]);
  std::ranges::sort(edges);
  EXPECT_LT(misfit(edges, 4'000'000, 5), 4);
  EXPECT_GT(misfit(edges, 4'000'000, 5), -4);
}

TEST(Rng, NormalsBeyondTheLastLayerAndInTheMiddle) {
  const double r = kNormalEdges[1];
  EXPECT_LT(misfit(std::vector{-r - 0.6, -r - 0.3, -r - 0.1, -r, r, r + 0.1, r + 0.3, r + 0.6}, 20'000'000, 6), 4);
  std::vector<double> fine;
  for (int k = -50; k <= 50; ++k) fine.push_back(k * 0.004);
  EXPECT_LT(misfit(fine, 4'000'000, 7), 4);
}

/// xoshiro256++ with its published jump, one at a time.
struct OneJumpAtATime {
  std::array<std::uint64_t, 4> s;
  explicit OneJumpAtATime(std::uint64_t seed) {
    for (std::uint64_t& word : s) {
      std::uint64_t z = seed += 0x9e3779b97f4a7c15ULL;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }
  std::uint64_t step() {
    const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
  }
  void jump() {
    std::array<std::uint64_t, 4> next{};
    for (const std::uint64_t word : {0x180ec6d33cfd0abaULL, 0xd5a61266f0c9392cULL, 0xa9582618e03fc9aaULL, 0x39abdc4529b1661cULL})
      for (int bit = 0; bit < 64; ++bit, step())
        if (word >> bit & 1u)
          for (std::size_t k = 0; k < 4; ++k) next[k] ^= s[k];
    s = next;
  }
};

TEST(Rng, StreamsAreSoManyJumpsAway) {
  OneJumpAtATime slow(29);
  for (std::uint64_t stream = 0; stream <= 3000; ++stream, slow.jump()) {
    if (stream % 100 != 0 && stream % 512 > 1 && stream % 512 != 511) continue;
    OneJumpAtATime here = slow;
    Rng fast(29, stream);
    for (int k = 0; k < 5; ++k) ASSERT_EQ(fast(), here.step()) << stream;
  }
}

TEST(Rng, FarStreamsStartAtOnce) {
  Rng last(1, 4294967295u), farther(1, ~std::uint64_t{0});
  EXPECT_NE(last(), farther());
}

}  // namespace
}  // namespace fermiac
