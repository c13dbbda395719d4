#include "support/platform/folders.h"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

namespace fermiac {
namespace {

namespace fs = std::filesystem;

/// An absolute path; others are ignored, as the specification requires.
fs::path absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? fs::path(value) : fs::path();
}

fs::path path_in(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value ? fs::path(value) : fs::path();
}

/// The folder that `variable` names, else `usual` in the home folder.
fs::path in_home(const char* variable, const char* usual) {
  if (const fs::path chosen = path_in(variable); !chosen.empty()) return chosen;
  const fs::path home = path_in("HOME");
  return home.empty() ? home : home / usual;
}

}  // namespace

fs::path user_cache_folder(const std::string& name) {
  if (const fs::path cache = absolute_path_in("XDG_CACHE_HOME"); !cache.empty()) return (cache / name).lexically_normal();
  if (const fs::path home = absolute_path_in("HOME"); !home.empty()) return (home / ".cache" / name).lexically_normal();
  std::error_code failed;
  const fs::path temporary = fs::temp_directory_path(failed);
  return (failed || !temporary.is_absolute() ? fs::path("/tmp") : temporary).lexically_normal() / (name + "-" + std::to_string(geteuid()));
}

fs::path user_state_folder() { return in_home("XDG_STATE_HOME", ".local/state"); }

fs::path user_data_folder() { return in_home("XDG_DATA_HOME", ".local/share"); }

}  // namespace fermiac
