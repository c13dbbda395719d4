// Pareto's distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kParetoArguments[] = {
    LawArgument{"y", "Random variable", Rule::NotNan, "r 1 2"}.in_tails(Rule::NonNegative),
    {"y_min", "Scale parameter", Rule::PositiveFinite, "r 0.2 0.8"},
    {"alpha", "Shape parameter", Rule::PositiveFinite, "r 0.5 2"},
};
inline constexpr Law kPareto{"pareto", "p(y) = alpha y_min^alpha / y^(alpha + 1), y >= y_min", kParetoArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log alpha + alpha log y_min - (alpha + 1) log y, zero below y_min.
struct ParetoLpdf : DensityOf<laws::kPareto> {
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[2] > kLargePower; }
  template <bool Partials, bool Large, class T>
  FERMIAC_INLINE T form(const T* x, const T*, T g, T* d, Keep k) {
    const T log_y = log(x[0]);
    const T log_min = log(x[1]);
    T lp{}, ratio = log_y - log_min;
    if (k.has(0b110)) lp = lp + x[2] * log_min;
    if (k.has(0b101)) lp = lp - (x[2] + 1.0) * log_y;
    if constexpr (Large) {
      const Mask<T> near = near_one(ratio, x[2]);
      ratio = ratio_near_one(near, x[0], x[1], ratio);
      if (k.has(0b110) && k.has(0b101)) lp = select(near, -x[2] * ratio - log_y, lp);
    }
    if (k.has(0b100)) lp = lp + log(x[2]);
    if constexpr (Partials) {
      d[0] = -g * (x[2] + 1.0) / x[0];
      d[1] = g * x[2] / x[1];
      d[2] = g * (1.0 / x[2] - ratio);
    }
    return inside<Partials, 3>(x[0] >= x[1], lp, d);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, false>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, true>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    return plain_or_large<ParetoLpdf, Partials, 1>(x, static_cast<const T*>(nullptr), g, d, k);
  }
};

struct ParetoTails : ClosedTailsOf<laws::kPareto> {
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] < x[1], x[0] == kInf}; }
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    T l = log(x[1] / x[0]);
    if (const Mask<T> near = near_one(l, x[2]); any(near)) l = -ratio_near_one(near, x[0], x[1], -l);
    upper = everywhere(l);
    d[0] = -x[2] / x[0];
    d[1] = x[2] / x[1];
    d[2] = l;
    return x[2] * l;
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

inline double pareto(Rng& r, const double* x) { return x[0] * std::exp(r.exponential() / x[1]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
