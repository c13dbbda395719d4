// Poisson's distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

/// 2^30: a draw then fits an int.
inline constexpr double kMostPoisson = 1073741824;

inline constexpr LawArgument kPoissonArguments[] = {
    {"n", "Random variable", Rule::NonNegative},
    LawArgument{"lambda", "Rate parameter", Rule::NonNegative, "r 0.4 2"}.in_draws(
        {Rule::NonNegative, {Rule::NotAbove, 0, kMostPoisson}}),
};
inline constexpr SufficientStatistics kPoissonStatistics[] = {
    {1, StatisticsScale::Log, true, [](const double* x) { return StatisticsTerm{x[0], 1}; }},
};
inline constexpr Law kPoisson{"poisson", "p(n) = lambda^n exp(-lambda) / n!, n >= 0", kPoissonArguments, true,
                              kPoissonStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/count_parts.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// n log lambda - lambda - log n!; an infinite rate has mass nowhere.
struct PoissonLpmf : DensityOf<laws::kPoisson> {
  static constexpr unsigned kPre[] = {0b10, 0b01};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return log(x[1]);
    else return k.constants() ? log_factorial(x[0]) : T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = lmultiply(x[0], p[0]) - x[1];
    if (k.constants()) lp = lp - p[1];
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      d[1] = g * select(x[0] == 0.0, splat<T>(-1.0), (x[0] - x[1]) / x[1]);
    }
    if (k.constants())
      in_large_range<Partials, 2>(x[0] > scalar::kLargeShape, [&] { return (x[1] > 0.0) & (x[1] < kInf); },
                                  true, scalar::large_poisson, x, g, lp, d);
    return inside<Partials, 2>((x[1] < kInf) & ((x[1] > 0.0) | (x[0] == 0.0)), lp, d);
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

struct PoissonTails : TailsOf<laws::kPoisson> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    if (val(x[0]) < 0) return below<T>();
    return swapped(log_gamma_tails(T(val(x[0]) + 1), x[1]));
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <fmt/format.h>

#include <cmath>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/dual.h"
#include "support/base/errors.h"

namespace fermiac::ad {

namespace {

double poisson_by_product(Rng& rng, double rate) {
  const double limit = std::exp(-rate);
  double n = 0;
  for (double p = rng.uniform(); p > limit; p *= rng.uniform()) ++n;
  return n;
}

/// The transformed rejection method PTRS of W. Hoermann, Insurance: Mathematics and Economics 12 (1993); rate >= 10.
double poisson_by_rejection(Rng& rng, double rate) {
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inv_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = rng.uniform() - 0.5;
    const double v = rng.uniform();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v * inv_alpha / (a / (us * us) + b)) <= k * std::log(rate) - rate - scalar::lgamma(k + 1)) return k;
  }
}

}  // namespace

double draw_poisson(Rng& rng, double rate) {
  return rate < 10 ? poisson_by_product(rng, rate) : poisson_by_rejection(rng, rate);
}

}  // namespace fermiac::ad

namespace fermiac::ad::draws {

/// A Poisson draw whose rate is a gamma draw.
inline double poisson_checked(Rng& rng, const char* function, double rate) {
  if (!(rate < laws::kMostPoisson))
    throw DomainError(fmt::format("{}: Random number that came from gamma distribution is {}, but must be less than {}!",
                                  function, rate, laws::kMostPoisson));
  return draw_poisson(rng, rate);
}
inline double poisson(Rng& r, const double* x) { return draw_poisson(r, x[0]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
