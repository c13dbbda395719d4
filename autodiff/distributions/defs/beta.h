// The beta distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBetaArguments[] = {
    {"theta", "Random variable", Rule::Probability, "r 0.2 0.8"},
    {"alpha", "First shape parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"beta", "Second shape parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr SufficientStatistics kBetaStatistics[] = {
    {0, StatisticsScale::Logit, true, [](const double* x) { return StatisticsTerm{x[1] - 1, x[2] - 1}; }},
};
inline constexpr Law kBeta{"beta",
                           "p(theta) = theta^(alpha - 1) (1 - theta)^(beta - 1) / B(alpha, beta), 0 < theta < 1",
                           kBetaArguments, false, kBetaStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// (alpha - 1) log y + (beta - 1) log(1 - y) - log B(alpha, beta).
struct BetaLpdf : DensityOf<laws::kBeta> {
  static constexpr unsigned kPre[] = {0b110, 0b110, 0b110, 0b001, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b110) ? normaliser(x, k) : T{};
    else if constexpr (I == 1) return Partials && k.wants(1) ? digamma(x[1] + x[2]) - digamma(x[1]) : T{};
    else if constexpr (I == 2) return Partials && k.wants(2) ? digamma(x[1] + x[2]) - digamma(x[2]) : T{};
    else if constexpr (I == 3) return k.has(0b011) ? log(x[0]) : T{};
    else return k.has(0b101) ? log1p(-x[0]) : T{};
  }
  template <class T>
  FERMIAC_INLINE T normaliser(const T* x, Keep k) {
    if (k.has(0b010) && k.has(0b100)) return -lanewise([](auto a, auto b) { return scalar::lbeta(a, b); }, x[1], x[2]);
    const T kept = k.has(0b010) ? x[1] : x[2], other = k.has(0b010) ? x[2] : x[1];
    return lgamma_difference(kept, other, lgamma(kept));
  }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[1] + x[2] > scalar::kLargeConcentration; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = p[0];
    if (k.has(0b011)) lp = lp + power(x[1] - 1.0, p[3]);
    if (k.has(0b101)) lp = lp + power(x[2] - 1.0, p[4]);
    if constexpr (Partials) {
      d[0] = g * (power(x[1] - 1.0, 1.0 / x[0]) - power(x[2] - 1.0, 1.0 / (1.0 - x[0])));
      d[1] = g * (p[1] + p[3]);
      d[2] = g * (p[2] + p[4]);
    }
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = plain<Partials>(x, p, g, d, k);
    in_large_range<Partials, 3>(large(x), [&] { return (x[0] > 0.0) & (x[0] < 1.0); },
                                k.has(0b010) && k.has(0b100), scalar::large_beta, x, g, lp, d);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<BetaLpdf, Partials, 5>(x, p, g, d, k);
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

struct BetaTails : TailsOf<laws::kBeta> {
  template <class T>
  static LogTails<T> tails(const T* x) { return log_beta_tails(x[1], x[2], x[0], 1.0 - x[0]); }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/dual.h"

namespace fermiac::ad {

double draw_beta(Rng& rng, double a, double b) {
  const double log_x = draw_log_gamma(rng, a);
  const double log_y = draw_log_gamma(rng, b);
  if (log_x == log_y && std::isinf(log_x)) return rng.uniform() * (a + b) < a ? 1 : 0;  // shapes so small leave the ends alone
  return scalar::inv_logit(log_x - log_y);
}

}  // namespace fermiac::ad

namespace fermiac::ad::draws {

inline double beta(Rng& r, const double* x) { return draw_beta(r, x[0], x[1]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
