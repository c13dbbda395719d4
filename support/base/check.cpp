#include "support/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace fermiac {

void check_failed(std::string_view condition, std::string_view why, const char* file, unsigned line) {
  std::fprintf(stderr, "fermiac: internal error: %.*s (%.*s) at %s:%u\n", static_cast<int>(why.size()), why.data(),
               static_cast<int>(condition.size()), condition.data(), file, line);
  std::abort();
}

}  // namespace fermiac
