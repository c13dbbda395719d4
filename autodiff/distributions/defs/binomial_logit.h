// The binomial distribution by log odds.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBinomialLogitArguments[] = {
    {"n", "Successes variable", {Rule::NonNegative, {Rule::LessOrEqual, 1}}, "i 0 2"},
    {"N", "Population size parameter", Rule::NonNegative, "i 3 5"},
    {"alpha", "Probability parameter", Rule::Finite},
};
inline constexpr SufficientStatistics kBinomialLogitStatistics[] = {
    {2, StatisticsScale::Logit, false, [](const double* x) { return StatisticsTerm{x[0], x[1] - x[0]}; }},
};
inline constexpr Law kBinomialLogit{"binomial_logit",
                                    "p(n) = choose(N, n) inv_logit(alpha)^n inv_logit(-alpha)^(N - n), n = 0 … N",
                                    kBinomialLogitArguments, true, kBinomialLogitStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/count_parts.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

struct BinomialLogitLpmf : DensityOf<laws::kBinomialLogit> {
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[1] > scalar::kLargeShape; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T*, T g, T* d, Keep k) {
    const T n = x[0];
    const T m = x[1] - x[0];
    const T a = x[2];
    const T e = exp(-abs(a));
    const T q = 1.0 / (1.0 + e);
    const T l = log1p_given(e, q);
    const T zero = splat<T>(0.0);
    T lp = -n * (l + select(a < 0.0, -a, zero)) - m * (l + select(a > 0.0, a, zero));
    if (k.constants()) lp = lp + log_choose(x[1], n);
    if constexpr (Partials) {
      const T prob = select(a > 0.0, q, e * q);
      const T complement = select(a > 0.0, e * q, q);
      d[0] = d[1] = zero;
      d[2] = g * (n * complement - m * prob);
    }
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = plain<Partials>(x, p, g, d, k);
    if (k.constants())
      in_large_range<Partials, 3>(large(x), [&] { return x[2] == x[2]; }, true, scalar::large_binomial_logit, x, g, lp, d);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    return plain_or_large<BinomialLogitLpmf, Partials, 1>(x, static_cast<const T*>(nullptr), g, d, k);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES
