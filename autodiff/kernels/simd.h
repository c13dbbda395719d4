// Lanes of doubles as GCC vector types, one source for 2, 4 and 8 lanes. Include it only from *.isa.cpp files: they are
// compiled once per instruction set, each in its own namespace, and must not use inline library templates (a template
// compiled for AVX-512 could be picked by the linker for everybody).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "autodiff/kernels/special_scalar.h"
#include "support/platform/intrinsics.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

#if defined(__AVX512F__)
inline constexpr int kLanes = 8;
#elif defined(__AVX__)
inline constexpr int kLanes = 4;
#else
inline constexpr int kLanes = 2;
#endif

using V = double __attribute__((vector_size(kLanes * 8)));
using VI = std::int64_t __attribute__((vector_size(kLanes * 8)));
#define FERMIAC_INLINE static inline __attribute__((always_inline))
/// Of what takes much longer than a call and is long as code.
#define FERMIAC_CALLED static inline __attribute__((noinline))

FERMIAC_INLINE V load(const double* p) {
  V r;
  std::memcpy(&r, p, sizeof(V));
  return r;
}
FERMIAC_INLINE void store(double* p, V x) { std::memcpy(p, &x, sizeof(V)); }
template <class T>
FERMIAC_INLINE T splat(double x) {
  if constexpr (sizeof(T) == sizeof(double)) return x;
  else return x - T{};  // broadcast
}
/// The number is computed here and rounded: what becomes of it does not change how. A compiler that contracts products and
/// sums does so within a block of statements, and what only one branch wants it moves there.
FERMIAC_INLINE void settle(V& x) {
#if defined(__x86_64__)
  asm("" : "+v"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#else
  (void)x;
#endif
}
/// Halves added to halves: three dependent additions for eight lanes.
FERMIAC_INLINE double sum_lanes(V x) {
#if defined(__AVX512F__)
  const auto four = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
#elif defined(__AVX__)
  const V four = x;
#endif
#if defined(__AVX__)
  const auto two = __builtin_shufflevector(four, four, 0, 1) + __builtin_shufflevector(four, four, 2, 3);
#else
  const V two = x;
#endif
  return two[0] + two[1];
}
FERMIAC_INLINE double sum_lanes(double x) {
  return x;
}
/// Of lanes that are numbers; in halves, too.
FERMIAC_INLINE double largest_lane(V x) {
  double lane[kLanes];
  store(lane, x);
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] = lane[l] > lane[l + half] ? lane[l] : lane[l + half];
  return lane[0];
}
FERMIAC_INLINE V select(VI mask, V yes, V no) {
  return mask ? yes : no;
}
FERMIAC_INLINE double select(bool mask, double yes, double no) {
  return mask ? yes : no;
}
/// Some lane is set; the lanes of a mask are all ones or all zeros.
FERMIAC_INLINE bool any(VI mask) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(mask), reinterpret_cast<__m512i>(mask)) != 0;
#elif defined(__AVX__)
  return _mm256_testz_si256(reinterpret_cast<__m256i>(mask), reinterpret_cast<__m256i>(mask)) == 0;
#elif defined(__SSE2__)
  return _mm_movemask_pd(reinterpret_cast<__m128d>(mask)) != 0;
#elif defined(__aarch64__)
  return vmaxvq_u32(reinterpret_cast<uint32x4_t>(mask)) != 0;
#else
  std::int64_t bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= mask[i];
  return bits != 0;
#endif
}
FERMIAC_INLINE bool any(bool mask) { return mask; }
FERMIAC_INLINE VI negate(VI mask) { return ~mask; }
FERMIAC_INLINE bool negate(bool mask) { return !mask; }
FERMIAC_INLINE VI as_bits(V x) { return reinterpret_cast<VI>(x); }
FERMIAC_INLINE V as_double(VI x) { return reinterpret_cast<V>(x); }
FERMIAC_INLINE VI lane_index() {
  VI r;
  for (int i = 0; i < kLanes; ++i) r[i] = i;
  return r;
}
/// The first `left` lanes.
FERMIAC_INLINE VI live_lanes(std::uint32_t left) { return lane_index() < static_cast<std::int64_t>(left); }

/// Applies a scalar function to every lane: for functions without a vector form.
template <class Fn>
FERMIAC_INLINE V lanewise(Fn fn, V x) {
  V r;
  for (int i = 0; i < kLanes; ++i) r[i] = fn(x[i]);
  return r;
}
template <class Fn>
FERMIAC_INLINE double lanewise(Fn fn, double x) { return fn(x); }
template <class Fn>
FERMIAC_INLINE V lanewise(Fn fn, V x, V y) {
  V r;
  for (int i = 0; i < kLanes; ++i) r[i] = fn(x[i], y[i]);
  return r;
}
template <class Fn>
FERMIAC_INLINE double lanewise(Fn fn, double x, double y) { return fn(x, y); }

template <class Fn>
FERMIAC_INLINE V lanewise(Fn fn, V x, V y, V z) {
  V r;
  for (int i = 0; i < kLanes; ++i) r[i] = fn(x[i], y[i], z[i]);
  return r;
}
template <class Fn>
FERMIAC_INLINE double lanewise(Fn fn, double x, double y, double z) { return fn(x, y, z); }

FERMIAC_INLINE V abs(V x) { return as_double(as_bits(x) & 0x7fffffffffffffffLL); }
FERMIAC_INLINE double abs(double x) { return __builtin_fabs(x); }
FERMIAC_INLINE V sqrt(V x) {
  V r;
  for (int i = 0; i < kLanes; ++i) r[i] = __builtin_sqrt(x[i]);
  return r;
}
FERMIAC_INLINE double sqrt(double x) { return __builtin_sqrt(x); }

// ---- exponential and logarithm. Scalars go to the C library; lanes use the polynomials below, 1-2 ulp.

FERMIAC_INLINE double exp(double x) { return std::exp(x); }
FERMIAC_INLINE double log(double x) { return std::log(x); }
/// The library's log is several times as fast as its log1p; see the lanes' log1p below.
FERMIAC_INLINE double log1p(double u) {
  if (!(u > -1.0 && u < 0x1.0p1000)) return std::log1p(u);
  const double w = 1.0 + u;
  return std::log(w) + (u - (w - 1.0)) / w;
}
FERMIAC_INLINE double expm1(double x) { return std::expm1(x); }

// exp and log are free of branches and calls, whatever the operand: a call in a rare branch would push every lane
// register that is live in the surrounding loop to memory.

/// p 2^n for p near 1 and integer-valued n in [-1100, 1100], where round = n + 0x1.8p52; rounds once where the result
/// is subnormal.
FERMIAC_INLINE V scale(V p, V n, V round) {
#if defined(__AVX512F__)
  (void)round;
  return reinterpret_cast<V>(_mm512_maskz_scalef_pd(0xff, reinterpret_cast<__m512d>(p), reinterpret_cast<__m512d>(n)));
#else
  const VI half = as_bits(n * 0.5 + 0x1.8p52);  // 2^n as the product of two powers that are normal numbers
  const VI rest = as_bits(round) - half;
  return p * as_double((half + 1023) << 52) * as_double((rest + 1023) << 52);
#endif
}

FERMIAC_INLINE V exp(V x) {
  const double kRound = 0x1.8p52;
  V xc = select(x > 710.0, splat<V>(710.0), x);    // infinite; NaN stays
  xc = select(xc < -746.0, splat<V>(-746.0), xc);  // zero
  const V t = xc * 0x1.71547652b82fep0 + kRound;   // log2(e)
  const V n = t - kRound;
  V r = xc - n * 0x1.62e42fee00000p-1;  // ln 2, high part: n times it is exact
  r = r - n * 0x1.a39ef35793c76p-33;    // ln 2, low part
  // Taylor polynomial of degree 12 on |r| <= ln(2)/2, in Estrin's order; remainder below 2^-57.
  const V r2 = r * r;
  const V r4 = r2 * r2;
  const V p0 = 1.0 + r;
  const V p1 = 0.5 + r * (1.0 / 6);
  const V p2 = 1.0 / 24 + r * (1.0 / 120);
  const V p3 = 1.0 / 720 + r * (1.0 / 5040);
  const V p4 = 1.0 / 40320 + r * (1.0 / 362880);
  const V p5 = 1.0 / 3628800 + r * (1.0 / 39916800);
  const V p6 = splat<V>(1.0 / 479001600);
  const V p = (p0 + r2 * p1) + r4 * ((p2 + r2 * p3) + r4 * ((p4 + r2 * p5) + r4 * p6));
  return scale(p, n, t);
}

/// x = m 2^e with m in [sqrt(1/2), sqrt 2), for positive finite x; what else happens is said at log.
FERMIAC_INLINE V split_exponent(V x, V& e) {
#if defined(__AVX512F__)
  // Zero and infinity give m = 1 and e = -inf, inf; negative numbers give NaN. 0.0 + -0.0 is 0.0. (The forms with a
  // mask: g++ 12 warns of undefined registers in the others.)
  const __m512d w = reinterpret_cast<__m512d>(x + 0.0);
  const V m = reinterpret_cast<V>(_mm512_maskz_getmant_pd(0xff, w, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_nan));
  const V ed = reinterpret_cast<V>(_mm512_maskz_getexp_pd(0xff, w));
  const VI upper = m > 0x1.6a09e667f3bcdp0;
  e = select(upper, ed + 1.0, ed);
  return select(upper, 0.5 * m, m);
#else
  const VI subnormal = x < 0x1.0p-1022;
  const VI bits = as_bits(select(subnormal, x * 0x1.0p54, x));
  const std::int64_t kSqrtHalf = 0x3fe6a09e667f3bcdLL;
  const VI power = (bits - kSqrtHalf + (1023LL << 52)) >> 52;
  e = as_double(power + (0x4338000000000000LL - 1023)) - 0x1.8p52 - select(subnormal, splat<V>(54.0), V{});
  return as_double(bits - ((power - 1023) << 52));
#endif
}

/// The logarithms of 0, infinity, negative numbers and NaN; elsewhere y.
FERMIAC_INLINE V log_or_limit(V x, V y) {
#if defined(__AVX512F__)
  (void)x;
  return y;  // the exponents are infinite, or the number is not one, already
#else
  const V limit = select(x == 0.0, splat<V>(-__builtin_inf()), select(x > 0.0, x, splat<V>(__builtin_nan(""))));
  return select((x > 0.0) & (x < __builtin_inf()), y, limit);
#endif
}

/// log x = e ln2 + log m; log m by the atanh series in s = (m-1)/(m+1) with fdlibm's minimax coefficients for log.
FERMIAC_INLINE V log(V x) {
  V ed;
  const V m = split_exponent(x, ed);
  const V f = m - 1.0;
  const V s = f / (2.0 + f);
  const V z = s * s;
  const V w = z * z;
  const V odd = z * (6.666666666666735130e-01 +
                     w * (2.857142874366239149e-01 + w * (1.818357216161805012e-01 + w * 1.479819860510658591e-01)));
  const V even = w * (3.999999999940941908e-01 + w * (2.222219843214978396e-01 + w * 1.531383769920937332e-01));
  const V half = 0.5 * f * f;
  const V y = ed * 0x1.62e42fee00000p-1 - ((half - (s * (half + (odd + even)) + ed * 0x1.a39ef35793c76p-33)) - f);
  return log_or_limit(x, y);
}

/// log(1+u) with the rounding error of 1+u put back; accurate for tiny u.
FERMIAC_INLINE V log1p(V u) {
  const V w = 1.0 + u;
  const V y = log(w) + (u - (w - 1.0)) / w;
  const VI huge = (u > 0x1.0p1000) | (u <= -1.0) | (u != u);
  return select(huge, log(w), y);
}

/// The same for u >= 0 when q = 1 / (1 + u) is at hand: no second division.
FERMIAC_INLINE double log1p_given(double u, double q) {
  if (!(u < 0x1.0p1000)) return std::log1p(u);
  const double w = 1.0 + u;
  return std::log(w) + (u - (w - 1.0)) * q;
}
FERMIAC_INLINE V log1p_given(V u, V q) {
  const V w = 1.0 + u;
  return log(w) + select(u < 0x1.0p1000, (u - (w - 1.0)) * q, V{});
}

/// exp(x) - 1: the polynomial without its leading 1 near 0, else the difference.
FERMIAC_INLINE V expm1(V x) {
  const V r2 = x * x;
  const V r4 = r2 * r2;
  const V q = x + r2 * (0.5 + x * (1.0 / 6)) +
              r4 * ((1.0 / 24 + x * (1.0 / 120)) + r2 * (1.0 / 720 + x * (1.0 / 5040)) +
                    r4 * ((1.0 / 40320 + x * (1.0 / 362880)) + r2 * (1.0 / 3628800 + x * (1.0 / 39916800)) +
                          r4 * (1.0 / 479001600 + x * (1.0 / 6227020800.0))));
  return select(abs(x) < 0.35, q, exp(x) - 1.0);
}

template <class T>
FERMIAC_INLINE T square(T x) { return x * x; }
template <class T>
FERMIAC_INLINE T zero_at(T v, T slope) { return select(v == 0.0, splat<T>(0.0), slope); }
template <class T>
FERMIAC_INLINE T max(T x, T y) { return select(x > y, x, y); }
template <class T>
FERMIAC_INLINE T min(T x, T y) { return select(x < y, x, y); }

/// 1/(1+exp(-x)) without overflow.
template <class T>
FERMIAC_INLINE T inv_logit(T x) {
  const T e = exp(-abs(x));
  const T q = 1.0 / (1.0 + e);
  return select(x > 0.0, q, e * q);
}

/// log(1+exp(x)) without overflow.
template <class T>
FERMIAC_INLINE T log1p_exp(T x) {
  return select(x > 0.0, x, splat<T>(0.0)) + log1p(exp(-abs(x)));
}

/// log(1+exp(x)) and its derivative, with one exponential.
template <class T>
FERMIAC_INLINE T log1p_exp(T x, T& slope) {
  const T e = exp(-abs(x));
  const T q = 1.0 / (1.0 + e);
  slope = select(x > 0.0, q, e * q);
  return select(x > 0.0, x, splat<T>(0.0)) + log1p_given(e, q);
}

/// x log y, 0 where x is 0 whatever y.
template <class T>
FERMIAC_INLINE T lmultiply(T x, T log_y) { return select(x == 0.0, splat<T>(0.0), x * log_y); }

FERMIAC_INLINE double tanh(double x) { return std::tanh(x); }
FERMIAC_INLINE V tanh(V x) {
  const V e = expm1(-2.0 * abs(x));
  const V t = -e / (2.0 + e);
  return select(x < 0.0, -t, t);
}

// ---- sine and cosine: reduction by three pieces of pi/2, then fdlibm's polynomials on [-pi/4, pi/4].

FERMIAC_INLINE double sin(double x) { return std::sin(x); }
FERMIAC_INLINE double cos(double x) { return std::cos(x); }

/// sin x for Quarter = 0, cos x for Quarter = 1.
template <int Quarter>
FERMIAC_INLINE V sin_shifted(V x) {
  const double kRound = 0x1.8p52;
  const V t = x * 0x1.45f306dc9c883p-1 + kRound;  // 2 / pi
  const V n = t - kRound;
  const VI quadrant = as_bits(t) + Quarter;
  const V r = ((x - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11) - n * 2.02226624879595063154e-21;
  const V z = r * r;
  const V s = r + r * z * (-1.66666666666666324348e-01 +
                           z * (8.33333333332248946124e-03 +
                                z * (-1.98412698298579493134e-04 +
                                     z * (2.75573137070700676789e-06 +
                                          z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)))));
  const V c = 1.0 - 0.5 * z +
              z * z * (4.16666666666666019037e-02 +
                       z * (-1.38888888888741095749e-03 +
                            z * (2.48015872894767294178e-05 +
                                 z * (-2.75573143513906633035e-07 +
                                      z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const V y = select((quadrant & 1) != 0, c, s);
  V result = as_double(as_bits(y) ^ ((quadrant & 2) << 62));
  if (any(~(abs(x) < 0x1.0p20))) {
    for (int i = 0; i < kLanes; ++i)
      if (!(std::fabs(x[i]) < 0x1.0p20)) result[i] = Quarter ? std::cos(x[i]) : std::sin(x[i]);
  }
  return result;
}
FERMIAC_INLINE V sin(V x) { return sin_shifted<0>(x); }
FERMIAC_INLINE V cos(V x) { return sin_shifted<1>(x); }

// ---- error function: W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969).

/// erf(x) / x on |x| <= 0.46875, given x^2.
template <class T>
FERMIAC_INLINE T erf_small(T z) {
  const T num = (((1.85777706184603153e-1 * z + 3.16112374387056560e0) * z + 1.13864154151050156e2) * z +
                 3.77485237685302021e2) * z + 3.20937758913846947e3;
  const T den = (((z + 2.36012909523441209e1) * z + 2.44024637934444173e2) * z + 1.28261652607737228e3) * z +
                2.84423683343917062e3;
  return num / den;
}
/// exp(y^2) erfc(y) on [0.46875, 4].
template <class T>
FERMIAC_INLINE T erfcx_middle(T y) {
  const T num = (((((((2.15311535474403846e-8 * y + 5.64188496988670089e-1) * y + 8.88314979438837594e0) * y +
                     6.61191906371416295e1) * y + 2.98635138197400131e2) * y + 8.81952221241769090e2) * y +
                  1.71204761263407058e3) * y + 2.05107837782607147e3) * y + 1.23033935479799725e3;
  const T den = (((((((y + 1.57449261107098347e1) * y + 1.17693950891312499e2) * y + 5.37181101862009858e2) * y +
                     1.62138957456669019e3) * y + 3.29079923573345963e3) * y + 4.36261909014324716e3) * y +
                 3.43936767414372164e3) * y + 1.23033935480374942e3;
  return num / den;
}
/// exp(y^2) erfc(y) for y > 4.
template <class T>
FERMIAC_INLINE T erfcx_large(T y) {
  const T z = 1.0 / (y * y);
  const T num = ((((1.63153871373020978e-2 * z + 3.05326634961232344e-1) * z + 3.60344899949804439e-1) * z +
                  1.25781726111229246e-1) * z + 1.60837851487422766e-2) * z + 6.58749161529837803e-4;
  const T den = ((((z + 2.56852019228982242e0) * z + 1.87295284992346725e0) * z + 5.27905102951428412e-1) * z +
                 6.05183413124413191e-2) * z + 2.33520497626869185e-3;
  return (5.6418958354775628695e-1 - z * num / den) / y;
}
/// exp(-y^2) without the error that rounding y^2 would bring.
FERMIAC_INLINE V exp_minus_square(V y) {
  const V high = as_double(as_bits(y) & ~0x7ffffffLL);
  const V rest = (y - high) * (y + high);
  return exp(-high * high) * (1.0 - rest * (1.0 - 0.5 * rest));
}
/// erfc(y) for y >= 0.46875.
FERMIAC_INLINE V erfc_tail(V y) {
  V scaled = erfcx_middle(min(y, splat<V>(4.0)));
  if (any(y > 4.0)) scaled = select(y > 4.0, erfcx_large(y), scaled);
  return exp_minus_square(min(y, splat<V>(28.0))) * scaled;
}
FERMIAC_INLINE double erf(double x) { return std::erf(x); }
FERMIAC_INLINE double erfc(double x) { return std::erfc(x); }
FERMIAC_INLINE V erf(V x) {
  const V y = abs(x);
  V r = x * erf_small(min(x * x, splat<V>(0.25)));
  if (any(y > 0.46875)) {
    const V tail = 1.0 - erfc_tail(max(y, splat<V>(0.46875)));
    r = select(y > 0.46875, select(x < 0.0, -tail, tail), r);
  }
  return select(x == x, r, x);
}
FERMIAC_INLINE V erfc(V x) {
  const V y = abs(x);
  V r = 1.0 - x * erf_small(min(x * x, splat<V>(0.25)));
  if (any(y > 0.46875)) {
    const V tail = erfc_tail(max(y, splat<V>(0.46875)));
    r = select(y > 0.46875, select(x < 0.0, 2.0 - tail, tail), r);
  }
  return select(x == x, r, x);
}

// ---- gamma function: recurrence up to 10, then Stirling's series.

FERMIAC_INLINE double lgamma(double x) { return scalar::lgamma(x); }
FERMIAC_INLINE double digamma(double x) { return scalar::digamma(x); }

/// lgamma(z) - ((z - 1/2) log z - z + log sqrt(2 pi)) for z >= 10.
template <class T>
FERMIAC_INLINE T stirling_correction(T z) {
  const T u = 1.0 / z;
  const T w = u * u;
  return u * (1.0 / 12 + w * (-1.0 / 360 + w * (1.0 / 1260 + w * (-1.0 / 1680 +
             w * (1.0 / 1188 + w * (-691.0 / 360360 + w * (1.0 / 156 + w * (-3617.0 / 122400))))))));
}
/// Its derivative.
template <class T>
FERMIAC_INLINE T stirling_slope(T z) {
  const T w = 1.0 / (z * z);
  return -w * (1.0 / 12 + w * (-1.0 / 120 + w * (1.0 / 252 + w * (-1.0 / 240 + w * (1.0 / 132 +
              w * (-691.0 / 32760 + w * (1.0 / 12)))))));
}
FERMIAC_CALLED V lgamma(V x) {
  V z = x;
  V p = splat<V>(1.0);
  if (any(x < 10.0)) {
    for (int k = 0; k < 10; ++k) {
      const VI small = z < 10.0;
      p = select(small, p * z, p);
      z = select(small, z + 1.0, z);
    }
  }
  V r = (z - 0.5) * log(z) - z + 0.91893853320467274178 + stirling_correction(z);
  if (any(x < 10.0)) r = r - log(p);
  if (any(~((x > 1e-300) & (x < 1e300)))) {
    for (int i = 0; i < kLanes; ++i)
      if (!(x[i] > 1e-300 && x[i] < 1e300)) r[i] = scalar::lgamma(x[i]);
  }
  return r;
}
FERMIAC_CALLED V digamma(V x) {
  V z = x;
  V p = splat<V>(1.0);
  V q = V{};  // derivative of p
  if (any(x < 10.0)) {
    for (int k = 0; k < 10; ++k) {
      const VI small = z < 10.0;
      q = select(small, q * z + p, q);
      p = select(small, p * z, p);
      z = select(small, z + 1.0, z);
    }
  }
  V r = log(z) - 0.5 / z + stirling_slope(z) - q / p;
  if (any(~((x > 1e-100) & (x < 1e300)))) {
    for (int i = 0; i < kLanes; ++i)
      if (!(x[i] > 1e-100 && x[i] < 1e300)) r[i] = scalar::digamma(x[i]);
  }
  return r;
}

// ---- powers: exp(y log x) where that is accurate, the C library elsewhere.

FERMIAC_INLINE double pow(double x, double y) { return std::pow(x, y); }
FERMIAC_INLINE V pow(V x, V y) {
  V r = exp(y * log(x));
  const VI easy = (x > 0x1.0p-1000) & (x < 0x1.0p1000) & (abs(y) < 64.0) & (abs(y * log(x)) < 32.0);
  if (any(~easy)) {
    for (int i = 0; i < kLanes; ++i)
      if (!easy[i]) r[i] = std::pow(x[i], y[i]);
  }
  return r;
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
