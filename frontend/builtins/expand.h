// The notation of signature schemes, and its expansion to overloads.
//
//   scheme      = alternative { ";" alternative }
//   alternative = "@" NAME                                             a named scheme (expand.cpp)
//               | [ "d" A "-" B ] [ "T=" pattern ":" ] "(" patterns ")" [ "=>" result ]
//   pattern     = choice { "|" choice }                                every choice gives an overload
//   choice      = [ "data" ] ( TYPE | SET | "T" | "real(T)" | "complex(T)" | function ) [ "*" [ "+" N ] ]
//   result      = choice [ "/" choice ]                                all arguments scalar / otherwise
//
// `d0-7` runs the depth D from 0 to 7; `*` adds D array dimensions, `*+1` adds D + 1. T is the same type throughout an
// overload. real(T) and complex(T) keep the shape of T and change its scalar. Sets (VInt, VReal, …): see expand.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/types.h"

namespace fermiac {

struct Signature {
  std::string_view name;
  std::vector<Formal> formals;
  Type result;
};

/// The overloads of `scheme` in dump order, each named `name` (not copied).
std::vector<Signature> expand_scheme(std::string_view name, std::string_view scheme);

/// Total order of the dump on argument lists: data-only first, then by type, a prefix before what it begins.
bool formals_less(const std::vector<Formal>& a, const std::vector<Formal>& b);

}  // namespace fermiac
