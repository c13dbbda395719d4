// What drivers (driver.h, lane_driver.h) make of functors: values and partials of doubles and of lanes. Include only from
// *.isa.cpp files.
//
// A functor is a struct with
//   static constexpr int kArity;
//   static constexpr bool kDensity;                      // sums over containers, drops summands
//   static constexpr DomainRule kRules[];                 // optional
//   static constexpr bool kCheap;                         // optional: worth loops of its own, one per scalar/vector operand pattern
//   static constexpr bool kSummed;                        // optional, a function: its sum over containers is wanted with partials
//   static constexpr bool kTail;                          // optional: a distribution function
//   static constexpr std::string_view kElementsOf;        // optional: a function whose one container the operands are
// and either, for functions,
//   template <class T> static T f(const T* x);                               // value
//   template <class T> static void r(const T* x, T value, T g, T* d);         // d[j] = g * partial_j
// or, for densities,
//   template <bool Partials, class T> static T eval(const T* x, T g, T* d, Keep k);  // value; if Partials, d[j] = g * partial_j
// T is double or a vector of lanes; write branches with select().
//
// A density may share expensive subexpressions (log sigma, lgamma(nu)) between elements:
//   static constexpr unsigned kPre[] = {0b100};           // operands that the I-th shared quantity depends on
//   template <int I, bool Partials, class T> static T pre(const T* x, Keep k);
//   eval takes (x, p, g, d, k), where p[I] is that quantity: computed once if those operands are scalars.
// One that has another form for large arguments marks them:
//   template <class T> static Mask<T> large(const T* x);
//   template <bool Partials, class T> static T plain(x, p, g, d, k);                 // eval where none is marked: loops without branches
#pragma once

#include "autodiff/kernels/map_op.h"
#include "autodiff/kernels/simd.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

template <class F>
concept HasRules = requires { F::kRules[0]; };
template <class F>
concept Cheap = requires { requires F::kCheap; };
template <class F>
concept Summed = requires { requires F::kSummed; };
template <class F>
concept Flat = requires { requires F::kFlat; };
template <class F>
concept OfElements = requires { F::kElementsOf; };

template <class F>
concept HasPre = requires { F::kPre[0]; };

/// A density that has a form `plain` for elements which `large` does not mark (plain_or_large of density_rows.h).
template <class F>
concept HasPlain = requires(const V* x) { F::template large<V>(x); };
/// Its plain form alone.
template <class F>
struct PlainOf : F {
  template <class T>
  static void large(const T*) = delete;
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) { return F::template plain<Partials>(x, p, g, d, k); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) { return F::template plain<Partials>(x, static_cast<const T*>(nullptr), g, d, k); }
};

template <class F>
constexpr int pre_count() {
  if constexpr (HasPre<F>) return sizeof(F::kPre) / sizeof(unsigned);
  else return 0;
}
template <class F>
inline constexpr int kPreSlots = pre_count<F>() > 0 ? pre_count<F>() : 1;

/// Computes the shared quantities whose operands are all scalars (Hoisted) or not (the others), given the vector operands.
template <class F, bool Partials, bool Hoisted, int I = 0, class T>
FERMIAC_INLINE void fill_pre(const T* x, T* p, Keep k, unsigned vectors) {
  if constexpr (I < pre_count<F>()) {
    if (((F::kPre[I] & vectors) == 0) == Hoisted) p[I] = F::template pre<I, Partials>(x, k);
    fill_pre<F, Partials, Hoisted, I + 1>(x, p, k, vectors);
  } else {
    (void)x, (void)p, (void)k, (void)vectors;
  }
}

template <class F, bool Partials, class T>
FERMIAC_INLINE T density(const T* x, const T* p, T g, T* d, Keep k) {
  if constexpr (HasPre<F>) return F::template eval<Partials>(x, p, g, d, k);
  else return (void)p, F::template eval<Partials>(x, g, d, k);
}

template <class F, class T>
FERMIAC_INLINE T apply(const T* x, const T* p, Keep k) {
  if constexpr (F::kDensity) {
    T unused[F::kArity]{};
    return density<F, false>(x, p, splat<T>(1), unused, k);
  } else {
    (void)k, (void)p;
    return F::template f<T>(x);
  }
}

template <class F, class T>
FERMIAC_INLINE T apply_fused(const T* x, const T* p, T g, T* d, Keep k) {
  if constexpr (F::kDensity) {
    return density<F, true>(x, p, g, d, k);
  } else {
    (void)k, (void)p;
    const T v = F::template f<T>(x);
    F::template r<T>(x, v, g, d);
    return v;
  }
}

template <class F, class T>
FERMIAC_INLINE void partials(const T* x, const T* p, T v, T g, T* d, Keep k) {
  if constexpr (F::kDensity) (void)v, density<F, true>(x, p, g, d, k);
  else (void)p, (void)k, F::template r<T>(x, v, g, d);
}

template <class T>
using Mask = decltype(T{} < T{});

/// Lanes (or the scalar) where rule I of F holds. The comparisons are false for NaN, so NaN breaks every rule.
template <class F, std::size_t I, class T>
FERMIAC_INLINE Mask<T> rule_holds(const T* x) {
  constexpr DomainRule kRule = F::kRules[I];
  const T v = x[kRule.operand];
  const T o = x[kRule.other];
  const double inf = __builtin_inf();
  if constexpr (kRule.rule == Rule::NotNan) return v == v;
  if constexpr (kRule.rule == Rule::Finite) return abs(v) < inf;
  if constexpr (kRule.rule == Rule::Positive) return v > 0.0;
  if constexpr (kRule.rule == Rule::PositiveFinite) return (v > 0.0) & (v < inf);
  if constexpr (kRule.rule == Rule::NonNegative) return v >= 0.0;
  if constexpr (kRule.rule == Rule::NonNegativeFinite) return (v >= 0.0) & (v < inf);
  if constexpr (kRule.rule == Rule::Probability) return (v >= 0.0) & (v <= 1.0);
  if constexpr (kRule.rule == Rule::Bounded01Open) return (v > 0.0) & (v < 1.0);
  if constexpr (kRule.rule == Rule::GreaterOrEqual) return v >= o;
  if constexpr (kRule.rule == Rule::LessOrEqual) return v <= o;
  if constexpr (kRule.rule == Rule::Less) return v < o;
  if constexpr (kRule.rule == Rule::Greater) return v > o;
  if constexpr (kRule.rule == Rule::NotBelow) return negate(v < kRule.bound);
  if constexpr (kRule.rule == Rule::NotAbove) return negate(v > kRule.bound);
  (void)o, (void)inf;
}

/// Lanes (or the scalar) where every rule of F holds.
template <class F, std::size_t I = 0, class T>
FERMIAC_INLINE Mask<T> rules_hold(const T* x) {
  const Mask<T> here = rule_holds<F, I, T>(x);
  if constexpr (I + 1 < sizeof(F::kRules) / sizeof(DomainRule)) return here & rules_hold<F, I + 1, T>(x);
  else return here;
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
