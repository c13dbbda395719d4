#include "support/platform/own_files.h"

#include <dlfcn.h>

#include <system_error>

namespace fermiac {

namespace fs = std::filesystem;

fs::path own_prefix() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
}

fs::path private_file(const std::string& name) {
  const fs::path of_program = own_prefix() / "lib/fermiac" / name;
  std::error_code failed;
  Dl_info here;
  if (fs::exists(of_program, failed) || dladdr(reinterpret_cast<const void*>(&own_prefix), &here) == 0 || !here.dli_fname) return of_program;
  const fs::path of_library = fs::path(here.dli_fname).parent_path() / "fermiac" / name;  // libfermiac.so in somebody's program
  return fs::exists(of_library, failed) ? of_library : of_program;
}

fs::path cmdstan_folder() {
  std::error_code failed;
  for (const char* folder : {"share/fermiac/cmdstan", "cmdstan"})
    if (fs::exists(own_prefix() / folder / "makefile", failed)) return own_prefix() / folder;
  return {};
}

}  // namespace fermiac
