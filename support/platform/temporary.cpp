#include "support/platform/temporary.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

namespace fermiac {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kToFill = "XXXXXX";

/// Empty where there is no folder for temporary files.
fs::path temporary_folder() {
  std::error_code failed;
  return fs::temp_directory_path(failed);
}

std::string pattern_in(const fs::path& folder, std::string_view prefix, std::string_view suffix = {}) {
  return (folder / std::string(prefix).append(kToFill).append(suffix)).string();
}

}  // namespace

TemporaryFolder::TemporaryFolder(std::string_view prefix) {
  const fs::path parent = temporary_folder();
  path_ = pattern_in(parent, prefix);
  made_ = !parent.empty() && mkdtemp(path_.data()) != nullptr;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (made_) fs::remove_all(path_, ignored);
}

TemporaryFile::TemporaryFile(std::string_view prefix, std::string_view suffix) {
  const fs::path parent = temporary_folder();
  path_ = pattern_in(parent, prefix, suffix);
  if (parent.empty()) return;
  const Descriptor made(mkstemps(path_.data(), static_cast<int>(suffix.size())));
  made_ = static_cast<bool>(made);
}

TemporaryFile::~TemporaryFile() {
  if (made_) unlink(path_.c_str());
}

Descriptor create_beside(const std::string& path, std::string* beside) {
  *beside = (path + ".").append(kToFill);
  return Descriptor(mkostemp(beside->data(), O_CLOEXEC));
}

}  // namespace fermiac
