// FNV-1a, 64 bits: tells texts apart that nobody forges.
#pragma once

#include <cstdint>
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

}  // namespace fermiac
