// The Euclidean metrics of Hamiltonian Monte Carlo: kinetic energy p' M^-1 p / 2 where M^-1 estimates the posterior
// covariance of the unconstrained parameters. A kind says which matrices there are and what they are estimated from:
// unit_e, diag_e and dense_e from the variances of draws (adapt.h), fisher_diag and low_rank from draws and gradients
// (fisher.h).
#pragma once

#include <string_view>

#include "inference/math/vector_kernels.h"
#include "inference/math/vectors.h"
#include "inference/model/options.h"
#include "support/base/status.h"
#include "support/base/rng.h"

namespace fermiac::inference {

std::string_view metric_name(MetricKind kind);  // unit_e, diag_e, dense_e, fisher_diag, low_rank
/// Whether the metric is one number for each parameter.
inline bool is_diagonal(MetricKind kind) {
  return kind == MetricKind::Diag || kind == MetricKind::FisherDiag;
}
/// Whether the metric is estimated from gradients too.
inline bool uses_gradients(MetricKind kind) {
  return kind == MetricKind::FisherDiag || kind == MetricKind::LowRank;
}

/// M^-1 = S (I + U (L - I) U') S with the scales on the diagonal of S, the eigenvalues on that of L, and the orthonormal
/// columns of U, one direction for each eigenvalue.
struct LowRankInverse {
  Vec scales;       // [n], positive
  Vec eigenvalues;  // [rank], positive
  Vec directions;   // row-major [rank × n]
  std::size_t rank() const { return eigenvalues.size(); }
};

class Metric {
 public:
  /// Starts as the identity.
  Metric(MetricKind kind, std::size_t n);

  /// Replaces M^-1: [n] for diag, row-major [n × n] for dense. Errors: wrong size, not positive (definite), not finite.
  /// The metric is then untouched. For low_rank [n] is a diagonal matrix.
  Status set_inverse(ConstSpan inverse);
  /// The same for low_rank; the directions may be orthonormal to 1e-2 and are made so exactly.
  Status set_inverse(LowRankInverse inverse);

  MetricKind kind() const { return kind_; }
  std::size_t size() const { return n_; }
  ConstSpan inverse() const { return inverse_; }  // empty for unit, the diagonal of M^-1 for low_rank
  const LowRankInverse& low_rank() const { return low_rank_; }
  template <class State>
  void state(State& s) { s(inverse_, factor_, low_rank_.scales, low_rank_.eigenvalues, low_rank_.directions); }

  /// out = M^-1 p, the velocity that belongs to momentum p. No allocation. O(n), O(n · rank) or O(n²).
  void velocity(ConstSpan p, Span out) const;
  /// How loops over vectors come by velocities: Stored unless M^-1 is a diagonal.
  Inverse velocities() const;
  /// Kinetic energy p' M^-1 p / 2; leaves the velocity in `out` where velocities are stored.
  double kinetic(ConstSpan p, Span out) const;
  /// The two ends of a leapfrog step, each in one pass over memory where M^-1 is diagonal: p += kick · gradient, then
  /// q += eps M^-1 p, with `scratch` for the velocity;
  void kick_and_drift(double kick, double eps, ConstSpan gradient, Span p, Span q, Span scratch) const;
  /// p += kick · gradient, then the kinetic energy, the velocity left in `out` where they are stored.
  double kick_and_kinetic(double kick, ConstSpan gradient, Span p, Span out) const;
  /// p ~ normal(0, M). No allocation.
  void sample_momentum(Rng& rng, Span p) const;

 private:
  template <class F>
  void along_directions(F f, Span x) const;
  MetricKind kind_;
  std::size_t n_;
  Vec inverse_;
  Vec factor_;  // diag: 1 / sqrt(inverse); dense: lower Cholesky factor of the inverse
  LowRankInverse low_rank_;
};

}  // namespace fermiac::inference
