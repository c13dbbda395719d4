// Dense linear algebra on plain doubles, column-major. Kernels use these instead of a matrix library: they compile in
// no time, take views without copying, and pick the processor's instruction set at run time.
#pragma once

#include "autodiff/linalg/dense_ops.h"

namespace fermiac::ad::dense {

double dot(Index n, const double* x, const double* y);
void axpy(Index n, double a, const double* x, double* y);

/// C += alpha A B. C is contiguous unless ldc says otherwise.
void add_product(double alpha, View a, View b, double* c, Index ldc = -1);
/// C = A B.
void product(View a, View b, double* c);

/// Lower Cholesky factor in place; the upper triangle is set to zero. False when A is not positive definite.
bool cholesky(double* a, Index n);

/// The adjoint of cholesky: on entry the lower triangle of `a` holds L̄, on return Ā with the whole derivative in the lower
/// triangle. The strict upper triangle is left alone. `scratch`: kReverseScratch doubles.
void cholesky_reverse(const double* l, Index n, double* a, double* scratch);
inline constexpr Index kReverseScratch = 3 * 48 * 48;

enum class Side { Left, Right };
/// Triangular solves with the lower triangle of the n x n matrix L (its upper triangle is ignored), in place in B:
/// Left: B (n x m) = L⁻¹ B, or L'⁻¹ B when transposed; Right: B (m x n) = B L⁻¹ or B L'⁻¹.
void solve_lower(Side side, bool transposed, const double* l, Index n, double* b, Index m);
/// L⁻¹, lower triangular, zeros above.
void invert_lower(const double* l, Index n, double* out);
/// (L L')⁻¹.
void invert_from_cholesky(const double* l, Index n, double* out);

/// P A = L U with partial pivoting, in memory of the caller's.
class Lu {
 public:
  /// Doubles that hold the factors of order n.
  static constexpr Index space(Index n) { return n * (n + 1); }
  static Lu factor(const double* a, Index n, double* space);
  /// What factor() left there.
  Lu(const double* space, Index n) : lu_(space), swaps_(space + n * n), n_(n) {}

  /// B (n x m) = A⁻¹ B in place.
  void solve(double* b, Index m) const;
  /// B (n x m) = A'⁻¹ B in place.
  void solve_transposed(double* b, Index m) const;
  void invert(double* out) const;
  void invert_transposed(double* out) const;
  bool singular() const;
  double determinant() const;
  double log_abs_determinant() const;

 private:
  double pivot(Index k) const { return lu_[k * (n_ + 1)]; }
  const double *lu_, *swaps_;  // the row exchanged with row k at step k, as a double
  Index n_;
};

/// The index (i, j), row-major first, of an element that breaks symmetry by more than 1e-8; -1 when there is none.
Index first_asymmetric(const double* a, Index n, Index* column);

void transpose(const double* a, Index rows, Index cols, double* out);
/// out = (a + a') / 2.
void symmetrize(double* a, Index n);

}  // namespace fermiac::ad::dense
