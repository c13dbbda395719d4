// Encodings of other formats: bytes as text (Base64, RFC 4648), text in HTML.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace fermiac {

/// Four letters for each three bytes, the last ones filled up with `=`; appended to `out`.
void append_base64(std::span<const std::byte> bytes, std::string& out);

/// For what stands between tags.
std::string html_escape(std::string_view text);

}  // namespace fermiac
