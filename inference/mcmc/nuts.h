// The No-U-Turn sampler with multinomial sampling along the trajectory (Hoffman & Gelman 2014; Betancourt 2017, "A
// Conceptual Introduction to Hamiltonian Monte Carlo", appendix A): trees double until the generalised criterion
//   rho' M^-1 p_begin > 0 and rho' M^-1 p_end > 0,   rho = sum of the momenta of the tree,
// fails for the tree, a subtree, or either subtree joined to the first state of its neighbour.
#pragma once

#include <utility>
#include <vector>

#include "inference/math/vector_kernels.h"
#include "inference/mcmc/hmc.h"
#include "inference/mcmc/weight.h"

namespace fermiac::inference {

class Nuts : public Hmc {
 public:
  Nuts(Target& target, MetricKind kind, Rng rng, int max_depth);
  Transition transition() final;

 protected:
  /// What building a subtree yields, beside its ends and rho.
  struct Tree {
    Weight weight;       // the sum of those of its states, exp(H0 - H)
    bool valid = false;  // neither diverged nor turned
  };

  /// A trajectory of energy h0_ begins.
  virtual void begin_trajectory() {}
  /// Whether every step is one leapfrog step of the length it is asked for, so that half of the next can be taken with it.
  virtual bool takes_plain_steps() const { return true; }
  /// One step of z to the next state of the trajectory, forward where eps is positive: M^-1 p (where the metric has velocities stored) and
  /// the energy there, and as the result what the state counts and whether the tree goes on behind it.
  virtual Tree step(PhasePoint& z, double eps, Span velocity, double* energy);
  /// Why the last subtree was not.
  virtual TransitionWatcher::Doubling why_invalid() const;

  double h0_ = 0, sum_accept_ = 0;  // energy of the first state, acceptance statistics of the others
  int n_states_ = 0, n_leapfrog_ = 0;
  bool divergent_ = false;

 private:
  /// One end of a (sub)tree: momentum and, where the metric has velocities stored, velocity there.
  struct Edge {
    Span p, v;
    Motion motion() const { return {p.data(), v.data()}; }
  };
  struct Proposal {
    explicit Proposal(std::size_t n) : q(n), grad(n) {}
    friend void swap(Proposal& a, Proposal& b) {
      a.q.swap(b.q);
      a.grad.swap(b.grad);
      std::swap(a.lp, b.lp);
      std::swap(a.energy, b.energy);
    }
    Vec q, grad;
    double lp = 0, energy = 0;
  };
  /// Scratch of one recursion depth.
  struct Level {
    Span rho_first, rho_second;
    Edge first_end, second_begin;
    Proposal other;  // of the second half
  };
  /// Where a trajectory grows. Where steps are fused, z.p is half a step behind z.q, and `ahead` is the position of the next state: what
  /// z.q and z.grad hold is no longer needed and may be taken.
  struct Front {
    explicit Front(std::size_t n) : z(n), ahead(n) {}
    PhasePoint z;
    Vec ahead;
    bool began = false;
  };
  /// The states of a subtree before the one to come, as far as it is judged with them: none; the first of a pair; or three of four, and
  /// where the sum of all their momenta goes.
  struct Before {
    int count = 0;
    Motion states[3] = {};
    Span rho;
  };
  struct Visit {
    Tree tree;
    double energy = 0;
    bool pair = true, four = true;  // whether the last two states, and all four, still move apart
  };

  void begin_transition();
  /// The trajectory doubles from `depth`, forward or backward. Whether it may go on.
  bool extend(bool forward, int* depth, Weight* weight);
  TransitionWatcher::Doubling add_half(bool forward, int* depth, Weight* weight);
  /// From the first state of the trajectory.
  void begin(Front& front, double eps);
  /// The next state, whose momentum and velocity go to `here`.
  Visit visit(Front& front, double eps, const Before& before, const Edge& here);
  Visit visit_fused(Front& front, double eps, const Before& before, const Edge& here);
  void judge(const Before& before, const Edge& here, Visit& visit) const;
  /// What a state with energy h counts.
  Tree count(const PhasePoint& z, double eps, double h);
  /// The state that was visited last is proposed.
  void propose(Front& front, double energy, Proposal& proposal) const;
  /// Multinomial sampling inside a subtree: whether its second half is taken, with its share of the weight of both.
  bool chooses(const Weight& second, const Weight& both) { return rng_.uniform() < second.over(both); }

  Tree build(int depth, Front& front, double eps, Proposal& proposal, const Edge& begin, const Edge& end, Span rho);
  Tree leaf(Front& front, double eps, Proposal& proposal, const Edge& end);
  /// `tree` of the result is the pair.
  Visit pair(Front& front, double eps, Proposal& proposal, const Edge& begin, const Edge& end, const Before& before_second);
  Tree four(Front& front, double eps, Proposal& proposal, const Edge& begin, const Edge& end, Span rho);
  Tree halves(int depth, Front& front, double eps, Proposal& proposal, const Edge& begin, const Edge& end, Span rho);
  /// The two halves of the trajectory, each grown to `depth`.
  bool join_trajectory(int depth) const;
  bool join(const Halves& halves, Span rho) const;
  /// The first state is one end of the trajectory; a step is about to make the other.
  void keep_first(const Edge& end) const;
  Span slice();
  Edge edge();

  int max_depth_;
  Inverse inverse_{};   // of the metric, while a transition lasts
  bool fused_ = false;  // each step with the first half of the next
  Vec pool_;
  std::size_t used_ = 0;
  std::vector<Level> levels_;
  Front forward_, backward_;
  Edge fwd_, bck_, fwd_inner_, bck_inner_;  // outer edges of the trajectory, and where its two halves meet
  Span rho_, rho_fwd_, rho_bck_;
  Proposal sample_, candidate_;
  bool moved_ = false;  // sample_ is another state than the first, z_
};

}  // namespace fermiac::inference
