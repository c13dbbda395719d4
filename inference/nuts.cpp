#include "inference/nuts.h"

#include <algorithm>
#include <utility>

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

/// Whether both ends still move apart along a + b, the sum of the momenta of the tree between them.
bool Nuts::goes_on(const Edge& begin, const Edge& end, ConstSpan a, ConstSpan b) {
  double begin0 = 0, begin1 = 0, end0 = 0, end1 = 0;  // two sums each: additions wait for each other
  std::size_t i = 0;
  for (; i + 2 <= a.size(); i += 2) {
    const double rho0 = a[i] + b[i], rho1 = a[i + 1] + b[i + 1];
    begin0 += begin.v[i] * rho0;
    begin1 += begin.v[i + 1] * rho1;
    end0 += end.v[i] * rho0;
    end1 += end.v[i + 1] * rho1;
  }
  if (i < a.size()) {
    begin0 += begin.v[i] * (a[i] + b[i]);
    end0 += end.v[i] * (a[i] + b[i]);
  }
  return begin0 + begin1 > 0 && end0 + end1 > 0;
}

Transition Nuts::transition() {
  jitter_stepsize();
  metric_.sample_momentum(rng_, z_.p);
  h0_ = energy(z_, fwd_.v);
  n_leapfrog_ = 0;
  sum_accept_ = 0;
  divergent_ = false;
  forward_.assign(z_);
  backward_.assign(z_);
  copy(z_.p, fwd_.p);
  copy(z_.p, bck_.p);
  copy(fwd_.v, bck_.v);
  copy(z_.p, rho_);
  copy(z_.q, sample_.q);
  copy(z_.grad, sample_.grad);
  sample_.lp = z_.lp;
  sample_.energy = h0_;

  double log_weight = 0;
  int depth = 0;
  while (depth < max_depth_) {
    // The old trajectory becomes one half and the new subtree, grown from one of its ends, the other.
    const bool go_forward = rng_.uniform() > 0.5;
    Edge& outer = go_forward ? fwd_ : bck_;
    Edge& old_inner = go_forward ? bck_inner_ : fwd_inner_;
    Edge& new_inner = go_forward ? fwd_inner_ : bck_inner_;
    Span old_rho = go_forward ? rho_bck_ : rho_fwd_;
    Span new_rho = go_forward ? rho_fwd_ : rho_bck_;
    copy(outer.p, old_inner.p);
    copy(outer.v, old_inner.v);
    copy(rho_, old_rho);
    const Tree tree = build(depth, go_forward ? forward_ : backward_, go_forward ? stepsize_ : -stepsize_, candidate_,
                            new_inner, outer, new_rho);
    if (!tree.valid) break;
    ++depth;
    // Biased progressive sampling: the new half wins with probability min(1, its weight / weight of the old half).
    if (tree.log_weight > log_weight || rng_.uniform() < std::exp(tree.log_weight - log_weight))
      std::swap(sample_, candidate_);
    log_weight = log_sum_exp(log_weight, tree.log_weight);

    const bool turned = !goes_on(bck_, fwd_, rho_bck_, rho_fwd_) ||
                        !goes_on(bck_, fwd_inner_, rho_bck_, fwd_inner_.p) ||
                        !goes_on(bck_inner_, fwd_, rho_fwd_, bck_inner_.p);
    if (turned) break;
    add(rho_bck_, rho_fwd_, rho_);
  }

  copy(sample_.q, z_.q);
  copy(sample_.grad, z_.grad);
  z_.lp = sample_.lp;
  return {.lp = z_.lp,
          .accept_stat = n_leapfrog_ > 0 ? sum_accept_ / n_leapfrog_ : 0,
          .stepsize = stepsize_,
          .energy = sample_.energy,
          .treedepth = depth,
          .n_leapfrog = n_leapfrog_,
          .divergent = divergent_};
}

Nuts::Tree Nuts::leaf(PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho) {
  const double h = leapfrog(z, eps, end.v);
  ++n_leapfrog_;
  if (h - h0_ > kMaxEnergyError) divergent_ = true;
  sum_accept_ += h0_ - h > 0 ? 1 : std::exp(h0_ - h);
  for (std::size_t i = 0; i < z.q.size(); ++i) {
    proposal.q[i] = z.q[i];
    proposal.grad[i] = z.grad[i];
    begin.v[i] = end.v[i];
    begin.p[i] = end.p[i] = rho[i] = z.p[i];
  }
  proposal.lp = z.lp;
  proposal.energy = h;
  return {h0_ - h, !divergent_ && !target_.stopped()};
}

Nuts::Tree Nuts::build(int depth, PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho) {
  if (depth == 0) return leaf(z, eps, proposal, begin, end, rho);
  Level& at = levels_[static_cast<std::size_t>(depth)];
  const Tree first = build(depth - 1, z, eps, proposal, begin, at.first_end, at.rho_first);
  if (!first.valid) return first;
  Proposal other{at.q, at.grad};
  const Tree second = build(depth - 1, z, eps, other, at.second_begin, end, at.rho_second);
  // Multinomial sampling inside a subtree: the second half is taken with its share of the weight. Proposals trade
  // buffers instead of copying, here and below, so this level keeps whichever buffer is left over.
  const double log_weight = log_sum_exp(first.log_weight, second.log_weight);
  if (second.valid && rng_.uniform() < std::exp(second.log_weight - log_weight)) std::swap(other, proposal);
  at.q = other.q;
  at.grad = other.grad;
  if (!second.valid) return second;

  add(at.rho_first, at.rho_second, rho);
  const bool valid = goes_on(begin, end, at.rho_first, at.rho_second) &&
                     goes_on(begin, at.second_begin, at.rho_first, at.second_begin.p) &&
                     goes_on(at.first_end, end, at.rho_second, at.first_end.p);
  return {log_weight, valid};
}

}  // namespace fermiac::inference
