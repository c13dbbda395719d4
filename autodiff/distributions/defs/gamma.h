// The gamma distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kGammaArguments[] = {
    LawArgument{"y", "Random variable", Rule::PositiveFinite, "r 0.4 2"}.in_tails(Rule::NonNegative),
    {"alpha", "Shape parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"beta", "Inverse scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr SufficientStatistics kGammaStatistics[] = {
    {2, StatisticsScale::Log, true, [](const double* x) { return StatisticsTerm{x[1], x[0]}; }},
    {0, StatisticsScale::Log, true, [](const double* x) { return StatisticsTerm{x[1] - 1, x[2]}; }},
};
inline constexpr Law kGamma{"gamma", "p(y) = beta^alpha / Gamma(alpha) y^(alpha - 1) exp(-beta y), y > 0",
                            kGammaArguments, false, kGammaStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/gamma_density.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// alpha log beta - lgamma(alpha) + (alpha - 1) log y - beta y.
struct GammaLpdf : GammaDensityOf<laws::kGamma> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    T lp{};
    if (k.has(0b010)) lp = lp - p[0];
    if (k.has(0b110)) lp = lp + x[1] * p[2];
    if (k.has(0b011)) lp = lp + (x[1] - 1.0) * p[3];
    if (k.has(0b101)) lp = lp - x[2] * x[0];
    if constexpr (Partials) {
      d[0] = g * ((x[1] - 1.0) / x[0] - x[2]);
      d[1] = g * (p[2] - p[1] + p[3]);
      d[2] = g * (x[1] / x[2] - x[0]);
    }
    in_large_range<Partials, 3>(x[1] > scalar::kLargeShape, [&] { return (x[0] > 0.0) & (x[0] * x[2] < kInf); },
                                k.has(0b010) && k.has(0b101), scalar::large_gamma, x, g, lp, d);
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

template <class T>
LogTails<T> gamma_law(const T& y, const T& shape, const T& rate) {
  if (val(y) == 0) return below<T>();
  return log_gamma_tails(shape, y * rate);
}
struct GammaTails : TailsOf<laws::kGamma> {
  template <class T>
  static LogTails<T> tails(const T* x) { return gamma_law<T>(x[0], x[1], x[2]); }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad {

namespace {

/// Marsaglia & Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000); shape >= 1. Rejection would
/// never end for what is no finite number.
double gamma_of_large_shape(Rng& rng, double shape) {
  if (!std::isfinite(shape)) return shape;
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = rng.normal();
    const double t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    if (std::log(rng.uniform()) < 0.5 * x * x + d * (1 - v + std::log(v))) return d * v;
  }
}

}  // namespace

double draw_log_gamma(Rng& rng, double shape) {
  if (shape >= 1) return std::log(gamma_of_large_shape(rng, shape));
  return std::log(gamma_of_large_shape(rng, shape + 1)) - rng.exponential() / shape;
}

double draw_gamma(Rng& rng, double shape) {
  return shape >= 1 ? gamma_of_large_shape(rng, shape) : std::exp(draw_log_gamma(rng, shape));
}

}  // namespace fermiac::ad

namespace fermiac::ad::draws {

inline double gamma(Rng& r, const double* x) { return draw_gamma(r, x[0]) / x[1]; }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
