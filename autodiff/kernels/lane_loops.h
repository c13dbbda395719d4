// The vector forms of a map (MapOp) made from its forms for blocks of elements (lane_map.h). These loops are compiled once per
// instruction set and not once per map.
// Include only from *.isa.cpp files.
#pragma once

#include "autodiff/kernels/lane_map.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// A map whose elements are computed by its forms for blocks.
struct LaneMap {
  LaneForms lanes;
  std::uint8_t arity = 1;
  bool density = false;
  bool values_back = density;  // the form backward writes the values, too
};

/// As the members of MapOp of the same names.
bool loop_map(const MapArgs& m, const LaneMap& f);
void loop_map_reverse(const MapArgs& m, const LaneMap& f);
bool loop_reduce(const MapArgs& m, const LaneMap& f, double* sum);
bool loop_fused(const MapArgs& m, const LaneMap& f, double* sum);
/// Those of exp(f) for a density f; where that is 0, so are the partials.
bool loop_exp_map(const MapArgs& m, const LaneMap& f);
void loop_exp_map_reverse(const MapArgs& m, const LaneMap& f);

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
