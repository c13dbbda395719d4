// UTF-8: writing a character, telling whether bytes are text, lengths in the units of UTF-16 that editors count in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fermiac {

/// `code` is at most 0x10FFFF.
void append_utf8(std::uint32_t code, std::string* out);

/// Bytes of the character that begins at `at`, which is inside; 0 where none begins that is well-formed.
std::size_t utf8_length(std::string_view text, std::size_t at);
bool is_utf8(std::string_view text);
/// Bytes that are no text become the replacement character.
std::string valid_utf8(std::string_view text);

/// From a character, or a byte that is no text, to the next: its bytes, and the units that it takes in UTF-16.
struct Utf16Step {
  std::size_t bytes, units;
};
Utf16Step utf16_step(std::string_view text, std::size_t at);

/// Units that `text` takes in UTF-16; a byte that is no text counts as one.
std::size_t utf16_units(std::string_view text);
/// Bytes of the longest beginning of `text` that takes at most `units`.
std::size_t bytes_of_utf16(std::string_view text, std::size_t units);

}  // namespace fermiac
