// The kernel that linear.cpp puts in the place of a normal likelihood:
//
//   lp = -sum_g |R_g (u, l_g, 1)|² / (2 sigma²) - N log sigma - N log sqrt(2 pi)
//
// Operands: the triangles R_g packed entry by entry (row-major upper triangle; for each entry one number per group, padded
// to a multiple of 8), the numbers u that all groups share, the numbers l [term][group], sigma, and ints {N, groups,
// local terms, constants wanted, log sigma wanted}.
#pragma once

#include <cstddef>

#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/isa.h"

namespace fermiac::ad {

extern const Kernel kLinearNormalSink;

constexpr std::size_t padded_groups(std::size_t groups) {
  return groups == 1 ? 1 : (groups + 7) / 8 * 8;
}

/// The inner loops, once per instruction set.
struct LinearSumOfSquares {
  const double* triangles = nullptr;
  const double* uniform = nullptr;
  const double* local = nullptr;
  double* uniform_a = nullptr;   // adjoints, or null
  double* local_a = nullptr;
  std::size_t uniform_terms = 0;
  std::size_t local_terms = 0;
  std::size_t groups = 0;
  double g = 1;                  // adjoint of the sum of squares
};
FERMIAC_DECLARE_FOR_ISAS(double sum_of_squares(const LinearSumOfSquares& s);)

}  // namespace fermiac::ad
