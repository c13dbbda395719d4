// The log-logistic distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kLoglogisticArguments[] = {
    LawArgument{"y", "Random variable", Rule::PositiveFinite, "r 0.4 2"}.in_tails(Rule::NonNegative),
    {"alpha", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"beta", "Shape parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kLoglogistic{
    "loglogistic", "p(y) = (beta/alpha) (y/alpha)^(beta - 1) / (1 + (y/alpha)^beta)^2, y > 0", kLoglogisticArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log beta - log y + t - 2 log(1 + exp t), t = beta (log y - log alpha).
struct LoglogisticLpdf : DensityOf<laws::kLoglogistic> {
  static constexpr unsigned kPre[] = {0b001, 0b010};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) { return log(x[I]); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T r = p[0] - p[1];
    const Mask<T> near = near_one(r, x[2]);
    if (any(near)) r = ratio_near_one(near, x[0], x[1], r);
    T share, powers = (x[2] - 1.0) * p[0];
    const T soft = log1p_exp(x[2] * r, share);
    T tilt = 1.0 - 2.0 * share;
    if (k.has(0b110)) powers = powers - x[2] * p[1];
    if (any(near)) {
      const T e = expm1(min(max(x[2] * r, splat<T>(-40.0)), splat<T>(40.0)));
      tilt = select(near, -e / (e + 2.0), tilt);
      if (k.has(0b110)) powers = select(near, x[2] * r - p[0], powers);
    }
    T lp = -2.0 * soft + powers;
    if (k.has(0b110)) lp = lp + log(x[2]);
    if constexpr (Partials) {
      const T t = g * tilt;
      d[0] = (t * x[2] - g) / x[0];
      d[1] = -t * x[2] / x[1];
      d[2] = t * r + g / x[2];
    }
    return lp;
  }
};

struct LoglogisticTails : PositiveClosedTailsOf<laws::kLoglogistic> {
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    T l = log(x[0]) - log(x[1]);
    if (const Mask<T> near = near_one(l, x[2]); any(near)) l = ratio_near_one(near, x[0], x[1], l);
    const T t = x[2] * l;
    T slope;
    const T v = -log1p_exp(S == Side::Upper ? t : -t, slope);
    if constexpr (S == Side::Upper) slope = -slope;
    d[0] = slope * x[2] / x[0];
    d[1] = -slope * x[2] / x[1];
    d[2] = slope * l;
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

inline double loglogistic(Rng& r, const double* x) {
  const double u = r.uniform();
  return x[0] * std::exp((std::log(u) - std::log1p(-u)) / x[1]);
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
