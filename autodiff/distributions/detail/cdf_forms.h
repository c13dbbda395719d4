// Distribution functions from their logarithms. Include only from *.isa.cpp files.
#pragma once

#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// exp(F) for the log distribution function F. Where it is 0, so are its partials. The vector forms are those of F and an exp.
template <class F>
struct Cdf : F {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T v = exp(density<F, Partials>(x, p, splat<T>(1.0), d, k));
    if constexpr (Partials)
      for (int j = 0; j < F::kArity; ++j) d[j] = select(v == 0.0, splat<T>(0.0), g * v * d[j]);
    return v;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) { return eval<Partials>(x, static_cast<const T*>(nullptr), g, d, k); }

  static bool map(const MapArgs& m) { return loop_exp_map(m, Forms<F>::kLoops); }
  static void map_reverse(const MapArgs& m) { loop_exp_map_reverse(m, Forms<F>::kLoops); }
  /// Over containers the product: exp of the sum of the logarithms.
  static bool reduce(const MapArgs& m, double* product) {
    double sum = 0;
    const bool ok = Forms<F>::reduce(m, &sum);
    *product = exp(sum);
    return ok;
  }
  static bool fused(const MapArgs& m, double* product) {
    if (!reduce(m, product)) return false;
    if (*product == 0) return true;
    MapArgs logs = m;
    logs.g = m.g * *product;
    double unused = 0;
    return Forms<F>::fused(logs, &unused);
  }
};

template <class F>
constexpr MapOp make_cdf(const char* name) {
  MapOp op = make_scalar_map<Cdf<F>>(name);
  op.product = true;
  op.map = Cdf<F>::map;
  op.map_reverse = Cdf<F>::map_reverse;
  op.reduce = Cdf<F>::reduce;
  op.fused = Cdf<F>::fused;
  return op;
}

enum class Side { Lower, Upper };

/// One tail of a law: a functor of driver.h less its `eval`.
template <const Law& L>
struct TailOf : Density<static_cast<int>(L.arguments.size())> {
  static constexpr auto& kRules = kTailRules<L>;
  static constexpr bool kTail = true;
};

/// log(1 - exp(u)), u <= 0.
template <class T>
FERMIAC_INLINE T log1m_exp(T u) { return select(u > -kLogTwo, log(-expm1(u)), log1p(-exp(u))); }
/// log(1 - exp(-w)), w >= 0, and its derivative.
template <class T>
FERMIAC_INLINE T log_complement(T w, T& slope) {
  slope = 1.0 / expm1(w);
  return select(w < kLogTwo, log(-expm1(-w)), log1p(-exp(-w)));
}
/// log(1 - exp(-exp(t))) and its derivative by t, where exp(t) vanishes or is infinite, too.
template <class T>
FERMIAC_INLINE T log_complement_of_exp(T t, T& slope) {
  constexpr double kVanishing = 1e-300;
  const T w = exp(t);
  const auto vanishes = w < kVanishing;
  T inverse;
  const T v = log_complement(w, inverse);
  slope = select(vanishes, splat<T>(1.0), select(w == kInf, splat<T>(0.0), w * inverse));
  return select(vanishes, t, v);
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad

/// Of a template of tails, D<Side::Lower> and D<Side::Upper>.
#define FERMIAC_TAILS(D, name) \
  make_cdf<D<Side::Lower>>(name "_cdf"), make_map<D<Side::Lower>>(name "_lcdf"), make_map<D<Side::Upper>>(name "_lccdf")
