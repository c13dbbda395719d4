// Where a climb ended: at a point with a small gradient, at a kink of the density, or at neither, and then how to go on.
#pragma once

#include <string>
#include <vector>

#include "inference/approximate/quasi_newton.h"

namespace fermiac::inference {

inline constexpr double kSmallGain = 1e-6;

struct Ending {
  StepStatus status = StepStatus::Going;
  double lp = 0;
  Vec position;
  /// Unconstrained parameters across which the gradient jumps at `position`; empty where the density is smooth.
  std::vector<std::size_t> kinks;
};

/// Checks a point where an optimizer stopped with `status`, ConvergedX or LineSearchFailed. Where the gradient is large, climbs on with
/// BFGS steps and the weak Wolfe conditions (Lewis & Overton 2013), which densities with kinks need, until 0 lies in the convex hull of the
/// gradients within a tiny distance. The status is that of a convergence if the gradient is small or the point is such a kink, else
/// LineSearchFailed, Unbounded, MaxIterations or Stopped. Costs one gradient where the gradient is small, some twenty where the density is
/// smooth. `iterations`: the most steps of that kind. `small_gain`: what the log density may lack at the top of a smooth density, if its size is one.
Ending settle_climb(Target& target, ConstSpan q, StepStatus status, unsigned iterations, double small_gain = kSmallGain);

/// `d, beta[2]`, at most five; empty without kinks.
std::string kink_names(const Model& model, const std::vector<std::size_t>& kinks);
/// The sentence that names them; empty without kinks.
std::string kink_text(const Model& model, const std::vector<std::size_t>& kinks);

}  // namespace fermiac::inference
