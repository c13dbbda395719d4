// Derives the forms of a map for several points at once (lane_map.h) from its functor. Include only from *.isa.cpp files.
//
// Lanes are as wide as the instruction set's vectors, so every number is computed as in driver.h: what depends on the
// operand's kind alone - shared quantities of scalars are computed for each point as one number - does so here as well.
#pragma once

#include "autodiff/kernels/functor.h"
#include "autodiff/kernels/lane_map.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// Distribution functions are too rare for further forms.
template <class F>
concept RunsOnLanes = !requires { requires F::kTail; };

/// Bit l: lane l is set.
FERMIAC_INLINE std::uint64_t lane_bits(VI mask) {
  if (!any(mask)) [[likely]]
    return 0;
  std::uint64_t bits = 0;
  for (int l = 0; l < kLanes; ++l) bits |= static_cast<std::uint64_t>(mask[l] != 0) << l;
  return bits;
}

template <class F>
struct LaneDriver {
  static constexpr int A = F::kArity;

  /// Numbers from one element to the next, by operand.
  FERMIAC_INLINE void strides(const LaneArgs& m, std::size_t* to) {
    for (int j = 0; j < A; ++j) to[j] = m.vector_mask >> j & 1u ? kLanes : 0;
  }
  FERMIAC_INLINE void load_element(const LaneArgs& m, const std::size_t* stride, std::uint32_t i, V* x) {
    for (int j = 0; j < A; ++j) x[j] = load(m.x[j] + i * stride[j]);
  }
  /// What the scalars share, point by point.
  template <bool Partials>
  FERMIAC_INLINE void share(const LaneArgs& m, V* p) {
    if constexpr (HasPre<F>) {
      double all[kPreSlots<F>][kLanes]{};
      for (int l = 0; l < kLanes; ++l) {
        double s[A]{}, q[kPreSlots<F>]{};
        for (int j = 0; j < A; ++j)
          if ((m.vector_mask >> j & 1u) == 0) s[j] = m.x[j][l];
        fill_pre<F, Partials, true>(s, q, m.keep, m.vector_mask);
        for (int k = 0; k < kPreSlots<F>; ++k) all[k][l] = q[k];
      }
      for (int k = 0; k < kPreSlots<F>; ++k) p[k] = load(all[k]);
    } else {
      (void)m, (void)p;
    }
  }
  FERMIAC_INLINE void watch(const V* x, VI& bad) {
    if constexpr (HasRules<F>) bad |= ~rules_hold<F>(x);
    else (void)x, (void)bad;
  }

  static std::uint64_t forward(const LaneArgs& m) {
    V x[A]{}, p[kPreSlots<F>]{};
    VI bad{};
    std::size_t stride[A];
    strides(m, stride);
    share<false>(m, p);
    for (std::uint32_t i = 0; i < m.n; ++i) {
      load_element(m, stride, i, x);
      fill_pre<F, false, false>(x, p, m.keep, m.vector_mask);
      watch(x, bad);
      store(m.out + i * kLanes, apply<F, V>(x, p, m.keep));
    }
    return lane_bits(bad);
  }

  static std::uint64_t backward(const LaneArgs& m) {
    V x[A]{}, p[kPreSlots<F>]{}, d[A]{};
    VI bad{};
    std::size_t stride[A];
    strides(m, stride);
    share<true>(m, p);
    const std::size_t g_stride = m.one_g ? 0 : kLanes;
    for (std::uint32_t i = 0; i < m.n; ++i) {
      load_element(m, stride, i, x);
      fill_pre<F, true, false>(x, p, m.keep, m.vector_mask);
      const V g = load(m.g + i * g_stride);
      double* const out = m.out + i * kLanes;
      if constexpr (F::kDensity) {
        watch(x, bad);
        store(out, density<F, true>(x, p, g, d, m.keep));
      } else {
        F::template r<V>(x, load(out), g, d);
      }
      for (int j = 0; j < A; ++j)
        if (m.d[j]) store(m.d[j] + i * kLanes, d[j]);
    }
    return lane_bits(bad);
  }
};

template <class F>
constexpr LaneForms make_lane_forms() {
  return {LaneDriver<F>::forward, LaneDriver<F>::backward};
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
