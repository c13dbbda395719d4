// Element-wise maps at several points at once: lane l of every vector is the number of point l. What lane_driver.h derives from
// a functor. The vector forms of MapOp are loops over the same (lane_loops.h), or for cheap maps of their own (driver.h); either
// way each lane has the bits that MapOp's forms give for the point alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {

/// Some elements of an application. Element i of a vector is the lanes from i * width on, a scalar is one vector of lanes.
struct LaneArgs {
  const double* x[kMaxMapArity] = {};
  double* d[kMaxMapArity] = {};      // backward: where the partials times g of the elements go; null: unwanted
  double* out = nullptr;             // forward: values. backward: those, of a density where they go
  const double* g = nullptr;         // backward: adjoints of the results
  std::uint32_t n = 1;
  std::uint16_t vector_mask = 0;     // bit j: operand j is a vector
  bool one_g = false;                // all elements have the first
  bool one_point = false;            // lanes are elements of one point: the lanes of a scalar are equal
  std::uint64_t last = ~std::uint64_t{0};  // bit l: lane l of the last element is asked whether its operands break a rule
  Keep keep;
};

/// Both say where an operand broke a domain rule: bit l for the point of lane l. Functions are not asked backward.
struct LaneForms {
  std::uint64_t (*forward)(const LaneArgs&) = nullptr;
  std::uint64_t (*backward)(const LaneArgs&) = nullptr;
  explicit constexpr operator bool() const { return forward != nullptr; }
};

/// A row of a family's table.
struct MapRow : MapOp {
  LaneForms lanes;
};
constexpr LaneForms lanes_of(const MapOp&) { return {}; }
constexpr LaneForms lanes_of(const MapRow& row) { return row.lanes; }

/// Those of a map for the instruction set in use; none if it has no such forms.
const LaneForms& lane_forms(MapCode code);

}  // namespace fermiac::ad
