#include "bindings/bridgestan/guarded_call.h"

#include <cstdlib>
#include <cstring>

namespace fermiac::capi {
namespace {

char* append(char* to, std::string_view text) {
  std::memcpy(to, text.data(), text.size());
  return to + text.size();
}

}  // namespace

void set_error(char** error_msg, std::string_view function, std::string_view what) noexcept {
  constexpr std::string_view kMiddle = "() failed with exception: ";
  if (!error_msg) return;
  *error_msg = static_cast<char*>(std::malloc(function.size() + kMiddle.size() + what.size() + 1));
  if (*error_msg) *append(append(append(*error_msg, function), kMiddle), what) = '\0';
}

}  // namespace fermiac::capi
