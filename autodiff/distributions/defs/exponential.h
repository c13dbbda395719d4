// The exponential distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kExponentialArguments[] = {
    {"y", "Random variable", Rule::NonNegative, "r 0.4 2"},
    {"beta", "Inverse scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr SufficientStatistics kExponentialStatistics[] = {
    {1, StatisticsScale::Log, true, [](const double* x) { return StatisticsTerm{1, x[0]}; }},
    {0, StatisticsScale::Log, true, [](const double* x) { return StatisticsTerm{0, x[1]}; }},
};
inline constexpr Law kExponential{"exponential", "p(y) = beta exp(-beta y), y >= 0", kExponentialArguments, false,
                                  kExponentialStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/cdf_forms.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log beta - beta y.
struct ExponentialLpdf : CheapDensityOf<laws::kExponential> {
  static constexpr unsigned kPre[] = {0b10};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return k.has(0b10) ? log(x[1]) : T{}; }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = -x[1] * x[0];
    if (k.has(0b10)) lp = lp + p[0];
    if constexpr (Partials) {
      d[0] = -g * x[1];
      d[1] = g * (1.0 / x[1] - x[0]);
    }
    return lp;
  }
};

template <Side S>
struct ExponentialTail : TailOf<laws::kExponential> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep) {
    const T w = x[1] * x[0];
    T slope = splat<T>(-1.0);
    T lp = -w;
    if constexpr (S == Side::Lower) lp = log_complement(w, slope);
    if constexpr (Partials) {
      d[0] = g * slope * x[1];
      d[1] = select((slope == 0.0) | (x[0] == 0.0), splat<T>(0.0), g * slope * x[0]);
    }
    return lp;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double exponential(Rng& r, const double* x) { return r.exponential() / x[0]; }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
