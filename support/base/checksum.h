// FNV-1a, 64 bits: tells texts apart that nobody forges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace fermiac
