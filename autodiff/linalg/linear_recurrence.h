// A linear recurrence with one coefficient as one kernel:
//
//   x_t = a x_{t-1} + c_t,   t = 1 … T
//
// Step by step every number waits for the one before, four to five cycles each. Here four steps are taken at once (look-ahead; Parhi
// and Messerschmitt, "Pipeline interleaving and parallelism in recursive digital filters", IEEE Trans. ASSP 37, 1989):
//
//   u_1 = c_1, u_2 = a u_1 + c_2, …;   x_k = a^k x_0 + u_k,   k = 1 … 4
//
// where the u of different fours do not wait for each other. The adjoints are the same recurrence from the end:
//
//   g_t = x̄_t + a g_{t+1};   c̄_t += g_t,   ā += Σ g_t x_{t-1},   and g_0 to what x_0 is
//
// For instance a = 0.5, x_0 = 2, c = (1, 1): x = (2, 2, 2); with x̄ = (0, 0, 1): g = (0.25, 0.5, 1), ā = 0.5 · 2 + 1 · 2 = 3.
//
// Operands: a, x_0, c [T]. Result: x [T + 1], from x_0 on, so that whoever reads all of x finds it in one piece. Where powers of a may
// overflow or vanish, it goes step by step. Cost: O(T), about one cycle per step there and one back. The kernel is
// `linear_recurrence__`; tape/rewrite/recurrences.cpp puts it in the place of scalar ops.
#pragma once

#include <cstddef>

#include "autodiff/kernels/isa.h"

namespace fermiac::ad {

/// What the instruction sets provide.
struct LinearRecurrenceLoops {
  /// From x[0] to x[n].
  void (*forward)(double a, const double* c, std::size_t n, double* x);
  /// Adds to c_a unless it is null; returns g_0, and in a_a Σ g_t x_{t-1}.
  double (*reverse)(double a, const double* x, const double* x_a, std::size_t n, double* c_a, double* a_a);
};
FERMIAC_DECLARE_FOR_ISAS(extern const LinearRecurrenceLoops kLinearRecurrenceLoops;)

}  // namespace fermiac::ad
