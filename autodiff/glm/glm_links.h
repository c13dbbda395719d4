// The element-wise part of the generalised linear models: log mass and its slope in the linear predictor eta, one table
// per instruction set. Terms without eta are left to the callers. slope may be null.
#pragma once

#include <cstdint>

#include "autodiff/linalg/dense_ops.h"

namespace fermiac::ad::glm {

using dense::Index;

struct Links {
  /// Σ log inv_logit(±eta), y in {0, 1}.
  double (*bernoulli)(Index n, const double* y, const double* eta, double* slope);
  /// Σ y eta - exp(eta).
  double (*poisson)(Index n, const double* y, const double* eta, double* slope);
  /// Σ y eta - N log(1 + exp(eta)).
  double (*binomial)(Index n, const double* y, const double* trials, const double* eta, double* slope);
  /// Σ y t - (y + phi) log(1 + exp(t)), t = eta - log phi; softplus = Σ log(1 + exp(t)).
  double (*neg_binomial)(Index n, const double* y, double phi, double log_phi, const double* eta, double* slope,
                         double* softplus);
  /// Σ lgamma(y + phi) - lgamma(phi); by_phi: its derivative is added there.
  double (*rising)(Index n, const double* y, double phi, double* by_phi);
  /// Σ z², z = (y - eta) / sigma; slope = z / sigma, and sigma becomes (z² - 1) / sigma.
  double (*normal)(Index n, const double* y, const double* eta, double* sigma, double* slope);
  /// Whole numbers as doubles.
  void (*to_doubles)(Index n, const std::int32_t* from, double* to);
  /// Σ x.
  double (*sum)(Index n, const double* x);
};

/// The table for the instruction set in use.
const Links& links();

}  // namespace fermiac::ad::glm
