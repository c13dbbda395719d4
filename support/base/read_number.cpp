// Texts as numbers, and literals.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "support/base/number_text.h"

namespace fermiac {

namespace {

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMostPower = 22;
constexpr int kMostDigits = 15;  // such numbers are doubles

/// Digits in a row: the number that they and those before them are.
struct Digits {
  std::uint64_t number = 0;
  int count = 0;

  /// Returns the place behind them.
  const char* read(const char* at, const char* end) {
    while (end - at >= 8 && count <= kMostDigits) {
      const int found = read_eight(at);
      at += found;
      if (found < 8) return at;
    }
    return read_one_by_one(at, end);
  }
  const char* read_one_by_one(const char* at, const char* end) {
    for (; at < end && *at >= '0' && *at <= '9'; ++at) {
      number = 10 * number + static_cast<std::uint64_t>(*at - '0');
      ++count;
    }
    return at;
  }

 private:
  /// Those among the next eight characters, all at once: a byte each, pairs of them, pairs of pairs. Returns their number.
  int read_eight(const char* at) {
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint32_t kTens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    std::uint64_t text = 0;
    std::memcpy(&text, at, 8);
    std::uint64_t digits = text ^ 0x3030303030303030;
    const std::uint64_t others = ((digits + 0x7676767676767676) | digits) & 0x8080808080808080;
    const int found = std::countr_zero(others) / 8;
    if (found == 0) return 0;
    digits <<= 64 - 8 * found;  // zeros in front
    digits = digits * 10 + (digits >> 8);
    constexpr std::uint64_t kPairs = 0x000000ff000000ff;
    digits = ((digits & kPairs) * (100 + (1000000ULL << 32)) + ((digits >> 16) & kPairs) * (1 + (10000ULL << 32))) >> 32;
    number = number * kTens[found] + (digits & 0xffffffff);
    count += found;
    return found;
  }
};

/// Signed, one digit at least and three at most; null where it is anything else.
const char* read_exponent(const char* at, const char* end, int* exponent) {
  const bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  Digits digits;
  const char* const behind = digits.read_one_by_one(at, end);
  if (digits.count == 0 || digits.count > 3) return nullptr;
  const int size = static_cast<int>(digits.number);
  *exponent += negative ? -size : size;
  return behind;
}

}  // namespace

const char* read_short_number(const char* at, const char* end, double* out) {
  const bool negative = at < end && *at == '-';
  at += negative;
  Digits digits;
  for (; at < end && *at == '0'; ++at) digits.count = 1;  // in front they are none of those that count
  const int zeros = digits.count;
  digits.count = 0;
  at = digits.read(at, end);
  int exponent = 0;
  if (at < end && *at == '.') {
    const int whole = digits.count;
    at = digits.read(at + 1, end);
    exponent = whole - digits.count;
  }
  if (zeros + digits.count == 0 || digits.count > kMostDigits) return nullptr;
  if (at < end && (*at == 'e' || *at == 'E')) at = read_exponent(at + 1, end, &exponent);
  if (!at || exponent > kMostPower || exponent < -kMostPower) return nullptr;
  const auto number = static_cast<double>(digits.number);
  const double size = exponent < 0 ? number / kPowers[-exponent] : number * kPowers[exponent];
  *out = negative ? -size : size;
  return at;
}

namespace {

/// The exponent of the first digit that is not 0, in scientific notation; for numbers so large or small that it decides.
std::int64_t decimal_exponent(std::string_view number) {
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, mark);
  const std::size_t first = digits.find_first_of("123456789"), point = std::min(digits.find('.'), digits.size());
  if (first == std::string_view::npos) return std::numeric_limits<std::int32_t>::min();
  const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
  // The clamp keeps the sum from overflowing: no text is that long.
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  return place + (mark < number.size() ? std::clamp(literal_int(number.substr(mark + 1)), -kMost, kMost) : 0);
}

/// A number that from_chars() finds out of range: infinity or zero, with its sign.
double beyond_doubles(std::string_view number) {
  const double size = decimal_exponent(number) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return number.starts_with('-') ? -size : size;
}

}  // namespace

NumberText read_number(std::string_view text, double* out) {
  if (read_short_number(text.data(), text.data() + text.size(), out) == text.data() + text.size()) return NumberText::Number;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), *out);
  if (end.ptr != text.data() + text.size() || end.ec == std::errc::invalid_argument) return NumberText::Other;
  if (end.ec == std::errc()) return NumberText::Number;
  *out = beyond_doubles(text);
  return std::isinf(*out) ? NumberText::TooLarge : NumberText::Number;
}

double literal_real(std::string_view text) {
  const bool sign = text.starts_with('+') || text.starts_with('-');
  const std::string_view digits = text.substr(sign ? 1 : 0);
  double size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error == std::errc::result_out_of_range) size = beyond_doubles({digits.data(), end});
  return text.starts_with('-') ? -size : size;
}

std::int64_t literal_int(std::string_view text) {
  using Limits = std::numeric_limits<std::int64_t>;
  std::int64_t value = 0;
  const std::string_view digits = text.substr(text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc::result_out_of_range) return value;
  return text.starts_with('-') ? Limits::min() : Limits::max();
}

std::string real_literal(double x) {
  std::string digits = fmt::format("{:.17g}", x);
  return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
}

}  // namespace fermiac
