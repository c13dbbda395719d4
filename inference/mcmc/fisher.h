// Metrics that minimise the Fisher divergence between the posterior, seen through the metric, and a standard normal
// (Seyboldt, Carlson & Carpenter 2026, "Preconditioning Hamiltonian Monte Carlo by minimizing Fisher divergence",
// arXiv:2603.18845). For draws x and gradients g of the log density there, the minimiser is the geometric mean of the
// covariance of the draws and the inverse of that of the gradients. On a normal density gradients know the inverse
// covariance exactly, so that a few draws are enough where variances of draws alone need hundreds.
#pragma once

#include <deque>

#include "inference/mcmc/metric.h"

namespace fermiac::inference {

/// Draws with their gradients, in blocks: the newest are to be estimated from, the oldest to be forgotten.
class FisherEstimator {
 public:
  /// fisher_diag keeps two means and two sums of squares for each block, O(n); low_rank the draws too, of many parameters at
  /// most 150 of a block.
  FisherEstimator(MetricKind kind, std::size_t n);
  void add(ConstSpan position, ConstSpan gradient);
  /// Ends the current block and forgets all but the newest `keep`.
  void end_block(std::size_t keep);
  /// Sets `metric` to the estimate from all blocks. What the draws do not tell (a parameter that did not move) is one. The
  /// rank of low_rank is the number of eigenvalues that differ from one by more than a factor, 1.3 or 2. Cost: O(rows · n²) up
  /// to 100 parameters, else O(rows² · n), less than 100 ms.
  Status estimate(Metric* metric) const;
  std::size_t count() const;
  template <class State>
  void state(State& s) { s(blocks_); }

 private:
  /// Means and sums of squared deviations of draws and gradients.
  struct Moments {
    explicit Moments(std::size_t n) : mean(2 * n), squares(2 * n) {}
    void add(ConstSpan position, ConstSpan gradient);
    void merge(const Moments& other);
    template <class State>
    void state(State& s) { s(count, mean, squares); }
    double count = 0;
    Vec mean, squares;  // positions, then gradients
  };
  struct Block {
    template <class State>
    void state(State& s) { s(moments, rows, stride); }
    Moments moments;
    std::vector<Vec> rows;  // position, then gradient: every stride-th
    std::size_t stride;
  };
  Moments total() const;
  Vec scales(const Moments& all) const;
  LowRankInverse low_rank(const Moments& all) const;

  MetricKind kind_;
  std::size_t n_;
  std::deque<Block> blocks_;
};

}  // namespace fermiac::inference
