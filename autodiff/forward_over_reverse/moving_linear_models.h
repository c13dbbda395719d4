// Second derivatives of the generalised linear models: rows of densities of eta = alpha + X beta.
#pragma once

#include "autodiff/forward_over_reverse/moving_calls.h"

namespace fermiac::ad {

/// Null for other kernels, and where X carries derivatives or is one row for all outcomes.
const CallTangents* linear_model_tangents(const Kernel* kernel, std::span<const KernelArg> in);

}  // namespace fermiac::ad
