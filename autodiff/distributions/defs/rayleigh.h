// Rayleigh's distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kRayleighArguments[] = {
    LawArgument{"y", "Random variable", Rule::Positive, "r 0.3 2"}.in_tails(Rule::NonNegative),
    LawArgument{"sigma", "Scale parameter", Rule::Positive, "r 0.4 2"}.in_draws(Rule::PositiveFinite),
};
inline constexpr Law kRayleigh{"rayleigh", "p(y) = y / sigma^2 exp(-y^2 / (2 sigma^2)), y >= 0", kRayleighArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log y - 2 log sigma - y²/(2 sigma²).
struct RayleighLpdf : DensityOf<laws::kRayleigh> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T q = 1.0 / x[1];
    const T z = x[0] * q;
    T lp = -0.5 * z * z;
    if (k.has(0b10)) lp = lp - 2.0 * log(x[1]);
    if (k.has(0b01)) lp = lp + log(x[0]);
    if constexpr (Partials) {
      d[0] = g * (1.0 / x[0] - z * q);
      d[1] = g * q * (z * z - 2.0);
    }
    return lp;
  }
};

struct RayleighTails : PositiveClosedTailsOf<laws::kRayleigh> {
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[1], r = x[0] * inv;
    upper = everywhere(r);
    d[0] = -r * inv;
    d[1] = r * r * inv;
    return -0.5 * r * r;
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

inline double rayleigh(Rng& r, const double* x) { return x[0] * std::sqrt(2 * r.exponential()); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
