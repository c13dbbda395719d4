// Differential equations solved more strictly than a program asks, to tell what its tolerances leave from what is wrong.
#pragma once

namespace fermiac::ad {

/// While it lives, relative and absolute tolerances of the differential equations that this thread solves are `factor` times those of
/// the program, as far as doubles allow. Scopes nest; the innermost counts.
class StricterSolvers {
 public:
  explicit StricterSolvers(double factor);
  ~StricterSolvers();
  StricterSolvers(const StricterSolvers&) = delete;
  StricterSolvers& operator=(const StricterSolvers&) = delete;

 private:
  double before_;
};

/// A tolerance of the program as it counts on this thread.
double solver_tolerance(double of_program);

}  // namespace fermiac::ad
