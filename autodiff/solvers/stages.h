// The loops of Runge-Kutta steps, compiled once per instruction set. Lengths are multiples of 8; vectors lie `n` apart.
#pragma once

#include <cstddef>

#include "autodiff/kernels/isa.h"

namespace fermiac::ad {

/// The weights of at most seven stages.
struct StageWeights {
  double w[7] = {};
  int count = 0;
};

struct StageLoops {
  /// to = z + sum of w[s] k_s.
  void (*combine)(const StageWeights& weights, std::size_t n, const double* z, const double* k, double* to) = nullptr;
  /// Largest |sum of w[s] k_s| / (abs_tol + rel_tol (|z| + h |k_0|)); NaN if any is not a number.
  double (*error)(const StageWeights& weights, std::size_t n, const double* z, const double* k, double abs_tol,
                  double rel_tol, double h) = nullptr;
};
const StageLoops& stage_loops();

FERMIAC_DECLARE_FOR_ISAS(extern const StageLoops kStageLoops;)

}  // namespace fermiac::ad
