// The within-orbit adaptive leapfrog No-U-Turn sampler (Bou-Rabee, Carpenter, Kleppe & Liu 2025, arXiv:2506.18746): NUTS whose
// steps have a fixed length h in time and are divided into as many leapfrog steps as the density on the way needs.
//
// A step takes the fewest micro steps, l = 1, 2, 4, …, 2^max_halvings of length h / l, for which the energies on the way, both
// ends included, differ by at most max_error. The step is part of the trajectory only if a step back from its end would take the
// same l, for else the way back would not lead to where it came from: what a trajectory may be then does not depend on which of
// its states it began at, and states weigh exp(-H) as in NUTS.
#pragma once

#include "inference/mcmc/nuts.h"

namespace fermiac::inference {

struct WalnutsOptions {
  double max_error;  // of the energy along one step, > 0
  int max_halvings;  // of a step, in [0, kMostHalvings]
};

/// In a Transition of it stepsize is h; accept_stat the mean over the steps of min(1, exp(H before - H after)) had they not been
/// divided, which says how often h is too long; n_leapfrog counts every gradient; divergent: not even the shortest micro steps
/// kept the energy.
class Walnuts final : public Nuts {
 public:
  Walnuts(Target& target, MetricKind kind, Rng rng, int max_depth, const WalnutsOptions& options);
  /// Steps that are too long are not cheap, they are divided: none longer than the one found is aimed at.
  double stepsize_to_exceed() const override { return 0.1 * nominal_stepsize(); }

 private:
  void begin_trajectory() override;
  bool takes_plain_steps() const override { return false; }
  Tree step(PhasePoint& z, double h, Span velocity, double* energy) override;
  TransitionWatcher::Doubling why_invalid() const override;
  /// The step without the look at the way back. False if it could not be divided finely enough, or was stopped.
  bool advance(PhasePoint& z, double h, double start, Span velocity, double* energy, int* halvings);
  /// From z and its energy `start` by 2^halvings micro steps. False, as soon as it is known, if the energies differ too much.
  bool divide(PhasePoint& z, double h, int halvings, double start, Span velocity, double* energy);
  /// Whether a step back from z, whose energy is `end`, would be content with fewer halvings.
  bool coarser_back(const PhasePoint& z, double h, int halvings, double end);

  WalnutsOptions options_;
  PhasePoint scratch_;     // where a step began, then the way back
  double energy_[2] = {};  // at the backward and the forward end of the trajectory
  bool one_way_ = false;   // the last step is not its own way back
};

}  // namespace fermiac::inference
