// Which ops are alike: what grouping joins, and what splitting counts.
#pragma once

#include <cstdint>

#include "autodiff/tape/trace.h"

namespace fermiac::ad {

inline std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 29);
}

/// Hash of function, length, operand pattern and site.
inline std::uint64_t class_of(const Op& op, Site site) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(op.kind) << 16 | op.map, site);
  h = mix(h, static_cast<std::uint64_t>(op.n) << 16 | static_cast<std::uint64_t>(op.ad_mask) << 8 | op.vector_mask);
  return mix(h, static_cast<std::uint64_t>(op.keep.terms) << 8 | op.keep.ad);
}

}  // namespace fermiac::ad
