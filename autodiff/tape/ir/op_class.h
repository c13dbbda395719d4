// Which ops are alike: what grouping joins, and what splitting counts.
#pragma once

#include <cstdint>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

inline std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 29);
}

/// Hash of function, length, operand pattern, weight and site. All but site and length go into one word, so that no two kinds of op
/// cancel each other.
inline std::uint64_t class_of(const Op& op, Site site) {
  std::uint64_t kind = static_cast<std::uint64_t>(op.kind) << 16 | index_of(op.map);
  kind = kind << 16 | static_cast<std::uint64_t>(op.ad_mask) << 8 | op.vector_mask;
  kind = kind << 16 | static_cast<std::uint64_t>(op.keep.terms) << 8 | op.keep.ad;
  const std::uint64_t h = mix(mix(0, kind), std::uint64_t{index_of(site)} << 32 | op.n);
  return is_weighed(op.kind) && op.weight() != kOne ? mix(h, index_of(op.weight())) : h;
}

}  // namespace fermiac::ad
