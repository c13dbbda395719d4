// The No-U-Turn sampler with multinomial sampling along the trajectory (Hoffman & Gelman 2014; Betancourt 2017, "A
// Conceptual Introduction to Hamiltonian Monte Carlo", appendix A): trees double until the generalised criterion
//   rho' M^-1 p_begin > 0 and rho' M^-1 p_end > 0,   rho = sum of the momenta of the tree,
// fails for the tree, a subtree, or either subtree joined to the first state of its neighbour.
#pragma once

#include "inference/hmc.h"

namespace fermiac::inference {

class Nuts final : public Hmc {
 public:
  Nuts(Target& target, MetricKind kind, Rng rng, int max_depth);
  Transition transition() override;

 private:
  /// One end of a (sub)tree: momentum and velocity there.
  struct Edge {
    Span p, v;
  };
  /// What building a subtree yields, beside the edges and rho.
  struct Tree {
    double log_weight;  // log of the summed exp(H0 - H)
    bool valid;         // neither diverged nor turned
  };
  /// Scratch of one recursion depth.
  struct Level {
    Span rho_first, rho_second;
    Edge first_end, second_begin;
    Span q, grad;  // proposal of the second half
  };
  struct Proposal {
    Span q, grad;
    double lp = 0, energy = 0;
  };

  Tree build(int depth, PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho);
  Tree leaf(PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho);
  Tree pair(PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho);
  /// One step: its share of the statistics, and whether the tree goes on behind it.
  Tree step(PhasePoint& z, double eps, Span velocity, double* energy);
  TransitionWatcher::Doubling why_invalid() const;
  Span slice();
  Edge edge();

  int max_depth_;
  Vec pool_;
  std::size_t used_ = 0;
  std::vector<Level> levels_;
  PhasePoint forward_, backward_;
  Edge fwd_, bck_, fwd_inner_, bck_inner_;  // outer edges of the trajectory, and where its two halves meet
  Span rho_, rho_fwd_, rho_bck_;
  Proposal sample_, candidate_;

  double h0_ = 0, sum_accept_ = 0;
  int n_leapfrog_ = 0;
  bool divergent_ = false;
};

}  // namespace fermiac::inference
