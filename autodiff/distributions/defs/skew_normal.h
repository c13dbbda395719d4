// The skew normal distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kSkewNormalArguments[] = {
    {"y", "Random variable", Rule::NotNan},
    {"xi", "Location parameter", Rule::Finite},
    LawArgument{"omega", "Scale parameter", Rule::Positive, "r 0.4 2"}.in_draws(Rule::PositiveFinite),
    {"alpha", "Shape parameter", Rule::Finite},
};
inline constexpr Law kSkewNormal{
    "skew_normal", "p(y) = normal(y | xi, omega) (1 + erf(alpha (y - xi) / (omega sqrt(2))))", kSkewNormalArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log Phi(alpha z) - z²/2 - log(omega sqrt(2 pi) / 2), z = (y - xi) / omega.
struct SkewNormalLpdf : ScaledDensityOf<laws::kSkewNormal> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T z = (x[0] - x[1]) * p[0];
    T slope;
    T lp = log_Phi(x[3] * z, slope) + kLogTwo;
    if (k.has(0b0111)) lp = lp - 0.5 * z * z;
    if (k.has(0b0100)) lp = lp - p[1];
    if (k.constants()) lp = lp - kLogSqrtTwoPi;
    if constexpr (Partials) {
      const T dz = g * (x[3] * slope - z);
      d[0] = dz * p[0];
      d[1] = -d[0];
      d[2] = -(dz * z + g) * p[0];
      d[3] = g * slope * z;
    }
    return lp;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include <cmath>

#include "autodiff/distributions/detail/scalar_laws.h"
#include "autodiff/kernels/quadrature.h"

namespace fermiac::ad::scalar {
namespace {

/// log F(z) of the skew normal law and its slopes.
struct SkewTail {
  double value, dz, dalpha;
};
double log_skew_integrand(double t, double alpha) { return -0.5 * t * t + log_Phi(alpha * t); }
/// log of 2 ∫_{-inf}^z phi(t) Phi(alpha t) dt, by quadrature around the integrand's maximum.
double log_skew_integral(double z, double alpha) {
  double top = std::fmin(z, 40);  // the maximum is below 1
  for (double step = 1; step > 1e-3;) {  // walk down from z to the maximum
    if (log_skew_integrand(top - step, alpha) > log_skew_integrand(top, alpha)) top -= step;
    else step *= 0.5;
  }
  const double peak = log_skew_integrand(top, alpha);
  double low = top, high = top;
  for (double step = 1e-3; log_skew_integrand(low, alpha) > peak - 40; step *= 1.3) low -= step;
  for (double step = 1e-3; high < z && log_skew_integrand(high, alpha) > peak - 40; step *= 1.3) high += step;
  const auto f = [&](double t) { return std::exp(log_skew_integrand(t, alpha) - peak); };
  const double sum = integrate(low, top, 30, f) + integrate(top, std::fmin(high, z), 30, f);
  return peak + std::log(sum) + kLogTwo - kLogSqrtTwoPi;
}
/// For z < 0 and alpha > 0, without cancellation: F(z) = exp(-z²/2) / pi ∫_alpha^inf exp(-(z x)²/2) / (1 + x²) dx.
SkewTail skew_tail_below(double z, double alpha) {
  const double h = -z, rate = h * h * alpha;  // the exponent falls from alpha on by rate t + (h t)²/2
  const double reach = 80 / (rate + std::sqrt(rate * rate + 80 * h * h)), q = 1 + alpha * alpha;
  const auto f = [&](double t) { return std::exp(-t * (rate + 0.5 * h * h * t)) / (1 + (alpha + t) * (alpha + t)); };
  const double sum = integrate(0.0, reach, reach > 4 ? 8 : 4, f);
  return {std::log(sum) - 0.5 * h * h * q - kLogPi, std::sqrt(0.5 * kPi) * erfcx(alpha * h / kSqrtTwo) / sum, -1 / (q * sum)};
}
/// For z < 0 and alpha <= 0: phi(z) 2 ∫_0^inf exp(-u (h + u/2)) Phi(alpha (z - u)) du, h = -z.
SkewTail skew_tail_outside(double z, double alpha) {
  const double h = -z, reach = 80 / (h + std::sqrt(h * h + 80)), q = 1 + alpha * alpha;
  const double sum = integrate(0.0, reach, 8, [&](double u) { return std::exp(-u * (h + 0.5 * u)) * Phi(alpha * (z - u)); });
  return {std::log(2 * sum) - 0.5 * h * h - kLogSqrtTwoPi, Phi(alpha * z) / sum,
          -std::sqrt(0.5 / kPi) * std::exp(-0.5 * h * h * alpha * alpha) / (q * sum)};
}
/// With slopes by density: those of the distribution function over the function itself.
SkewTail skew_tail_of(double value, double z, double alpha) {
  const double log_density = log_skew_integrand(z, alpha) + kLogTwo - kLogSqrtTwoPi;
  const double q = 1 + alpha * alpha;
  return {value, std::exp(log_density - value), -std::exp(-0.5 * z * z * q - value) / (kPi * q)};
}
SkewTail skew_tail_by_other(double z, double alpha, double direct);
SkewTail skew_tail(double z, double alpha) {
  if (z < -5 && alpha <= 0) return skew_tail_outside(z, alpha);
  const double twice_t = 2 * owens_t(z, alpha), direct = Phi(z) - twice_t;
  if (direct > 0.9) {  // the complement has the digits
    const double rest = Phi(-z) + twice_t;
    const bool positive_rest = z > 0 && z <= 5 && alpha >= 0;
    return rest > 0.01 || positive_rest ? skew_tail_of(std::log1p(-rest), z, alpha) : skew_tail_by_other(z, alpha, direct);
  }
  const bool positive = z > -37 && z < 0 && alpha <= 0;  // a sum of positive terms
  if (!(direct > 0.01 || positive) && z < -0.5 && alpha > 0.5) return skew_tail_below(z, alpha);
  return skew_tail_of(direct > 0.01 || positive ? std::log(direct) : log_skew_integral(z, alpha), z, alpha);
}
SkewTail skew_tail_by_other(double z, double alpha, double direct) {
  const SkewTail other = skew_tail(-z, -alpha);
  const double odds = std::exp(other.value) / direct;
  return {log1m_exp(other.value), odds * other.dz, odds * other.dalpha};
}
inline double lift(const SkewTail& s, double, double) { return s.value; }
template <int N>
Dual<N> lift(const SkewTail& s, const Dual<N>& z, const Dual<N>& alpha) { return chain(s.value, z, s.dz, alpha, s.dalpha); }

struct SkewNormalTails : TailsOf<laws::kSkewNormal> {
  template <class T>
  static LogTails<T> tails(const T* x, bool upper) {
    LogTails<T> t;
    if (infinite(x[0], t)) return t;
    const T z = (x[0] - x[1]) / x[2];
    const T& alpha = x[3];
    if (upper) return from_upper<T>(lift(skew_tail(-val(z), -val(alpha)), T(-z), T(-alpha)));
    return from_lower<T>(lift(skew_tail(val(z), val(alpha)), z, alpha));
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double skew_normal(Rng& rng, const double* x) {
  const double delta = std::fabs(x[2]) < 1e100 ? x[2] / std::sqrt(1 + x[2] * x[2]) : std::copysign(1.0, x[2]);
  const double z = delta * std::fabs(rng.normal()) + std::sqrt(1 - delta * delta) * rng.normal();
  return x[0] + x[1] * z;
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
