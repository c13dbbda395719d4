// Settings of the type checker.
#pragma once

#include <cstddef>
#include <string>

namespace fermiac {

struct CheckOptions {
  bool allow_undefined = false;  // functions that are declared but not defined are external
  std::string model_name;        // may not be used as a name; empty: no such rule
  bool all_errors = false;       // go on after the first error, up to kMostErrors
  bool rewrite_removed = false;  // real-valued conditions, which the language no longer has, are compared with 0
  bool for_cpp = false;          // the program becomes C++ for Stan Math: annotations that have no effect there are warnings
  static constexpr std::size_t kMostErrors = 20;
};

}  // namespace fermiac
