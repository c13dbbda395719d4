// The rows of list.h as functions: a struct per op, over doubles, lanes and intervals (range.h), and one per comparison.
// In *.isa.cpp files include it behind simd.h, whose functions it calls (nothing else finds those of lanes) and in whose
// namespace it is.
#pragma once

#include "autodiff/ops/list.h"

#ifdef FERMIAC_ISA_NAMESPACE
#ifndef FERMIAC_INLINE
#error "autodiff/kernels/simd.h comes first"
#endif
namespace fermiac::ad::FERMIAC_ISA_NAMESPACE::ops {
#else
#include <cmath>
namespace fermiac::ad::ops {
using std::exp;
using std::log;
using std::sqrt;
constexpr double square(double x) { return x * x; }
constexpr double zero_at(double v, double slope) { return v == 0 ? 0 : slope; }
#endif

#define FERMIAC_OP [[gnu::always_inline]] static inline
#define FERMIAC_UNPACK(...) __VA_ARGS__

template <class T, class... P>
FERMIAC_OP void put(T* d, P... p) {
  ((*d++ = p), ...);
}
template <class T, class... P>
FERMIAC_OP void put_times(T g, T* d, P... p) {
  ((*d++ = g * p), ...);
}

#define FERMIAC_DEFINE_OP(Name, map, arity, formula, slopes, products)                 \
  struct Name {                                                                        \
    static constexpr int kArity = arity;                                               \
    static constexpr const char* kMap = map;                                           \
    template <class T>                                                                 \
    FERMIAC_OP T value(const T* p) {                                                   \
      FERMIAC_OPERANDS                                                                 \
      return formula;                                                                  \
    }                                                                                  \
    /** d[j] = g times the partial of operand j. */                                    \
    template <class T>                                                                 \
    FERMIAC_OP void partials(const T* p, [[maybe_unused]] T v, T g, T* d) {            \
      FERMIAC_OPERANDS                                                                 \
      put_times(g, d, FERMIAC_UNPACK slopes);                                          \
    }                                                                                  \
    /** The same as the sweeps of a tape have it, where it may round otherwise. */      \
    template <class T>                                                                 \
    FERMIAC_OP void adjoints(const T* p, [[maybe_unused]] T v, T g, T* d) {            \
      FERMIAC_OPERANDS                                                                 \
      put(d, FERMIAC_UNPACK products);                                                 \
    }                                                                                  \
  };
#define FERMIAC_OPERANDS                                     \
  [[maybe_unused]] const T x = p[0];                         \
  [[maybe_unused]] const T y = p[kArity > 1 ? 1 : 0];        \
  [[maybe_unused]] const T z = p[kArity > 2 ? 2 : 0];
FERMIAC_SCALAR_OPS(FERMIAC_DEFINE_OP)
#undef FERMIAC_DEFINE_OP
#undef FERMIAC_OPERANDS
#undef FERMIAC_UNPACK

/// holds(x, y) is a bool, or a mask of lanes.
#define FERMIAC_DEFINE_COMPARE(Name, sign, map)      \
  struct Is##Name {                                  \
    static constexpr const char* kSelect = map;      \
    template <class T>                               \
    FERMIAC_OP auto holds(T x, T y) {                \
      return x sign y;                               \
    }                                                \
  };
FERMIAC_COMPARES(FERMIAC_DEFINE_COMPARE)
#undef FERMIAC_DEFINE_COMPARE

FERMIAC_OP bool holds(Compare compare, double x, double y) {
  switch (compare) {
#define FERMIAC_CASE(Name, ...) \
  case Compare::Name: return Is##Name::holds(x, y);
    FERMIAC_COMPARES(FERMIAC_CASE)
#undef FERMIAC_CASE
  }
  return false;
}
#undef FERMIAC_OP

}  // namespace ops
