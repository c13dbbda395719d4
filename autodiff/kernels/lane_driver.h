// Derives the forms of a map for blocks of elements (lane_map.h) from its functor. Include only from *.isa.cpp files.
//
// Every number is computed as in driver.h: what depends on the kind of the operand alone does so here as well.
#pragma once

#include <type_traits>

#include "autodiff/kernels/functor.h"
#include "autodiff/kernels/lane_map.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// Bit l: lane l is set.
FERMIAC_INLINE std::uint64_t lane_bits(VI mask) {
  if (!any(mask)) [[likely]]
    return 0;
  std::uint64_t bits = 0;
  for (int l = 0; l < kLanes; ++l) bits |= static_cast<std::uint64_t>(mask[l] != 0) << l;
  return bits;
}

template <int I>
struct Index {
  constexpr operator int() const { return I; }
};
/// each(Index<0>), ..., each(Index<N - 1>): a loop that the compiler need not be asked to unroll.
template <int N, int I = 0, class Each>
FERMIAC_INLINE void each_index(Each each) {
  if constexpr (I < N) {
    each(Index<I>{});
    each_index<N, I + 1>(each);
  }
}

template <class F>
struct LaneDriver {
  static constexpr int A = F::kArity;

  /// Where an operand's element is, and how many numbers further the next one.
  struct Column {
    const double* at;
    std::size_t step;
  };
  FERMIAC_INLINE void columns(const LaneArgs& m, Column* to) {
    each_index<A>([&](auto j) { to[j] = {m.x[j], m.vector_mask >> j & 1u ? kLanes : 0u}; });
  }
  FERMIAC_INLINE void load_next(Column* from, V* x) {
    each_index<A>([&](auto j) { x[j] = load(from[j].at), from[j].at += from[j].step; });
  }
  /// What the scalars share, in all lanes.
  template <bool Partials>
  FERMIAC_INLINE void share(const LaneArgs& m, V* p) {
    if constexpr (HasPre<F>) {
      double s[A]{}, q[kPreSlots<F>]{};
      for (int j = 0; j < A; ++j)
        if ((m.vector_mask >> j & 1u) == 0) s[j] = *m.x[j];
      fill_pre<F, Partials, true>(s, q, m.keep, m.vector_mask);
      for (int k = 0; k < kPreSlots<F>; ++k) p[k] = splat<V>(q[k]);
    } else {
      (void)m, (void)p;
    }
  }
  /// Where operands broke a rule: in the last block seen, and before.
  struct Broken {
    VI before{}, last{};
    std::uint64_t bits(const LaneArgs& m) const { return lane_bits(before) | (lane_bits(last) & m.last); }
  };
  FERMIAC_INLINE void watch(const V* x, Broken& bad) {
    if constexpr (HasRules<F>) {
      bad.before |= bad.last;
      bad.last = ~rules_hold<F>(x);
    } else {
      (void)x, (void)bad;
    }
  }

  static std::uint64_t forward(const LaneArgs& m) {
    return with_plain_form(m, [&](auto form, VI* large) { return run_forward<typename decltype(form)::Functor>(m, large); });
  }

  static std::uint64_t backward(const LaneArgs& m) { return sweep_back<F::kDensity>(m); }
  /// As of a density: the values, too.
  static std::uint64_t both(const LaneArgs& m) { return sweep_back<true>(m); }

  template <bool Values>
  FERMIAC_INLINE std::uint64_t sweep_back(const LaneArgs& m) {
    return with_plain_form(m, [&](auto form, VI* large) { return run_back<typename decltype(form)::Functor, Values>(m, large); });
  }

 private:
  template <class G>
  struct Form {
    using Functor = G;
  };
  /// run(Form<F>). If F has a plain form, that is run first: its loop has no branches, and it is run again with F if some element is
  /// marked large.
  template <class Run>
  FERMIAC_INLINE std::uint64_t with_plain_form(const LaneArgs& m, Run run) {
    if constexpr (HasPlain<F>) {
      VI large{};
      const std::uint64_t bad = run(Form<PlainOf<F>>{}, &large);
      if (!any(large)) [[likely]] return bad;
      return again(m, run);
    } else {
      return run(Form<F>{}, static_cast<VI*>(nullptr));
    }
  }
  template <class Run>
  [[gnu::cold]] FERMIAC_CALLED std::uint64_t again(const LaneArgs&, Run run) { return run(Form<F>{}, static_cast<VI*>(nullptr)); }
  template <class G>
  FERMIAC_INLINE void mark_large(const V* x, VI& large) {
    if constexpr (!std::is_same_v<G, F>) large |= F::large(x);
    else (void)x, (void)large;
  }

  template <class G>
  FERMIAC_INLINE std::uint64_t run_forward(const LaneArgs& m, VI* marked) {
    V x[A], p[kPreSlots<F>]{};
    VI large{};
    Broken bad;
    Column column[A];
    columns(m, column);
    share<false>(m, p);
    for (std::uint32_t i = 0; i < m.n; ++i) {
      load_next(column, x);
      fill_pre<F, false, false>(x, p, m.keep, m.vector_mask);
      watch(x, bad);
      mark_large<G>(x, large);
      store(m.out + i * kLanes, apply<G, V>(x, p, m.keep));
    }
    if (marked) *marked = large;
    return bad.bits(m);
  }

  template <class G, bool Values>
  FERMIAC_INLINE std::uint64_t run_back(const LaneArgs& m, VI* marked) {
    V x[A], p[kPreSlots<F>]{}, d[A];
    VI large{};
    Broken bad;
    each_index<A>([&](auto j) { d[j] = V{}; });
    Column column[A], g{m.g, m.one_g ? 0u : kLanes};
    columns(m, column);
    share<true>(m, p);
    for (std::uint32_t i = 0; i < m.n; ++i) {
      load_next(column, x);
      fill_pre<F, true, false>(x, p, m.keep, m.vector_mask);
      mark_large<G>(x, large);
      double* const out = m.out + i * kLanes;
      if constexpr (Values) {
        watch(x, bad);
        store(out, apply_fused<G, V>(x, p, load(g.at), d, m.keep));
      } else {
        F::template r<V>(x, load(out), load(g.at), d);
      }
      g.at += g.step;
      each_index<A>([&](auto j) { settle(d[j]); });
      each_index<A>([&](auto j) {
        if (m.d[j]) store(m.d[j] + i * kLanes, d[j]);
      });
    }
    if (marked) *marked = large;
    return bad.bits(m);
  }
};

template <class F>
constexpr LaneForms make_lane_forms() {
  return {LaneDriver<F>::forward, LaneDriver<F>::backward};
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
