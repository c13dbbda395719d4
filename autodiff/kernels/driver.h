// Derives every form of a map from its functor: scalar value, vector map, reduction, fused value and partials.
// Include only from *.isa.cpp files.
//
// A functor is a struct with
//   static constexpr int kArity;
//   static constexpr bool kDensity;                      // sums over containers, drops summands
//   static constexpr DomainRule kRules[];                 // optional
//   static constexpr bool kCheap;                         // optional: worth one loop per scalar/vector operand pattern
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
concept Flat = requires { requires F::kFlat; };
template <class F>
concept OfElements = requires { F::kElementsOf; };

template <class F>
concept HasPre = requires { F::kPre[0]; };

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

inline constexpr unsigned kDynamicMask = ~0u;

/// M: which operands are vectors, or kDynamicMask to look it up at run time.
template <class F, unsigned M>
struct Driver {
  static constexpr int A = F::kArity;

  FERMIAC_INLINE bool is_vector(const MapArgs& m, int j) {
    if constexpr (M == kDynamicMask) return m.vector_mask >> j & 1u;
    else return M >> j & 1u;
  }
  FERMIAC_INLINE unsigned vectors(const MapArgs& m) {
    if constexpr (M == kDynamicMask) return m.vector_mask;
    else return M;
  }
  /// Operands of the block at i; scalars were broadcast before.
  FERMIAC_INLINE void load_block(const MapArgs& m, std::uint32_t i, V* x) {
    for (int j = 0; j < A; ++j)
      if (is_vector(m, j)) x[j] = load(m.x[j] + i);
  }
  template <bool Partials>
  FERMIAC_INLINE void broadcast_scalars(const MapArgs& m, V* x, V* p) {
    double s[A]{};
    for (int j = 0; j < A; ++j)
      if (!is_vector(m, j)) x[j] = splat<V>(s[j] = *m.x[j]);
    double q[kPreSlots<F>]{};
    fill_pre<F, Partials, true>(s, q, m.keep, vectors(m));
    for (int i = 0; i < kPreSlots<F>; ++i) p[i] = splat<V>(q[i]);
  }
  FERMIAC_INLINE VI live_lanes(std::uint32_t left) {
    return lane_index() < static_cast<std::int64_t>(left);
  }
  FERMIAC_INLINE void watch(const V* x, VI live, VI& bad) {
    if constexpr (HasRules<F>) {
      bad |= ~rules_hold<F>(x) & live;
    } else {
      (void)x, (void)live, (void)bad;
    }
  }

  static bool map(const MapArgs& m) {
    V x[A]{}, p[kPreSlots<F>]{};
    VI bad{};
    broadcast_scalars<false>(m, x, p);
    for (std::uint32_t i = 0; i < m.n; i += kLanes) {
      load_block(m, i, x);
      fill_pre<F, false, false>(x, p, m.keep, vectors(m));
      watch(x, live_lanes(m.n - i), bad);
      store(m.out + i, apply<F, V>(x, p, m.keep));
    }
    return !any(bad);
  }

  static bool reduce(const MapArgs& m, double* sum) {
    V x[A]{}, p[kPreSlots<F>]{};
    VI bad{};
    V total{};
    broadcast_scalars<false>(m, x, p);
    for (std::uint32_t i = 0; i < m.n; i += kLanes) {
      load_block(m, i, x);
      fill_pre<F, false, false>(x, p, m.keep, vectors(m));
      const VI live = live_lanes(m.n - i);
      watch(x, live, bad);
      total += select(live, apply<F, V>(x, p, m.keep), V{});
    }
    *sum = F::kDensity && m.keep.nothing() ? 0 : sum_lanes(total);
    return !any(bad);
  }

  /// Adds the block's partials: to memory for vectors, to a running sum for scalars.
  FERMIAC_INLINE void scatter(const MapArgs& m, std::uint32_t i, const V* d, VI live, V* scalar_sums) {
    for (int j = 0; j < A; ++j) {
      if (!m.a[j]) continue;
      const V dj = select(live, d[j], V{});
      if (is_vector(m, j)) store(m.a[j] + i, load(m.a[j] + i) + dj);
      else scalar_sums[j] += dj;
    }
  }
  FERMIAC_INLINE void flush_scalars(const MapArgs& m, const V* scalar_sums) {
    for (int j = 0; j < A; ++j)
      if (m.a[j] && !is_vector(m, j)) *m.a[j] += sum_lanes(scalar_sums[j]);
  }

  static void map_reverse(const MapArgs& m) {
    V x[A]{}, p[kPreSlots<F>]{}, d[A]{}, sums[A]{};
    broadcast_scalars<true>(m, x, p);
    for (std::uint32_t i = 0; i < m.n; i += kLanes) {
      load_block(m, i, x);
      fill_pre<F, true, false>(x, p, m.keep, vectors(m));
      partials<F, V>(x, p, load(m.out + i), load(m.out_a + i), d, m.keep);
      scatter(m, i, d, live_lanes(m.n - i), sums);
    }
    flush_scalars(m, sums);
  }

  static bool fused(const MapArgs& m, double* sum) {
    V x[A]{}, p[kPreSlots<F>]{}, d[A]{}, sums[A]{};
    VI bad{};
    V total{};
    broadcast_scalars<true>(m, x, p);
    const V g = splat<V>(m.g);
    for (std::uint32_t i = 0; i < m.n; i += kLanes) {
      load_block(m, i, x);
      fill_pre<F, true, false>(x, p, m.keep, vectors(m));
      const VI live = live_lanes(m.n - i);
      watch(x, live, bad);
      total += select(live, apply_fused<F, V>(x, p, g, d, m.keep), V{});
      scatter(m, i, d, live, sums);
    }
    flush_scalars(m, sums);
    *sum = F::kDensity && m.keep.nothing() ? 0 : sum_lanes(total);
    return !any(bad);
  }
};

/// Chooses the loop for the operand pattern at hand: one per pattern for cheap functors, a shared one for the others.
template <class F>
struct Forms {
  static constexpr unsigned kPatterns = Cheap<F> ? 1u << F::kArity : 0;

  template <unsigned M = 1, class Call>  // no loop of its own for scalars alone
  FERMIAC_INLINE auto dispatch(unsigned mask, Call call) {
    if constexpr (M < kPatterns) {
      if (mask == M) return call(Driver<F, M>{});
      return dispatch<M + 1>(mask, call);
    } else {
      return call(Driver<F, kDynamicMask>{});
    }
  }
  static bool map(const MapArgs& m) {
    return dispatch(m.vector_mask, [&](auto driver) { return decltype(driver)::map(m); });
  }
  static void map_reverse(const MapArgs& m) {
    dispatch(m.vector_mask, [&](auto driver) { return decltype(driver)::map_reverse(m), 0; });
  }
  static bool reduce(const MapArgs& m, double* sum) {
    return dispatch(m.vector_mask, [&](auto driver) { return decltype(driver)::reduce(m, sum); });
  }
  static bool fused(const MapArgs& m, double* sum) {
    return dispatch(m.vector_mask, [&](auto driver) { return decltype(driver)::fused(m, sum); });
  }
  static bool valid(const double* x) {
    if constexpr (HasRules<F>) return rules_hold<F>(x);
    else return (void)x, true;
  }
  static double value(const double* x, Keep k) {
    if (F::kDensity && k.nothing()) return 0;
    double p[kPreSlots<F>]{};
    fill_pre<F, false, true>(x, p, k, 0);
    return apply<F, double>(x, p, k);
  }
  static double value_and_partials(const double* x, Keep k, double* d) {
    double p[kPreSlots<F>]{};
    fill_pre<F, true, true>(x, p, k, 0);
    const double v = apply_fused<F, double>(x, p, 1.0, d, k);
    return F::kDensity && k.nothing() ? 0 : v;
  }
};

template <class F>
constexpr MapOp make_map(const char* name) {
  MapOp op;
  op.name = name;
  op.arity = F::kArity;
  op.density = F::kDensity;
  op.flat = Flat<F>;
  if constexpr (HasRules<F>) op.rules = F::kRules;
  else op.total = true;
  if constexpr (OfElements<F>) {
    op.by_elements = true;
    op.suffix = static_cast<std::uint8_t>(op.name.size() - F::kElementsOf.size());
    if (op.function() != F::kElementsOf) throw "the name of the map begins otherwise";  // in a table: does not compile
  }
  op.valid = Forms<F>::valid;
  op.value = Forms<F>::value;
  op.value_and_partials = Forms<F>::value_and_partials;
  op.map = Forms<F>::map;
  op.map_reverse = Forms<F>::map_reverse;
  op.reduce = Forms<F>::reduce;
  op.fused = Forms<F>::fused;
  return op;
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
