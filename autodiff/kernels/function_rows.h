// Rows that define functions for driver.h: value, then the partials times g. Include only from *.isa.cpp files.
#pragma once

#include "autodiff/kernels/driver.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

template <int Arity>
struct Function {
  static constexpr int kArity = Arity;
  static constexpr bool kDensity = false;
};

// In a row, x and y are the operands, v is the value, T the type of lanes.
#define FERMIAC_UNARY(Name, value, slope)                                        \
  struct Name : Function<1> {                                                    \
    template <class T>                                                           \
    FERMIAC_INLINE T f(const T* p) {                                             \
      const T x = p[0];                                                          \
      return value;                                                              \
    }                                                                            \
    template <class T>                                                           \
    FERMIAC_INLINE void r(const T* p, T v, T g, T* d) {                          \
      [[maybe_unused]] const T x = p[0];                                         \
      (void)v;                                                                   \
      d[0] = g * (slope);                                                        \
    }                                                                            \
  };
/// A row of autodiff/ops/functions.h.
#define FERMIAC_FUNCTION(Name, function, slope) FERMIAC_UNARY(Name, function(x), slope)
#define FERMIAC_BINARY(Name, value, slope_x, slope_y)                            \
  struct Name : Function<2> {                                                    \
    template <class T>                                                           \
    FERMIAC_INLINE T f(const T* p) {                                             \
      const T x = p[0], y = p[1];                                                \
      return value;                                                              \
    }                                                                            \
    template <class T>                                                           \
    FERMIAC_INLINE void r(const T* p, T v, T g, T* d) {                          \
      [[maybe_unused]] const T x = p[0], y = p[1];                               \
      (void)v;                                                                   \
      d[0] = g * (slope_x);                                                      \
      d[1] = g * (slope_y);                                                      \
    }                                                                            \
  };

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
