
#include <system_error>

#include "support/platform/module.h"
#include "support/platform/process.h"

namespace fermiac {

namespace fs = std::filesystem;

fs::path own_prefix() {
  std::error_code failed;
  return fs::read_symlink(own_program(), failed).parent_path().parent_path();
}

fs::path private_file(const std::string& name) {
  const fs::path of_program = own_prefix() / "lib/fermiac" / name;
  std::error_code failed;
  if (fs::exists(of_program, failed)) return of_program;
  const std::string library = file_with(reinterpret_cast<const void*>(&own_prefix));
  if (library.empty()) return of_program;
  const fs::path of_library = fs::path(library).parent_path() / "fermiac" / name;  // libfermiac.so in somebody's program
  return fs::exists(of_library, failed) ? of_library : of_program;
}

fs::path cmdstan_folder() {
  std::error_code failed;
  for (const char* folder : {"share/fermiac/cmdstan", "cmdstan"})
    if (fs::exists(own_prefix() / folder / "makefile", failed)) return own_prefix() / folder;
  return {};
}

}  // namespace fermiac
