// The forward recursion of a hidden Markov model as one kernel (Rabiner, "A tutorial on hidden Markov models", 1989, §III
// and the scaling of §V):
//
//   x_t[k] = log sum_j exp(x_{t-1}[j] + a_t[j, k]) + n_t[k],   t = 1 … T,   j, k < K
//
// On the scale of probabilities a step is a product with a K x K matrix: exponentials of n and logarithms of the results
// are taken for all steps at once, outside the recursion. Powers of two keep the numbers in range. A chain whose states drift apart by
// more than doubles can hold is done on the log scale. chains.cpp puts the kernel in the place of scalar ops.
//
// Operands: x_0 [K]; a, as [j * K + k], for all steps in common or [T * K * K]; n [T * K] or [0]; ints {K, T}. Result: all
// x_t, [T * K]. Cost: O(T K²) multiplications, O(T K) exponentials and logarithms, and those of a.
#pragma once

#include <cstddef>

#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/isa.h"

namespace fermiac::ad {

extern const Kernel kLogChain;

/// One chain for the inner loops, once per instruction set. Rows have K numbers and are padded to a multiple of 8.
struct LogChain {
  std::size_t states = 0, steps = 0;
  const double* start = nullptr;
  const double* transitions = nullptr;
  std::size_t matrices = 1;           // 1: in common, else one per step
  const double* additions = nullptr;  // or null
  double* out = nullptr;

  // Scratch, kept for the reverse sweep.
  double* e = nullptr;       // exp(a), [matrices][j][k]
  double* p = nullptr;       // exp(x_t) in units of its own, [T + 1][k]
  double* s = nullptr;       // sum_j p_{t-1}[j] e[j, k], [T][k]
  double* factors = nullptr; // exp(n_t), [T][k], and room for two rows
  double* units = nullptr;   // their logarithms, [T]

  // For the reverse sweep; adjoints of data are null.
  const double* out_a = nullptr;
  double* start_a = nullptr;
  double* transitions_a = nullptr;
  double* additions_a = nullptr;
};

/// What the instruction sets provide.
struct LogChainLoops {
  bool (*forward)(const LogChain& c);  // false: do it on the log scale
  void (*reverse)(const LogChain& c);
};
FERMIAC_DECLARE_FOR_ISAS(extern const LogChainLoops kLogChainLoops;)

}  // namespace fermiac::ad
