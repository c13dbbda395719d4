// Numbers as text, and text as numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fermiac {

/// Room that write_number needs.
inline constexpr int kNumberRoom = 64;

/// Writes `value` with `digits` (1 to 18) significant digits at `out`, where there is room for kNumberRoom characters, and
/// returns the place behind it. The text is that of std::to_chars in its general format, to the byte, but `nan` has no
/// sign. Some 20 ns a number up to 17 digits.
char* write_number(double value, int digits, char* out);

/// The same as a string.
std::string format_number(double value, int digits);

/// Reads all of a text as a number in the C locale: also nan, inf, infinity. What is too small for a double is zero.
enum class NumberText { Number, TooLarge, Other };
NumberText read_number(std::string_view text, double* out);
/// Reads a number of 15 digits or fewer that begins at `at`, to the last bit: such a one is one operation on two doubles that
/// are exact. Returns the place behind it; null where there is no such number, which says nothing about others.
const char* read_short_number(const char* at, const char* end, double* out);

/// The double nearest to a literal, whose form the lexer has checked: infinity if it is too large, 0 if it is too small.
/// Never fails and does not depend on the locale. A sign may precede it; what follows the number (`i`) is ignored.
double literal_real(std::string_view text);
/// The integer of a text of digits with or without a sign; the nearest 64-bit integer if it is too large.
std::int64_t literal_int(std::string_view text);

/// A finite number as a literal of C, C++ and OpenCL C that is this double and no int: `1.0`, `0.10000000000000001`, `1e+20`.
std::string real_literal(double x);

}  // namespace fermiac
