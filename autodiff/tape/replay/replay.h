// The sweeps of replay.isa.cpp, one pair per instruction set.
#pragma once

#include "autodiff/kernels/isa.h"
#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

struct Sweep;

/// What machine code of scalar ops calls. None throws: what a function threw waits in Sweep::failure.
struct ScalarHelpers {
  double (*exp)(double) = nullptr;
  double (*log)(double) = nullptr;
  bool (*map_forward)(Sweep&, const TapeOp&) = nullptr;  // false: outside the domain
  bool (*map_sink)(Sweep&, const TapeOp&) = nullptr;
  void (*map_reverse)(const Sweep&, const TapeOp&) = nullptr;
};

FERMIAC_DECLARE_FOR_ISAS(void forward(Sweep& s); void reverse(const Sweep& s); extern const ScalarHelpers scalar_helpers;)

/// The pair for the instruction set in use.
struct Sweeps {
  void (*forward)(Sweep&) = nullptr;
  void (*reverse)(const Sweep&) = nullptr;
  const ScalarHelpers* scalars = nullptr;
};
const Sweeps& active_sweeps();

}  // namespace fermiac::ad
