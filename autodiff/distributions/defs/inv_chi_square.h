// The inverse chi-square distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kInvChiSquareArguments[] = {
    LawArgument{"y", "Random variable", Rule::NotNan, "r 0.4 2"}.in_tails(Rule::NonNegative),
    {"nu", "Degrees of freedom parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kInvChiSquare{
    "inv_chi_square", "p(y) = 2^(-nu/2) / Gamma(nu/2) y^(-nu/2 - 1) exp(-1 / (2 y)), y > 0", kInvChiSquareArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/gamma_density.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// With h = nu/2: -h log 2 - lgamma(h) - (h + 1) log y - 1/(2y), zero for y <= 0.
struct InvChiSquareLpdf : ChiSquareDensityOf<laws::kInvChiSquare> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T log_y = log(x[0]);
    const T inv_y = 1.0 / x[0];
    T lp = -(0.5 * x[1] + 1.0) * log_y;
    if (k.has(0b10)) lp = lp - p[0];
    if (k.has(0b01)) lp = lp - 0.5 * inv_y;
    if constexpr (Partials) {
      d[0] = g * (0.5 * inv_y - 0.5 * x[1] - 1.0) * inv_y;
      d[1] = -0.5 * g * (log_y + p[1] + kLogTwo);
    }
    in_large_range<Partials, 2>(x[1] > scalar::kLargeShape, [&] { return (x[0] > 0.0) & (x[0] < kInf) & (inv_y < kInf); },
                                k.has(0b10) && k.has(0b01), scalar::large_inv_chi_square, x, g, lp, d);
    return inside<Partials, 2>(x[0] > 0.0, lp, d);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include "autodiff/distributions/defs/inv_gamma.h"
#include "autodiff/distributions/detail/scalar_laws.h"

namespace fermiac::ad::scalar {
namespace {

struct InvChiSquareTails : TailsOf<laws::kInvChiSquare> {
  template <class T>
  static LogTails<T> tails(const T* x) { return inverse_gamma_tails<T>(x[0], 0.5 * x[1], T(0.5)); }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double inv_chi_square(Rng& r, const double* x) { return 0.5 * std::exp(-draw_log_gamma(r, 0.5 * x[0])); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
