// Second derivatives of a log density, by differences of its gradient.
#pragma once

#include <span>

#include "inference/model.h"

namespace fermiac::capi {

/// The derivative of the gradient at `theta` along `direction`: the Hessian times that vector.
///
///   (45 (g(h) - g(-h)) - 9 (g(2h) - g(-2h)) + (g(3h) - g(-3h))) / 60h,   error about h^6
///
/// for smaller and smaller h, which are powers of two, until two results in a row agree up to the rounding of the
/// gradients; each element then is where its own neighbours agree best. An element of the gradient that does not change
/// along the direction gives exactly 0. Costs 12 gradients where the density is smooth on the scale of `theta`, 54 at
/// most. The status is that of the last failure if the density cannot be evaluated around `theta`.
EvalStatus gradient_derivative(ModelWorkspace& workspace, DensityOptions options, std::span<const double> theta,
                               std::span<const double> direction, std::span<double> out);

/// The Hessian [n*n], exactly symmetric: n derivatives of the gradient.
EvalStatus hessian(ModelWorkspace& workspace, DensityOptions options, std::span<const double> theta,
                   std::span<double> out);

}  // namespace fermiac::capi
