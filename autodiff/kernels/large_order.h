// Bessel functions of large order n by their expansions that hold uniformly in x (F. W. J. Olver, "Asymptotics and special
// functions", chapters 10 and 11): recurrences over the orders would take as many steps as n has units.
#pragma once

#include "autodiff/kernels/dual.h"

namespace fermiac::ad::scalar {

/// Where the expansions are as good as recurrences: what they leave out is below 1e-12 of the value.
inline constexpr double kLargeOrder = 1e5;

// n >= kLargeOrder, 0 < x < 1e100.
double bessel_j_large_order(double n, double x);
double bessel_y_large_order(double n, double x);
double bessel_i_large_order(double n, double x);
double bessel_k_large_order(double n, double x);

/// Airy functions and their derivatives.
struct Airy {
  double ai, ai_slope, bi, bi_slope;
};
Airy airy(double x);

/// eta(z) = sqrt(1 + z²) + log(z / (1 + sqrt(1 + z²))) for z = x / n, and what else the expansions of I and K are made of;
/// T may carry derivatives. 1 / sqrt(n² + x²) is what the sum's terms are powers of.
template <class T>
struct ModifiedExpansion {
  T exponent, log_root, first, second;  // n eta; log of (n² + x²)^(1/4); the terms U_1 / n and U_2 / n²
  ModifiedExpansion(const T& n, const T& x) {
    const T z = x / n, s = val(z) > 1e8 ? z : T(sqrt(1.0 + z * z)), r = 1.0 / (n * s), p2 = 1.0 / (s * s);
    exponent = n * (s + log(z / (1.0 + s)));
    log_root = 0.5 * log(n * s);
    first = r * ((3.0 - 5.0 * p2) / 24.0);
    second = r * r * ((81.0 - 462.0 * p2 + 385.0 * p2 * p2) / 1152.0);
  }
  /// log I_n(x).
  T log_i() const { return exponent - log_root - kLogSqrtTwoPi + log1p(first + second); }
};

}  // namespace fermiac::ad::scalar
