#include "support/platform/process.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "support/platform/descriptor.h"
#include "support/platform/run_program.h"

namespace fermiac {

std::string own_program() { return "/proc/self/exe"; }

std::vector<std::string> own_arguments() {
  const Descriptor file("/proc/self/cmdline");
  std::string all;  // a zero after each argument
  if (file) read_rest(file.get(), &all);
  std::vector<std::string> out;
  for (std::size_t at = 0; at < all.size(); at += out.back().size() + 1) out.emplace_back(all.c_str() + at);
  return out;
}

void set_environment(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

std::string start_anew(std::vector<std::string> arguments) {
  execv(own_program().c_str(), argument_pointers(arguments).data());
  return std::strerror(errno);
}

}  // namespace fermiac
