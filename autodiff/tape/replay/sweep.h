// The state of a sweep over a tape: what the inner loops of replay.isa.cpp read and write, the machine code that they run,
// and the functions that such code calls.
#pragma once

#include <cstdint>
#include <exception>

#include "autodiff/kernels/kernel.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

struct BoundTiles;
struct Sweep;

/// Machine code of a run of scalar ops. Forward returns how many ops were done; fewer than there are: the sweep stops at the next
/// one. Neither throws.
struct RunCode {
  std::uint32_t (*forward)(Sweep*) = nullptr;
  void (*reverse)(const Sweep*) = nullptr;
};

/// A vector op bound to the numbers of one workspace.
struct BoundMap {
  const MapOp* map = nullptr;
  MapArgs args;  // out and out_a as Op::d says; g is set in the reverse sweep of a sum
};

/// What the inner loops of replay.isa.cpp need.
struct Sweep {
  const TapeOp* ops = nullptr;
  const RunCode* runs = nullptr;
  std::uint32_t count = 0;
  double* v = nullptr;
  double* a = nullptr;  // so that a[slot] is the adjoint of slot
  const std::uint32_t* index = nullptr;
  const double* codes = nullptr;
  const KernelCall* calls = nullptr;
  const Kernel* const* kernels = nullptr;
  const MapOp* maps = nullptr;
  BoundTiles* tiles = nullptr;  // of the ops Tiles, in their order
  BoundMap* bound = nullptr;    // of the vector ops, in their order
  std::uint32_t bound_count = 0;
  bool with_gradient = true;
  bool guard = false;         // stopped because of a guard (else a domain rule)
  std::uint32_t stopped = 0;  // op at which the forward sweep stopped, or count
  std::uint32_t stopped_in_tile = 0;  // … and of its tiled ops
  double lp = 0;
  std::exception_ptr* failure = nullptr;  // where machine code leaves what a function threw
  double operands[kMaxMapArity] = {};  // of an op that machine code calls
};

/// What machine code of scalar ops calls. None throws: what a function threw waits in Sweep::failure.
struct ScalarHelpers {
  double (*exp)(double) = nullptr;
  double (*log)(double) = nullptr;
  bool (*map_forward)(Sweep&, const TapeOp&) = nullptr;  // false: outside the domain
  bool (*map_sink)(Sweep&, const TapeOp&) = nullptr;
  void (*map_reverse)(const Sweep&, const TapeOp&) = nullptr;
};

}  // namespace fermiac::ad
