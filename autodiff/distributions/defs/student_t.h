// Student's t distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kStudentTArguments[] = {
    {"y", "Random variable", Rule::NotNan},
    {"nu", "Degrees of freedom parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"mu", "Location parameter", Rule::Finite},
    {"sigma", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kStudentT{
    "student_t",
    "p(y) = Gamma((nu + 1)/2) / (Gamma(nu/2) sqrt(nu pi) sigma) (1 + ((y - mu) / sigma)^2 / nu)^(-(nu + 1)/2)",
    kStudentTArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// lgamma((nu+1)/2) - lgamma(nu/2) - log(nu pi)/2 - log sigma - (nu+1)/2 log(1 + z²/nu).
struct StudentTLpdf : DensityOf<laws::kStudentT> {
  static constexpr unsigned kPre[] = {0b1000, 0b1000, 0b0010, 0b0010, 0b0010};
  static constexpr double kFar = 1e60;
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    const T half = 0.5 * x[1];
    if constexpr (I < 2) return scale_part<I>(x[3], k, 3);
    else if constexpr (I == 2) return 1.0 / x[1];
    else if constexpr (I == 3)
      return k.has(0b0010) ? lanewise([](auto h) { return scalar::lgamma_difference(h, 0.5); }, half) - 0.5 * log(x[1]) : T{};
    else if constexpr (Partials) return k.wants(1) ? half_step_rest(half) : T{};
    else return T{};
  }
  /// Half of digamma(h + 1/2) - digamma(h) - 1 / (2 h), in powers of 1 / h for large h.
  template <class T>
  FERMIAC_INLINE T half_step_rest(T h) {
    const auto large = h > 100.0;
    const T u = 1.0 / h, w = u * u;
    T r{};
    if (any(negate(large))) r = 0.5 * (digamma(h + 0.5) - digamma(h)) - 0.25 * u;
    if (any(large)) r = select(large, 0.5 * w * (1.0 / 8 - w * (1.0 / 64 - w * (1.0 / 128 - w * (17.0 / 2048)))), r);
    return r;
  }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return (abs(x[0] - x[2]) > kFar * x[3]) | (x[1] < 1.0 / kFar); }
  template <bool Partials, bool Large, class T>
  FERMIAC_INLINE T form(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[2]) * p[0];
    const T q = z * z * p[2];
    const T share = Partials ? 1.0 / (1.0 + q) : T{};
    T l = Partials ? log1p_given(q, share) : log1p(q);
    const auto far = q > kFar;  // where z² overflows, or its inverse loses digits
    if constexpr (Large) l = select(far, 2.0 * log(abs(z)) + log(p[2]), l);
    T lp = (-0.5 * x[1] - 0.5) * l;
    if (k.constants()) lp = lp - 0.5 * kLogPi;
    if (k.has(0b1000)) lp = lp - p[1];
    if (k.has(0b0010)) lp = lp + p[3];
    if constexpr (Partials) {
      const T w = (x[1] + 1.0) * (Large ? select(far, 1.0 / z, p[2] * share * z) : p[2] * share * z);  // (nu + 1) z / (nu + z²)
      const T slope = g * w * p[0];
      d[0] = -slope;
      d[1] = g * (p[4] - 0.5 * l + 0.5 * w * z * p[2]);
      d[2] = slope;
      d[3] = slope * z - g * p[0];
    }
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, false>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) { return form<Partials, true>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<StudentTLpdf, Partials, 5>(x, p, g, d, k);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include <cmath>
#include <type_traits>

#include "autodiff/distributions/detail/scalar_laws.h"
#include "autodiff/kernels/large_densities.h"
#include "autodiff/kernels/quadrature.h"

namespace fermiac::ad::scalar {
namespace {

struct StudentTTails : TailsOf<laws::kStudentT> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    LogTails<T> t;
    if (infinite(x[0], t)) return t;
    const T z = (x[0] - x[2]) / x[3];
    if (val(z) == 0) return centre(x[1], z);
    if (std::fabs(val(z)) > 1e150) return far_out(x[1], z);
    const T tail = log_tail_beyond(x[1], z);
    return val(z) < 0 ? from_lower(tail) : from_upper(tail);
  }
  /// Beyond |z| > 0. For large nu the slopes by the shape and by the argument of the incomplete beta function cancel.
  template <class T>
  static T log_tail_beyond(const T& nu, const T& z) {
    if constexpr (!std::is_same_v<T, double>)
      if (active(nu) && val(nu) > kLargeShape)
        return log_tail_beyond(T(val(nu)), z) + chain(0, nu, log_tail_by_nu(val(nu), std::fabs(val(z))));
    const T s = nu + z * z;
    return log_beta_tails(T(0.5 * nu), T(0.5), nu / s, z * z / s).lower() - kLogTwo;
  }
  /// The mean of the slope of the log density by nu over the tail beyond z >= 0, in the distance t - z, for large nu.
  static double log_tail_by_nu(double nu, double z) {
    constexpr int kPanels = 12;
    const double s = nu + z * z, reach = s * std::expm1(80 / nu), length = reach / (std::sqrt(z * z + reach) + z);
    const auto density = [&](double u) { return std::exp(-0.5 * (nu + 1) * std::log1p(u * (2 * z + u) / s)); };
    const auto slope = [&](double u) { return density(u) * log_density_by_nu(nu, (z + u) * (z + u) / nu); };
    return integrate_over(0.0, length, kPanels, slope) / integrate_over(0.0, length, kPanels, density);
  }
  /// By nu for large nu, q = z² / nu.
  static double log_density_by_nu(double nu, double q) {
    const double w = 4 / (nu * nu), normaliser = 0.5 * w * (1.0 / 8 - w * (1.0 / 64 - w / 128));
    return normaliser - 0.5 * (log1pmx(q) + q * q / (1 + q)) + 0.5 * q / ((1 + q) * nu);
  }
  /// Where z² overflows, the tail is nu^((nu - 1) / 2) |z|^-nu times the density's constant.
  template <class T>
  static LogTails<T> far_out(const T& nu, const T& z) {
    const T constant = lgamma_difference(T(0.5 * nu), T(0.5)) - 0.5 * log(nu * kPi);
    const T tail = constant + 0.5 * (nu - 1.0) * log(nu) - nu * log(val(z) < 0 ? -z : z);
    return val(z) < 0 ? from_lower(tail) : from_upper(tail);
  }
  /// At z = 0 the incomplete beta function has an infinite slope in z², the distribution function has not.
  template <class T>
  static LogTails<T> centre(const T& nu, const T& z) {
    const T step = 2.0 * exp(lgamma_difference(T(0.5 * val(nu)), T(0.5)) - 0.5 * std::log(val(nu) * kPi)) * z;
    return {step - kLogTwo, -step - kLogTwo};
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double student_t(Rng& r, const double* x) {
  return x[1] + x[2] * r.normal() / std::sqrt(draw_chi_square(r, x[0]) / x[0]);
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
