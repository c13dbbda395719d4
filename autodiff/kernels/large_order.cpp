#include "autodiff/kernels/large_order.h"

#include <cmath>

namespace fermiac::ad::scalar {
namespace {

/// w - atan(w), or atanh(w) - w for the other sign, without cancellation.
double excess(double w, bool oscillates) {
  if (w > 0.1) return oscillates ? w - std::atan(w) : std::atanh(w) - w;
  const double z = oscillates ? -w * w : w * w;
  double sum = 0, power = w * w * w;
  for (int k = 3; k < 31; k += 2, power *= z) sum += power / k;
  return sum;
}

/// x / n, held where its logarithm is finite.
double quotient(double n, double x) { return std::fmax(x / n, 1e-300); }

/// Olver's variable zeta for z = x / n, the factor in front of the Airy functions and the coefficient B_0.
struct Turning {
  double zeta, factor, b0;
  Turning(double n, double x) {
    const bool oscillates = x > n;
    const double z = quotient(n, x), w2 = std::fabs((n - x) / n * (1 + z)), w = std::sqrt(w2);
    const double atanh_or_atan = oscillates || z > 1e-8 ? excess(w, oscillates) : std::log(2 / z) - 1;
    const double magnitude = std::cbrt(1.5 * atanh_or_atan) * std::cbrt(1.5 * atanh_or_atan);
    zeta = oscillates ? -magnitude : magnitude;
    factor = w > 1e-6 ? std::sqrt(2 * std::sqrt(magnitude) / w) : std::cbrt(2.0);
    const double root = std::sqrt(magnitude), sign = oscillates ? 1 : -1;
    b0 = w < 0.03 ? std::cbrt(2.0) / 70
                  : -5 / (48 * zeta * zeta) + (5 / (24 * w2 * w) + sign / (8 * w)) / root;
  }
  double argument(double n) const { return std::cbrt(n) * std::cbrt(n) * zeta; }
};

}  // namespace

double bessel_j_large_order(double n, double x) {
  const Turning t(n, x);
  const Airy a = airy(t.argument(n));
  const double root = std::cbrt(n);
  return t.factor * (a.ai / root + a.ai_slope * t.b0 / (n * root * root));
}

double bessel_y_large_order(double n, double x) {
  const Turning t(n, x);
  const Airy a = airy(t.argument(n));
  const double root = std::cbrt(n);
  if (std::isinf(a.bi)) return -a.bi;
  return -t.factor * (a.bi / root + a.bi_slope * t.b0 / (n * root * root));
}

double bessel_i_large_order(double n, double x) { return std::exp(ModifiedExpansion<double>(n, x).log_i()); }

double bessel_k_large_order(double n, double x) {
  const ModifiedExpansion<double> e(n, x);
  const double kLogRootHalfPi = 0.22579135264472743236;
  return std::exp(kLogRootHalfPi - e.exponent - e.log_root + std::log1p(e.second - e.first));
}

}  // namespace fermiac::ad::scalar
