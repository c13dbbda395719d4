// How many operands a map has. Passes over a trace ask for it at every operation, so there is no call.
#pragma once

#include <atomic>
#include <cstdint>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {

namespace detail {
/// By code; null until somebody asks.
extern std::atomic<const std::uint8_t*> map_arities;
const std::uint8_t* make_map_arities();
}  // namespace detail

inline std::uint8_t map_arity(MapCode code) {
  const std::uint8_t* arities = detail::map_arities.load(std::memory_order_acquire);
  if (arities == nullptr) [[unlikely]] arities = detail::make_map_arities();
  return arities[index_of(code)];
}

}  // namespace fermiac::ad
