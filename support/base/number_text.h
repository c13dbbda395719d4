// Numbers as text with so many significant digits, many of them in a row.
#pragma once

namespace fermiac {

/// Room that write_number needs.
inline constexpr int kNumberRoom = 64;

/// Writes `value` with `digits` (1 to 18) significant digits at `out`, where there is room for kNumberRoom characters, and
/// returns the place behind it. The text is that of std::to_chars in its general format, to the byte, but `nan` has no
/// sign. Some 20 ns a number up to 17 digits.
char* write_number(double value, int digits, char* out);

}  // namespace fermiac
