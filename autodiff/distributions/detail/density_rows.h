// What the vectorised densities share. Include only from *.isa.cpp files.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "autodiff/distributions/detail/law.h"
#include "autodiff/kernels/driver.h"
#include "autodiff/kernels/large_densities.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

inline constexpr double kInf = __builtin_inf();
inline constexpr double kLogSqrtTwoPi = 0.91893853320467274178;
inline constexpr double kLogPi = 1.14472988584940017414;
inline constexpr double kLogTwo = 0.69314718055994530942;

template <int Arity>
struct Density {
  static constexpr int kArity = Arity;
  static constexpr bool kDensity = true;
};
/// The density of a law: a functor of driver.h less its `eval`.
template <const Law& L>
struct DensityOf : Density<static_cast<int>(L.arguments.size())> {
  static constexpr auto& kRules = kDensityRules<L>;
};
template <const Law& L>
struct CheapDensityOf : DensityOf<L> {
  static constexpr bool kCheap = true;
};

/// 1 / sigma and log sigma, which operand j is.
template <int I, class T>
FERMIAC_INLINE T scale_part(T sigma, Keep k, int j) {
  if constexpr (I == 0) return 1.0 / sigma;
  else return k.has(1u << j) ? log(sigma) : T{};
}
/// A density of z = (y - mu) / sigma; p[0] and p[1] are the parts of its scale.
template <const Law& L>
struct ScaledDensityOf : DensityOf<L> {
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return scale_part<I>(x[2], k, 2); }
};
template <const Law& L>
struct CheapScaledDensityOf : ScaledDensityOf<L> {
  static constexpr bool kCheap = true;
};

/// exponent * l, 0 where the exponent is 0: the logarithm, or the slope, of x^0 at x = 0.
template <class T>
FERMIAC_INLINE T power(T exponent, T l) {
  return select(exponent == 0.0, splat<T>(0.0), exponent * l);
}

/// Where a large power of y / s is near 1: logarithms of y and s do not give it.
inline constexpr double kLargePower = 1000;
template <class T>
FERMIAC_INLINE Mask<T> near_one(T log_ratio, T exponent) { return (exponent > kLargePower) & (abs(log_ratio) < 0.1); }
/// There log(y / s) from y - s, elsewhere as it is.
template <class T>
[[gnu::cold]] FERMIAC_CALLED T ratio_near_one(Mask<T> near, T y, T s, T log_ratio) { return select(near, log1p((y - s) / s), log_ratio); }

/// Outside the support the density is zero, and so are its partials.
template <bool Partials, int Arity, class M, class T>
FERMIAC_INLINE T inside(M support, T lp, T* d) {
  if constexpr (Partials)
    for (int j = 0; j < Arity; ++j) d[j] = select(support, d[j], splat<T>(0.0));
  return select(support, lp, splat<T>(-kInf));
}

/// lgamma(z + n) - lgamma(z) for n >= 0 without cancellation for large z; `lgamma_z` is lgamma(z), used only below 10.
FERMIAC_INLINE double lgamma_difference(double z, double n, double) { return scalar::lgamma_difference(z, n); }
FERMIAC_CALLED V lgamma_difference(V z, V n, V lgamma_z) {
  const VI large = z >= 10.0;
  V r{};
  if (any(large))
    r = (z - 0.5) * log1p(n / z) + n * (log(z + n) - 1.0) + stirling_correction(z + n) - stirling_correction(z);
  if (any(~large)) r = select(large, r, lgamma(z + n) - lgamma_z);
  return r;
}

/// The same for digamma.
FERMIAC_INLINE double digamma_difference(double z, double n, double) { return scalar::digamma_difference(z, n); }
FERMIAC_CALLED V digamma_difference(V z, V n, V digamma_z) {
  const VI large = z >= 10.0;
  V r{};
  if (any(large)) {
    const V s = z + n;
    r = log1p(n / z) - 0.5 / s + 0.5 / z + stirling_slope(s) - stirling_slope(z);
  }
  if (any(~large)) r = select(large, r, digamma(z + n) - digamma_z);
  return r;
}

/// The same with digamma(z) computed here, where it is needed.
FERMIAC_INLINE double digamma_difference(double z, double n) { return scalar::digamma_difference(z, n); }
FERMIAC_INLINE V digamma_difference(V z, V n) {
  return digamma_difference(z, n, any(z < 10.0) ? digamma(z) : V{});
}

/// A log density of doubles with slopes (large_densities.h).
using LargeDensity = double (*)(const double* x, double* d);

template <bool Partials, int Arity>
[[gnu::cold]] FERMIAC_CALLED void large_lanes(VI large, LargeDensity density, const V* x, V g, V& lp, V* d) {
  for (int i = 0; i < kLanes; ++i) {
    if (!large[i]) continue;
    double at[Arity], slopes[Arity];
    for (int j = 0; j < Arity; ++j) at[j] = x[j][i];
    lp[i] = density(at, Partials ? slopes : nullptr);
    if constexpr (Partials)
      for (int j = 0; j < Arity; ++j) d[j][i] = g[i] * slopes[j];
  }
}

/// Replaces the value, if `whole`, and the slopes where `large` and `inside()` hold: terms so large there that lanes would lose the
/// result. `inside` is evaluated only if `large` holds in some lane. Second derivatives keep the slopes' formulas; formulas of
/// devices do not hold there.
template <bool Partials, int Arity, class Inside>
FERMIAC_INLINE void in_large_range(bool large, Inside inside, bool whole, LargeDensity density, const double* x, double g, double& lp,
                                   double* d) {
  if (!large || !inside()) return;
  double slopes[Arity];
  const double v = density(x, Partials ? slopes : nullptr);
  if (whole) lp = v;
  if constexpr (Partials)
    for (int j = 0; j < Arity; ++j) d[j] = g * slopes[j];
}
/// On copies, so that the loop around keeps its numbers in registers.
template <bool Partials, int Arity, class Inside>
FERMIAC_INLINE void in_large_range(VI large, Inside inside, bool whole, LargeDensity density, const V* x, V g, V& lp, V* d) {
  if (!any(large)) [[likely]] return;
  V at[Arity], slopes[Arity], v = lp;
  for (int j = 0; j < Arity; ++j) {
    at[j] = x[j];
    if constexpr (Partials) slopes[j] = d[j];
  }
  large_lanes<Partials, Arity>(large & inside(), density, at, g, v, slopes);
  if (whole) lp = v;
  if constexpr (Partials)
    for (int j = 0; j < Arity; ++j) d[j] = slopes[j];
}
template <bool Partials, int Arity, class M, class Inside, class T>
  requires(!std::is_same_v<T, double> && !std::is_same_v<T, V>)
FERMIAC_INLINE void in_large_range(M large, Inside inside, bool, LargeDensity, const T*, T, T&, T*) {
  if constexpr (!std::is_integral_v<M>) leave_out(large & inside());
}

/// A density whose `large(x)` marks lanes: `anywhere` is then called, on copies and out of the loop's way, and else `plain`. Single
/// numbers are not copied: the compiler would load them in pairs, which waits for the two stores before.
template <class F, bool Partials, class T, std::size_t Pre>
[[gnu::cold]] FERMIAC_CALLED T evaluate_anywhere(const T* x, const std::array<T, Pre>& p, T g, T* d, Keep k) {
  return F::template anywhere<Partials>(x, p.data(), g, d, k);
}
template <class F, bool Partials, std::size_t Pre, class T>
FERMIAC_INLINE T plain_or_large(const T* x, const T* p, T g, T* d, Keep k) {
  if (!any(F::large(x))) [[likely]] return F::template plain<Partials>(x, p, g, d, k);
  std::array<T, Pre> parts;
  for (std::size_t j = 0; j < Pre; ++j) parts[j] = p ? p[j] : T{};
  if constexpr (std::is_same_v<T, double>) return evaluate_anywhere<F, Partials, T, Pre>(x, parts, g, d, k);
  T at[F::kArity], slopes[F::kArity]{};
  for (int j = 0; j < F::kArity; ++j) at[j] = x[j];
  const T lp = evaluate_anywhere<F, Partials, T, Pre>(at, parts, g, slopes, k);
  if constexpr (Partials)
    for (int j = 0; j < F::kArity; ++j) d[j] = slopes[j];
  return lp;
}

/// log Phi(z) and its derivative; without -z²/2 on the `left`, where that is nearly all of it.
FERMIAC_INLINE double log_Phi_core(double z, double& slope, bool& left) {
  left = z < -1;
  slope = scalar::log_Phi_slope(z);
  return left ? __builtin_log(0.5 * scalar::erfcx(-0.70710678118654752440 * z)) : scalar::log_Phi(z);
}
/// With y = |z| / sqrt 2: log of erfcx(y) / 2 on the left, log1p of -erfc(y) / 2 on the right. The error function has an
/// expansion of its own for y below 0.47.
FERMIAC_CALLED V log_Phi_core(V z, V& slope, Mask<V>& left) {
  const double kInvSqrtTwoPi = 0.39894228040143267794;
  const double kSqrtHalf = 0.70710678118654752440;
  const V y = kSqrtHalf * abs(z);
  left = z < -0.66;
  const VI right = z > 0.66;
  const V outside = max(y, splat<V>(0.46));
  V scaled = erfcx_middle(min(outside, splat<V>(4.0)));
  if (any(y > 4.0)) scaled = select(y > 4.0, erfcx_large(y), scaled);
  const V e = exp(-y * y);
  const V tail = 0.5 * e * scaled;
  const V inner = 0.5 + 0.5 * kSqrtHalf * z * erf_small(min(y * y, splat<V>(0.25)));
  const V p = select(right, 1.0 - tail, select(left, 0.5 * scaled, inner));
  const V lost = select(right, ((1.0 - p) - tail) / p, V{});  // what rounding 1 - tail took
  slope = select(left, kInvSqrtTwoPi / p, kInvSqrtTwoPi * e / p);
  return log(p) + lost;
}
/// z + slope, where slope is that of log Phi, which is nearly -z far out: 1/|z| - 2/|z|³ + 10/|z|⁵ - ...
template <class T>
FERMIAC_INLINE T log_Phi_rest(T z, T slope) {
  const auto far = z < -200.0;
  T rest = z + slope;
  if (any(far)) {
    const T w = 1.0 / abs(z), w2 = w * w;
    rest = select(far, w * (1.0 - w2 * (2.0 - w2 * (10.0 - 74.0 * w2))), rest);
  }
  return rest;
}
template <class T>
FERMIAC_INLINE T log_Phi(T z, T& slope) {
  Mask<T> left;
  const T core = log_Phi_core(z, slope, left);
  return core + select(left, -0.5 * z * z, splat<T>(0.0));
}

/// a log b where a = 0 wins over b = 0.
template <class T>
FERMIAC_INLINE T multiply_log(T a, T b) { return select(a == 0.0, splat<T>(0.0), a * log(b)); }

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
