// SHA-256 and the signature that messages carry (FIPS 180-4, RFC 2104).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fermiac {

/// 32 bytes.
std::string sha256(std::string_view text);
/// The same in hexadecimal digits.
std::string hex_sha256(std::string_view text);
/// HMAC of the parts one after the other, in hexadecimal digits.
std::string hmac_sha256_hex(std::string_view key, const std::vector<std::string_view>& parts);

}  // namespace fermiac
