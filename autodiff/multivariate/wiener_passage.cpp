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

/// f = (2π u³)^{-1/2} Σ_k x exp(-x² / 2u), x = w + 2k.
Passage small_times(double u, double w) {
  double s = 0, s_w = 0, s_u = 0;
  for (int k = 0; k < kMostTerms; ++k) {
    bool more = false;
    for (const double x : {w + 2 * k, w - 2 * k}) {
      const double exponent = (w * w - x * x) / (2 * u);
      if (exponent < -kNegligible || (k == 0 && more)) continue;
      more = true;
      const double e = std::exp(exponent);
      s += x * e;
      s_w += (1 - x * x / u) * e;
      s_u += x * x * x / (2 * u * u) * e;
    }
    if (!more) break;
  }
  return {std::log(s) - w * w / (2 * u) - 1.5 * std::log(u) - 0.5 * std::log(2 * kPi), s_u / s - 1.5 / u, s_w / s};
}

/// f = π Σ_k k exp(-k² π² u / 2) sin(k π w).
Passage large_times(double u, double w) {
  double s = 0, s_w = 0, s_u = 0;
  for (int k = 1; k < kMostTerms; ++k) {
    const double exponent = (1.0 - k * k) * kPi * kPi * u / 2;
    if (exponent < -kNegligible) break;
    const double e = k * std::exp(exponent), sine = e * std::sin(k * kPi * w);
    s += sine;
    s_w += k * kPi * e * std::cos(k * kPi * w);
    s_u -= k * k * kPi * kPi / 2 * sine;
  }
  return {std::log(kPi * s) - kPi * kPi * u / 2, s_u / s, s_w / s};
}

}  // namespace

Density density(double t, const Process& p) {
  if (!std::isfinite(t / (p.a * p.a))) return {.log_p = -std::numeric_limits<double>::infinity()};
  const double a2 = p.a * p.a, u = t / a2, b = p.a * p.w, sv2 = p.sv * p.sv, c = 1 + sv2 * t;
  const double q = b * p.v + b * b * sv2 / 2 - p.v * p.v * t / 2;
  const Passage f = u < kSmallTimes ? small_times(u, p.w) : large_times(u, p.w);
  return {.log_p = f.log_f - 2 * std::log(p.a) - 0.5 * std::log(c) + q / c,
          .by_t = f.by_u / a2 - 0.5 * sv2 / c - p.v * p.v / (2 * c) - q * sv2 / (c * c),
          .by_a = (-2 * u * f.by_u - 2) / p.a + (p.v * p.w + b * p.w * sv2) / c,
          .by_w = f.by_w + (p.a * p.v + p.a * b * sv2) / c,
          .by_v = (b - p.v * t) / c,
          .by_sv = p.sv * ((b * b - t) / c - 2 * q * t / (c * c))};
}

}  // namespace fermiac::ad::wiener
