// The chi-square distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kChiSquareArguments[] = {
    {"y", "Random variable", Rule::NonNegative, "r 0.4 2"},
    {"nu", "Degrees of freedom parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kChiSquare{"chi_square", "p(y) = 2^(-nu/2) / Gamma(nu/2) y^(nu/2 - 1) exp(-y/2), y > 0",
                                kChiSquareArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/gamma_density.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// With h = nu/2: -h log 2 - lgamma(h) + (h - 1) log y - y/2.
struct ChiSquareLpdf : ChiSquareDensityOf<laws::kChiSquare> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T log_y = log(x[0]);
    T lp = power(0.5 * x[1] - 1.0, log_y);
    if (k.has(0b10)) lp = lp - p[0];
    if (k.has(0b01)) lp = lp - 0.5 * x[0];
    if constexpr (Partials) {
      d[0] = g * (power(0.5 * x[1] - 1.0, 1.0 / x[0]) - 0.5);
      d[1] = 0.5 * g * (log_y - p[1] - kLogTwo);
    }
    in_large_range<Partials, 2>(x[1] > scalar::kLargeShape, [&] { return (x[0] > 0.0) & (x[0] < kInf); },
                                k.has(0b10) && k.has(0b01), scalar::large_chi_square, x, g, lp, d);
    return lp;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include "autodiff/distributions/defs/gamma.h"
#include "autodiff/distributions/detail/scalar_laws.h"

namespace fermiac::ad::scalar {
namespace {

struct ChiSquareTails : TailsOf<laws::kChiSquare> {
  template <class T>
  static LogTails<T> tails(const T* x) { return gamma_law<T>(x[0], 0.5 * x[1], T(0.5)); }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad {

double draw_chi_square(Rng& rng, double nu) { return 2 * draw_gamma(rng, 0.5 * nu); }

}  // namespace fermiac::ad

namespace fermiac::ad::draws {

inline double chi_square(Rng& r, const double* x) { return draw_chi_square(r, x[0]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
