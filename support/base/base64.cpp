// Bytes as text (RFC 4648).
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "support/base/encodings.h"

namespace fermiac {

void append_base64(std::span<const std::byte> bytes, std::string& out) {
  static constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i) three = three << 8 | (i < n ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    for (std::size_t i = 0; i < 4; ++i) out += i <= n ? kLetters[three >> (18 - 6 * i) & 63] : '=';
  }
}

}  // namespace fermiac
