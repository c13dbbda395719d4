// The Yule-Simon distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kYuleSimonArguments[] = {
    {"n", "Outcome variable", {{Rule::NotBelow, 0, 1}}},
    LawArgument{"alpha", "Shape parameter", Rule::PositiveFinite, "r 0.4 2"}.called_in_draws("Inverse scale parameter"),
};
inline constexpr Law kYuleSimon{"yule_simon", "p(n) = alpha B(n, alpha + 1), n >= 1", kYuleSimonArguments, true};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// The upper tail is Gamma(alpha + 1) Gamma(n + 1) / Gamma(n + 1 + alpha).
struct YuleSimonTails : ClosedTailsOf<laws::kYuleSimon> {
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] < 1.0, x[0] == kInf}; }
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T n = max(x[0], splat<T>(0.0)), a = x[1] + 1.0;
    upper = everywhere(n);
    d[1] = -digamma_difference(a, n);
    const auto small = x[1] < 0.05, swapped = (x[1] > n) & (x[1] > 10.0);
    T v{};
    if (any(negate(small | swapped))) v = lgamma(a) - lgamma_difference(n + 1.0, x[1], lgamma(n + 1.0));
    if (any(small)) v = select(small, -x[1] * mean_slope(x[1], n), v);
    if (any(swapped)) v = select(swapped, lgamma(n + 1.0) - lgamma_difference(a, n, lgamma(a)), v);
    return v;
  }
  /// The mean of digamma(1 + s + n) - digamma(1 + s) over 0 < s < alpha by Gauss's three points.
  template <class T>
  FERMIAC_INLINE T mean_slope(T alpha, T n) {
    T sum = (8.0 / 18) * digamma_difference(1.0 + 0.5 * alpha, n);
    for (const double side : {-0.3872983346207417, 0.3872983346207417}) sum = sum + (5.0 / 18) * digamma_difference(1.0 + (0.5 + side) * alpha, n);
    return sum;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include "autodiff/distributions/detail/scalar_laws.h"

namespace fermiac::ad::scalar {
namespace {

struct YuleSimonLpmf : ScalarDensityOf<laws::kYuleSimon> {
  template <class T>
  static T eval(const T* x, Keep) {
    const T n = val(x[0]);
    return log(x[1]) + lbeta(n, x[1] + 1.0);
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

/// Geometric on 1, 2, ... with success probability exp(-W), W exponential.
inline double yule_simon(Rng& rng, const double* x) {
  const double p = std::exp(-rng.exponential() / x[0]);
  return p >= 1 ? 1 : std::fmax(1, std::ceil(-rng.exponential() / std::log1p(-p)));
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
