#include "inference/mcmc/walnuts.h"

#include <algorithm>

namespace fermiac::inference {

Walnuts::Walnuts(Target& target, MetricKind kind, Rng rng, int max_depth, const WalnutsOptions& options)
    : Nuts(target, kind, rng, max_depth), options_(options), scratch_(target.size()) {}

void Walnuts::begin_trajectory() {
  energy_[0] = energy_[1] = h0_;
  one_way_ = false;
}

bool Walnuts::divide(PhasePoint& z, double h, int halvings, double start, Span velocity, double* energy) {
  const long micro = 1L << halvings;
  double lowest = start, highest = start;
  for (long i = 0; i < micro && !target_.stopped(); ++i) {
    const double at = *energy = leapfrog(z, h / static_cast<double>(micro), velocity);
    ++n_leapfrog_;
    lowest = std::min(lowest, at);
    highest = std::max(highest, at);
    if (!(highest - lowest <= options_.max_error)) return false;
  }
  return true;
}

bool Walnuts::coarser_back(const PhasePoint& z, double h, int halvings, double end) {
  for (int fewer = 0; fewer < halvings; ++fewer) {
    scratch_.assign(z);
    double ignored = 0;
    if (divide(scratch_, -h, fewer, end, velocity_, &ignored)) return true;
  }
  return false;
}

bool Walnuts::advance(PhasePoint& z, double h, double start, Span velocity, double* energy, int* halvings) {
  scratch_.assign(z);
  for (*halvings = 0; *halvings <= options_.max_halvings; ++*halvings) {
    if (*halvings > 0) z.assign(scratch_);
    const bool kept = divide(z, h, *halvings, start, velocity, energy);
    if (*halvings == 0) sum_accept_ += std::min(1.0, std::exp(start - *energy));
    if (kept || target_.stopped()) return !target_.stopped();
  }
  divergent_ = true;
  return false;
}

Nuts::Tree Walnuts::step(PhasePoint& z, double h, Span velocity, double* energy) {
  double& end = energy_[h > 0 ? 1 : 0];
  int halvings = 0;
  ++n_states_;
  const bool kept = advance(z, h, end, velocity, energy, &halvings);
  one_way_ = kept && coarser_back(z, h, halvings, *energy);
  end = *energy;
  if (watcher_) [[unlikely]] watcher_->steps(z, h > 0, end);
  return {Weight::of_log(h0_ - end), kept && !one_way_ && !target_.stopped()};
}

TransitionWatcher::Doubling Walnuts::why_invalid() const {
  return one_way_ && !target_.stopped() ? TransitionWatcher::Doubling::OneWay : Nuts::why_invalid();
}

}  // namespace fermiac::inference
