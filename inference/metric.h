// The Euclidean metrics of Hamiltonian Monte Carlo: kinetic energy p' M^-1 p / 2 where M^-1 estimates the posterior
// covariance of the unconstrained parameters.
#pragma once

#include <string_view>

#include "inference/result.h"
#include "inference/vectors.h"
#include "support/rng.h"

namespace fermiac::inference {

enum class MetricKind { Unit, Diag, Dense };
std::string_view metric_name(MetricKind kind);  // unit_e, diag_e, dense_e

class Metric {
 public:
  /// Starts as the identity.
  Metric(MetricKind kind, std::size_t n);

  /// Replaces M^-1: [n] for diag, row-major [n × n] for dense. Errors: wrong size, not positive (definite), not finite.
  /// The metric is then untouched.
  Result set_inverse(ConstSpan inverse);

  MetricKind kind() const { return kind_; }
  std::size_t size() const { return n_; }
  ConstSpan inverse() const { return inverse_; }  // empty for unit

  /// out = M^-1 p, the velocity that belongs to momentum p. No allocation.
  void velocity(ConstSpan p, Span out) const;
  /// Kinetic energy p' M^-1 p / 2; leaves the velocity in `out`.
  double kinetic(ConstSpan p, Span out) const;
  /// q += eps M^-1 p, with `scratch` for the velocity.
  void drift(double eps, ConstSpan p, Span q, Span scratch) const;
  /// p ~ normal(0, M). No allocation.
  void sample_momentum(Rng& rng, Span p) const;

 private:
  MetricKind kind_;
  std::size_t n_;
  Vec inverse_;
  Vec factor_;  // diag: 1 / sqrt(inverse); dense: lower Cholesky factor of the inverse
};

}  // namespace fermiac::inference
