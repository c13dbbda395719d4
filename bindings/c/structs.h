// Structures of the header grow at their end: what a caller has of one is what `size` says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "bindings/c/failure.h"
#include "bindings/shared/pointers.h"

namespace fermiac::capi {

/// The members of `from` that fit; `size` stays what the caller set. Throws where that is too small to be one.
template <class Struct>
void fill_struct(Struct from, Struct* out, const char* what) {
  const std::size_t size = given(out, what).size;
  if (size < 2 * sizeof(std::size_t)) throw InputError(StatusCode::InvalidArgument, std::string(what) + ": its size is not set");
  from.size = size;
  std::memcpy(out, &from, std::min(size, sizeof from));
}

/// What the caller has set, the rest zero.
template <class Struct>
Struct read_struct(const Struct* in, const char* what) {
  Struct out{};
  if (!in) return out;
  if (in->size < 2 * sizeof(std::size_t)) throw InputError(StatusCode::InvalidArgument, std::string(what) + ": its size is not set");
  std::memcpy(&out, in, std::min(in->size, sizeof out));
  return out;
}

}  // namespace fermiac::capi
