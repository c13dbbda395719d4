// The No-U-Turn sampler with multinomial sampling along the trajectory (Hoffman & Gelman 2014; Betancourt 2017, "A
// Conceptual Introduction to Hamiltonian Monte Carlo", appendix A): trees double until the generalised criterion
//   rho' M^-1 p_begin > 0 and rho' M^-1 p_end > 0,   rho = sum of the momenta of the tree,
// fails for the tree, a subtree, or either subtree joined to the first state of its neighbour.
#pragma once

#include "inference/hmc.h"
#include "inference/weight.h"

namespace fermiac::inference {

class Nuts : public Hmc {
 public:
  Nuts(Target& target, MetricKind kind, Rng rng, int max_depth);
  Transition transition() final;

 protected:
  /// What building a subtree yields, beside the edges and rho.
  struct Tree {
    Weight weight;  // the sum of those of its states, exp(H0 - H)
    bool valid;     // neither diverged nor turned
  };

  /// A trajectory of energy h0_ begins.
  virtual void begin_trajectory() {}
  /// One step of z to the next state of the trajectory, forward where eps is positive: M^-1 p and the energy there, and as the
  /// result what the state counts and whether the tree goes on behind it.
  virtual Tree step(PhasePoint& z, double eps, Span velocity, double* energy);
  /// Why the last subtree was not.
  virtual TransitionWatcher::Doubling why_invalid() const;

  double h0_ = 0, sum_accept_ = 0;  // energy of the first state, acceptance statistics of the others
  int n_states_ = 0, n_leapfrog_ = 0;
  bool divergent_ = false;

 private:
  /// One end of a (sub)tree: momentum and velocity there.
  struct Edge {
    Span p, v;
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
  /// Two halves of a tree become one: rho is the sum of its momenta, and whether it still moves apart.
  static bool join(ConstSpan rho_first, ConstSpan rho_second, const Edge& begin, const Edge& first_end, const Edge& second_begin,
                   const Edge& end, Span rho);
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
};

}  // namespace fermiac::inference
