// The element-wise part of the generalised linear models: log mass and its slope in the linear predictor eta, one table
// per instruction set. Terms without eta are left to the callers. slope may be null.
#pragma once

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
};

/// The table for the instruction set in use.
const Links& links();

}  // namespace fermiac::ad::glm
