#include "support/base/replaceable.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "support/base/text_file.h"

namespace fermiac {

namespace fs = std::filesystem;

Status check_replaceable(const std::string& path, FileKind kind) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) == 0) return {};
  if (read_beginning(path, kind.mark.size()) == kind.mark) return {};
  return Status::failed(fmt::format("'{}' exists and is not {}; choose another name, or remove it", path, kind.name));
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) && !failed;
}

}  // namespace fermiac
