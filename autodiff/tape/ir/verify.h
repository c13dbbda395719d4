// The invariants of a trace (docs/phases/tape.md, "Invariants"), checked.
#pragma once

#include <string>

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

/// What is wrong with the trace, the first thing found: `op 12 (Map) reads number 40, which no op before it has made`.
/// Empty: nothing. O(numbers + operands).
std::string verify(const Trace& trace);

}  // namespace fermiac::ad
