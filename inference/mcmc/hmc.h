// What NUTS and static HMC share: a point in phase space, the leapfrog step, the search for a first step size.
#pragma once

#include "inference/mcmc/metric.h"
#include "inference/mcmc/transition_watcher.h"
#include "inference/model/target.h"

namespace fermiac::inference {

/// Steps can be of any length: the density falls nowhere.
inline constexpr const char* kImproper = "Posterior is improper. Please check your model.";

/// One iteration as the CSV reports it.
struct Transition {
  double lp = 0, accept_stat = 0, stepsize = 0, energy = 0;
  int treedepth = 0, n_leapfrog = 0;
  bool divergent = false;
};

/// Position, momentum, gradient of the log density at the position, its value.
struct PhasePoint {
  explicit PhasePoint(std::size_t n) : q(n), p(n), grad(n) {}
  void assign(const PhasePoint& other);  // same size: copies without allocating
  Vec q, p, grad;
  double lp = 0;
};

class Hmc {
 public:
  /// An energy error above this marks a divergence.
  static constexpr double kMaxEnergyError = 1000;

  Hmc(Target& target, MetricKind kind, Rng rng);
  virtual ~Hmc() = default;

  /// Moves to q. False if the density there is not finite.
  bool start(ConstSpan q);
  /// One iteration from the current point. Allocates nothing.
  virtual Transition transition() = 0;

  /// Doubles or halves the step size until one leapfrog step changes the acceptance probability across 0.8.
  Status find_stepsize();

  Metric& metric() { return metric_; }
  ConstSpan position() const { return z_.q; }
  ConstSpan momentum() const { return z_.p; }
  ConstSpan gradient() const { return z_.grad; }
  double nominal_stepsize() const { return nominal_stepsize_; }
  /// What dual averaging is to begin with: it tries ten times as much, for steps that are too long end a trajectory and are cheap.
  virtual double stepsize_to_exceed() const { return nominal_stepsize_; }
  void set_stepsize(double eps) { nominal_stepsize_ = eps; }
  void set_jitter(double jitter) { jitter_ = jitter; }
  /// Told of the transitions to come; null: nobody is.
  void watch(TransitionWatcher* watcher) { watcher_ = watcher; }
  /// Between two transitions; all else is scratch of one.
  template <class State>
  void state(State& s) { s(metric_, rng_, z_.q, z_.p, z_.grad, z_.lp, nominal_stepsize_, stepsize_, jitter_); }

 protected:
  /// One leapfrog step. The result is the total energy, NaN as +inf; M^-1 p is left in `velocity` where the metric has velocities stored.
  double leapfrog(PhasePoint& z, double eps, Span velocity);
  /// Total energy of z, under the same rules.
  double energy(const PhasePoint& z, Span velocity) const;
  /// Of what kinetic energy and log density add up to.
  static double settle_energy(double h) { return std::isnan(h) ? kInf : h; }
  void jitter_stepsize();

  Target& target_;
  Metric metric_;
  Rng rng_;
  PhasePoint z_;
  Vec velocity_;
  double nominal_stepsize_ = 1, stepsize_ = 1, jitter_ = 0;
  TransitionWatcher* watcher_ = nullptr;

 private:
  double trial_step(const PhasePoint& from);
};

/// Hamiltonian Monte Carlo with a fixed integration time (Neal 2011).
class StaticHmc final : public Hmc {
 public:
  StaticHmc(Target& target, MetricKind kind, Rng rng, double integration_time)
      : Hmc(target, kind, rng), end_(target.size()), time_(integration_time) {}
  Transition transition() override;

 private:
  PhasePoint end_;
  double time_;
};

}  // namespace fermiac::inference
