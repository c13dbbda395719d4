// What gamma laws and their inverses share. Include only from *.isa.cpp files.
#pragma once

#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// By shape alpha and (inverse) scale beta: p is lgamma(alpha), digamma(alpha), log beta and log y.
template <const Law& L>
struct GammaDensityOf : DensityOf<L> {
  static constexpr unsigned kPre[] = {0b010, 0b010, 0b100, 0b001};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b010) ? lgamma(x[1]) : T{};
    else if constexpr (I == 1) return Partials && k.wants(1) ? digamma(x[1]) : T{};
    else if constexpr (I == 2) return k.has(0b110) ? log(x[2]) : T{};
    else return k.has(0b011) ? log(x[0]) : T{};
  }
};

/// By degrees of freedom: p is lgamma(nu / 2) + nu / 2 log 2 and digamma(nu / 2).
template <const Law& L>
struct ChiSquareDensityOf : DensityOf<L> {
  static constexpr unsigned kPre[] = {0b10, 0b10};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    if constexpr (I == 0) return k.has(0b10) ? lgamma(0.5 * x[1]) + 0.5 * kLogTwo * x[1] : T{};
    else return Partials && k.wants(1) ? digamma(0.5 * x[1]) : T{};
  }
};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
