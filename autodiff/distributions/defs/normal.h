// The normal distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kNormalArguments[] = {
    {"y", "Random variable", Rule::NotNan},
    {"mu", "Location parameter", Rule::Finite},
    LawArgument{"sigma", "Scale parameter", Rule::Positive, "r 0.4 2"}.in_draws(Rule::PositiveFinite),
};
inline constexpr Law kNormal{"normal", "p(y) = exp(-((y - mu) / sigma)^2 / 2) / (sqrt(2 pi) sigma)", kNormalArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"
#include "autodiff/distributions/detail/location_scale_tails.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log N(y | mu, sigma) = -z²/2 - log sigma - log sqrt(2 pi), z = (y - mu) / sigma.
struct NormalLpdf : CheapScaledDensityOf<laws::kNormal> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T inv_sigma = p[0];
    const T z = (x[0] - x[1]) * inv_sigma;
    T lp = -0.5 * z * z;
    if (k.constants()) lp = lp - kLogSqrtTwoPi;
    if (k.has(0b100)) lp = lp - p[1];
    if constexpr (Partials) {
      const T slope = g * z * inv_sigma;
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * inv_sigma;
    }
    return lp;
  }
};

template <Side S>
using NormalTail = LocationScaleTail<laws::kNormal, LogPhiTail, S, false>;

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double normal(Rng& r, const double* x) { return x[0] + x[1] * r.normal(); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
