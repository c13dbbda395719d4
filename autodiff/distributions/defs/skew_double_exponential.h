// The skew double exponential distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kSkewDoubleExponentialArguments[] = {
    {"y", "Random variable", Rule::NotNan},
    {"mu", "Location parameter", Rule::Finite},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"tau", "Skewness parameter", Rule::Probability, "r 0.2 0.8 | i 0 1"},
};
inline constexpr Law kSkewDoubleExponential{
    "skew_double_exponential",
    "p(y) = 2 tau (1 - tau) / sigma exp(-2 t |y - mu| / sigma) with t = 1 - tau if y < mu, tau if y >= mu",
    kSkewDoubleExponentialArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log 2 + log tau (1 - tau) - log sigma - 2 (tau - [y < mu]) (y - mu) / sigma.
struct SkewDoubleExponentialLpdf : DensityOf<laws::kSkewDoubleExponential> {
  static constexpr unsigned kPre[] = {0b0100, 0b0100, 0b1000};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return 2.0 / x[2];
    else if constexpr (I == 1) return k.has(0b0100) ? log(x[2]) : T{};
    else return k.has(0b1000) ? log(x[3]) + log1p(-x[3]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T distance = x[0] - x[1];
    const T side = select(distance < 0.0, x[3] - 1.0, select(distance > 0.0, x[3], splat<T>(0.0)));
    const T slope = p[0] * side;
    T lp = -slope * distance;
    if (k.constants()) lp = lp + kLogTwo;
    if (k.has(0b0100)) lp = lp - p[1];
    if (k.has(0b1000)) lp = lp + p[2];
    if constexpr (Partials) {
      d[0] = -g * slope;
      d[1] = g * slope;
      d[2] = g * 0.5 * p[0] * (slope * distance - 1.0);
      d[3] = g * (1.0 / x[3] - 1.0 / (1.0 - x[3]) - p[0] * distance);
    }
    return lp;
  }
};

struct SkewDoubleExponentialTails : ClosedTailsOf<laws::kSkewDoubleExponential> {
  /// The slope of a log tail at infinity is its limit.
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] != x[0], x[0] != x[0]}; }
  /// The tail on the side of z is share exp(-rate |z|), with share and rate tau or 1 - tau; the other is 1 minus that.
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T inv = 1.0 / x[2], z = 2.0 * (x[0] - x[1]) * inv, tau = x[3], w = abs(z);
    const auto right = z >= 0.0;
    const T rate = select(right, tau, 1.0 - tau), share = 1.0 - rate, sign = select(right, splat<T>(-1.0), splat<T>(1.0));
    const auto direct = S == Side::Upper ? right : negate(right);
    const T e = exp(-rate * w), tail = share * e, rest = rate * e - expm1(-rate * w);  // tail + rest = 1
    const T by_z = select(direct, sign * rate, -sign * rate * tail / rest);
    location_scale(2.0 * by_z, 0.5 * z, inv, d);
    d[2] = select(by_z == 0.0, splat<T>(0.0), d[2]);
    d[3] = select(direct, sign / share - z, -sign * (e + lmultiply(tail, w)) / rest);
    return select(direct, select(right, log1p(-tau), log(tau)) - rate * w, select(tail < 0.5, log1p(-tail), log(rest)));
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double skew_double_exponential(Rng& rng, const double* x) {
  const double e = 0.5 * x[1] * rng.exponential();
  return rng.uniform() < x[2] ? x[0] - e / (1 - x[2]) : x[0] + e / x[2];
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
