// Newton's method for the maximum of a log density, with differences of gradients for second derivatives.
#pragma once

#include "inference/approximate/quasi_newton.h"

namespace fermiac::inference {

/// Steps p = V |w|⁻¹ V' g where V w V' is the Hessian and g the gradient: uphill along every eigenvector, whatever the sign of its
/// curvature. The Hessian comes from four-point differences with a step of 1e-3: where the density has a kink, they see a large
/// curvature across it, which an exact Hessian does not, and the step along it stays short.
class Newton {
 public:
  Newton(Target& target, unsigned max_iterations);

  /// False if the density or gradient at q is not finite.
  bool start(ConstSpan q);
  /// One step of length 1, 1/2, 1/4, …, the first at which the log density is not smaller. Converged when it gains less than 1e-8.
  StepStatus step();

  ConstSpan position() const { return q_; }
  double lp() const { return lp_; }
  double gain() const { return gain_; }  // of the last step
  unsigned iteration() const { return iteration_; }

 private:
  bool curvature();
  bool hessian_nearer();
  void aim();
  bool climb();

  Target& target_;
  unsigned max_iterations_, iteration_ = 0;
  Vec q_, grad_, p_, trial_, hessian_, values_;
  double lp_ = 0, gain_ = 0;
};

}  // namespace fermiac::inference
