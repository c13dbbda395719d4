// Pieces of mass functions that several counts share. Include only from *.isa.cpp files.
#pragma once

#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

template <class T>
FERMIAC_INLINE T log_choose(T n, T k) {
  return lanewise([](auto a, auto b) { return scalar::log_choose(a, b); }, n, k);
}

template <class T>
FERMIAC_INLINE T log_factorial(T n) {
  return lanewise([](auto a) { return scalar::log_factorial(a); }, n);
}

/// The pieces of the negative binomials that depend on phi alone: lgamma and digamma (each only where it is used), log.
template <int I, bool Partials, class T>
FERMIAC_INLINE T shape_part(T phi, Keep k, int operand) {
  const unsigned mask = 1u << operand;
  if constexpr (I == 0) return k.has(mask) ? lgamma(phi) : T{};
  else if constexpr (I == 1) return Partials && k.wants(operand) ? digamma(phi) : T{};
  else return log(phi);
}
template <class T>
FERMIAC_INLINE T log_rising_choose(T phi, T n, T lgamma_phi) {  // log of choose(n + phi - 1, n)
  return select(n == 0.0, splat<T>(0.0), lgamma_difference(phi, n, lgamma_phi) - log_factorial(n));
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
