#include "support/cache_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <system_error>

#include "support/text_file.h"
#include "support/write_file.h"

namespace fermiac {

namespace fs = std::filesystem;

fs::path cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return fs::path(cache) / "fermiac";
  const char* home = std::getenv("HOME");
  return home && *home ? fs::path(home) / ".cache/fermiac" : fs::temp_directory_path() / fmt::format("fermiac-{}", getuid());
}

std::string read_cached(const std::string& name) {
  return read_beginning((cache_folder() / name).string(), std::numeric_limits<std::size_t>::max());
}

void keep_cached(const std::string& name, const std::string& bytes) {
  std::error_code failed;
  const fs::path folder = cache_folder(), unfinished = folder / fmt::format("{}.{}", name, getpid());
  fs::create_directories(folder, failed);
  if (failed || !write_whole_file(unfinished.string(), bytes).empty()) return;
  fs::rename(unfinished, folder / name, failed);
  if (failed) fs::remove(unfinished, failed);
}

}  // namespace fermiac
