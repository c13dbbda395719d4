#include "inference/nuts.h"

#include <algorithm>
#include <utility>

#include "inference/vector_kernels.h"

namespace fermiac::inference {
namespace {

constexpr std::size_t kVectorsPerLevel = 8;
constexpr std::size_t kVectorsPerTrajectory = 15;

}  // namespace

Nuts::Nuts(Target& target, MetricKind kind, Rng rng, int max_depth)
    : Hmc(target, kind, rng),
      max_depth_(max_depth),
      pool_(target.size() * (kVectorsPerLevel * static_cast<std::size_t>(max_depth) + kVectorsPerTrajectory)),
      forward_(target.size()),
      backward_(target.size()) {
  for (int i = 0; i < max_depth; ++i) {
    Level level;
    level.rho_first = slice();
    level.rho_second = slice();
    level.first_end = edge();
    level.second_begin = edge();
    level.q = slice();
    level.grad = slice();
    levels_.push_back(level);
  }
  for (Edge* e : {&fwd_, &bck_, &fwd_inner_, &bck_inner_}) *e = edge();
  for (Span* s : {&rho_, &rho_fwd_, &rho_bck_}) *s = slice();
  for (Proposal* p : {&sample_, &candidate_}) {
    p->q = slice();
    p->grad = slice();
  }
}

Span Nuts::slice() {
  const std::size_t n = target_.size();
  const Span out = Span(pool_).subspan(used_, n);
  used_ += n;
  return out;
}

Nuts::Edge Nuts::edge() {
  const Span p = slice();
  return {p, slice()};
}

Transition Nuts::transition() {
  jitter_stepsize();
  metric_.sample_momentum(rng_, z_.p);
  h0_ = energy(z_, fwd_.v);
  n_states_ = n_leapfrog_ = 0;
  sum_accept_ = 0;
  divergent_ = false;
  begin_trajectory();
  copy(z_.p, fwd_.p);
  copy(z_.p, bck_.p);
  copy(fwd_.v, bck_.v);
  copy(z_.p, rho_);
  copy(z_.q, sample_.q);
  copy(z_.grad, sample_.grad);
  sample_.lp = z_.lp;
  sample_.energy = h0_;
  if (watcher_) watcher_->begins(z_, h0_, stepsize_);

  Weight weight = Weight::of_log(0);
  int depth = 0;
  bool went_forward = false, went_backward = false;
  while (depth < max_depth_) {
    // The old trajectory becomes one half and the new subtree, grown from one of its ends, the other.
    const bool go_forward = rng_.uniform() > 0.5;
    Edge& outer = go_forward ? fwd_ : bck_;
    Edge& old_inner = go_forward ? bck_inner_ : fwd_inner_;
    Edge& new_inner = go_forward ? fwd_inner_ : bck_inner_;
    Span old_rho = go_forward ? rho_bck_ : rho_fwd_;
    Span new_rho = go_forward ? rho_fwd_ : rho_bck_;
    PhasePoint& front = go_forward ? forward_ : backward_;
    if (bool& went = go_forward ? went_forward : went_backward; !went) {
      front.assign(z_);
      went = true;
    }
    copy(outer.p, old_inner.p);
    copy(outer.v, old_inner.v);
    copy(rho_, old_rho);
    const Tree tree = build(depth, front, go_forward ? stepsize_ : -stepsize_, candidate_, new_inner, outer, new_rho);
    if (!tree.valid) {
      if (watcher_) watcher_->doubles(depth + 1, go_forward, why_invalid());
      break;
    }
    ++depth;
    // Biased progressive sampling: the new half wins with probability min(1, its weight / weight of the old half).
    const double share = tree.weight.over(weight);
    if (share > 1 || rng_.uniform() < share) std::swap(sample_, candidate_);
    weight = weight + tree.weight;

    const bool on = join(rho_bck_, rho_fwd_, bck_, bck_inner_, fwd_inner_, fwd_, rho_);
    if (watcher_) watcher_->doubles(depth, go_forward, on ? TransitionWatcher::Doubling::Grown : TransitionWatcher::Doubling::Turned);
    if (!on) break;
  }

  copy(sample_.q, z_.q);
  copy(sample_.grad, z_.grad);
  z_.lp = sample_.lp;
  return {.lp = z_.lp,
          .accept_stat = n_states_ > 0 ? sum_accept_ / n_states_ : 0,
          .stepsize = stepsize_,
          .energy = sample_.energy,
          .treedepth = depth,
          .n_leapfrog = n_leapfrog_,
          .divergent = divergent_};
}

TransitionWatcher::Doubling Nuts::why_invalid() const {
  using enum TransitionWatcher::Doubling;
  return divergent_ ? Diverged : target_.stopped() ? Stopped : Inside;
}

Nuts::Tree Nuts::step(PhasePoint& z, double eps, Span velocity, double* energy) {
  const double h = *energy = leapfrog(z, eps, velocity);
  const Weight weight = Weight::of_log(h0_ - h);
  ++n_states_;
  ++n_leapfrog_;
  if (watcher_) [[unlikely]] watcher_->steps(z, eps > 0, h);
  if (h - h0_ > kMaxEnergyError) divergent_ = true;
  sum_accept_ += weight.at_most_one();
  return {weight, !divergent_ && !target_.stopped()};
}

Nuts::Tree Nuts::leaf(PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho) {
  const Tree tree = step(z, eps, end.v, &proposal.energy);
  proposal.lp = z.lp;
  copy(z.q, proposal.q);
  copy(z.grad, proposal.grad);
  copy(end.v, begin.v);
  for (Span p : {begin.p, end.p, rho}) copy(z.p, p);
  return tree;
}

/// Two states, half of all joins of trees: the second is copied only where it is what the pair proposes.
Nuts::Tree Nuts::pair(PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho) {
  const Tree first = step(z, eps, begin.v, &proposal.energy);
  proposal.lp = z.lp;
  if (!first.valid) return first;
  copy(z.q, proposal.q);
  copy(z.grad, proposal.grad);
  copy(z.p, begin.p);
  double energy = 0;
  const Tree second = step(z, eps, end.v, &energy);
  if (!second.valid) return second;
  const Weight weight = first.weight + second.weight;
  if (rng_.uniform() < second.weight.over(weight)) {
    copy(z.q, proposal.q);
    copy(z.grad, proposal.grad);
    proposal.lp = z.lp;
    proposal.energy = energy;
  }
  copy(z.p, end.p);
  const bool on = vector_kernels().join_states(begin.p.data(), begin.v.data(), end.p.data(), end.v.data(), rho.data(), rho.size());
  return {weight, on};
}

bool Nuts::join(ConstSpan rho_first, ConstSpan rho_second, const Edge& begin, const Edge& first_end, const Edge& second_begin,
                const Edge& end, Span rho) {
  return vector_kernels().join({.rho_first = rho_first.data(),
                                .rho_second = rho_second.data(),
                                .begin_v = begin.v.data(),
                                .first_end_p = first_end.p.data(),
                                .first_end_v = first_end.v.data(),
                                .second_begin_p = second_begin.p.data(),
                                .second_begin_v = second_begin.v.data(),
                                .end_v = end.v.data()},
                               rho.data(), rho.size());
}

Nuts::Tree Nuts::build(int depth, PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho) {
  if (depth == 0) return leaf(z, eps, proposal, begin, end, rho);
  if (depth == 1) return pair(z, eps, proposal, begin, end, rho);
  Level& at = levels_[static_cast<std::size_t>(depth)];
  const Tree first = build(depth - 1, z, eps, proposal, begin, at.first_end, at.rho_first);
  if (!first.valid) return first;
  Proposal other{at.q, at.grad};
  const Tree second = build(depth - 1, z, eps, other, at.second_begin, end, at.rho_second);
  // Multinomial sampling inside a subtree: the second half is taken with its share of the weight. Proposals trade
  // buffers instead of copying, here and below, so this level keeps whichever buffer is left over.
  const Weight weight = first.weight + second.weight;
  if (second.valid && rng_.uniform() < second.weight.over(weight)) std::swap(other, proposal);
  at.q = other.q;
  at.grad = other.grad;
  if (!second.valid) return second;

  return {weight, join(at.rho_first, at.rho_second, begin, at.first_end, at.second_begin, end, rho)};
}

}  // namespace fermiac::inference
