// Names of machine code for profilers: `perf` reads /tmp/perf-PID.map.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "support/platform/code_pages.h"

namespace fermiac::jit {

void name_for_perf(const void* code, std::size_t bytes, std::string_view label) {
  if (!std::getenv("FERMIAC_PERF_MAP")) return;
  // perf expects this name, which others could have linked to one of our files.
  const int fd = open(fmt::format("/tmp/perf-{}.map", getpid()).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  std::FILE* const file = fd >= 0 ? fdopen(fd, "a") : nullptr;
  if (!file) return;
  const std::string line = fmt::format("{:x} {:x} stan {}\n", reinterpret_cast<std::uintptr_t>(code), bytes, label);
  std::fwrite(line.data(), 1, line.size(), file);  // in one piece: chains write to the same file
  std::fclose(file);
}

}  // namespace fermiac::jit
