// Numbers that carry derivatives forward, for scalar implementations of rare functions: written once as a template over
// the number type, they give value and partials.
#pragma once

#include <cmath>
#include <limits>

#include "autodiff/kernels/special_scalar.h"
#include "autodiff/ops/functions.h"
#include "autodiff/ops/scalar.h"

namespace fermiac::ad::scalar {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kLogTwo = 0.69314718055994530942;
inline constexpr double kLogPi = 1.14472988584940017414;
inline constexpr double kLogSqrtTwoPi = 0.91893853320467274178;
inline constexpr double kSqrtTwo = 1.41421356237309504880;

template <int N>
struct Dual {
  double v = 0;
  double d[N]{};
  Dual() = default;
  Dual(double value) : v(value) {}  // NOLINT: constants mix freely
  bool active() const {
    for (const double x : d)
      if (x != 0) return true;
    return false;
  }
};

inline double val(double x) { return x; }
template <int N>
double val(const Dual<N>& x) { return x.v; }
/// A derivative is wanted.
inline bool active(double) { return false; }
template <int N>
bool active(const Dual<N>& x) { return x.active(); }

/// f(x) given the value and slope there. An inactive operand contributes nothing even where the slope is infinite.
template <int N>
Dual<N> chain(double value, const Dual<N>& x, double slope) {
  Dual<N> r(value);
  for (int i = 0; i < N; ++i) r.d[i] = x.d[i] == 0 ? 0 : slope * x.d[i];
  return r;
}
template <int N>
Dual<N> chain(double value, const Dual<N>& x, double sx, const Dual<N>& y, double sy) {
  Dual<N> r(value);
  for (int i = 0; i < N; ++i) r.d[i] = (x.d[i] == 0 ? 0 : sx * x.d[i]) + (y.d[i] == 0 ? 0 : sy * y.d[i]);
  return r;
}

/// An op of the list (autodiff/ops/list.h).
template <class Op, int N>
Dual<N> listed(const Dual<N>& x) {
  const double v = Op::value(&x.v);
  if (!x.active()) return Dual<N>(v);
  double slope;
  Op::partials(&x.v, v, 1.0, &slope);
  return chain(v, x, slope);
}
template <class Op, int N>
Dual<N> listed(const Dual<N>& x, const Dual<N>& y) {
  const double p[] = {x.v, y.v}, v = Op::value(p);
  double slopes[2];
  Op::partials(p, v, 1.0, slopes);
  return chain(v, x, slopes[0], y, slopes[1]);
}

template <int N>
Dual<N> operator-(const Dual<N>& x) { return listed<ops::Minus>(x); }
// Sums and differences keep the sign of zeros, which slopes of 1 and -1 would lose, and need no products.
template <int N>
Dual<N> operator+(const Dual<N>& x, const Dual<N>& y) {
  Dual<N> r(x.v + y.v);
  for (int i = 0; i < N; ++i) r.d[i] = x.d[i] + y.d[i];
  return r;
}
template <int N>
Dual<N> operator-(const Dual<N>& x, const Dual<N>& y) {
  Dual<N> r(x.v - y.v);
  for (int i = 0; i < N; ++i) r.d[i] = x.d[i] - y.d[i];
  return r;
}
template <int N>
Dual<N> operator*(const Dual<N>& x, const Dual<N>& y) { return listed<ops::Multiply>(x, y); }
template <int N>
Dual<N> operator/(const Dual<N>& x, const Dual<N>& y) { return listed<ops::Divide>(x, y); }
#define FERMIAC_MIXED(op)                                                                    \
  template <int N>                                                                           \
  Dual<N> operator op(const Dual<N>& x, double y) { return x op Dual<N>(y); }                \
  template <int N>                                                                           \
  Dual<N> operator op(double x, const Dual<N>& y) { return Dual<N>(x) op y; }                \
  template <int N>                                                                           \
  Dual<N>& operator op##=(Dual<N>& x, const Dual<N>& y) { return x = x op y; }               \
  template <int N>                                                                           \
  Dual<N>& operator op##=(Dual<N>& x, double y) { return x = x op Dual<N>(y); }
FERMIAC_MIXED(+)
FERMIAC_MIXED(-)
FERMIAC_MIXED(*)
FERMIAC_MIXED(/)
#undef FERMIAC_MIXED
#define FERMIAC_COMPARE(op)                                                                  \
  template <int N>                                                                           \
  bool operator op(const Dual<N>& x, const Dual<N>& y) { return x.v op y.v; }                \
  template <int N>                                                                           \
  bool operator op(const Dual<N>& x, double y) { return x.v op y; }                          \
  template <int N>                                                                           \
  bool operator op(double x, const Dual<N>& y) { return x op y.v; }
FERMIAC_COMPARE(<)
FERMIAC_COMPARE(>)
FERMIAC_COMPARE(<=)
FERMIAC_COMPARE(>=)
FERMIAC_COMPARE(==)
#undef FERMIAC_COMPARE

// ---- functions of one number: value and slope, in terms of x and the value v.
using std::atan;
using std::cos;
using std::exp;
using std::expm1;
using std::fabs;
using std::log;
using std::log1p;
using std::pow;
using std::sin;
using std::sqrt;
inline double one_minus_exp(double x) { return -std::expm1(x); }
template <int N>
Dual<N> exp(const Dual<N>& x) { return listed<ops::Exp>(x); }
template <int N>
Dual<N> log(const Dual<N>& x) { return listed<ops::Log>(x); }
template <int N>
Dual<N> sqrt(const Dual<N>& x) { return listed<ops::Sqrt>(x); }

#define FERMIAC_DUAL(Name, function, slope)                                                  \
  template <int N>                                                                           \
  Dual<N> function(const Dual<N>& arg) {                                                     \
    const double x = arg.v;                                                                  \
    [[maybe_unused]] const double v = function(x);                                           \
    return arg.active() ? chain(v, arg, slope) : Dual<N>(v);                                 \
  }
FERMIAC_FREQUENT_FUNCTIONS(FERMIAC_DUAL)
FERMIAC_ELEMENTARY_FUNCTIONS(FERMIAC_DUAL)
// Lanes have none of these, or another slope: |x| has slope 0 at 0 there.
#define FERMIAC_DUAL_ONLY(X)                                                                 \
  X(OneMinusExp, one_minus_exp, -exp(x))                                                     \
  X(Fabs, fabs, x < 0 ? -1 : 1)                                                              \
  X(LogPhi, log_Phi, log_Phi_slope(x))                                                       \
  X(Log1pmx, log1pmx, -x / (1 + x))                                                          \
  X(Erfcx, erfcx, 2 * x * v - 1.12837916709551257390)                                        \
  X(StirlingCorrection, stirling_correction, stirling_slope(x))
FERMIAC_DUAL_ONLY(FERMIAC_DUAL)
#undef FERMIAC_DUAL_ONLY
#undef FERMIAC_DUAL

// Of two numbers. Lanes write the same slopes otherwise, with what vector forms have at hand: pow divides by x,
// log_sum_exp takes 1 - q for the second slope, log_diff_exp a second expm1.
template <int N>
Dual<N> pow(const Dual<N>& x, const Dual<N>& y) {
  const double v = std::pow(x.v, y.v);
  return chain(v, x, y.v == 0 || (x.v == 0 && y.v < 1) ? 0 : y.v * std::pow(x.v, y.v - 1), y, v == 0 ? 0 : v * std::log(x.v));
}
template <int N>
Dual<N> log_sum_exp(const Dual<N>& x, const Dual<N>& y) {
  return chain(scalar::log_sum_exp(x.v, y.v), x, scalar::inv_logit(x.v - y.v), y, scalar::inv_logit(y.v - x.v));
}
template <int N>
Dual<N> log_diff_exp(const Dual<N>& x, const Dual<N>& y) {
  const double e = std::expm1(y.v - x.v);
  return chain(scalar::log_diff_exp(x.v, y.v), x, -1 / e, y, (1 + e) / e);
}
template <int N>
Dual<N> lbeta(const Dual<N>& a, const Dual<N>& b) {
  return chain(scalar::lbeta(a.v, b.v), a, active(a) ? -scalar::digamma_difference(a.v, b.v) : 0, b,
               active(b) ? -scalar::digamma_difference(b.v, a.v) : 0);
}
template <int N>
Dual<N> lgamma_difference(const Dual<N>& z, const Dual<N>& a) {
  return chain(scalar::lgamma_difference(z.v, a.v), z, active(z) ? scalar::digamma_difference(z.v, a.v) : 0, a,
               active(a) ? scalar::digamma(z.v + a.v) : 0);
}

/// x log y, 0 where x is 0.
template <class T>
T lmultiply(const T& x, const T& log_y) {
  return val(x) == 0 && !active(x) ? T(0) : x * log_y;
}
/// By the rule of products: a slope of 2 x overflows before it.
template <class T>
T square(const T& x) { return x * x; }

}  // namespace fermiac::ad::scalar
