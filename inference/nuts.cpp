#include "inference/nuts.h"

#include <algorithm>
#include <utility>

namespace fermiac::inference {
namespace {

constexpr std::size_t kVectorsPerLevel = 8;
constexpr std::size_t kVectorsPerTrajectory = 15;

/// Sums of products with the sum of two momenta, two each: additions wait for each other.
struct Along {
  double even = 0, odd = 0;
  double sum() const { return even + odd; }
};

/// f(i, sums.even) and f(i, sums.odd) by turns; what is left over goes to the even ones.
template <class F>
void in_pairs(std::size_t n, F f) {
  std::size_t i = 0;
  for (; i + 2 <= n; i += 2) {
    f(i, &Along::even);
    f(i + 1, &Along::odd);
  }
  if (i < n) f(i, &Along::even);
}

/// The momenta and velocities of a tree's two halves: each begins and ends somewhere.
struct Halves {
  ConstSpan rho_first, rho_second;
  ConstSpan begin_v, first_end_p, first_end_v, second_begin_p, second_begin_v, end_v;
};

/// Sets rho to the sum of the momenta of both halves, and tells whether the tree still moves apart: the whole, and either
/// half joined to the first state of the other. All in one pass over memory.
bool join(const Halves& t, Span rho) {
  Along whole[2], first[2], second[2];  // at the beginning and at the end
  in_pairs(rho.size(), [&](std::size_t i, double Along::* sum) {
    const double all = rho[i] = t.rho_first[i] + t.rho_second[i];
    const double early = t.rho_first[i] + t.second_begin_p[i], late = t.rho_second[i] + t.first_end_p[i];
    whole[0].*sum += t.begin_v[i] * all;
    whole[1].*sum += t.end_v[i] * all;
    first[0].*sum += t.begin_v[i] * early;
    first[1].*sum += t.second_begin_v[i] * early;
    second[0].*sum += t.first_end_v[i] * late;
    second[1].*sum += t.end_v[i] * late;
  });
  bool on = true;
  for (const auto& ends : {whole, first, second}) on = on && ends[0].sum() > 0 && ends[1].sum() > 0;
  return on;
}

/// The same for two single states, where the three conditions are one.
bool join_states(ConstSpan p0, ConstSpan v0, ConstSpan p1, ConstSpan v1, Span rho) {
  Along begin, end;
  in_pairs(rho.size(), [&](std::size_t i, double Along::* sum) {
    rho[i] = p0[i] + p1[i];
    begin.*sum += v0[i] * rho[i];
    end.*sum += v1[i] * rho[i];
  });
  return begin.sum() > 0 && end.sum() > 0;
}

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
  if (watcher_) watcher_->begins(z_, h0_, stepsize_);

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
    if (!tree.valid) {
      if (watcher_) watcher_->doubles(depth + 1, go_forward, why_invalid());
      break;
    }
    ++depth;
    // Biased progressive sampling: the new half wins with probability min(1, its weight / weight of the old half).
    if (tree.log_weight > log_weight || rng_.uniform() < std::exp(tree.log_weight - log_weight))
      std::swap(sample_, candidate_);
    log_weight = log_sum_exp(log_weight, tree.log_weight);

    const Halves halves{rho_bck_, rho_fwd_, bck_.v, bck_inner_.p, bck_inner_.v, fwd_inner_.p, fwd_inner_.v, fwd_.v};
    const bool on = join(halves, rho_);
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
  ++n_states_;
  ++n_leapfrog_;
  if (watcher_) [[unlikely]] watcher_->steps(z, eps > 0, h);
  if (h - h0_ > kMaxEnergyError) divergent_ = true;
  sum_accept_ += h0_ - h > 0 ? 1 : std::exp(h0_ - h);
  return {h0_ - h, !divergent_ && !target_.stopped()};
}

Nuts::Tree Nuts::leaf(PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho) {
  const Tree tree = step(z, eps, end.v, &proposal.energy);
  proposal.lp = z.lp;
  for (std::size_t i = 0; i < z.q.size(); ++i) {
    proposal.q[i] = z.q[i];
    proposal.grad[i] = z.grad[i];
    begin.v[i] = end.v[i];
    begin.p[i] = end.p[i] = rho[i] = z.p[i];
  }
  return tree;
}

/// Two states, half of all joins of trees: the second is copied only where it is what the pair proposes.
Nuts::Tree Nuts::pair(PhasePoint& z, double eps, Proposal& proposal, Edge begin, Edge end, Span rho) {
  const Tree first = step(z, eps, begin.v, &proposal.energy);
  proposal.lp = z.lp;
  if (!first.valid) return first;
  for (std::size_t i = 0; i < z.q.size(); ++i) {
    proposal.q[i] = z.q[i];
    proposal.grad[i] = z.grad[i];
    begin.p[i] = z.p[i];
  }
  double energy = 0;
  const Tree second = step(z, eps, end.v, &energy);
  if (!second.valid) return second;
  const double log_weight = log_sum_exp(first.log_weight, second.log_weight);
  if (rng_.uniform() < std::exp(second.log_weight - log_weight)) {
    copy(z.q, proposal.q);
    copy(z.grad, proposal.grad);
    proposal.lp = z.lp;
    proposal.energy = energy;
  }
  copy(z.p, end.p);
  return {log_weight, join_states(begin.p, begin.v, end.p, end.v, rho)};
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
  const double log_weight = log_sum_exp(first.log_weight, second.log_weight);
  if (second.valid && rng_.uniform() < std::exp(second.log_weight - log_weight)) std::swap(other, proposal);
  at.q = other.q;
  at.grad = other.grad;
  if (!second.valid) return second;

  return {log_weight, join({at.rho_first, at.rho_second, begin.v, at.first_end.p, at.first_end.v, at.second_begin.p,
                            at.second_begin.v, end.v},
                           rho)};
}

}  // namespace fermiac::inference
