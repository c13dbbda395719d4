#include "support/base/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "support/base/rng.h"
#include "support/base/text.h"

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

// ---------------------------------------------------------------- reading

/// A text that may be a number: digits with a point somewhere, perhaps signs and an exponent, perhaps too much of something.
std::string digits_and_signs(Rng& rng) {
  std::string text;
  if (rng() % 3 == 0) text += '-';
  const std::uint64_t count = rng() % 20, point = rng() % 20;
  for (std::uint64_t k = 0; k < count; ++k) {
    if (k == point) text += '.';
    text += static_cast<char>('0' + (rng() % 4 == 0 ? 0 : rng() % 10));
  }
  if (rng() % 3 == 0) text += "e" + std::string(rng() % 2 == 0 ? "-" : "") + std::to_string(rng() % 30);
  if (rng() % 16 == 0) text.insert(rng() % (text.size() + 1), 1, "-.e x"[rng() % 5]);
  return text;
}

void expect_read_like_from_chars(const std::string& text) {
  double got = -1, expected = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), expected);
  const bool is_number = end == text.data() + text.size() && error == std::errc();
  ASSERT_EQ(read_number(text, &got) == NumberText::Number, is_number) << text;
  if (!is_number || std::isnan(expected)) return;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(expected)) << text;
}

TEST(NumberText, IsReadAsFromCharsDoes) {
  Rng rng(5);
  for (int i = 0; i < 300'000; ++i) expect_read_like_from_chars(digits_and_signs(rng));
  for (const char* text : {"", "-", ".", "-.", "1.", "1.e", "1e", "e5", ".5", "+1", "1e+", "1e+3", "--1", "0x1", "1 ", " 1", "00012", "-0", "0",
                           "0000000000000000000000000001", "123456789012345", "1234567890123456", "nan", "inf", "-inf", "1.2.3", "1e0005"})
    expect_read_like_from_chars(text);
}

TEST(NumberText, IsReadBackAsItWas) {
  Rng rng(6);
  for (int i = 0; i < 100'000; ++i) {
    const double x = (rng.uniform() - 0.5) * std::pow(10.0, static_cast<double>(rng() % 40) - 20);
    double back = 0;
    ASSERT_EQ(read_number(written(x, 17), &back), NumberText::Number);
    ASSERT_EQ(back, x);
  }
}

/// Where a row goes on behind a number.
TEST(NumberText, EndsWhereTheNumberEnds) {
  const std::string row = "-12.5,3";
  double x = 0;
  EXPECT_EQ(read_short_number(row.data(), row.data() + row.size(), &x), row.data() + 5);
  EXPECT_EQ(x, -12.5);
  const std::string word = "nan,3";
  EXPECT_EQ(read_short_number(word.data(), word.data() + word.size(), &x), nullptr);
}

TEST(RealLiteral, IsNeverAnInt) {
  EXPECT_EQ(real_literal(1), "1.0");
  EXPECT_EQ(real_literal(-20), "-20.0");
  EXPECT_EQ(real_literal(0.1), "0.10000000000000001");
  EXPECT_EQ(real_literal(1e20), "1e+20");
}

/// Against strtod() in the C locale, whose overflow and underflow are IEEE 754's.
void expect_literal(const std::string& text) {
  const double expected = std::strtod(text.c_str(), nullptr), found = literal_real(text);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(found), std::bit_cast<std::uint64_t>(expected)) << text;
  double read = 0;
  EXPECT_EQ(read_number(text, &read), std::isinf(expected) ? NumberText::TooLarge : NumberText::Number) << text;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(expected)) << text;
}

TEST(LiteralReal, AtTheEndsOfDoubles) {
  for (const std::string sign : {"", "-"})
    for (const char* text : {"1e400", "1e-400", "1e-310", "4.9e-324", "2.5e-324", "2.4e-324", "2.2250738585072011e-308", "1e308", "1.8e308",
                             "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1e309", "0e400", "0.0e-999999999999",
                             "1e99999999999999999999999", "1e-99999999999999999999999", "0.001e311", "1000e-327", "00.5", ".5e-320", "5.e-320"})
      expect_literal(sign + text);
}

TEST(LiteralReal, OfManyDigits) {
  const std::string zeros(500, '0');
  for (const std::string& text : {"1" + zeros, "0." + zeros + "1", "1" + zeros + "e-500", "0." + zeros + "1e501", "0." + zeros + "1e820",
                                  "1" + zeros + "e-900", "1" + zeros + ".0e-823"})
    expect_literal(text);
}

TEST(LiteralReal, OfAllExponents) {
  Rng rng(7);
  for (int i = 0; i < 50'000; ++i) {
    const auto digits = std::to_string(rng() >> rng() % 60), exponent = std::to_string(static_cast<int>(rng() % 720) - 360);
    expect_literal((rng() % 2 == 0 ? digits : "0." + digits) + "e" + exponent);
  }
}

TEST(LiteralReal, EndsBeforeTheImaginaryUnit) { EXPECT_EQ(literal_real("2.5i"), 2.5); }

TEST(LiteralInt, TakesTheNearestOf64Bits) {
  EXPECT_EQ(literal_int("2147483647"), 2147483647);
  EXPECT_EQ(literal_int("-12"), -12);
  EXPECT_EQ(literal_int("+12"), 12);
  EXPECT_EQ(literal_int("99999999999999999999"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(literal_int("-99999999999999999999"), std::numeric_limits<std::int64_t>::min());
}

}  // namespace
}  // namespace fermiac
