#include "support/own_files.h"

#include <system_error>

namespace fermiac {

namespace fs = std::filesystem;

fs::path own_prefix() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
}

fs::path private_file(const std::string& name) {
  return own_prefix() / "lib/fermiac" / name;
}

fs::path cmdstan_folder() {
  std::error_code failed;
  for (const char* folder : {"share/fermiac/cmdstan", "cmdstan"})
    if (fs::exists(own_prefix() / folder / "makefile", failed)) return own_prefix() / folder;
  return {};
}

}  // namespace fermiac
