// Small reductions as scalar ops. A kernel call on three numbers costs more than the arithmetic, and calls of one source
// site cannot share vector lanes; scalar maps can (group.cpp). So log_sum_exp over the four states of a hidden Markov
// model is recorded as one map, and a loop over observations runs eight of them at a time.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "autodiff/tape/record/recorder.h"

namespace fermiac::ad {

/// Records the kernel as scalar maps if it is known and small enough; else nothing, and the caller records a call.
std::optional<Recorder::CallResult> expand_small_call(Recorder& recorder, const Kernel& kernel,
                                                      std::span<const KernelOperand> x);

}  // namespace fermiac::ad
