// The negative binomial distribution by mean.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kNegBinomial2Arguments[] = {
    {"n", "Failures variable", Rule::NonNegative},
    {"mu", "Location parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"phi", "Precision parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kNegBinomial2{"neg_binomial_2",
                                   "p(n) = choose(n + phi - 1, n) (mu / (mu + phi))^n (phi / (mu + phi))^phi, n >= 0",
                                   kNegBinomial2Arguments, true};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/count_parts.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// choose(n+phi-1, n) (mu/(mu+phi))^n (phi/(mu+phi))^phi.
struct NegBinomial2Lpmf : DensityOf<laws::kNegBinomial2> {
  static constexpr unsigned kPre[] = {0b100, 0b100, 0b010};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 2) return k.has(0b010) ? log(x[1]) : T{};
    else return shape_part<I, Partials>(x[2], k, 2);
  }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[0] > scalar::kLargeShape; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) {
    const T n = x[0], mu = x[1], phi = x[2];
    const T l = log1p(mu / phi);
    T lp = -phi * l - n * log(mu + phi);
    if (k.has(0b100)) lp = lp + log_rising_choose(phi, n, p[0]);
    if (k.has(0b010)) lp = lp + lmultiply(n, p[2]);
    if constexpr (Partials) {
      const T q = 1.0 / (mu + phi);
      d[0] = splat<T>(0.0);
      d[1] = g * ((n - mu) * q * (phi / mu));
      if (k.wants(2)) d[2] = g * (digamma_difference(phi, n, p[1]) - l + (mu - n) * q);
    }
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = plain<Partials>(x, p, g, d, k);
    in_large_range<Partials, 3>(large(x), [&] { return (x[1] > 0.0) & (x[1] + x[2] < kInf); }, k.has(0b100) && k.has(0b010),
                                scalar::large_neg_binomial_2, x, g, lp, d);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<NegBinomial2Lpmf, Partials, 3>(x, p, g, d, k);
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

struct NegBinomial2Tails : TailsOf<laws::kNegBinomial2> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    if (val(x[0]) < 0) return below<T>();
    const T q = 1.0 / (x[1] + x[2]);
    return log_beta_tails(x[2], T(val(x[0]) + 1), x[2] * q, x[1] * q);
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/defs/poisson.h"
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

/// g times factor / divisor, where the product need not fit.
inline double scaled(double g, double factor, double divisor) {
  const double product = g * factor;
  return std::isinf(product) ? g / divisor * factor : product / divisor;
}
inline double neg_binomial_2(Rng& r, const double* x) {
  return poisson_checked(r, "neg_binomial_2_rng", scaled(draw_gamma(r, x[1]), x[0], x[1]));
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
