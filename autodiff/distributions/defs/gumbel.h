// Gumbel's distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kGumbelArguments[] = {
    {"y", "Random variable", Rule::NotNan},
    {"mu", "Location parameter", Rule::Finite},
    LawArgument{"beta", "Scale parameter", Rule::Positive, "r 0.4 2"}.in_draws(Rule::PositiveFinite),
};
inline constexpr Law kGumbel{"gumbel", "p(y) = exp(-z - exp(-z)) / beta with z = (y - mu) / beta", kGumbelArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// -log(beta) - z - exp(-z).
struct GumbelLpdf : DensityOf<laws::kGumbel> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T inv_beta = 1.0 / x[2];
    const T z = (x[0] - x[1]) * inv_beta;
    const T e = exp(-z);
    T lp = select(e == kInf, splat<T>(-kInf), -z - e);  // at y = -inf too
    if (k.has(0b100)) lp = lp - log(x[2]);
    if constexpr (Partials) {
      const T slope = g * (1.0 - e) * inv_beta;
      d[0] = -slope;
      d[1] = slope;
      d[2] = slope * z - g * inv_beta;
    }
    return lp;
  }
};

/// The lower tail is exp(-exp(-z)).
struct GumbelTails : ClosedTailsOf<laws::kGumbel> {
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T inv = 1.0 / x[2], z = (x[0] - x[1]) * inv;
    T v = -exp(-z), slope = v;
    if constexpr (S == Side::Upper) v = log_complement_of_exp(-z, slope);
    location_scale(-slope, z, inv, d);
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

inline double gumbel(Rng& r, const double* x) { return x[0] - x[1] * std::log(r.exponential()); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
