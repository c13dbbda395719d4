#include "support/platform/jit.h"

#include <cstdlib>
#include <string_view>

namespace fermiac {

Jit jit_by_environment() {
  const char* const said = std::getenv("FERMIAC_JIT");
  if (!said) return Jit::Warm;
  return said == std::string_view("never") ? Jit::Never : said == std::string_view("always") ? Jit::Always : Jit::Warm;
}

}  // namespace fermiac
