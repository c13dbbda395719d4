#include "support/base/cache_folder.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "support/base/checksum.h"
#include "support/platform/folders.h"
#include "support/platform/private_folder.h"

namespace fermiac {
namespace {

constexpr std::string_view kMark = "fermiac cache 1\n";
constexpr std::size_t kSumSize = 32;

/// The content, if the sum before it is right.
std::string verified(std::string_view file) {
  if (!file.starts_with(kMark) || file.size() < kMark.size() + kSumSize) return {};
  const std::string_view sum = file.substr(kMark.size(), kSumSize), content = file.substr(kMark.size() + kSumSize);
  return sha256(content) == sum ? std::string(content) : std::string();
}

}  // namespace

std::filesystem::path cache_folder() { return user_cache_folder("fermiac"); }

std::string read_cached(const std::string& name) {
  const PrivateFolder folder(cache_folder(), false);
  return folder ? verified(folder.read(name)) : std::string();
}

std::string keep_cached(const std::string& name, const std::string& bytes) {
  const PrivateFolder folder(cache_folder(), true);
  if (!folder) return folder.problem();
  if (folder.keep(name, std::string(kMark) + sha256(bytes) + bytes)) return {};
  return fmt::format("'{}': {}", (cache_folder() / name).string(), std::strerror(errno));
}

}  // namespace fermiac
