// Second derivatives of a log density: exact where a workspace has them, else by differences of its gradient.
#pragma once

#include <span>
#include <string>

#include "inference/model/model.h"
#include "inference/model/target.h"

namespace fermiac {

/// What some workspaces have besides: products with the Hessian, exact to rounding.
class ExactSecondDerivatives {
 public:
  virtual ~ExactSecondDerivatives() = default;
  /// Makes `theta` the point of hessian_times(). Empty where that is exact, else why it is not.
  virtual std::string why_inexact(std::span<const double> theta, DensityOptions options) = 0;
  /// product = Hessian * direction. Not finite where some function has no second derivative.
  virtual void hessian_times(std::span<const double> direction, std::span<double> product) = 0;
};

namespace inference {

/// The derivative of the gradient at `theta` along `direction`: the Hessian times that vector. Exact where the workspace has that
/// (ExactSecondDerivatives), at the cost of some gradients. Else
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

/// The exact Hessian [n*n]; false where there is none.
bool exact_hessian(ModelWorkspace& workspace, DensityOptions options, std::span<const double> theta, std::span<double> out);

}  // namespace inference
}  // namespace fermiac

namespace fermiac::inference {

/// The Hessian of the log density at q, row-major: exact where the workspace has that, else by central
/// differences of the gradient. False where the density cannot be evaluated nearby.
bool hessian(Target& target, ConstSpan q, Vec* out);
/// The Hessian by four-point differences of the gradient, step `steps[i]` along parameter i; 4 n gradients.
bool difference_hessian(Target& target, ConstSpan q, ConstSpan steps, Vec* out);
inline constexpr double kDifferenceStep = 1e-3;

}  // namespace fermiac::inference
