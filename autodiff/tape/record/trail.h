// Room for results of scalar ops that machine code computes by itself while a point is evaluated without a tape
// (direct_sink.h): each has a step of the sweep back. Machine code knows the layout (jit/layout.h).
#pragma once

#include <cstdint>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

/// Scalar d has these derivatives by a, and by b if there is one.
struct ScalarStep {
  std::uint32_t d = 0;  // slot of the result; of another op, which has no a, its number in the trace
  Ref a = Ref::none(), b = Ref::none();
  double da = 0, db = 0;
};

/// Lent by DirectSink::lend until take_back: between the two nobody else may add to the evaluation.
struct Trail {
  const double* pools[4] = {};   // numbers by the two upper bits of a reference
  ScalarStep* steps = nullptr;   // `room` of them, the first `used` are taken
  double* results = nullptr;     // result k is number first + k
  std::uint32_t first = 0;
  std::uint32_t used = 0;
  std::uint32_t room = 0;
  std::uint64_t* path = nullptr; // PathHash
};

}  // namespace fermiac::ad
