#include "inference/mcmc/nuts.h"

#include <cstdint>

namespace fermiac::inference {
namespace {

constexpr std::size_t kVectorsPerLevel = 6;
constexpr std::size_t kVectorsPerTrajectory = 11;
constexpr std::size_t kLine = 64 / sizeof(double);  // doubles in a line of the cache

/// From one slice of the pool to the next: an odd number of lines, so that slices begin on lines, and not all in the same set of the
/// cache. 10 doubles are two lines, so 24; 1024 are 128 lines, so 129 * 8.
std::size_t stride(std::size_t n) { return (((n + kLine - 1) / kLine) | 1u) * kLine; }

}  // namespace

Nuts::Nuts(Target& target, MetricKind kind, Rng rng, int max_depth)
    : Hmc(target, kind, rng),
      max_depth_(max_depth),
      pool_(stride(target.size()) * (kVectorsPerLevel * static_cast<std::size_t>(max_depth) + kVectorsPerTrajectory) + kLine),
      forward_(target.size()),
      backward_(target.size()),
      sample_(target.size()),
      candidate_(target.size()) {
  while (reinterpret_cast<std::uintptr_t>(&pool_[used_]) % (kLine * sizeof(double)) != 0 && used_ < kLine) ++used_;
  for (int i = 0; i < max_depth; ++i) {
    const Span rho_first = slice(), rho_second = slice();
    const Edge first_end = edge(), second_begin = edge();
    levels_.push_back({rho_first, rho_second, first_end, second_begin, Proposal(target.size())});
  }
  for (Edge* e : {&fwd_, &bck_, &fwd_inner_, &bck_inner_}) *e = edge();
  for (Span* s : {&rho_, &rho_fwd_, &rho_bck_}) *s = slice();
}

Span Nuts::slice() {
  const Span out = Span(pool_).subspan(used_, target_.size());
  used_ += stride(target_.size());
  return out;
}

Nuts::Edge Nuts::edge() {
  const Span p = slice();
  return {p, slice()};
}

Transition Nuts::transition() {
  begin_transition();
  Weight weight = Weight::of_log(0);
  int depth = 0;
  while (depth < max_depth_ && extend(rng_.uniform() > 0.5, &depth, &weight)) {
  }
  if (moved_) {
    z_.q.swap(sample_.q);
    z_.grad.swap(sample_.grad);
    z_.lp = sample_.lp;
  }
  return {.lp = z_.lp,
          .accept_stat = n_states_ > 0 ? sum_accept_ / n_states_ : 0,
          .stepsize = stepsize_,
          .energy = moved_ ? sample_.energy : h0_,
          .treedepth = depth,
          .n_leapfrog = n_leapfrog_,
          .divergent = divergent_};
}

void Nuts::begin_transition() {
  jitter_stepsize();
  metric_.sample_momentum(rng_, z_.p);
  h0_ = energy(z_, velocity_);
  n_states_ = n_leapfrog_ = 0;
  sum_accept_ = 0;
  divergent_ = moved_ = forward_.began = backward_.began = false;
  inverse_ = metric_.velocities();
  fused_ = inverse_.kind != InverseKind::Stored && takes_plain_steps();
  begin_trajectory();
  if (watcher_) watcher_->begins(z_, h0_, stepsize_);
}

bool Nuts::extend(bool forward, int* depth, Weight* weight) {
  const int before = *depth;
  const TransitionWatcher::Doubling how = add_half(forward, depth, weight);
  if (watcher_) watcher_->doubles(before + 1, forward, how);
  return how == TransitionWatcher::Doubling::Grown;
}

/// The old trajectory becomes one half and the new subtree, grown from one of its ends, the other. What was the outer end is where the old
/// half ends now, and the buffers of what was there take what is new.
TransitionWatcher::Doubling Nuts::add_half(bool forward, int* depth, Weight* weight) {
  using enum TransitionWatcher::Doubling;
  Front& front = forward ? forward_ : backward_;
  const double eps = forward ? stepsize_ : -stepsize_;
  Edge& outer = forward ? fwd_ : bck_;
  if (*depth == 0) keep_first(forward ? bck_ : fwd_);
  std::swap(outer, forward ? bck_inner_ : fwd_inner_);
  std::swap(rho_, forward ? rho_bck_ : rho_fwd_);
  if (!front.began) begin(front, eps);
  const Tree tree = build(*depth, front, eps, candidate_, forward ? fwd_inner_ : bck_inner_, outer, forward ? rho_fwd_ : rho_bck_);
  if (!tree.valid) return why_invalid();
  // Biased progressive sampling: the new half wins with probability min(1, its weight / weight of the old half).
  const double share = tree.weight.over(*weight);
  if (share > 1 || rng_.uniform() < share) {
    swap(sample_, candidate_);
    moved_ = true;
  }
  *weight = *weight + tree.weight;
  return join_trajectory((*depth)++) ? Grown : Turned;
}

void Nuts::keep_first(const Edge& end) const {
  copy(z_.p, end.p);
  if (inverse_.kind == InverseKind::Stored) copy(velocity_, end.v);
}

bool Nuts::join_trajectory(int depth) const {
  if (depth == 0) return vector_kernels().join_states(bck_.motion(), fwd_.motion(), inverse_, z_.p.size());
  const bool sums = depth > 1;
  return join({sums ? rho_bck_.data() : nullptr, sums ? rho_fwd_.data() : nullptr, bck_.motion(), bck_inner_.motion(), fwd_inner_.motion(),
               fwd_.motion()},
              rho_);
}

bool Nuts::join(const Halves& halves, Span rho) const { return vector_kernels().join(halves, inverse_, rho.data(), rho.size()); }

TransitionWatcher::Doubling Nuts::why_invalid() const {
  using enum TransitionWatcher::Doubling;
  return divergent_ ? Diverged : target_.stopped() ? Stopped : Inside;
}

void Nuts::begin(Front& front, double eps) {
  front.began = true;
  if (!fused_) return front.z.assign(z_);
  vector_kernels().kick_and_drift(0.5 * eps, eps, z_.grad.data(), inverse_,
                                  {z_.p.data(), z_.q.data(), front.z.p.data(), front.ahead.data()}, z_.q.size());
}

Nuts::Tree Nuts::step(PhasePoint& z, double eps, Span velocity, double* energy) {
  *energy = leapfrog(z, eps, velocity);
  return count(z, eps, *energy);
}

Nuts::Tree Nuts::count(const PhasePoint& z, double eps, double h) {
  const Weight weight = Weight::of_log(h0_ - h);
  ++n_states_;
  ++n_leapfrog_;
  if (watcher_) [[unlikely]] watcher_->steps(z, eps > 0, h);
  if (h - h0_ > kMaxEnergyError) divergent_ = true;
  sum_accept_ += weight.at_most_one();
  return {weight, !divergent_ && !target_.stopped()};
}

Nuts::Visit Nuts::visit(Front& front, double eps, const Before& before, const Edge& here) {
  if (fused_) return visit_fused(front, eps, before, here);
  Visit out;
  out.tree = step(front.z, eps, here.v, &out.energy);
  copy(front.z.p, here.p);
  if (out.tree.valid) judge(before, here, out);
  return out;
}

void Nuts::judge(const Before& before, const Edge& here, Visit& visit) const {
  const Motion* states = before.states;
  const Motion last = here.motion();
  if (before.count > 0) visit.pair = vector_kernels().join_states(states[before.count - 1], last, inverse_, here.p.size());
  if (before.count == 3) visit.four = join({nullptr, nullptr, states[0], states[1], states[2], last}, before.rho);
}

Nuts::Visit Nuts::visit_fused(Front& front, double eps, const Before& before, const Edge& here) {
  PhasePoint& z = front.z;
  z.q.swap(front.ahead);
  z.lp = target_.gradient(z.q, z.grad);
  const SteppedOn on = vector_kernels().step_on({.kick = 0.5 * eps,
                                                 .eps = eps,
                                                 .m = inverse_,
                                                 .g = z.grad.data(),
                                                 .q = z.q.data(),
                                                 .p = z.p.data(),
                                                 .p_here = here.p.data(),
                                                 .q_next = front.ahead.data(),
                                                 .before = before.count,
                                                 .earlier = {before.states[0].p, before.states[1].p, before.states[2].p},
                                                 .rho = before.rho.data()},
                                                z.q.size());
  const double h = settle_energy(0.5 * on.square - z.lp);
  return {count(z, eps, h), h, on.pair, on.four};
}

void Nuts::propose(Front& front, double energy, Proposal& proposal) const {
  if (fused_) {
    front.z.q.swap(proposal.q);
    front.z.grad.swap(proposal.grad);
  } else {
    copy(front.z.q, proposal.q);
    copy(front.z.grad, proposal.grad);
  }
  proposal.lp = front.z.lp;
  proposal.energy = energy;
}

Nuts::Tree Nuts::build(int depth, Front& front, double eps, Proposal& proposal, const Edge& begin, const Edge& end, Span rho) {
  if (depth == 0) return leaf(front, eps, proposal, end);
  if (depth == 1) return pair(front, eps, proposal, begin, end, {1, {begin.motion()}}).tree;
  if (depth == 2) return four(front, eps, proposal, begin, end, rho);
  return halves(depth, front, eps, proposal, begin, end, rho);
}

Nuts::Tree Nuts::leaf(Front& front, double eps, Proposal& proposal, const Edge& end) {
  const Visit only = visit(front, eps, {}, end);
  propose(front, only.energy, proposal);
  return only.tree;
}

/// Half of all joins of trees are of two states: the second takes a buffer only where it is what the pair proposes.
Nuts::Visit Nuts::pair(Front& front, double eps, Proposal& proposal, const Edge& begin, const Edge& end, const Before& before_second) {
  const Visit first = visit(front, eps, {}, begin);
  if (!first.tree.valid) return first;
  propose(front, first.energy, proposal);
  Visit second = visit(front, eps, before_second, end);
  if (!second.tree.valid) return second;
  const Weight weight = first.tree.weight + second.tree.weight;
  if (chooses(second.tree.weight, weight)) propose(front, second.energy, proposal);
  second.tree = {weight, second.pair};
  return second;
}

/// Two pairs: the last state is judged with the one before it and with all three in one go.
Nuts::Tree Nuts::four(Front& front, double eps, Proposal& proposal, const Edge& begin, const Edge& end, Span rho) {
  Level& at = levels_[2];
  const Tree first = pair(front, eps, proposal, begin, at.first_end, {1, {begin.motion()}}).tree;
  if (!first.valid) return first;
  const Visit second = pair(front, eps, at.other, at.second_begin, end,
                            {3, {begin.motion(), at.first_end.motion(), at.second_begin.motion()}, rho});
  if (!second.tree.valid) return second.tree;
  const Weight weight = first.weight + second.tree.weight;
  if (chooses(second.tree.weight, weight)) swap(at.other, proposal);
  return {weight, second.four};
}

Nuts::Tree Nuts::halves(int depth, Front& front, double eps, Proposal& proposal, const Edge& begin, const Edge& end, Span rho) {
  Level& at = levels_[static_cast<std::size_t>(depth)];
  const Tree first = build(depth - 1, front, eps, proposal, begin, at.first_end, at.rho_first);
  if (!first.valid) return first;
  const Tree second = build(depth - 1, front, eps, at.other, at.second_begin, end, at.rho_second);
  if (!second.valid) return second;
  const Weight weight = first.weight + second.weight;
  if (chooses(second.weight, weight)) swap(at.other, proposal);
  const bool on = join({at.rho_first.data(), at.rho_second.data(), begin.motion(), at.first_end.motion(), at.second_begin.motion(), end.motion()}, rho);
  return {weight, on};
}

}  // namespace fermiac::inference
