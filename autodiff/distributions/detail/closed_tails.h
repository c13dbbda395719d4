// Distribution functions with a closed form: a law gives the log of one tail, or of both, with partials. Include only
// from *.isa.cpp files.
#pragma once

#include "autodiff/distributions/detail/cdf_forms.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// An outcome with all mass above it (below the support), or with all mass below it.
template <class T>
struct Outside {
  Mask<T> below, above;
};

/// Operands and rules of a law; the support is the line.
template <const Law& L>
struct ClosedTailsOf {
  static constexpr int kArity = static_cast<int>(L.arguments.size());
  static constexpr auto& kRules = kTailRules<L>;
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] == -kInf, x[0] == kInf}; }
};
template <const Law& L>
struct PositiveClosedTailsOf : ClosedTailsOf<L> {
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] <= 0.0, x[0] == kInf}; }
};

/// A law with `log_tail(x, d, upper)`: the log of the tail that `upper` says, and its partials. The slope of the other tail
/// is -1 / expm1(-u) times as large.
template <class L>
struct OneTail : L {
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    Mask<T> upper;
    const T u = L::log_tail(x, d, upper);
    const auto direct = S == Side::Upper ? upper : negate(upper);
    if (!any(negate(direct))) return u;
    const T slope = -1.0 / expm1(-u);
    for (int j = 0; j < L::kArity; ++j) d[j] = select(direct | (d[j] == 0.0), d[j], slope * d[j]);
    return select(direct, u, log1m_exp(u));
  }
};

/// The functor: L::log_side inside the support.
template <class L, Side S>
struct ClosedTail : Density<L::kArity> {
  static constexpr auto& kRules = L::kRules;
  static constexpr bool kTail = true;
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep) {
    T slopes[L::kArity]{};
    const Outside<T> out = L::outside(x);
    const T v = L::template log_side<S>(x, slopes);
    if constexpr (Partials)
      for (int j = 0; j < L::kArity; ++j) d[j] = select(out.below | out.above, splat<T>(0.0), g * slopes[j]);
    const T none = splat<T>(-kInf), all = splat<T>(0.0);
    return select(out.below, S == Side::Lower ? none : all, select(out.above, S == Side::Lower ? all : none, v));
  }
};

template <class T>
FERMIAC_INLINE Mask<T> everywhere(T x) { return (x == x) | (x != x); }
/// Partials of a function of z = (y - mu) / sigma by y, mu and sigma.
template <class T>
FERMIAC_INLINE void location_scale(T slope, T z, T inv_sigma, T* d) {
  d[0] = slope * inv_sigma;
  d[1] = -d[0];
  d[2] = select(d[0] == 0.0, splat<T>(0.0), -d[0] * z);  // z may have overflowed
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad

/// Of a struct with log_side, for both sides; of one with log_tail, for one.
#define FERMIAC_CLOSED_TAILS(L, name)                                                                    \
  make_cdf<ClosedTail<L, Side::Lower>>(name "_cdf"), make_map<ClosedTail<L, Side::Lower>>(name "_lcdf"), \
      make_map<ClosedTail<L, Side::Upper>>(name "_lccdf")
#define FERMIAC_ONE_TAIL(L, name) FERMIAC_CLOSED_TAILS(OneTail<L>, name)
