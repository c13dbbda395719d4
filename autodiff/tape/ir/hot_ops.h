// Scalar ops that the replay writes out: those of ops/list.h. Their codes are the first rows of the arithmetic family, in
// the same order; active_sweeps() checks that.
#pragma once

#include <cstdint>
#include <iterator>

#include "autodiff/kernels/map_op.h"
#include "autodiff/ops/list.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

enum class Hot : std::uint16_t { FERMIAC_SCALAR_OPS(FERMIAC_ENUMERATOR) };

#define FERMIAC_NAME(Name, map, ...) map,
inline constexpr const char* kHotNames[] = {FERMIAC_SCALAR_OPS(FERMIAC_NAME)};
#undef FERMIAC_NAME

constexpr MapCode map_of(Hot op) { return static_cast<MapCode>(op); }
constexpr bool is_hot(MapCode map) { return index_of(map) < std::size(kHotNames); }
/// What tapes call the op of a hot map.
constexpr OpKind hot_kind(MapCode map) { return static_cast<OpKind>(static_cast<int>(kFirstHot) + index_of(map)); }

}  // namespace fermiac::ad
