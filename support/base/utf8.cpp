#include "support/base/utf8.h"

namespace fermiac {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t i) { return static_cast<std::uint8_t>(text[i]); }

bool continues(std::string_view text, std::size_t i) { return i < text.size() && (byte_at(text, i) & 0xC0) == 0x80; }

/// What the first byte asks for; 0 for bytes that begin no character.
std::size_t announced(std::uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/// Longer than need be, half of a pair, or above the last character.
bool forbidden(std::uint8_t first, std::uint8_t second) {
  return (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
         (first == 0xF4 && second > 0x8F);
}

}  // namespace

void append_utf8(std::uint32_t code, std::string* out) {
  const auto put = [&](std::uint32_t byte) { *out += static_cast<char>(byte); };
  if (code < 0x80) return put(code);
  if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  if (code < 0x10000) put(0xE0 | code >> 12);
  else put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F));
  put(0x80 | (code >> 6 & 0x3F));
  put(0x80 | (code & 0x3F));
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const std::size_t bytes = announced(byte_at(text, at));
  for (std::size_t i = 1; i < bytes; ++i)
    if (!continues(text, at + i)) return 0;
  return bytes > 1 && forbidden(byte_at(text, at), byte_at(text, at + 1)) ? 0 : bytes;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = utf8_length(text, at);
    if (bytes == 0) return false;
    at += bytes;
  }
  return true;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = utf8_length(text, at);
    out += bytes == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(at, bytes);
    at += bytes == 0 ? 1 : bytes;
  }
  return out;
}

Utf16Step utf16_step(std::string_view text, std::size_t at) {
  const std::size_t bytes = utf8_length(text, at);
  return bytes == 0 ? Utf16Step{1, 1} : Utf16Step{bytes, bytes == 4 ? std::size_t{2} : std::size_t{1}};
}

std::size_t utf16_units(std::string_view text) {
  std::size_t units = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf16Step next = utf16_step(text, at);
    units += next.units;
    at += next.bytes;
  }
  return units;
}

std::size_t bytes_of_utf16(std::string_view text, std::size_t units) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Utf16Step next = utf16_step(text, at);
    if (next.units > units) break;
    units -= next.units;
    at += next.bytes;
  }
  return at;
}

}  // namespace fermiac
