// Hessians of a target.
#pragma once

#include "inference/model/target.h"

namespace fermiac::inference {

/// The Hessian of the log density at q, row-major: exact where the workspace has that (second_derivatives.h), else by central
/// differences of the gradient. False where the density cannot be evaluated nearby.
bool hessian(Target& target, ConstSpan q, Vec* out);
/// The Hessian by four-point differences of the gradient, step `steps[i]` along parameter i; 4 n gradients.
bool difference_hessian(Target& target, ConstSpan q, ConstSpan steps, Vec* out);
inline constexpr double kDifferenceStep = 1e-3;

}  // namespace fermiac::inference
