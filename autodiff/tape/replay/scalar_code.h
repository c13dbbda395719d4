// Machine code for the scalar ops of a tape: runs of them one behind the other, without a decision per op, the numbers and
// adjoints that the next ops want in registers. A recurrence then takes the latency of its arithmetic. Every operation rounds as
// the sweeps of replay.isa.cpp round it: the same numbers bit for bit.
//
// Cost: some 0.3 µs an op to make, 20 to 60 bytes an op; so it is made once a tape has been replayed often.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "autodiff/tape/replay/sweep.h"
#include "support/platform/code_pages.h"

namespace fermiac::ad {

struct ScalarCode {
  /// Those of the tape, but that the first and the last op of a run are OpKind::Run: n ops, the table's entry x[0].
  std::vector<TapeOp> ops;
  std::vector<RunCode> runs;
  jit::CodePages pages;
};

/// Null where there is nothing that pays, no room, or no machine code on this machine. `first_active`: adjoints of the numbers
/// before it are of constants, and nobody reads them. `slots`: how many numbers there are. The code points to `ops`.
std::unique_ptr<const ScalarCode> make_scalar_code(std::span<const TapeOp> ops, std::uint32_t first_active, std::uint32_t slots);

}  // namespace fermiac::ad
