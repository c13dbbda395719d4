// Sums of consecutive numbers on lanes. Only for *.isa.cpp files, like simd.h.
#pragma once

#include "autodiff/kernels/simd.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {

/// Accumulators lanes at once, for an addition waits for the one before it.
template <int Accumulators>
FERMIAC_INLINE double sum_of(const double* x, std::ptrdiff_t n) {
  constexpr std::ptrdiff_t kStep = Accumulators * kLanes;
  V sums[Accumulators]{};
  std::ptrdiff_t i = 0;
  for (; i + kStep <= n; i += kStep)
    for (int k = 0; k < Accumulators; ++k) sums[k] += load(x + i + k * kLanes);
  double sum = 0;
  if (i > 0) {
    for (int half = Accumulators / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k) sums[k] = sums[2 * k] + sums[2 * k + 1];
    sum = sum_lanes(sums[0]);
  }
  for (; i < n; ++i) sum += x[i];
  return sum;
}

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
