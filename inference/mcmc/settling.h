// When a warm-up has done its work: what it looks for has stopped to move.
#pragma once

#include "inference/mcmc/hmc.h"
#include "inference/mcmc/metric.h"

namespace fermiac::inference {

/// Looks at the transitions between two updates of the metric, a block. A warm-up has settled at an update where, from the block before to
/// this one, each of at least kLeast transitions,
///   - the scales of the metric (square roots of the diagonal of M^-1) changed by no more than kMostChange, as the root mean square of
///     logarithms,
///   - the logarithm of the step size, averaged over the second half of the block, changed by no more than kMostChange,
///   - the mean number of leapfrog steps changed by no more than a factor of kMostLeapfrogs,
///   - the mean log density moved by no more than one standard deviation of the block.
class Settling {
 public:
  static constexpr unsigned kLeast = 25;
  static constexpr double kMostChange = 0.15, kMostLeapfrogs = 1.5;

  void add(const Transition& t);
  /// The block ends with an update of the metric.
  bool at_update(const Metric& metric);

  template <class State>
  void state(State& s) { s(now_, before_, scales_); }

 private:
  struct Block {
    Vec lp, log_stepsize;
    double leapfrogs = 0;
    template <class State>
    void state(State& s) { s(lp, log_stepsize, leapfrogs); }
  };
  static bool alike(const Block& before, const Block& now);

  Block now_, before_;
  Vec scales_;  // logarithms, at the last update
};

}  // namespace fermiac::inference
