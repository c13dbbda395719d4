// The logistic distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kLogisticArguments[] = {
    LawArgument{"y", "Random variable", Rule::Finite}.in_tails(Rule::NotNan),
    {"mu", "Location parameter", Rule::Finite},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kLogistic{"logistic", "p(y) = exp(-z) / (sigma (1 + exp(-z))^2) with z = (y - mu) / sigma",
                               kLogisticArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"
#include "autodiff/distributions/detail/location_scale_tails.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// -|z| - 2 log(1 + exp(-|z|)) - log sigma.
struct LogisticLpdf : ScaledDensityOf<laws::kLogistic> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[1]) * p[0];
    const T e = exp(-abs(z));
    const T q = 1.0 / (1.0 + e);
    T lp = -abs(z) - 2.0 * log1p_given(e, q);
    if (k.has(0b100)) lp = lp - p[1];
    if constexpr (Partials) {
      const T t = (1.0 - e) * q;
      const T slope = g * select(z > 0.0, t, -t) * p[0];
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * p[0];
    }
    return lp;
  }
};

struct LogisticLower {
  template <class T>
  FERMIAC_INLINE T lower(T z, T& slope) { return -log1p_exp(-z, slope); }
};
template <Side S>
using LogisticTail = LocationScaleTail<laws::kLogistic, LogisticLower, S, false>;

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double logistic(Rng& r, const double* x) {
  const double u = r.uniform();
  return x[0] + x[1] * (std::log(u) - std::log1p(-u));
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
