//   p(t) = a⁻² E exp(ν a w - ν² t / 2) f(t / a² | w),  ν ~ N(v, sv²)
// with f the density for unit separation and no drift, as the series for small or for large times (D. J. Navarro & I.
// G. Fuss, "Fast and accurate calculations for first-passage times in Wiener diffusion models", 2009). The expectation
// is that of the exponential of a quadratic form.
#include "autodiff/multivariate/wiener_passage.h"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace fermiac::ad::wiener {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kNegligible = 40;    // exponents below the leading one by this much add nothing
constexpr double kSmallTimes = 0.35;  // up to here the first series converges faster
constexpr int kMostTerms = 16;        // of either, of which six are enough for any number

/// log f(u | w) and its slopes.
struct Passage {
  double log_f, by_u, by_w;
};

/// Two terms of the first series, at a distance of m from the one end that is z away: x = z + m and z - m.
struct Pair {
  double even, odd;  // 2 e^-E cosh(m z / u) and 2 e^-E sinh(m z / u)
  Pair(double exponent, double turn) {
    const double e = std::exp(exponent);
    even = e == 0 ? std::exp(exponent + turn) : std::exp(exponent + turn) + std::exp(exponent - turn);
    odd = turn < 1 ? 2 * e * std::sinh(turn) : std::exp(exponent + turn) - std::exp(exponent - turn);
  }
};

/// f = (2π u³)^{-1/2} Σ_k x exp(-x² / 2u), x = w + 2k. Terms are taken in pairs around the nearer end, from where f is nearly linear:
/// one by one they would cancel.
Passage small_times(double u, double w, double bias) {
  const bool upper = w <= bias;
  const double z = upper ? w : bias;
  double s = 0, s_w = 0, s_u = 0;
  for (int k = 0; k < kMostTerms; ++k) {
    const double m = upper ? 2 * k : 2 * k + 1, turn = m * z / u;
    const double exponent = upper ? -m * m / (2 * u) : (1 - 2 * z - m * m) / (2 * u);
    if (exponent + turn < -kNegligible) break;
    const Pair e(exponent, turn);
    const double weight = m == 0 ? 0.5 : 1;
    s += weight * (z * e.even - m * e.odd);
    s_w += weight * ((1 - (z * z + m * m) / u) * e.even + 2 * z * m / u * e.odd);
    s_u += weight * (z * (z * z + 3 * m * m) * e.even - m * (3 * z * z + m * m) * e.odd) / (2 * u * u);
  }
  if (!upper) s = -s, s_u = -s_u;
  return {std::log(s) - w * w / (2 * u) - 1.5 * std::log(u) - 0.5 * std::log(2 * kPi), s_u / s - 1.5 / u, s_w / s};
}

/// f = π Σ_k k exp(-k² π² u / 2) sin(k π w).
Passage large_times(double u, double w, double bias) {
  const bool upper = w <= bias;
  const double z = upper ? w : bias;
  double s = 0, s_w = 0, s_u = 0;
  for (int k = 1; k < kMostTerms; ++k) {
    const double exponent = (1.0 - k * k) * kPi * kPi * u / 2;
    if (exponent < -kNegligible) break;
    const bool odd = k % 2 != 0;
    const double e = k * std::exp(exponent), sine = (upper || odd ? e : -e) * std::sin(k * kPi * z);
    s += sine;
    s_w += k * kPi * (upper || !odd ? e : -e) * std::cos(k * kPi * z);
    s_u -= k * k * kPi * kPi / 2 * sine;
  }
  return {std::log(kPi * s) - kPi * kPi * u / 2, s_u / s, s_w / s};
}

}  // namespace

Density density(double t, const Process& p) {
  if (!std::isfinite(t / (p.a * p.a))) return {.log_p = -std::numeric_limits<double>::infinity()};
  const double a2 = p.a * p.a, u = t / a2, b = p.a * p.w, sv2 = p.sv * p.sv, c = 1 + sv2 * t;
  const double q = b * p.v + b * b * sv2 / 2 - p.v * p.v * t / 2;
  const Passage f = u < kSmallTimes ? small_times(u, p.w, p.bias) : large_times(u, p.w, p.bias);
  return {.log_p = f.log_f - 2 * std::log(p.a) - 0.5 * std::log(c) + q / c,
          .by_t = f.by_u / a2 - 0.5 * sv2 / c - p.v * p.v / (2 * c) - q * sv2 / (c * c),
          .by_a = (-2 * u * f.by_u - 2) / p.a + (p.v * p.w + b * p.w * sv2) / c,
          .by_w = f.by_w + (p.a * p.v + p.a * b * sv2) / c,
          .by_v = (b - p.v * t) / c,
          .by_sv = p.sv * ((b * b - t) / c - 2 * q * t / (c * c))};
}

}  // namespace fermiac::ad::wiener
