// Small helpers on text that several folders need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac {

/// Letters, digits and underscores: what names are made of.
bool is_word(char c);

/// Not printed: below a space, or 127.
bool is_control(char c);
/// The text with control characters as escapes (`\n`, `\x1b`), so that it stays in its line.
std::string as_one_line(std::string_view text);

/// Insertions, deletions and substitutions that lead from one text to the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The one of `known` that `name` may stand for: the same but for capitals, dots and underscores, or a letter away (two for
/// long names); empty if there is none.
std::string nearest_identifier(std::string_view name, const std::vector<std::string>& known);

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

/// The text that printf would print.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

}  // namespace fermiac
