// Checks for bugs in fermiac itself. They stay on in release builds: a wrong answer is worse than a stop.
#pragma once

#include <string_view>

namespace fermiac {

/// Prints what was violated and where in fermiac's own source, then aborts.
[[noreturn]] void check_failed(std::string_view condition, std::string_view why, const char* file, unsigned line);

}  // namespace fermiac

#define FERMIAC_CHECK(condition, why)                                                        \
  do {                                                                                       \
    if (!(condition)) [[unlikely]]                                                           \
      ::fermiac::check_failed(#condition, (why), __FILE__, __LINE__);                        \
  } while (false)
