// A number and how fast it changes, for functors of driver.h: one more type of "lanes". A functor computes partials from such
// numbers, and what comes out as their speed is second derivatives, exact to rounding.
//
// Included ahead of the families of maps by `-include families.h`, in a namespace of its own beside those of the instruction
// sets; it is compiled for the baseline. The values of functors are not differentiated (their partials say how fast they change),
// so a function that only values need has no speed: NaN, which must not reach a partial.
#pragma once

#include "autodiff/forward_over_reverse/tetragamma.h"
#include "autodiff/kernels/simd.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

struct Tangent {
  double v = 0, t = 0;
  constexpr Tangent() = default;
  constexpr Tangent(double value) : v(value) {}  // NOLINT: constants mix freely
  constexpr Tangent(double value, double speed) : v(value), t(speed) {}

  friend Tangent operator-(Tangent x) { return {-x.v, -x.t}; }
  friend Tangent operator+(Tangent x, Tangent y) { return {x.v + y.v, x.t + y.t}; }
  friend Tangent operator-(Tangent x, Tangent y) { return {x.v - y.v, x.t - y.t}; }
  friend Tangent operator*(Tangent x, Tangent y) { return {x.v * y.v, times(x.t, y.v) + times(y.t, x.v)}; }
  /// Over what has overflowed nothing is left that could move.
  friend Tangent operator/(Tangent x, Tangent y) {
    const double q = x.v / y.v;
    return {q, times(x.t, 1 / y.v) - (std::isinf(y.v) ? 0 : times(y.t, q / y.v))};
  }
  Tangent& operator+=(Tangent y) { return *this = *this + y; }
  // Comparisons choose between formulas: the values decide.
  friend bool operator<(Tangent x, Tangent y) { return x.v < y.v; }
  friend bool operator>(Tangent x, Tangent y) { return x.v > y.v; }
  friend bool operator<=(Tangent x, Tangent y) { return x.v <= y.v; }
  friend bool operator>=(Tangent x, Tangent y) { return x.v >= y.v; }
  friend bool operator==(Tangent x, Tangent y) { return x.v == y.v; }
  friend bool operator!=(Tangent x, Tangent y) { return x.v != y.v; }

  /// What stands still stays, though a slope be infinite.
  static double times(double speed, double slope) { return speed == 0 ? 0 : speed * slope; }
};

FERMIAC_INLINE Tangent moved(double value, Tangent x, double slope) {
  return {value, Tangent::times(x.t, slope)};
}
FERMIAC_INLINE Tangent moved(double value, Tangent x, double by_x, Tangent y, double by_y) {
  return {value, Tangent::times(x.t, by_x) + Tangent::times(y.t, by_y)};
}

FERMIAC_INLINE Tangent select(bool first, Tangent yes, Tangent no) { return first ? yes : no; }
/// At 0 from below: formulas of |x| branch by `x > 0`.
FERMIAC_INLINE Tangent abs(Tangent x) { return moved(abs(x.v), x, x.v > 0 ? 1 : -1); }
FERMIAC_INLINE Tangent sqrt(Tangent x) {
  const double r = sqrt(x.v);
  return moved(r, x, r == 0 ? 0 : 0.5 / r);
}
FERMIAC_INLINE Tangent exp(Tangent x) {
  const double e = exp(x.v);
  return moved(e, x, e);
}
FERMIAC_INLINE Tangent log(Tangent x) { return moved(log(x.v), x, 1 / x.v); }
FERMIAC_INLINE Tangent log1p(Tangent x) { return moved(log1p(x.v), x, 1 / (1 + x.v)); }
FERMIAC_INLINE Tangent log1p_given(Tangent x, Tangent) { return log1p(x); }
FERMIAC_INLINE Tangent expm1(Tangent x) {
  const double e = expm1(x.v);
  return moved(e, x, e + 1);
}
FERMIAC_INLINE Tangent sin(Tangent x) { return moved(sin(x.v), x, cos(x.v)); }
FERMIAC_INLINE Tangent cos(Tangent x) { return moved(cos(x.v), x, -sin(x.v)); }
FERMIAC_INLINE Tangent tanh(Tangent x) {
  const double v = tanh(x.v);
  return moved(v, x, 1 - v * v);
}
FERMIAC_INLINE Tangent atan(Tangent x) { return moved(std::atan(x.v), x, 1 / (1 + x.v * x.v)); }
FERMIAC_INLINE Tangent erf(Tangent x) { return moved(erf(x.v), x, 1.12837916709551257390 * exp(-x.v * x.v)); }
FERMIAC_INLINE Tangent erfc(Tangent x) { return moved(erfc(x.v), x, -1.12837916709551257390 * exp(-x.v * x.v)); }
FERMIAC_INLINE Tangent pow(Tangent x, Tangent y) {
  const double v = pow(x.v, y.v);
  return moved(v, x, y.v == 0 ? 0 : y.v * pow(x.v, y.v - 1), y, v == 0 ? 0 : v * log(x.v));
}

// Functions of the C library that partials call, as the family elementary names them.
FERMIAC_INLINE Tangent sinh_(Tangent x) { return moved(std::sinh(x.v), x, std::cosh(x.v)); }
FERMIAC_INLINE Tangent cosh_(Tangent x) { return moved(std::cosh(x.v), x, std::sinh(x.v)); }
FERMIAC_INLINE Tangent trunc_(Tangent x) { return std::trunc(x.v); }

FERMIAC_INLINE Tangent lgamma(Tangent x) { return moved(lgamma(x.v), x, x.t == 0 ? 0 : digamma(x.v)); }
FERMIAC_INLINE Tangent digamma(Tangent x) { return moved(digamma(x.v), x, x.t == 0 ? 0 : scalar::trigamma(x.v)); }
FERMIAC_INLINE Tangent trigamma(Tangent x) { return moved(scalar::trigamma(x.v), x, x.t == 0 ? 0 : scalar::tetragamma(x.v)); }
FERMIAC_INLINE Tangent digamma_difference(Tangent z, Tangent n, Tangent) {
  const double v = scalar::digamma_difference(z.v, n.v);
  if (z.t == 0 && n.t == 0) return v;
  const double by_n = scalar::trigamma(z.v + n.v);
  return moved(v, z, by_n - scalar::trigamma(z.v), n, by_n);
}
FERMIAC_INLINE Tangent digamma_difference(Tangent z, Tangent n) { return digamma_difference(z, n, Tangent{}); }
FERMIAC_INLINE Tangent lgamma_difference(Tangent z, Tangent n, Tangent) {
  return moved(scalar::lgamma_difference(z.v, n.v), z, z.t == 0 ? 0 : scalar::digamma_difference(z.v, n.v), n,
               n.t == 0 ? 0 : digamma(z.v + n.v));
}

/// z + s for the slope s of log Phi at z, which is nearly -z far out: 1/|z| - 2/|z|³ + 10/|z|⁵ - ...
FERMIAC_INLINE double log_Phi_rest(double z, double slope) {
  const double w = -1 / z, w2 = w * w;
  return z < -200 ? w * (1 - w2 * (2 - w2 * (10 - 74 * w2))) : z + slope;
}
/// The slope's own slope is -slope (z + slope).
FERMIAC_INLINE Tangent log_Phi_core(Tangent z, Tangent& slope, bool& left) {
  const double s = scalar::log_Phi_slope(z.v), rest = log_Phi_rest(z.v, s);
  left = z.v < -1;
  slope = moved(s, z, -s * rest);
  const double core = left ? std::log(0.5 * scalar::erfcx(-0.70710678118654752440 * z.v)) : scalar::log_Phi(z.v);
  return moved(core, z, left ? rest : s);
}

template <class Fn>
FERMIAC_INLINE Tangent lanewise(Fn fn, Tangent x) {
  return {fn(x.v), x.t == 0 ? 0 : __builtin_nan("")};
}
template <class Fn>
FERMIAC_INLINE Tangent lanewise(Fn fn, Tangent x, Tangent y) {
  return {fn(x.v, y.v), x.t == 0 && y.t == 0 ? 0 : __builtin_nan("")};
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
