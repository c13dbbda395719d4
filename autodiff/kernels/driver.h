// Derives every form of a map from its functor (functor.h): scalar value, vector map, reduction, fused value and partials.
// The vector forms of most are the common loops of lane_loops.h. A cheap functor, which is done before its partials have
// been stored and loaded again, has loops of its own for what it is used most for: one per pattern of scalar and vector operands.
// Include only from *.isa.cpp files.
#pragma once

#include "autodiff/kernels/functor.h"
#include "autodiff/kernels/lane_driver.h"
#include "autodiff/kernels/lane_loops.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// M: which operands are vectors. Sums are those of densities.
template <class F, unsigned M>
struct Driver {
  static constexpr int A = F::kArity;

  FERMIAC_INLINE constexpr bool is_vector(int j) { return M >> j & 1u; }
  /// Operands of the block at i; scalars were broadcast before.
  FERMIAC_INLINE void load_block(const MapArgs& m, std::uint32_t i, V* x) {
    for (int j = 0; j < A; ++j)
      if (is_vector(j)) x[j] = load(m.x[j] + i);
  }
  template <bool Partials>
  FERMIAC_INLINE void broadcast_scalars(const MapArgs& m, V* x, V* p) {
    double s[A]{};
    for (int j = 0; j < A; ++j)
      if (!is_vector(j)) x[j] = splat<V>(s[j] = *m.x[j]);
    double q[kPreSlots<F>]{};
    fill_pre<F, Partials, true>(s, q, m.keep, M);
    for (int i = 0; i < kPreSlots<F>; ++i) p[i] = splat<V>(q[i]);
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
      fill_pre<F, false, false>(x, p, m.keep, M);
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
      fill_pre<F, false, false>(x, p, m.keep, M);
      const VI live = live_lanes(m.n - i);
      watch(x, live, bad);
      total += select(live, apply<F, V>(x, p, m.keep), V{});
    }
    *sum = m.keep.nothing() ? 0 : sum_lanes(total);
    return !any(bad);
  }

  /// Adds the block's partials: to memory for vectors, to a running sum for scalars.
  FERMIAC_INLINE void scatter(const MapArgs& m, std::uint32_t i, V* d, VI live, V* scalar_sums) {
    each_index<A>([&](auto j) { settle(d[j]); });
    for (int j = 0; j < A; ++j) {
      if (!m.a[j]) continue;
      const V dj = select(live, d[j], V{});
      if (is_vector(j)) store(m.a[j] + i, load(m.a[j] + i) + dj);
      else scalar_sums[j] += dj;
    }
  }
  FERMIAC_INLINE void flush_scalars(const MapArgs& m, const V* scalar_sums) {
    for (int j = 0; j < A; ++j)
      if (m.a[j] && !is_vector(j)) *m.a[j] += sum_lanes(scalar_sums[j]);
  }

  static void map_reverse(const MapArgs& m) {
    V x[A]{}, p[kPreSlots<F>]{}, d[A]{}, sums[A]{};
    broadcast_scalars<true>(m, x, p);
    for (std::uint32_t i = 0; i < m.n; i += kLanes) {
      load_block(m, i, x);
      fill_pre<F, true, false>(x, p, m.keep, M);
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
      fill_pre<F, true, false>(x, p, m.keep, M);
      const VI live = live_lanes(m.n - i);
      watch(x, live, bad);
      total += select(live, apply_fused<F, V>(x, p, g, d, m.keep), V{});
      scatter(m, i, d, live, sums);
    }
    flush_scalars(m, sums);
    *sum = m.keep.nothing() ? 0 : sum_lanes(total);
    return !any(bad);
  }
};

/// Chooses the loop for the operand pattern at hand.
template <class F>
struct Forms {
  static constexpr LaneMap kLoops{make_lane_forms<F>(), F::kArity, F::kDensity};
  static constexpr LaneMap sum_loops() {
    if constexpr (Summed<F>) return {{LaneDriver<F>::forward, LaneDriver<F>::both}, F::kArity, F::kDensity, true};
    else return kLoops;
  }
  static constexpr LaneMap kSumLoops = sum_loops();

  /// own(Driver<F, M>) for the mask M if there are such loops, or common().
  template <bool Used, unsigned M = 1, class Own, class Common>  // no loop of its own for scalars alone
  FERMIAC_INLINE auto dispatch(unsigned mask, Own own, Common common) {
    if constexpr (Used && Cheap<F> && M < 1u << F::kArity) {
      if (mask == M) return own(Driver<F, M>{});
      return dispatch<Used, M + 1>(mask, own, common);
    } else {
      return common();
    }
  }
  static bool map(const MapArgs& m) {
    return dispatch<true>(m.vector_mask, [&](auto own) { return own.map(m); }, [&] { return loop_map(m, kLoops); });
  }
  static void map_reverse(const MapArgs& m) {
    dispatch<true>(m.vector_mask, [&](auto own) { own.map_reverse(m); }, [&] { loop_map_reverse(m, kLoops); });
  }
  static bool reduce(const MapArgs& m, double* sum) {
    return dispatch<F::kDensity>(m.vector_mask, [&](auto own) { return own.reduce(m, sum); }, [&] { return loop_reduce(m, kLoops, sum); });
  }
  static bool fused(const MapArgs& m, double* sum) {
    return dispatch<F::kDensity>(m.vector_mask, [&](auto own) { return own.fused(m, sum); }, [&] { return loop_fused(m, kSumLoops, sum); });
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

/// Not defined, and no constant: a table that would call it does not compile.
void the_name_begins_otherwise();

/// Without vector forms.
template <class F>
constexpr MapOp make_scalar_map(const char* name) {
  MapOp op;
  op.name = name;
  op.arity = F::kArity;
  op.density = F::kDensity;
  op.flat = Flat<F>;
  if constexpr (HasRules<F>) op.rules = F::kRules;
  else op.total = true;
  op.throws = false;
  if constexpr (OfElements<F>) {
    op.by_elements = true;
    op.suffix = static_cast<std::uint8_t>(op.name.size() - F::kElementsOf.size());
    if (op.function() != F::kElementsOf) the_name_begins_otherwise();
  }
  op.valid = Forms<F>::valid;
  op.value = Forms<F>::value;
  op.value_and_partials = Forms<F>::value_and_partials;
  return op;
}

template <class F>
constexpr MapOp make_map(const char* name) {
  MapOp op = make_scalar_map<F>(name);
  op.map = Forms<F>::map;
  op.map_reverse = Forms<F>::map_reverse;
  op.reduce = Forms<F>::reduce;
  op.fused = Forms<F>::fused;
  return op;
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
