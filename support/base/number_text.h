// Numbers as text with a number of significant digits.
#pragma once

#include <string>

namespace fermiac {

/// Room that write_number needs.
inline constexpr int kNumberRoom = 64;

/// Writes `value` with `digits` (1 to 18) significant digits at `out`, where there is room for kNumberRoom characters, and
/// returns the place behind it. The text is that of std::to_chars in its general format, to the byte, but `nan` has no
/// sign. Some 20 ns a number up to 17 digits.
char* write_number(double value, int digits, char* out);

/// The same as a string.
std::string format_number(double value, int digits);

}  // namespace fermiac
