#include "support/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "support/rng.h"

namespace fermiac {
namespace {

constexpr int kMostDigits = 18;

std::string written(double value, int digits) {
  char text[kNumberRoom];
  return {text, write_number(value, digits, text)};
}

std::string expected(double value, int digits) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr};
}

void expect_same(double value, int digits) {
  if (std::isnan(value)) return;
  ASSERT_EQ(written(value, digits), expected(value, digits)) << digits << " digits of " << std::hexfloat << value;
}

TEST(NumberText, OfAllSizes) {
  Rng rng(3);
  for (int i = 0; i < 400'000; ++i) expect_same(std::bit_cast<double>(rng()), 1 + i % kMostDigits);
}

TEST(NumberText, AroundPowersOfTen) {
  for (int k = -330; k <= 308; ++k) {
    const double power = std::strtod(("1e" + std::to_string(k)).c_str(), nullptr);
    for (int digits = 1; digits <= kMostDigits; ++digits)
      for (const double x : {power, std::nextafter(power, 0), std::nextafter(power, 1e308), 5 * power, 9.5 * power, 0.99999999999 * power})
        expect_same(x, digits);
  }
}

/// Numbers of few binary or decimal digits: many lie halfway between two texts, or seem to.
TEST(NumberText, Ties) {
  Rng rng(4);
  for (int i = 0; i < 200'000; ++i) {
    const double binary = std::ldexp(static_cast<double>(static_cast<std::int64_t>(rng() >> rng() % 64)), -static_cast<int>(rng() % 40));
    const double decimal = static_cast<double>(rng() % 200'000'001) / std::pow(10.0, static_cast<double>(rng() % 12));
    for (const double x : {binary, -binary, decimal, std::nextafter(decimal, 0)}) {
      expect_same(x, 8);
      expect_same(x, 1 + i % kMostDigits);
    }
  }
}

TEST(NumberText, WhatIsNoOrdinaryNumber) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (int digits = 1; digits <= kMostDigits; ++digits) {
    EXPECT_EQ(written(std::nan(""), digits), "nan");
    EXPECT_EQ(written(-std::nan(""), digits), "nan");
    EXPECT_EQ(written(kInfinity, digits), "inf");
    EXPECT_EQ(written(-kInfinity, digits), "-inf");
    EXPECT_EQ(written(0.0, digits), "0");
    EXPECT_EQ(written(-0.0, digits), "-0");
    expect_same(std::numeric_limits<double>::denorm_min(), digits);
    expect_same(std::numeric_limits<double>::max(), digits);
  }
}

}  // namespace
}  // namespace fermiac
