// Cauchy's distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kCauchyArguments[] = {
    {"y", "Random variable", Rule::NotNan},
    {"mu", "Location parameter", Rule::Finite},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kCauchy{"cauchy", "p(y) = 1 / (pi sigma (1 + ((y - mu) / sigma)^2))", kCauchyArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"
#include "autodiff/kernels/atan_lanes.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// -log(1 + z²) - log sigma - log pi.
struct CauchyLpdf : ScaledDensityOf<laws::kCauchy> {
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return abs(x[0] - x[1]) > 1e90 * x[2]; }
  template <bool Partials, bool Large, class T>
  FERMIAC_INLINE T form(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[1]) * p[0];
    const T q = Partials ? 1.0 / (1.0 + z * z) : T{};
    T lp = Partials ? -log1p_given(z * z, q) : -log1p(z * z);
    const auto far = z * z > 1e180;  // where z² overflows, or its inverse loses digits
    if constexpr (Large) lp = select(far, -2.0 * log(abs(z)), lp);
    if (k.constants()) lp = lp - kLogPi;
    if (k.has(0b100)) lp = lp - p[1];
    if constexpr (Partials) {
      const T slope = 2.0 * g * (Large ? select(far, 1.0 / z, z * q) : z * q) * p[0];
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * p[0];
    }
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, false>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, true>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<CauchyLpdf, Partials, 2>(x, p, g, d, k);
  }
};

struct CauchyTails : ClosedTailsOf<laws::kCauchy> {
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[2], z = (x[0] - x[1]) * inv, w = abs(z);
    const auto far = w > 1.0;
    const T angle = select(far, atan(1.0 / w), 1.57079632679489661923 - atan(w));
    upper = z > 0.0;
    const T u = 1.0 / w, share = select(u == 0.0, splat<T>(0.0), u / angle);  // w² may overflow
    const T slope = select(far, u * share / (1.0 + u * u), 1.0 / ((1.0 + w * w) * angle));
    location_scale(select(upper, -slope, slope), z, inv, d);
    return log(angle) - kLogPi;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/dual.h"

namespace fermiac::ad::draws {

inline double cauchy(Rng& r, const double* x) { return x[0] + x[1] * std::tan(scalar::kPi * (r.uniform() - 0.5)); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
