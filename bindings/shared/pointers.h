// What a caller's pointers must be: checked before anything is done with them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "support/base/errors.h"

namespace fermiac::capi {

template <class T>
T& given(T* pointer, const char* what) {
  if (!pointer) throw InputError(StatusCode::InvalidArgument, std::string(what) + " is a null pointer");
  return *pointer;
}

/// `n` numbers of the caller, who may have none to point at where there are none.
template <class Number>
std::span<Number> numbers(Number* first, std::size_t n, const char* what) {
  if (n > 0) given(first, what);
  return {first, n};
}

}  // namespace fermiac::capi
