// The loops over vectors that samplers spend their time in, compiled for every instruction set (vector_kernels.isa.cpp). Sums run
// over four accumulators in a fixed order, what is left over goes to the first, and products are not contracted with additions: the
// same bits from every instruction set. All vectors have n elements; those that are written may not
// overlap others.
#pragma once

#include <cstddef>
#include <span>

namespace fermiac::inference {

/// What velocities M^-1 p come from: nothing where M is the identity, the elements of a diagonal M^-1 or their square roots, or, where
/// M^-1 is something else, memory.
enum class InverseKind : unsigned char { Unit, Elements, Roots, Stored };
struct Inverse {
  InverseKind kind;
  const double* values;  // of Elements and Roots
};

/// Momentum of a state and, where they are stored, its velocity.
struct Motion {
  const double *p, *v;
};

/// A tree's two halves: sums of the momenta, and each begins and ends somewhere. Halves of two states need no sums.
struct Halves {
  const double *rho_first, *rho_second;
  Motion begin, first_end, second_begin, end;
};

/// From one point of phase space to the next, which may be the same memory.
struct Drift {
  const double *p, *q;
  double *p_next, *q_next;
};

/// The end of one leapfrog step and the beginning of the next, in one pass over memory; and what the state between them makes of the
/// states before it.
struct StepOn {
  double kick, eps;
  Inverse m;            // not Stored
  const double *g, *q;  // of the state
  double* p;            // half a step before it, then half a step behind it
  double* p_here;       // the state's momentum
  double* q_next;       // where the next step looks
  int before = 0;       // how many of the momenta that follow: 0, 1 or 3
  const double* earlier[3] = {};  // first to last
  double* rho = nullptr;          // with three: the sum of the momenta
};
struct SteppedOn {
  double square;              // p · M^-1 p
  bool pair = true, four = true;  // whether the last two states, and all four, still move apart
};

struct VectorKernels {
  double (*dot)(const double* a, const double* b, std::size_t n);
  /// y += c x
  void (*axpy)(double c, const double* x, double* y, std::size_t n);
  /// x += c u, then next · x
  double (*axpy_and_dot)(double c, const double* u, const double* next, double* x, std::size_t n);

  /// p · M^-1 p
  double (*square)(Inverse m, const double* p, std::size_t n);
  /// The two ends of a leapfrog step: p + kick g, then q + eps M^-1 p;
  void (*kick_and_drift)(double kick, double eps, const double* g, Inverse m, const Drift& drift, std::size_t n);
  /// p += kick g; the result is p · M^-1 p.
  double (*kick_and_square)(double kick, const double* g, Inverse m, double* p, std::size_t n);
  /// The second of one step, then the first of the next.
  SteppedOn (*step_on)(const StepOn& step, std::size_t n);
  /// p += kick g, out = scales p
  void (*kick_and_scale)(double kick, const double* g, const double* scales, double* p, double* out, std::size_t n);
  /// q += eps (scales w)
  void (*drift_scaled)(double eps, const double* scales, const double* w, double* q, std::size_t n);
  /// x *= scales, then p · x
  double (*scale_and_dot)(const double* scales, const double* p, double* x, std::size_t n);

  /// rho becomes the sum of the momenta of both halves. Whether the tree still moves apart: the whole, and either half joined to the
  /// first state of the other.
  bool (*join)(const Halves& halves, Inverse m, double* rho, std::size_t n);
  /// The same for two single states, where the three conditions are one.
  bool (*join_states)(Motion first, Motion last, Inverse m, std::size_t n);
};

/// Those of the active instruction set (support/platform/isa.h).
const VectorKernels& vector_kernels();
/// Those of every instruction set of this build, from the least on; the processor may lack what the later ones need.
std::span<const VectorKernels* const> all_vector_kernels();

}  // namespace fermiac::inference
