// The negative binomial distribution by log mean.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kNegBinomial2LogArguments[] = {
    {"n", "Failures variable", Rule::NonNegative},
    LawArgument{"eta", "Log location parameter", Rule::Finite}.called_in_draws("Log-location parameter"),
    LawArgument{"phi", "Precision parameter", Rule::PositiveFinite, "r 0.4 2"}.called_in_draws(
        "Inverse dispersion parameter"),
};
inline constexpr Law kNegBinomial2Log{"neg_binomial_2_log", "as neg_binomial_2 with mu = exp(eta)",
                                      kNegBinomial2LogArguments, true};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/count_parts.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// neg_binomial_2 with mu = exp(eta).
struct NegBinomial2LogLpmf : DensityOf<laws::kNegBinomial2Log> {
  static constexpr unsigned kPre[] = {0b100, 0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return shape_part<I, Partials>(x[2], k, 2); }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[0] > scalar::kLargeShape; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) {
    const T n = x[0], eta = x[1], phi = x[2], log_phi = p[2];
    T share;  // mu / (mu + phi)
    const T l = log1p_exp(eta - log_phi, share);
    const T log_sum = l + log_phi;  // of mu + phi: where eta is large it is eta, and n times either would be all there is
    T lp = -phi * l + n * (k.has(0b010) ? eta - log_sum : -log_sum);
    if (k.has(0b100)) lp = lp + log_rising_choose(phi, n, p[0]);
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      d[1] = g * (n - (n + phi) * share);
      if (k.wants(2)) d[2] = g * (digamma_difference(phi, n, p[1]) - l + share - n * (1.0 - share) / phi);
    }
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = plain<Partials>(x, p, g, d, k);
    in_large_range<Partials, 3>(large(x), [&] { return x[0] == x[0]; },
                                k.has(0b100) && k.has(0b010), scalar::large_neg_binomial_2_log, x, g, lp, d);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<NegBinomial2LogLpmf, Partials, 3>(x, p, g, d, k);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/defs/neg_binomial_2.h"
#include "autodiff/distributions/defs/poisson.h"
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double neg_binomial_2_log(Rng& r, const double* x) {
  return poisson_checked(r, "neg_binomial_2_log_rng", scaled(draw_gamma(r, x[1]), std::exp(x[0]), x[1]));
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
