// Poisson's distribution by log rate.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kPoissonLogArguments[] = {
    {"n", "Random variable", Rule::NonNegative},
    LawArgument{"alpha", "Log rate parameter", Rule::NotNan}.in_draws(
        {Rule::NotNan, {Rule::NotAbove, 0, 20.79441541679836}}),
};
inline constexpr SufficientStatistics kPoissonLogStatistics[] = {
    {1, StatisticsScale::Log, false, [](const double* x) { return StatisticsTerm{x[0], 1}; }},
};
inline constexpr Law kPoissonLog{"poisson_log", "p(n) = exp(n alpha - exp(alpha)) / n!, n >= 0", kPoissonLogArguments,
                                 true, kPoissonLogStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/count_parts.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// n alpha - exp(alpha) - log n!.
struct PoissonLogLpmf : CheapDensityOf<laws::kPoissonLog> {
  static constexpr unsigned kPre[] = {0b10, 0b01};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return exp(x[1]);
    else return k.constants() ? log_factorial(x[0]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = lmultiply(x[0], x[1]) - p[0];
    if (k.constants()) lp = lp - p[1];
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      d[1] = g * (x[0] - p[0]);
    }
    if (k.constants())
      in_large_range<Partials, 2>(x[0] > scalar::kLargeShape, [&] { return (p[0] > 0.0) & (p[0] < kInf); },
                                  true, scalar::large_poisson_log, x, g, lp, d);
    return inside<Partials, 2>((x[1] < kInf) & ((x[1] > -kInf) | (x[0] == 0.0)), lp, d);
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

inline double poisson_log(Rng& r, const double* x) { return draw_poisson(r, std::exp(x[0])); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
