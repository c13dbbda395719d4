// The negative binomial distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kNegBinomialArguments[] = {
    {"n", "Failures variable", Rule::NonNegative},
    {"alpha", "Shape parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"beta", "Inverse scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kNegBinomial{
    "neg_binomial", "p(n) = choose(n + alpha - 1, alpha - 1) (beta / (beta + 1))^alpha (1 / (beta + 1))^n, n >= 0",
    kNegBinomialArguments, true};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/count_parts.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// choose(n+alpha-1, n) (beta/(1+beta))^alpha (1/(1+beta))^n.
struct NegBinomialLpmf : DensityOf<laws::kNegBinomial> {
  static constexpr unsigned kPre[] = {0b010, 0b010};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return shape_part<I, Partials>(x[1], k, 1); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T n = x[0], alpha = x[1], beta = x[2];
    const T l = log1p(1.0 / beta);
    T lp = -alpha * l - n * log1p(beta);
    if (k.has(0b010)) lp = lp + log_rising_choose(alpha, n, p[0]);
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      if (k.wants(1)) d[1] = g * (digamma_difference(alpha, n, p[1]) - l);
      d[2] = g * (alpha / beta - n) / (1.0 + beta);
    }
    in_large_range<Partials, 3>(n > scalar::kLargeShape, [&] { return n == n; },
                                k.has(0b010), scalar::large_neg_binomial, x, g, lp, d);
    return lp;
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

struct NegBinomialTails : TailsOf<laws::kNegBinomial> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    if (val(x[0]) < 0) return below<T>();
    const T q = 1.0 / (1.0 + x[2]);
    return log_beta_tails(x[1], T(val(x[0]) + 1), x[2] * q, q);
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/defs/poisson.h"
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double neg_binomial(Rng& r, const double* x) {
  return poisson_checked(r, "neg_binomial_rng", draw_gamma(r, x[0]) / x[1]);
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
