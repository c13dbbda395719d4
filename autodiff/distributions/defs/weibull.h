// Weibull's distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kWeibullArguments[] = {
    LawArgument{"y", "Random variable", Rule::Finite, "r 0.3 2"}.in_tails(Rule::NonNegative),
    {"alpha", "Shape parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kWeibull{"weibull", "p(y) = alpha/sigma (y/sigma)^(alpha - 1) exp(-(y/sigma)^alpha), y >= 0",
                              kWeibullArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/cdf_forms.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log alpha + (alpha - 1) log y - alpha log sigma - (y/sigma)^alpha, zero for y < 0.
struct WeibullLpdf : DensityOf<laws::kWeibull> {
  static constexpr unsigned kPre[] = {0b001, 0b010, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) { return log(x[I]); }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return (x[1] > kLargePower) | (x[0] == 0.0); }
  template <bool Partials, bool Large, class T>
  FERMIAC_INLINE T form(const T* x, const T* p, T g, T* d, Keep k) {
    T ratio = p[0] - p[2];
    T w = exp(x[1] * ratio), rest = 1.0 - w, powers{};
    if (k.has(0b011)) powers = powers + (Large ? power(x[1] - 1.0, p[0]) : (x[1] - 1.0) * p[0]);
    if (k.has(0b110)) powers = powers - x[1] * p[2];
    if constexpr (Large) {
      const Mask<T> near = near_one(ratio, x[1]);
      ratio = ratio_near_one(near, x[0], x[2], ratio);
      w = exp(x[1] * ratio);
      rest = select(near, -expm1(x[1] * ratio), rest);
      if (k.has(0b011) && k.has(0b110)) powers = select(near, x[1] * ratio - p[0], powers);
    }
    T lp = powers - w;
    if (k.has(0b010)) lp = lp + p[1];
    if constexpr (Partials) {
      d[0] = g * (x[1] * rest - 1.0) / x[0];
      if constexpr (Large) d[0] = select((x[0] == 0.0) & (x[1] == 1.0), -g / x[2], d[0]);
      d[1] = g * (1.0 / x[1] + rest * ratio);
      d[2] = -g * x[1] / x[2] * rest;
    }
    return inside<Partials, 3>(x[0] >= 0.0, lp, d);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, false>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, true>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<WeibullLpdf, Partials, 3>(x, p, g, d, k);
  }
};

/// The upper tail is exp(-w), w = (y / sigma)^alpha.
template <Side S>
struct WeibullTail : TailOf<laws::kWeibull> {
  static constexpr unsigned kPre[] = {0b001, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) { return log(x[I == 0 ? 0 : 2]); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    T ratio = p[0] - p[1];
    if (const Mask<T> near = near_one(ratio, x[1]); any(near)) ratio = ratio_near_one(near, x[0], x[2], ratio);
    const T log_w = x[1] * ratio, w = exp(log_w);
    T lp = -w, slope = lp;
    if constexpr (S == Side::Lower) lp = log_complement_of_exp(log_w, slope);
    if constexpr (Partials) {
      const auto positive = S == Side::Lower ? log_w > -kInf : w > 0.0;
      const auto regular = positive & (w < kInf);
      const T zero = splat<T>(0.0);
      const T t = select(regular, g * slope, zero);
      d[0] = select(regular, t * x[1] / x[0], zero);
      d[1] = select(regular, t * ratio, zero);
      d[2] = -t * x[1] / x[2];
    }
    return lp;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double weibull(Rng& r, const double* x) { return x[1] * std::pow(r.exponential(), 1 / x[0]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
