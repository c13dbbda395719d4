#include "support/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "support/isa.h"
#include "support/polar_normals.h"

namespace fermiac {
namespace {

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
  constexpr double kUlps = 8 * std::numeric_limits<double>::epsilon();
  constexpr std::size_t kMany = Rng::kMany;
  Rng one(3), many(3);
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, kMany - 1, kMany, 2 * kMany - 1, 2 * kMany, 2 * kMany + 1, std::size_t{20000}}) {
    std::vector<double> block(n);
    many.normals(block);
    for (const double z : block) {
      const double alone = one.normal();
      EXPECT_NEAR(z, alone, n < kMany ? 0 : kUlps * std::fabs(alone));
    }
    EXPECT_EQ(many.state(), one.state());
  }
}

/// Squares of distances all over the disc: next to its centre, next to its edge, and on both sides of where the logarithm is reduced.
DiscPoints points_of_note() {
  DiscPoints points{};
  Rng rng(4);
  for (std::size_t i = 0; i < DiscPoints::kMost; ++i) {
    points.u[i] = i % 2 ? -1 : 1;
    points.s[i] = std::floor(std::ldexp(1 + rng.uniform(), static_cast<int>(i * 103 / DiscPoints::kMost)));
  }
  std::size_t i = 0;
  for (const double s : {2.0, std::nextafter(0x1p104, 0), std::nextafter(0x1p104 * std::sqrt(0.5), 0), 0x1p104 * std::sqrt(0.5), 0x1p103, 0x1p104 - 0x1p84})
    points.s[i++] = s;
  return points;
}

TEST(Rng, PolarNormalsOfEveryInstructionSet) {
  const DiscPoints points = points_of_note();
  DiscPoints first{};
  for (std::size_t isa = 0; isa <= active_isa_place(); ++isa) {
    DiscPoints out = points;
    all_polar_normals()[isa](out, DiscPoints::kMost);
    if (isa == 0) first = out;
    for (std::size_t i = 0; i < DiscPoints::kMost; ++i) {
      const long double square = std::ldexp(static_cast<long double>(points.s[i]), -104);
      const auto exact = static_cast<double>(points.u[i] * 0x1p-52L * std::sqrt(-2 * std::log(square) / square));
      EXPECT_NEAR(out.u[i], exact, 4 * std::numeric_limits<double>::epsilon() * std::fabs(exact)) << points.s[i];
      EXPECT_EQ(out.u[i], first.u[i]) << isas_of_build()[isa];
    }
  }
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
