// The lognormal distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kLognormalArguments[] = {
    {"y", "Random variable", Rule::NonNegative, "r 0.4 2"},
    {"mu", "Location parameter", Rule::Finite},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kLognormal{"lognormal", "p(y) = exp(-(log(y) - mu)^2 / (2 sigma^2)) / (sqrt(2 pi) sigma y), y > 0",
                                kLognormalArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"
#include "autodiff/distributions/detail/location_scale_tails.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// Normal in log y; zero at y = 0.
struct LognormalLpdf : DensityOf<laws::kLognormal> {
  static constexpr unsigned kPre[] = {0b100, 0b100, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I < 2) return scale_part<I>(x[2], k, 2);
    else return log(x[0]);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (p[2] - x[1]) * p[0];
    T lp = -0.5 * z * z - kLogSqrtTwoPi;  // kept always: the language's reference does
    if (k.has(0b100)) lp = lp - p[1];
    if (k.has(0b001)) lp = lp - p[2];
    if constexpr (Partials) {
      const T slope = g * z * p[0];
      d[0] = -(slope + g) / x[0];
      d[1] = slope;
      d[2] = slope * z - g * p[0];
    }
    return inside<Partials, 3>(x[0] > 0.0, lp, d);
  }
};

template <Side S>
using LognormalTail = LocationScaleTail<laws::kLognormal, LogPhiTail, S, true>;

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double lognormal(Rng& r, const double* x) { return std::exp(x[0] + x[1] * r.normal()); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
