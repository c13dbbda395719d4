// Files whose names are like one that is not there, for messages.
#include <filesystem>
#include <vector>

#include "support/base/text.h"
#include "support/base/text_file.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 10'000;  // that are looked at
constexpr std::size_t kLettersPerSlip = 4;

/// Of what is no folder, in no order.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator() && out.size() < kMostFiles; entry.increment(error))
    if (std::error_code ignored; !entry->is_directory(ignored)) out.push_back(entry->path().filename().string());
  return out;
}

}  // namespace

std::string similar_file(const std::string& path) {
  const fs::path wanted(path);
  const std::string name = wanted.filename().string();
  if (name.empty()) return "";
  std::string best;
  std::size_t least = name.size() / kLettersPerSlip + 1;
  for (const std::string& other : names_in(wanted.has_parent_path() ? wanted.parent_path() : ".")) {
    const std::size_t distance = other.starts_with(name + ".") ? 0 : edit_distance(name, other);
    if (distance < least || (distance == least && !best.empty() && other < best)) best = other, least = distance;
  }
  return best.empty() || best == name ? "" : "; did you mean '" + (wanted.parent_path() / best).string() + "'?";
}

}  // namespace fermiac
