// Checksums. FNV-1a, 64 bits, distinguishes texts that nobody forges; SHA-256 and the signature that messages carry (FIPS 180-4, RFC 2104)
// also those that somebody may forge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac {

class Checksum {
 public:
  Checksum& add(std::string_view bytes) {
    for (const char c : bytes) sum_ = (sum_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return *this;
  }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};

/// Of a regular file, which is read piece by piece; none where it cannot be read. Streams can be read once only.
std::optional<std::uint64_t> checksum_of_file(const std::string& path);

/// 32 bytes.
std::string sha256(std::string_view text);
/// The same in hexadecimal digits.
std::string hex_sha256(std::string_view text);
/// HMAC of the parts one after the other, in hexadecimal digits.
std::string hmac_sha256_hex(std::string_view key, const std::vector<std::string_view>& parts);

}  // namespace fermiac
