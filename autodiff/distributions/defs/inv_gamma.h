// The inverse gamma distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kInvGammaArguments[] = {
    LawArgument{"y", "Random variable", Rule::NotNan, "r 0.4 2"}.in_tails(Rule::NonNegative),
    {"alpha", "Shape parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"beta", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kInvGamma{"inv_gamma", "p(y) = beta^alpha / Gamma(alpha) y^(-alpha - 1) exp(-beta / y), y > 0",
                               kInvGammaArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/gamma_density.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// alpha log beta - lgamma(alpha) - (alpha + 1) log y - beta / y, zero for y <= 0.
struct InvGammaLpdf : GammaDensityOf<laws::kInvGamma> {
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[1] > scalar::kLargeShape; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) {
    const T inv_y = 1.0 / x[0];
    T lp{};
    if (k.has(0b010)) lp = lp - p[0];
    if (k.has(0b110)) lp = lp + x[1] * p[2];
    if (k.has(0b011)) lp = lp - (x[1] + 1.0) * p[3];
    if (k.has(0b101)) lp = lp - x[2] * inv_y;
    if constexpr (Partials) {
      d[0] = g * (x[2] * inv_y - x[1] - 1.0) * inv_y;
      d[1] = g * (p[2] - p[1] - p[3]);
      d[2] = g * (x[1] / x[2] - inv_y);
    }
    return inside<Partials, 3>(x[0] > 0.0, lp, d);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = plain<Partials>(x, p, g, d, k);
    in_large_range<Partials, 3>(large(x), [&] { return (x[0] > 0.0) & (x[0] < kInf) & (x[2] * (1.0 / x[0]) < kInf); },
                                k.has(0b010) && k.has(0b101), scalar::large_inv_gamma, x, g, lp, d);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<InvGammaLpdf, Partials, 4>(x, p, g, d, k);
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

/// 1/y follows a gamma law: tails change places.
template <class T>
LogTails<T> inverse_gamma_tails(const T& y, const T& shape, const T& scale) {
  if (val(y) == 0) return below<T>();
  LogTails<T> t;
  if (infinite(y, t)) return t;
  return swapped(log_gamma_tails(shape, scale / y));
}
struct InvGammaTails : TailsOf<laws::kInvGamma> {
  template <class T>
  static LogTails<T> tails(const T* x) { return inverse_gamma_tails<T>(x[0], x[1], x[2]); }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double inv_gamma(Rng& r, const double* x) { return x[1] * std::exp(-draw_log_gamma(r, x[0])); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
