// Von Mises' distribution on the circle.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kVonMisesArguments[] = {
    {"y", "Random variable", Rule::Finite},
    {"mu", "Location parameter", Rule::Finite},
    LawArgument{"kappa", "Scale parameter", Rule::NonNegativeFinite, "r 0.4 2"}.called_in_draws(
        "Concentration parameter"),
};
inline constexpr Law kVonMises{"von_mises", "p(y) = exp(kappa cos(y - mu)) / (2 pi I0(kappa))", kVonMisesArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// kappa cos(mu - y) - log I_0(kappa) - log(2 pi).
struct VonMisesLpdf : DensityOf<laws::kVonMises> {
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b100) ? lanewise([](auto t) { return scalar::log_bessel_i0(t); }, x[2]) : T{};
    else return Partials && k.wants(2) ? lanewise([](auto t) { return scalar::bessel_ratio(t); }, x[2]) : T{};
  }
  /// x - y less its double `difference`.
  template <class T>
  FERMIAC_INLINE T rounding_of_difference(T x, T y, T difference) {
    const T taken = x - difference;
    return (x - (difference + taken)) + (taken - y);
  }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return (x[2] > scalar::kLargeConcentration) | far(x); }
  template <class T>
  FERMIAC_INLINE Mask<T> far(const T* x) { return abs(x[1] - x[0]) > 1000.0; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) {
    const T angle = x[1] - x[0];
    return by_angle<Partials>(cos(angle), Partials ? sin(angle) : T{}, x, p, g, d, k);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T by_angle(T c, T s, const T* x, const T* p, T g, T* d, Keep k) {
    T lp = x[2] * c;
    if (k.constants()) lp = lp - 2.0 * kLogSqrtTwoPi;
    if (k.has(0b100)) lp = lp - p[0];
    if constexpr (Partials) {
      d[0] = g * x[2] * s;
      d[1] = -d[0];
      d[2] = g * (c - p[1]);
    }
    return lp;
  }
  /// The rounding of a large difference turns its sine and cosine.
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    const T angle = x[1] - x[0], rest = rounding_of_difference(x[1], x[0], angle), s = sin(angle), c = cos(angle);
    const T turn_s = select(far(x), sin(rest), splat<T>(0.0)), turn_c = select(far(x), cos(rest), splat<T>(1.0));
    T lp = by_angle<Partials>(c * turn_c - s * turn_s, s * turn_c + c * turn_s, x, p, g, d, k);
    const Mask<T> concentrated = x[2] > scalar::kLargeConcentration;
    in_large_range<Partials, 3>(concentrated, [&] { return concentrated; }, k.has(0b100), scalar::large_von_mises, x, g, lp, d);
    if (!k.constants() && k.has(0b100)) lp = select(concentrated, lp + 2.0 * kLogSqrtTwoPi, lp);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<VonMisesLpdf, Partials, 2>(x, p, g, d, k);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include <cmath>

#include "autodiff/distributions/detail/scalar_laws.h"
#include "autodiff/distributions/detail/von_mises_series.h"
#include "autodiff/kernels/quadrature.h"

namespace fermiac::ad::scalar {
namespace {

/// Von Mises on [-pi, pi]: a series in the middle, in the tails by quadrature.
struct VonMisesTails : TailsOf<laws::kVonMises> {
  // The outcome lies within one period here, and kappa = 0 is out.
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "Random variable", .bound = -kPi},
                                          {.operand = 0, .rule = Rule::NotAbove, .label = "Random variable", .bound = kPi},
                                          {0, Rule::Finite, "Random variable"},
                                          {1, Rule::Finite, "Location parameter"},
                                          {2, Rule::PositiveFinite, "Scale parameter"}};
  /// log ∫ exp(kappa (cos t - 1)) dt from a over `length` within one period around 0; kept to where it matters. The length,
  /// which may be a rounding error of a, comes by itself.
  template <class T>
  static T log_piece(T a, T length, const T& kappa) {
    if (!(val(length) > 0)) return T(-kInf);
    const double b = val(a) + val(length), fall = fall_distance(val(a) > 0 ? val(a) : b < 0 ? -b : 0, val(kappa));
    if (val(a) > 0 || b < 0) {
      const T kept = val(length) > fall ? T(fall) : length;
      return val(a) > 0 ? log_piece_from(a, T(0), kept, kappa) : log_piece_from(T(a + length), T(-kept), kept, kappa);
    }
    if (val(a) < -fall) {
      length += a + fall;
      a = T(-fall);
    }
    if (b > fall) length = fall - a;
    return log_piece_from(T(0), a, length, kappa);
  }
  /// How far from `angle` on, 0 <= angle <= pi, the density falls by exp(-45); 4 if it does not fall that far.
  static double fall_distance(double angle, double kappa) {
    const double q = 45 / kappa, sine = std::sin(angle), cosine = std::cos(angle);
    if (q > 1e-3) return cosine - q > -1 ? std::acos(cosine - q) - angle : 4;
    const double square = sine * sine + 2 * q * cosine;
    return square > 0 ? 2 * q / (sine + std::sqrt(square)) : 4;
  }
  /// log ∫ exp(kappa (cos(top + s) - 1)) ds from `start` over `length`; differences of cosines keep their digits for small s.
  template <class T>
  static T log_piece_from(const T& top, const T& start, const T& length, const T& kappa) {
    const auto density = [&](const T& s) { return exp(-2.0 * kappa * sin(top + 0.5 * s) * sin(0.5 * s)); };
    const T half = sin(0.5 * top);
    return -2.0 * kappa * half * half + log(integrate_over(start, length, panels(val(kappa)), density));
  }
  /// The density changes by at most exp(2 kappa), and by exp(45) where pieces are cut.
  static int panels(double kappa) { return kappa < 18 ? 4 + static_cast<int>(kappa * (12.0 / 18)) : 16; }
  /// The same for any a and at most one period, cut where a period around 0 begins.
  template <class T>
  static T log_arc(T a, const T& length, const T& kappa) {
    a -= 2 * kPi * std::floor((val(a) + kPi) / (2 * kPi));
    if (val(a) + val(length) <= kPi) return log_piece(a, length, kappa);
    const T before = kPi - a;
    const T first = log_piece(a, before, kappa);
    const T second = log_piece(T(-kPi), T(length - before), kappa);
    return val(second) == -kInf ? first : val(first) == -kInf ? second : log_sum_exp(first, second);
  }
  /// From the end of the period on, which lies between doubles.
  static constexpr double kPiRest = 1.2246467991473532e-16;
  template <class T>
  static T log_lower(const T* x) { return log_arc(T(-kPi - x[1]), T((x[0] + kPi) + kPiRest), x[2]); }
  template <class T>
  static T log_upper(const T* x) { return log_arc(T(x[0] - x[1]), T((kPi - x[0]) + kPiRest), x[2]); }

  template <class T>
  static T series(const T* x) {
    const VonMisesSeries wave(val(x[2]));
    const T here = x[0] - x[1], start = -kPi - x[1];
    return (x[0] + kPi) / (2 * kPi) + lift(wave.at(val(here)), here, x[2]) - lift(wave.at(val(start)), start, x[2]);
  }
  /// One tail needs no other: the integral over a period is known. -log(2 pi I_0(kappa) exp(-kappa)).
  template <class T>
  static T log_scale(const T& kappa) {
    const double k = val(kappa), v = k - log_bessel_i0(k) - std::log(2 * kPi);
    if constexpr (sizeof(T) == sizeof(double)) return v;
    else return chain(v, kappa, 1 - bessel_ratio(k));
  }
  template <class T>
  static LogTails<T> tails(const T* x) {
    if (val(x[0]) == -kPi) return below<T>();
    if (val(x[0]) == kPi) return above<T>();
    if (val(x[2]) > 0 && val(x[2]) <= VonMisesSeries::kLargest) {
      constexpr double kTail = 0.01;
      const T lower = series(x);
      if (val(lower) > kTail && val(lower) < 1 - kTail) return from_lower(T(log(lower)));
      if (val(lower) <= kTail) return from_lower(T(log_lower(x) + log_scale(x[2])));
      return swapped(from_lower(T(log_upper(x) + log_scale(x[2]))));
    }
    const T lower = log_lower(x), upper = log_upper(x);
    return {-log1p_exp(T(upper - lower)), -log1p_exp(T(lower - upper))};
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <algorithm>
#include <cmath>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/dual.h"

namespace fermiac::ad::draws {

/// D. J. Best & N. I. Fisher, Applied Statistics 28 (1979). In [m - pi, m + pi] with m = mu mod 2 pi.
inline double von_mises(Rng& rng, const double* x) {
  const double kappa = x[1];
  const double turns = std::fmod(x[0], 2 * scalar::kPi);
  const double m = turns < 0 ? turns + 2 * scalar::kPi : turns;
  if (kappa < 1.4e-8) return m + scalar::kPi * (2 * rng.uniform() - 1);
  if (kappa > 1e12) return m + rng.normal() / std::sqrt(kappa);  // the limit, where r below is 1 up to rounding
  const double tau = 1 + std::sqrt(1 + 4 * kappa * kappa);
  const double rho = (tau - std::sqrt(2 * tau)) / (2 * kappa);
  const double r = kappa > 1e5 ? 1 + 1 / (2 * kappa) : (1 + rho * rho) / (2 * rho);
  for (;;) {
    const double z = std::cos(scalar::kPi * rng.uniform());
    const double w = (1 + r * z) / (r + z);
    const double y = kappa * (r - w);
    const double u = rng.uniform();
    if (y * (2 - y) - u <= 0 && std::log(y / u) + 1 - y < 0) continue;
    const double angle = std::acos(std::clamp(w, -1.0, 1.0));
    return rng.uniform() < 0.5 ? m - angle : m + angle;
  }
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
