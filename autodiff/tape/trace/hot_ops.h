// Scalar ops that the replay writes out: those of ops/list.h. Their codes are the first rows of the arithmetic family, in
// the same order; active_sweeps() checks that.
#pragma once

#include <cstdint>

#include "autodiff/ops/list.h"

namespace fermiac::ad {

enum class Hot : std::uint16_t { FERMIAC_SCALAR_OPS(FERMIAC_ENUMERATOR) };

#define FERMIAC_NAME(Name, map, ...) map,
inline constexpr const char* kHotNames[] = {FERMIAC_SCALAR_OPS(FERMIAC_NAME)};
#undef FERMIAC_NAME

}  // namespace fermiac::ad
