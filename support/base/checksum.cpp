#include "support/base/checksum.h"

#include <array>
#include <filesystem>
#include <fstream>

namespace fermiac {

std::optional<std::uint64_t> checksum_of_file(const std::string& path) {
  if (std::error_code ignored; !std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  Checksum sum;
  std::array<char, 1 << 16> piece;
  do {
    in.read(piece.data(), piece.size());
    sum.add({piece.data(), static_cast<std::size_t>(in.gcount())});
  } while (in);
  return in.eof() ? std::optional(sum.value()) : std::nullopt;
}

}  // namespace fermiac
