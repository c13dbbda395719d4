// Ops that nothing reads, but that refuse points: what transformed parameters compute for the output alone may fail, and
// then the program refuses the point. They stay as sinks that add nothing to target and hand nothing back.
#pragma once

#include "autodiff/tape/ir/trace.h"

namespace fermiac::ad {

/// Whether some numbers make the op (which has a result) throw or leave its domain.
bool may_fail(const Trace& trace, const Op& op);
/// Makes such an op a check: a sink that computes the op's result forward, for its errors.
void make_check(Trace& trace, Op& op);

}  // namespace fermiac::ad
