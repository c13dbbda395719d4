// Functions that are another one under the hood: their errors name the function that was called.
#pragma once

#include <string>
#include <string_view>

#include "autodiff/errors.h"

namespace fermiac::interp {

/// The text of an error of `inner` as one of `outer`.
inline std::string renamed(std::string_view text, std::string_view inner, std::string_view outer) {
  return text.starts_with(inner) ? std::string(outer).append(text.substr(inner.size())) : std::string(text);
}

template <class F>
auto with_name(std::string_view inner, std::string_view outer, F f) {
  try {
    return f();
  } catch (const ad::SizeError& e) {
    throw ad::SizeError(renamed(e.what(), inner, outer));
  } catch (const ad::DomainError& e) {
    throw ad::DomainError(renamed(e.what(), inner, outer));
  }
}

}  // namespace fermiac::interp
