// The sweeps of replay.isa.cpp, one pair per instruction set.
#pragma once

#include "autodiff/kernels/isa.h"
#include "autodiff/tape/replay/sweep.h"

namespace fermiac::ad {

FERMIAC_DECLARE_FOR_ISAS(void forward(Sweep& s); void reverse(const Sweep& s); extern const ScalarHelpers scalar_helpers;)

/// The pair for the instruction set in use.
struct Sweeps {
  void (*forward)(Sweep&) = nullptr;
  void (*reverse)(const Sweep&) = nullptr;
  const ScalarHelpers* scalars = nullptr;
};
const Sweeps& active_sweeps();

}  // namespace fermiac::ad
