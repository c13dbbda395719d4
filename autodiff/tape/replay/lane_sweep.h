// The sweeps of lane_sweep.isa.cpp: forward and reverse over a tape at several points at once. All numbers of a slot lie side
// by side, one per point: that of point l is v[slot * width + l]. Every number is computed as replay.isa.cpp computes it for one
// point, in the same order: sums over the elements of a vector, which there run over lanes, keep their partial sums here. So it has
// the same bits, but where an instruction set fuses products with sums and the compiler does so in another way.
#pragma once

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/lane_map.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

/// The most points of any instruction set.
inline constexpr std::uint32_t kMostLanes = 8;

/// A vector op bound to the numbers of all points.
struct LaneBound {
  const MapOp* map = nullptr;
  LaneForms forms;                   // none: each point by itself
  LaneArgs args;                     // operands of the whole
  double* a[kMaxMapArity] = {};      // adjoints to add to; null for data
  double* out = nullptr;
  const double* out_a = nullptr;
};

struct LaneSweep {
  /// Elements at a time: what passes between the functions stays in the first-level cache.
  static constexpr std::uint32_t kChunk = 32;
  static constexpr std::uint32_t kScratch = (1 + kMaxMapArity) * kChunk;  // vectors of lanes

  const TapeOp* ops = nullptr;
  std::uint32_t count = 0;
  double* v = nullptr;
  double* a = nullptr;               // so that a[slot * width] is the first adjoint of slot
  const std::uint32_t* index = nullptr;
  const MapOp* maps = nullptr;
  const LaneBound* bound = nullptr;  // of the vector ops, in their order
  std::uint32_t bound_count = 0;
  double* scratch = nullptr;
  std::uint64_t used = 0;            // bit l: there is a point l
  std::uint64_t failed = 0;          // it left the path or a domain; its numbers are anything
  double lp[kMostLanes] = {};
  /// An op that has no form for several points, there or back; `vector`: which of the vector ops it is, if it is one.
  void (*apart)(LaneSweep&, const TapeOp&, std::uint32_t vector, bool back) = nullptr;
  void* owner = nullptr;

  bool goes_on() const { return (used & ~failed) != 0; }
};

FERMIAC_DECLARE_FOR_ISAS(void lanes_forward(LaneSweep& s); void lanes_reverse(LaneSweep& s); extern const std::uint32_t lane_width;)

}  // namespace fermiac::ad
