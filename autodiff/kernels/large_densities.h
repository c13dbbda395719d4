// Log densities where their terms are large and cancel: large shapes, concentrations and counts. Normalizers are not subtracted
// from powers; each density is a sum of log masses of gamma, beta or Poisson kernels (gamma_kernel and beta_kernel of incomplete.h),
// which are small near the mode: C. Loader, "Fast and accurate computation of binomial probabilities" (2000).
#pragma once

#include <cstdint>

namespace fermiac::ad::scalar {

/// From here on shapes and counts are large: below, plain formulas lose less than 1e-10.
inline constexpr double kLargeShape = 1e4;
/// The same for concentrations: of von Mises' law, from here on five terms of Hankel's series are all, and of beta's, the sum of shapes.
inline constexpr double kLargeConcentration = 1000;

// All of the constants are kept. x: the arguments in the order of the language; d: the slopes by those that are not counts, null if
// not wanted; slopes by counts are 0.

double large_gamma(const double* x, double* d);
double large_inv_gamma(const double* x, double* d);
double large_chi_square(const double* x, double* d);
double large_inv_chi_square(const double* x, double* d);
double large_scaled_inv_chi_square(const double* x, double* d);
double large_beta(const double* x, double* d);
double large_beta_proportion(const double* x, double* d);
double large_von_mises(const double* x, double* d);
double large_poisson(const double* x, double* d);
double large_poisson_log(const double* x, double* d);
double large_binomial(const double* x, double* d);
double large_binomial_logit(const double* x, double* d);
double large_neg_binomial(const double* x, double* d);
double large_neg_binomial_2(const double* x, double* d);
double large_neg_binomial_2_log(const double* x, double* d);
double large_beta_binomial(const double* x, double* d);
double large_beta_neg_binomial(const double* x, double* d);
double large_hypergeometric(const double* x, double* d);

/// Gamma(n + r) / (n! Gamma(r)) p^r q^n, q = 1 - p; by_r: its slope by r for given p.
double log_negative_binomial(double n, double r, double p, double q, double* by_r);

}  // namespace fermiac::ad::scalar
