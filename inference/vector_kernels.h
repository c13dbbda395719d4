// The loops over vectors that samplers spend their time in, compiled for every instruction set (vector_kernels.isa.cpp). Sums run
// over four accumulators in a fixed order, what is left over goes to the first, and products are not contracted with additions: the
// same bits from every instruction set. All vectors have n elements; those that are written may not overlap others.
#pragma once

#include <cstddef>
#include <span>

namespace fermiac::inference {

/// The momenta and velocities of a tree's two halves: each begins and ends somewhere.
struct Halves {
  const double *rho_first, *rho_second;
  const double *begin_v, *first_end_p, *first_end_v, *second_begin_p, *second_begin_v, *end_v;
};

/// M^-1, a diagonal: its elements or, where not `squared`, their square roots.
struct DiagonalInverse {
  const double* values;
  bool squared;
};

struct VectorKernels {
  double (*dot)(const double* a, const double* b, std::size_t n);
  /// y += c x
  void (*axpy)(double c, const double* x, double* y, std::size_t n);
  /// x += c u, then next · x
  double (*axpy_and_dot)(double c, const double* u, const double* next, double* x, std::size_t n);

  /// The two ends of a leapfrog step: p += kick g, then q += eps M^-1 p;
  void (*kick_and_drift)(double kick, double eps, const double* g, DiagonalInverse m, double* p, double* q, std::size_t n);
  /// p += kick g, velocity = M^-1 p; the result is p · velocity.
  double (*kick_and_square)(double kick, const double* g, DiagonalInverse m, double* p, double* velocity, std::size_t n);
  /// p += kick g, out = scales p
  void (*kick_and_scale)(double kick, const double* g, const double* scales, double* p, double* out, std::size_t n);
  /// q += eps (scales w)
  void (*drift_scaled)(double eps, const double* scales, const double* w, double* q, std::size_t n);
  /// x *= scales, then p · x
  double (*scale_and_dot)(const double* scales, const double* p, double* x, std::size_t n);

  /// rho becomes the sum of the momenta of both halves. Whether the tree still moves apart: the whole, and either half joined to the
  /// first state of the other.
  bool (*join)(const Halves& halves, double* rho, std::size_t n);
  /// The same for two single states, where the three conditions are one.
  bool (*join_states)(const double* p0, const double* v0, const double* p1, const double* v1, double* rho, std::size_t n);
};

/// Those of the active instruction set (support/isa.h).
const VectorKernels& vector_kernels();
/// Those of every instruction set of this build, from the least on; the processor may lack what the later ones need.
std::span<const VectorKernels* const> all_vector_kernels();

}  // namespace fermiac::inference
