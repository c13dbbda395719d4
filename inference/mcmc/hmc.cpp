#include "inference/mcmc/hmc.h"

#include <algorithm>

namespace fermiac::inference {

void PhasePoint::assign(const PhasePoint& other) {
  copy(other.q, q);
  copy(other.p, p);
  copy(other.grad, grad);
  lp = other.lp;
}

Hmc::Hmc(Target& target, MetricKind kind, Rng rng)
    : target_(target), metric_(kind, target.size()), rng_(rng), z_(target.size()), velocity_(target.size()) {}

bool Hmc::start(ConstSpan q) {
  copy(q, z_.q);
  z_.lp = target_.gradient(z_.q, z_.grad);
  return std::isfinite(z_.lp) && all_finite(z_.grad);
}

double Hmc::leapfrog(PhasePoint& z, double eps, Span velocity) {
  metric_.kick_and_drift(0.5 * eps, eps, z.grad, z.p, z.q, velocity);
  z.lp = target_.gradient(z.q, z.grad);
  return settle_energy(metric_.kick_and_kinetic(0.5 * eps, z.grad, z.p, velocity) - z.lp);
}

double Hmc::energy(const PhasePoint& z, Span velocity) const {
  return settle_energy(metric_.kinetic(z.p, velocity) - z.lp);
}

void Hmc::jitter_stepsize() {
  stepsize_ = nominal_stepsize_;
  if (jitter_ > 0) stepsize_ *= 1 + jitter_ * (2 * rng_.uniform() - 1);
}

double Hmc::trial_step(const PhasePoint& from) {
  z_.assign(from);
  metric_.sample_momentum(rng_, z_.p);
  const double before = energy(z_, velocity_);
  return before - leapfrog(z_, nominal_stepsize_, velocity_);
}

Status Hmc::find_stepsize() {
  if (nominal_stepsize_ == 0 || nominal_stepsize_ > 1e7 || std::isnan(nominal_stepsize_)) return {};
  const PhasePoint from = z_;
  const double bar = std::log(0.8);
  const bool grow = trial_step(from) > bar;
  Status result;
  while ((trial_step(from) > bar) == grow && !target_.stopped()) {
    nominal_stepsize_ *= grow ? 2 : 0.5;
    if (nominal_stepsize_ > 1e7) result = Status::failed(kImproper);
    if (nominal_stepsize_ == 0)
      result = Status::failed("No acceptably small step size could be found. Perhaps the posterior is not continuous?");
    if (!result) break;
  }
  z_.assign(from);
  return result;
}

Transition StaticHmc::transition() {
  jitter_stepsize();
  metric_.sample_momentum(rng_, z_.p);
  const double before = energy(z_, velocity_);
  const int steps = std::max(1, static_cast<int>(std::min(time_ / stepsize_, 1e6)));
  end_.assign(z_);
  int taken = 0;
  double after = before;
  if (watcher_) watcher_->begins(z_, before, stepsize_);
  while (taken < steps && std::isfinite(end_.lp) && !target_.stopped()) {
    after = leapfrog(end_, stepsize_, velocity_);
    if (watcher_) watcher_->steps(end_, true, after);
    ++taken;
  }
  const double accept = std::min(1.0, std::exp(before - after));
  double kept = before;
  if (!target_.stopped() && rng_.uniform() < accept) {
    z_.assign(end_);
    kept = after;
  }
  return {.lp = z_.lp,
          .accept_stat = accept,
          .stepsize = stepsize_,
          .energy = kept,
          .treedepth = 0,
          .n_leapfrog = taken,
          .divergent = after - before > kMaxEnergyError};
}

}  // namespace fermiac::inference
