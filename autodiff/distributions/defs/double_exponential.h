// The double exponential distribution, Laplace's.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kDoubleExponentialArguments[] = {
    LawArgument{"y", "Random variable", Rule::Finite}.in_tails(Rule::NotNan),
    {"mu", "Location parameter", Rule::Finite},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kDoubleExponential{"double_exponential", "p(y) = exp(-|y - mu| / sigma) / (2 sigma)",
                                        kDoubleExponentialArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// -|z| - log(2 sigma).
struct DoubleExponentialLpdf : ScaledDensityOf<laws::kDoubleExponential> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[1]) * p[0];
    T lp = -abs(z);
    if (k.constants()) lp = lp - kLogTwo;
    if (k.has(0b100)) lp = lp - p[1];
    if constexpr (Partials) {
      const T slope = g * select(z > 0.0, p[0], select(z < 0.0, -p[0], splat<T>(0.0)));
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * p[0];
    }
    return lp;
  }
};

struct DoubleExponentialTails : ClosedTailsOf<laws::kDoubleExponential> {
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[2], z = (x[0] - x[1]) * inv;
    upper = z >= 0.0;
    location_scale(select(upper, splat<T>(-1.0), splat<T>(1.0)), z, inv, d);
    return -abs(z) - kLogTwo;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double double_exponential(Rng& r, const double* x) {
  const double e = x[1] * r.exponential();
  return r.uniform() < 0.5 ? x[0] - e : x[0] + e;
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
