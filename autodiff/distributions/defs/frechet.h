// Fréchet's distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kFrechetArguments[] = {
    {"y", "Random variable", Rule::Positive, "r 0.4 2"},
    {"alpha", "Shape parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kFrechet{"frechet", "p(y) = alpha/sigma (y/sigma)^(-alpha - 1) exp(-(y/sigma)^-alpha), y > 0",
                              kFrechetArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log alpha - alpha log(y/sigma) - log y - (y/sigma)^(-alpha).
struct FrechetLpdf : DensityOf<laws::kFrechet> {
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[1] > kLargePower; }
  template <bool Partials, bool Large, class T>
  FERMIAC_INLINE T form(const T* x, const T*, T g, T* d, Keep k) {
    const T log_y = log(x[0]);
    const T log_sigma = log(x[2]);
    T ratio = log_y - log_sigma;
    T w = exp(-x[1] * ratio), rest = 1.0 - w, powers{};
    if (k.has(0b011)) powers = powers - (x[1] + 1.0) * log_y;
    if (k.has(0b110)) powers = powers + x[1] * log_sigma;
    if constexpr (Large) {
      const Mask<T> near = near_one(ratio, x[1]);
      ratio = ratio_near_one(near, x[0], x[2], ratio);
      w = exp(-x[1] * ratio);
      rest = select(near, -expm1(-x[1] * ratio), rest);
      if (k.has(0b011) && k.has(0b110)) powers = select(near, -x[1] * ratio - log_y, powers);
    }
    T lp = powers - w;
    if (k.has(0b010)) lp = lp + log(x[1]);
    if constexpr (Partials) {
      d[0] = -g * (x[1] * rest + 1.0) / x[0];
      d[1] = g * (1.0 / x[1] - rest * ratio);
      d[2] = g * x[1] / x[2] * rest;
    }
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, false>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, true>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    return plain_or_large<FrechetLpdf, Partials, 1>(x, static_cast<const T*>(nullptr), g, d, k);
  }
};

struct FrechetTails : PositiveClosedTailsOf<laws::kFrechet> {
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    T t = log(x[0]) - log(x[2]);
    if (const Mask<T> near = near_one(t, x[1]); any(near)) t = ratio_near_one(near, x[0], x[2], t);
    const T log_e = -x[1] * t;
    T v = -exp(log_e), slope = v;
    if constexpr (S == Side::Upper) v = log_complement_of_exp(log_e, slope);
    const auto none = slope == 0.0;
    const T zero = splat<T>(0.0);
    d[0] = select(none, zero, -slope * x[1] / x[0]);
    d[1] = select(none, zero, -slope * t);
    d[2] = slope * x[1] / x[2];
    return v;
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

inline double frechet(Rng& r, const double* x) { return x[1] * std::pow(r.exponential(), -1 / x[0]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
