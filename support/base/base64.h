// Bytes as text (RFC 4648).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace fermiac {

/// Four letters for each three bytes, the last ones filled up with `=`; appended to `out`.
void append_base64(std::span<const std::byte> bytes, std::string& out);

}  // namespace fermiac
