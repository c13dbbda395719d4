// The sweeps of replay.isa.cpp, one pair per instruction set.
#pragma once

#include "autodiff/kernels/isa.h"

namespace fermiac::ad {

struct Sweep;

FERMIAC_DECLARE_FOR_ISAS(void forward(Sweep& s); void reverse(const Sweep& s);)

/// The pair for the instruction set in use.
struct Sweeps {
  void (*forward)(Sweep&) = nullptr;
  void (*reverse)(const Sweep&) = nullptr;
};
const Sweeps& active_sweeps();

}  // namespace fermiac::ad
