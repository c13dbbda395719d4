#include "support/base/number_text.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace fermiac {
namespace {

using U64 = std::uint64_t;
__extension__ using U128 = unsigned __int128;

constexpr int kMostDigits = 17;  // of the fast way: one more decimal digit still fits into 60 bits

// ---------------------------------------------------------------- powers of ten

/// mantissa * 2^exponent, the highest bit of the mantissa set; less than two units of its last bit too small.
struct Power {
  U64 mantissa = 0;
  int exponent = 0;
};

struct WidePower {
  U128 mantissa = U128{1} << 127;
  int exponent = -127;
  constexpr Power narrow() const { return {static_cast<U64>(mantissa >> 64), exponent + 64}; }
  constexpr void normalise() {
    for (; !(mantissa >> 127); mantissa <<= 1) --exponent;
  }
  constexpr void times_ten() {
    mantissa = (mantissa >> 1) + (mantissa >> 3);
    exponent += 4;
    normalise();
  }
  constexpr void over_ten() {
    mantissa /= 10;
    normalise();
  }
};

/// What takes a double to an integer of kMostDigits digits or fewer.
constexpr int kLeastPower = -309, kMostPower = 324 + kMostDigits;

constexpr auto kPowers = [] {
  std::array<Power, kMostPower - kLeastPower + 1> out{};
  WidePower up, down;
  for (std::size_t k = -kLeastPower; k < out.size(); ++k, up.times_ten()) out[k] = up.narrow();
  for (std::size_t k = -kLeastPower + 1; k-- > 0; down.over_ten()) out[k] = down.narrow();
  return out;
}();

constexpr auto kIntegers = [] {  // 10^k
  std::array<U64, 19> out{1};
  for (std::size_t k = 1; k < out.size(); ++k) out[k] = 10 * out[k - 1];
  return out;
}();

// ---------------------------------------------------------------- leading digits

/// number * 10^(exponent - digits + 1), rounded: `number` has as many digits as were asked for.
struct Decimal {
  U64 number = 0;
  int exponent = 0;
};

/// Of a finite number > 0; false where what is known of its digits does not decide how the last one is rounded.
bool leading_digits(double value, int digits, Decimal& out) {
  const U64 bits = std::bit_cast<U64>(value);
  const U64 fraction = bits & ((U64{1} << 52) - 1);
  const int biased = static_cast<int>(bits >> 52);
  const U64 mantissa = biased ? fraction | U64{1} << 52 : fraction;
  const int room = std::countl_zero(mantissa);
  const int exponent = (biased ? biased : 1) - 1075 - room;
  out.exponent = (exponent + 63) * 78913 >> 18;  // floor of the logarithm to base 10, or one less
  const Power& power = kPowers[static_cast<std::size_t>(digits - 1 - out.exponent - kLeastPower)];
  const U128 product = static_cast<U128>(mantissa << room) * power.mantissa;
  const int shift = -(exponent + power.exponent);
  U64 n = static_cast<U64>(product >> shift);
  U128 rest = product & ((U128{1} << shift) - 1), half = U128{1} << (shift - 1);
  if (n >= kIntegers[static_cast<std::size_t>(digits)]) {  // one digit too many, which joins the rest
    rest += static_cast<U128>(n % 10) << shift;
    half *= 10;
    n /= 10;
    ++out.exponent;
  }
  constexpr U128 kError = U128{1} << 66;
  if ((rest > half ? rest - half : half - rest) <= kError) return false;
  out.number = n + (rest > half);
  if (out.number == kIntegers[static_cast<std::size_t>(digits)]) out.number /= 10, ++out.exponent;
  return true;
}

// ---------------------------------------------------------------- text

/// The eight decimal digits of n, one a byte, the first in the lowest: pairs, then single digits, all at once.
U64 eight_digits(std::uint32_t n) {
  const U64 fours = n / 10000 | static_cast<U64>(n % 10000) << 32;
  const U64 hundreds = fours * 10486 >> 20 & 0x0000007f0000007f;
  const U64 twos = ((fours - 100 * hundreds) << 16) + hundreds;
  const U64 tens = twos * 103 >> 10 & 0x000f000f000f000f;
  return ((twos - 10 * tens) << 8) + tens;
}

struct Digits {
  char text[40] = {};
  int used = 0;  // without zeros at the end
};

void put_eight(std::uint32_t n, int at, Digits& out) {
  static_assert(std::endian::native == std::endian::little);
  const U64 digits = eight_digits(n);
  const U64 text = digits | 0x3030303030303030;
  std::memcpy(out.text + at, &text, 8);
  if (digits) out.used = at + 8 - std::countl_zero(digits) / 8;
}

/// Zeros follow the last digit up to the number of digits.
void put_digits(U64 number, int digits, Digits& out) {
  constexpr U64 kEight = 100'000'000;
  if (digits <= 8) {
    put_eight(static_cast<std::uint32_t>(number * kIntegers[static_cast<std::size_t>(8 - digits)]), 0, out);
    return;
  }
  U64 rest = number;  // with 17 digits
  rest *= kIntegers[static_cast<std::size_t>(kMostDigits - digits)];
  out.text[0] = static_cast<char>('0' + rest / (kEight * kEight));
  out.used = 1;
  rest %= kEight * kEight;
  put_eight(static_cast<std::uint32_t>(rest / kEight), 1, out);
  put_eight(static_cast<std::uint32_t>(rest % kEight), 9, out);
}

/// The first n of kCopied characters, which is quicker than a call that copies n.
constexpr int kCopied = 18;
char* put(const char* text, int n, char* out) {
  std::memcpy(out, text, kCopied);
  return out + n;
}

char* with_exponent(const Digits& d, int exponent, char* out) {
  *out++ = d.text[0];
  if (d.used > 1) {
    *out++ = '.';
    out = put(d.text + 1, d.used - 1, out);
  }
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  const int size = exponent < 0 ? -exponent : exponent;
  if (size >= 100) *out++ = static_cast<char>('0' + size / 100);
  *out++ = static_cast<char>('0' + size / 10 % 10);
  *out++ = static_cast<char>('0' + size % 10);
  return out;
}

char* without_exponent(const Digits& d, int exponent, char* out) {
  if (exponent < 0) {
    out = put("0.000             ", 1 - exponent, out);
    return put(d.text, d.used, out);
  }
  const int whole = exponent + 1;
  out = put(d.text, whole, out);
  if (d.used <= whole) return out;
  *out++ = '.';
  return put(d.text + whole, d.used - whole, out);
}

}  // namespace

char* write_number(double value, int digits, char* out) {
  const double size = std::fabs(value);
  Decimal decimal;
  if (std::isnan(value)) return put("nan               ", 3, out);
  if (size == 0) return put(std::signbit(value) ? "-0                " : "0                 ", std::signbit(value) ? 2 : 1, out);
  if (std::isinf(size) || digits > kMostDigits || !leading_digits(size, digits, decimal))
    return std::to_chars(out, out + kNumberRoom, value, std::chars_format::general, digits).ptr;
  Digits text;
  put_digits(decimal.number, digits, text);
  if (std::signbit(value)) *out++ = '-';
  const bool plain = decimal.exponent >= -4 && decimal.exponent < digits;
  return plain ? without_exponent(text, decimal.exponent, out) : with_exponent(text, decimal.exponent, out);
}

std::string format_number(double value, int digits) {
  char text[kNumberRoom];
  return {text, write_number(value, digits, text)};
}

}  // namespace fermiac
