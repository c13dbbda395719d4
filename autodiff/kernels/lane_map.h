// Blocks of elements of a map: what lane_driver.h derives from a functor. The vector forms of MapOp are loops over these
// (lane_loops.h), or for cheap maps of their own (driver.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {

/// Some blocks of an application. Block i of a vector is the lanes from i * width on; a scalar is one block of equal lanes.
struct LaneArgs {
  const double* x[kMaxMapArity] = {};
  double* d[kMaxMapArity] = {};      // backward: where the partials times g of the elements go; null: unwanted
  double* out = nullptr;             // forward: values. backward: those, of a density where they go
  const double* g = nullptr;         // backward: adjoints of the results
  std::uint32_t n = 1;
  std::uint16_t vector_mask = 0;     // bit j: operand j is a vector
  bool one_g = false;                // all blocks have the first
  std::uint64_t last = ~std::uint64_t{0};  // bit l: lane l of the last block is an element, so its operands must keep the rules
  Keep keep;
};

/// Both return the lanes in which an operand breaks a domain rule, as bits. Functions are not checked backward.
struct LaneForms {
  std::uint64_t (*forward)(const LaneArgs&) = nullptr;
  std::uint64_t (*backward)(const LaneArgs&) = nullptr;
};

}  // namespace fermiac::ad
