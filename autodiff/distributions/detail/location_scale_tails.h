// Distribution functions of symmetric location-scale laws. Include only from *.isa.cpp files.
#pragma once

#include "autodiff/distributions/detail/cdf_forms.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

struct LogPhiTail {
  template <class T>
  FERMIAC_INLINE T lower(T z, T& slope) { return log_Phi(z, slope); }
};

/// A symmetric law in z = (y - mu) / sigma, or (log y - mu) / sigma.
template <const Law& L, class Tail, Side S, bool Log>
struct LocationScaleTail : TailOf<L> {
  static constexpr unsigned kPre[] = {0b100, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) {
    if constexpr (I == 0) return 1.0 / x[2];
    else if constexpr (Log) return log(x[0]);
    else return x[0];
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    const T z = (p[1] - x[1]) * p[0];
    T slope;
    const T lp = Tail::lower(S == Side::Lower ? z : -z, slope);
    if constexpr (Partials) {
      const auto finite = abs(z) < kInf;
      const T zero = splat<T>(0.0);
      const T w = select(finite, (S == Side::Lower ? g : -g) * slope * p[0], zero);
      d[0] = select(finite, Log ? w / x[0] : w, zero);
      d[1] = -w;
      d[2] = select(finite, -w * z, zero);
    }
    return lp;
  }
};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
