// Squares of lanes turned over in registers, and the ends of runs. Only for *.isa.cpp files, like simd.h.
#pragma once

#include "autodiff/kernels/simd.h"

// In front of a loop of constant length over an array of lanes: unrolled, the array lives in registers.
#if defined(__clang__)
#define FERMIAC_UNROLL _Pragma("clang loop unroll(full)")
#else
#define FERMIAC_UNROLL _Pragma("GCC unroll 16")
#endif

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

using TileIndex = std::ptrdiff_t;

/// Two vectors become two others by bits of the lane. `a` takes, in lanes with the bit, b's lane without it; `b` takes,
/// in lanes without the bit, a's lane with it.
template <int Bit>
FERMIAC_INLINE void exchange(V& a, V& b) {
#define FERMIAC_LEFT(l) ((l)&Bit ? kLanes + (l)-Bit : (l))
#define FERMIAC_RIGHT(l) ((l)&Bit ? kLanes + (l) : (l) + Bit)
#if defined(__AVX512F__)
#define FERMIAC_EACH(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
#elif defined(__AVX__)
#define FERMIAC_EACH(f) f(0), f(1), f(2), f(3)
#else
#define FERMIAC_EACH(f) f(0), f(1)
#endif
  const V first = __builtin_shufflevector(a, b, FERMIAC_EACH(FERMIAC_LEFT));
  b = __builtin_shufflevector(a, b, FERMIAC_EACH(FERMIAC_RIGHT));
  a = first;
#undef FERMIAC_EACH
#undef FERMIAC_RIGHT
#undef FERMIAC_LEFT
}

/// kLanes vectors as the rows of a square: transposed.
template <int Bit = kLanes / 2>
FERMIAC_INLINE void turn(V* x) {
  if constexpr (Bit > 0) {
    FERMIAC_UNROLL
    for (int i = 0; i < kLanes; ++i)
      if (!(i & Bit)) exchange<Bit>(x[i], x[i + Bit]);
    turn<Bit / 2>(x);
  }
}

/// kLanes vectors from memory, `ld` apart, transposed.
FERMIAC_INLINE void load_turned(const double* p, TileIndex ld, V* x) {
  FERMIAC_UNROLL
  for (int i = 0; i < kLanes; ++i) x[i] = load(p + i * ld);
  turn(x);
}
FERMIAC_INLINE void store_tile(const V* x, double* p, TileIndex ld) {
  FERMIAC_UNROLL
  for (int i = 0; i < kLanes; ++i) store(p + i * ld, x[i]);
}

/// One of two vectors by bits of the lane: lanes with the bit take `b`, each adding its neighbour at that distance.
template <int Bit>
FERMIAC_INLINE V fold(V a, V b) {
  exchange<Bit>(a, b);
  return a + b;
}
/// Lane l of the result: the sum of the lanes of x[l * stride].
template <int Bit = kLanes / 2>
FERMIAC_INLINE V sum_each(const V* x, int stride) {
  if constexpr (Bit == 0)
    return *x;
  else
    return fold<Bit>(sum_each<Bit / 2>(x, stride), sum_each<Bit / 2>(x + Bit * stride, stride));
}

/// The first n < kLanes numbers, zeros behind them; nothing else is read.
FERMIAC_INLINE V load_first(const double* p, TileIndex n) {
#if defined(__AVX512F__)
  return reinterpret_cast<V>(_mm512_maskz_loadu_pd(static_cast<__mmask8>((1 << n) - 1), p));
#elif defined(__AVX__)
  return reinterpret_cast<V>(_mm256_maskload_pd(p, reinterpret_cast<__m256i>(lane_index() < n)));
#else
  return V{n > 0 ? *p : 0.0, 0.0};
#endif
}
/// Writes these alone.
FERMIAC_INLINE void store_first(double* p, V x, TileIndex n) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1 << n) - 1), reinterpret_cast<__m512d>(x));
#elif defined(__AVX__)
  _mm256_maskstore_pd(p, reinterpret_cast<__m256i>(lane_index() < n), reinterpret_cast<__m256d>(x));
#else
  if (n > 0) *p = x[0];
#endif
}

// The same for vectors and squares that may be cut off.
FERMIAC_INLINE V load_part(const double* p, TileIndex count) { return count >= kLanes ? load(p) : load_first(p, count); }
FERMIAC_INLINE void store_part(double* p, V x, TileIndex count) {
  if (count >= kLanes)
    store(p, x);
  else
    store_first(p, x, count);
}
/// Of `columns` columns of `count` numbers at most kLanes; zeros for what lies outside.
FERMIAC_INLINE void load_part_tile(const double* p, TileIndex ld, TileIndex count, TileIndex columns, V* x) {
  FERMIAC_UNROLL
  for (int i = 0; i < kLanes; ++i) x[i] = i < columns ? load_part(p + i * ld, count) : V{};
}
FERMIAC_INLINE void load_turned_part(const double* p, TileIndex ld, TileIndex count, TileIndex columns, V* x) {
  if (count >= kLanes && columns >= kLanes) return load_turned(p, ld, x);
  load_part_tile(p, ld, count, columns, x);
  turn(x);
}
FERMIAC_INLINE void store_part_tile(const V* x, double* p, TileIndex ld, TileIndex count, TileIndex columns) {
  if (count >= kLanes && columns >= kLanes) return store_tile(x, p, ld);
  FERMIAC_UNROLL
  for (int i = 0; i < kLanes; ++i)
    if (i < columns) store_part(p + i * ld, x[i], count);
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
