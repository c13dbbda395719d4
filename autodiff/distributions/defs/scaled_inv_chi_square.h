// The scaled inverse chi-square distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kScaledInvChiSquareArguments[] = {
    LawArgument{"y", "Random variable", Rule::NotNan, "r 0.4 2"}.in_tails(Rule::NonNegative),
    {"nu", "Degrees of freedom parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kScaledInvChiSquare{
    "scaled_inv_chi_square", "as inv_gamma with alpha = nu/2, beta = nu sigma^2 / 2", kScaledInvChiSquareArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// With h = nu/2: h log h - lgamma(h) + nu log s - (h + 1) log y - h s²/y, zero for y <= 0.
struct ScaledInvChiSquareLpdf : DensityOf<laws::kScaledInvChiSquare> {
  static constexpr unsigned kPre[] = {0b010, 0b010, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    const T h = 0.5 * x[1];
    if constexpr (I == 0) return k.has(0b010) ? h * log(h) - lgamma(h) : T{};
    else if constexpr (I == 1) return Partials && k.wants(1) ? log(h) + 1.0 - digamma(h) : T{};
    else return log(x[2]);
  }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[1] > scalar::kLargeShape; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) {
    const T h = 0.5 * x[1];
    const T log_y = log(x[0]);
    const T inv_y = 1.0 / x[0];
    const T s2 = x[2] * x[2];
    T lp = p[0];
    if (k.has(0b110)) lp = lp + x[1] * p[2];
    if (k.has(0b011)) lp = lp - (h + 1.0) * log_y;
    lp = lp - h * s2 * inv_y;
    if constexpr (Partials) {
      d[0] = g * (h * s2 * inv_y - h - 1.0) * inv_y;
      d[1] = g * (0.5 * p[1] + p[2] - 0.5 * log_y - 0.5 * s2 * inv_y);
      d[2] = g * (x[1] / x[2] - x[1] * x[2] * inv_y);
    }
    return inside<Partials, 3>(x[0] > 0.0, lp, d);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = plain<Partials>(x, p, g, d, k);
    const T ratio = x[2] * x[2] * (1.0 / x[0]);
    in_large_range<Partials, 3>(large(x), [&] { return (x[0] > 0.0) & (x[0] < kInf) & (ratio > 0.0) & (0.5 * x[1] * ratio < kInf); },
                                k.has(0b010), scalar::large_scaled_inv_chi_square, x, g, lp, d);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<ScaledInvChiSquareLpdf, Partials, 3>(x, p, g, d, k);
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

struct ScaledInvChiSquareTails : TailsOf<laws::kScaledInvChiSquare> {
  template <class T>
  static LogTails<T> tails(const T* x) { return inverse_gamma_tails<T>(x[0], 0.5 * x[1], 0.5 * x[1] * x[2] * x[2]); }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double scaled_inv_chi_square(Rng& r, const double* x) {
  return 0.5 * x[0] * x[1] * x[1] * std::exp(-draw_log_gamma(r, 0.5 * x[0]));
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
