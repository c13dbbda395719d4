// Warm-up adaptation: dual averaging of the step size (Hoffman & Gelman 2014, section 3.2), running estimates of the
// posterior (co)variance (Welford 1962), and the schedule of windows that says when each is used (Stan Reference
// Manual, "HMC algorithm parameters").
#pragma once

#include <optional>
#include <string>

#include "inference/mcmc/metric.h"

namespace fermiac::inference {

/// log eps is driven so that the mean acceptance statistic approaches delta.
class DualAveraging {
 public:
  explicit DualAveraging(const AdaptOptions& options) : options_(options) {}
  /// Forgets the past, starts from `stepsize` and shrinks towards ten times `to_exceed`: large steps are cheap to try.
  void restart(double stepsize, double to_exceed);
  /// Next step size after an iteration with acceptance statistic `accept`.
  double learn(double accept);
  /// The averaged iterate, which sampling uses. Before the first iteration: the step size of restart().
  double adapted() const { return std::exp(x_bar_); }
  template <class State>
  void state(State& s) { s(mu_, counter_, s_bar_, x_bar_); }

 private:
  AdaptOptions options_;
  double mu_ = 0, counter_ = 0, s_bar_ = 0, x_bar_ = 0;
};

/// Running mean and (co)variance of the draws of one window.
class MomentEstimator {
 public:
  MomentEstimator(MetricKind kind, std::size_t n);
  void restart();
  void add(ConstSpan q);
  std::size_t count() const { return count_; }
  /// The regularised estimate for Metric::set_inverse, with n = count() draws and s the sample (co)variance:
  ///   n/(n+5) s + 1e-3 · 5/(n+5) (I in the dense case).
  /// Needs count() >= 2.
  const Vec& regularised();
  template <class State>
  void state(State& s) { s(count_, mean_, m2_); }

 private:
  MetricKind kind_;
  std::size_t n_, count_ = 0;
  Vec mean_, m2_, delta_, result_;
};

/// Where an iteration of the warm-up stands: a fast interval, slow windows that double in length, a final fast one.
class WindowSchedule {
 public:
  /// A warm-up too short for the three stages is cut 15 % / 75 % / 10 %; below 20 iterations the metric stays as it
  /// is. `warning()` then says so.
  WindowSchedule(unsigned num_warmup, const AdaptOptions& options);
  const std::optional<std::string>& warning() const { return warning_; }

  bool in_slow_window() const;
  bool at_window_end() const { return in_slow_window() && counter_ == window_end_; }
  /// To be called once per iteration, after the two questions.
  void advance();
  template <class State>
  void state(State& s) { s(window_size_, window_end_, counter_); }

 private:
  void plan_next_window();
  unsigned num_warmup_, init_buffer_, term_buffer_, window_size_;
  unsigned window_end_ = 0, counter_ = 0;
  bool slow_enabled_ = true;
  std::optional<std::string> warning_;
};

/// When a metric that learns from gradients is estimated: first after ten draws, then whenever their number has grown by
/// half, for the last time where the final fast interval begins.
class UpdateSchedule {
 public:
  UpdateSchedule(unsigned num_warmup, const AdaptOptions& options);
  const std::optional<std::string>& warning() const { return warning_; }

  bool estimating() const { return counter_ < last_; }
  bool at_update() const { return counter_ + 1 == next_; }
  /// To be called once per iteration, after the two questions.
  void advance();
  /// No update comes any more.
  void end() { last_ = counter_; }
  template <class State>
  void state(State& s) { s(last_, next_, counter_); }

 private:
  void settle();
  unsigned last_ = 0, next_ = 0, counter_ = 0;
  std::optional<std::string> warning_;
};

}  // namespace fermiac::inference
