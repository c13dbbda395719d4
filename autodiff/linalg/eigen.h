// Eigen, for all of this library: nothing else includes its headers, so every file compiles it alike. Include only from
// .cpp files.
//
// Eigen checks an assertion before whatever it does to a row, a column or a block; its decompositions come by at least
// once in some n² operations. These assertions are stop points: a decomposition that nobody waits for ends within
// milliseconds, its matrices freed on the way. Those of single elements are not, for speed.
#pragma once

#ifdef EIGEN_CORE_H
#error "Eigen comes through this header alone"
#endif

#include <string_view>

#include "support/base/check.h"
#include "support/base/stop.h"

namespace fermiac::ad::eigen_detail {
/// Whether this is an assertion about the place of a block, a row or a column (the two of the constructors of
/// Eigen::Block), by its text. Others may not throw: an initialiser list that is broken off fails its own assertion.
constexpr bool is_about_blocks(std::string_view condition) {
  return condition.find("startRow >= 0") != std::string_view::npos ||
         condition.find("(BlockRows==1)") != std::string_view::npos;
}
template <bool AboutBlocks>
inline void look() {
  if constexpr (AboutBlocks) {
    if (stop_wanted()) [[unlikely]]
      interrupt();
  }
}
}  // namespace fermiac::ad::eigen_detail

#define eigen_assert(condition)                                                                        \
  (static_cast<bool>(condition)                                                                        \
       ? ::fermiac::ad::eigen_detail::look<::fermiac::ad::eigen_detail::is_about_blocks(#condition)>() \
       : ::fermiac::check_failed(#condition, "Eigen", __FILE__, __LINE__))

// What malloc gives on 64-bit systems. Left to Eigen, the way matrices are allocated depends on vector flags and on
// whether a file is instrumented, and one file could not free what another has allocated.
#if defined(__LP64__)
#define EIGEN_MAX_ALIGN_BYTES 16
#define EIGEN_MALLOC_ALREADY_ALIGNED 1
#endif

#include <Eigen/Dense>
