// Sums of a normal and an exponential number.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kExpModNormalArguments[] = {
    {"y", "Random variable", Rule::NotNan},
    {"mu", "Location parameter", Rule::Finite},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"lambda", "Inv_scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kExpModNormal{
    "exp_mod_normal",
    "p(y) = lambda/2 exp(lambda/2 (2 mu + lambda sigma^2 - 2 y)) erfc((mu + lambda sigma^2 - y) / (sqrt(2) sigma))",
    kExpModNormalArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include <utility>

#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log lambda + v (v/2 - z) + log Phi(z - v), z = (y - mu)/sigma, v = lambda sigma. Far left, where log Phi is a square
/// less a little, the squares are added up by hand: they leave -z²/2.
struct ExpModNormalLpdf : DensityOf<laws::kExpModNormal> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T inv_sigma = 1.0 / x[2];
    const T z = (x[0] - x[1]) * inv_sigma;
    const T v = x[3] * x[2];
    T slope;
    Mask<T> left;
    T lp = log_Phi_core(z - v, slope, left);
    lp = lp + select(left, -0.5 * z * z, v * (0.5 * v - z));
    if (k.has(0b1000)) lp = lp + log(x[3]);
    if (!k.constants()) lp = lp + kLogTwo;
    if constexpr (Partials) {
      const T u = z - v, rest = log_Phi_rest(u, slope);
      const T dz = g * select(u < -200.0, rest - z, slope - v);
      d[0] = dz * inv_sigma;
      d[1] = -d[0];
      d[2] = -(g * rest) * x[3] - dz * z * inv_sigma;
      d[3] = g * (1.0 / x[3] - rest * x[2]);
    }
    return lp;
  }
};

/// Normal plus exponential: with z = (y - mu) / sigma, v = lambda sigma, u = z - v and E = exp(v²/2 - v z) Phi(u), the tails are
/// Phi(z) - E and Phi(-z) + E. Their slopes by z and v are ±v E and ±(u + phi(u) / Phi(u)) E.
struct ExpModNormalTails : ClosedTailsOf<laws::kExpModNormal> {
  /// The mean of t + phi(t) / Phi(t) over [z - v, z] by Gauss's three points; -v times it is the log of E / Phi(z).
  template <class T>
  FERMIAC_INLINE T mean_rest(T z, T v) {
    T sum{};
    for (const auto& [node, weight] : {std::pair{0.5, 8.0 / 18}, {0.5 - 0.3872983346207417, 5.0 / 18}, {0.5 + 0.3872983346207417, 5.0 / 18}}) {
      const T t = z - node * v;
      T slope;
      Mask<T> left;
      (void)log_Phi_core(t, slope, left);
      sum = sum + weight * log_Phi_rest(t, slope);
    }
    return sum;
  }
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T inv = 1.0 / x[2], z = (x[0] - x[1]) * inv, v = x[3] * x[2], u = z - v, zero = splat<T>(0.0);
    T slope_z, slope_u;
    Mask<T> left_z, left_u;
    const T core_z = log_Phi_core(z, slope_z, left_z), core_u = log_Phi_core(u, slope_u, left_u);
    const T half_square = 0.5 * z * z, below = core_z - select(left_z, half_square, zero);
    const T shift = v * (0.5 * v - z);
    const T log_e = core_u + select(left_u, -half_square, shift);
    T gap = select(left_z, core_u - core_z, log_e - below);  // log of E / Phi(z); z² cancels on the left
    if (const Mask<T> near = v < 0.01 * (1.0 + abs(z)); any(near)) gap = select(near, -v * mean_rest(z, v), gap);
    T value = below + log1m_exp(min(gap, zero));
    T share = 1.0 / expm1(-min(gap, zero));  // E over the tail
    if (S == Side::Upper || any(value > -0.2)) {
      T unused;
      const T above = log_Phi(-z, unused), most = max(above, log_e);
      const T sum = most + log1p(exp(min(above, log_e) - most));
      const T odds = inv_logit(log_e - above);
      if constexpr (S == Side::Upper) {
        const auto here = sum < -0.2;
        share = select(here, odds, exp(log_e - log1m_exp(min(value, zero))));
        value = select(here, sum, log1m_exp(min(value, zero)));
      } else {
        const auto there = (value > -0.2) & (sum < -0.2);
        value = select(there, log1m_exp(min(sum, zero)), value);
        share = select(there, exp(log_e - value), share);
      }
    }
    const T weight = S == Side::Upper ? -share : share;
    const T by_v = weight * log_Phi_rest(u, slope_u);
    location_scale(weight * v, z, inv, d);
    d[2] = weight * x[3] * select(u < -200.0, log_Phi_rest(u, slope_u) - z, slope_u - v);
    d[3] = by_v * x[2];
    return value;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double exp_mod_normal(Rng& r, const double* x) { return x[0] + x[1] * r.normal() + r.exponential() / x[2]; }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
