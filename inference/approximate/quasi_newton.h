// Quasi-Newton maximisation of a log density (Nocedal & Wright 2006, chapters 3, 6, 7): limited-memory BFGS or dense
// BFGS, with a line search for the strong Wolfe conditions.
#pragma once

#include <deque>
#include <string>

#include "inference/model/options.h"
#include "inference/model/target.h"

namespace fermiac::inference {

struct QuasiNewtonOptions {
  LineSearchOptions search;
  unsigned max_iterations = 2000;
  bool dense = false;  // BFGS instead of L-BFGS
  bool weak = false;   // weak Wolfe conditions, which points at kinks can satisfy; no convergence tests but that of the gradient
};

enum class StepStatus {
  Going,
  ConvergedObjective,
  ConvergedRelativeObjective,
  ConvergedGradient,
  ConvergedRelativeGradient,
  ConvergedParameters,
  MaxIterations,
  LineSearchFailed,
  Unbounded,
  Stopped,
};
bool is_failure(StepStatus status);
/// The sentence that tells the user.
std::string_view status_text(StepStatus status);
/// The number of the column converged__, which is CmdStan's.
int convergence_code(StepStatus status);

class QuasiNewton {
 public:
  QuasiNewton(Target& target, const QuasiNewtonOptions& options);

  /// False if the density or gradient at q is not finite.
  bool start(ConstSpan q);
  StepStatus step();

  ConstSpan position() const { return q_; }
  ConstSpan gradient() const { return grad_; }  // of the log density
  double lp() const { return -f_; }
  unsigned iteration() const { return iteration_; }
  double alpha() const { return alpha_; }    // accepted step length
  double alpha0() const { return alpha0_; }  // tried first
  double step_norm() const { return step_norm_; }
  double gradient_norm() const { return norm(grad_); }
  /// The gradient has become a million times what it was at the point where it was least: a density that has a mode does not end
  /// like that, one with a pole does (a scale that goes to zero with what it scales).
  bool grows_without_bound() const;
  const std::string& note() const { return note_; }

 private:
  struct Pair {
    Vec s, y;
    double rho;
  };
  struct Trial {
    double alpha, f, slope;
  };
  void aim();
  void direction();
  void direction_limited();
  void direction_dense();
  void reset();
  void update();
  Trial evaluate(double alpha);
  bool line_search();
  bool zoom(Trial low, Trial high);
  bool bisect();
  StepStatus converged(double f_before) const;

  Target& target_;
  QuasiNewtonOptions options_;
  Vec q_, grad_, p_, trial_q_, trial_grad_, s_, y_, coefficients_;
  std::deque<Pair> pairs_;
  Vec inverse_hessian_;  // dense only
  bool fresh_ = true;    // no curvature known: the direction is the gradient
  double f_ = 0, slope0_ = 0;
  double alpha_ = 0, alpha0_ = 0, step_norm_ = 0;
  Trial accepted_{};
  double least_gradient_ = 0;  // norm
  unsigned iteration_ = 0;
  std::string note_;
};

}  // namespace fermiac::inference
