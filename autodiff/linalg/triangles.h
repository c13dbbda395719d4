// Triangles: what dense.h does for whole matrices, for one side of the diagonal, and the loops it is made of.
#pragma once

#include "autodiff/linalg/dense_ops.h"

namespace fermiac::ad::dense {

inline constexpr Index kTriangle = 48;  // fits into the first-level cache with what it is applied to

/// Loops over triangles, one table per instruction set. Orders up to kTriangle; larger ones go by blocks.
struct TriangleOps {
  /// The lower Cholesky factor in place, zeros above it. False when A is not positive definite.
  bool (*cholesky)(Index n, double* a, Index ld);
  /// On entry the lower triangle of `a` holds L̄, on return Ā.
  void (*cholesky_reverse)(Index n, const double* l, Index ldl, double* a, Index lda);
  /// In place, L lower triangular: B (n x m) = L⁻¹ B or (transposed) L'⁻¹ B.
  void (*solve_left)(Index n, const double* l, Index ldl, bool transposed, double* b, Index ldb, Index m);
  /// B (m x n) = B L⁻¹ or (transposed) B L'⁻¹.
  void (*solve_right)(Index n, const double* l, Index ldl, bool transposed, double* b, Index ldb, Index m);
};
const TriangleOps& triangles();

/// Loops over both sides of the diagonal, of any order.
struct SymmetricOps {
  /// C += alpha A B for the lower triangle of the n x n matrix C alone.
  void (*gemm_lower)(Index n, Index k, double alpha, const double* a, Index lda, bool ta, const double* b, Index ldb,
                     bool tb, double* c, Index ldc);
  /// Whether the elements of every pair across the diagonal are within the tolerance.
  bool (*symmetric)(Index n, const double* a, double tolerance);
  /// Copies the lower triangle to the upper one.
  void (*mirror)(Index n, double* a);
  /// out = factor (A + A'); `out` may be `a`.
  void (*add_mirrored)(Index n, double factor, const double* a, double* out);
  /// out = A' for the rows x columns matrix A.
  void (*turn_over)(Index rows, Index columns, const double* a, Index lda, double* out, Index ldo);
};
const SymmetricOps& symmetric_ops();

/// C += alpha A B for the lower triangle of the square matrix C alone.
void add_lower_product(double alpha, View a, View b, double* c, Index ldc);
/// (L L')⁻¹; `out` may be `l`. `inverse`: n² doubles that become L⁻¹.
void invert_from_cholesky(const double* l, Index n, double* out, double* inverse);

}  // namespace fermiac::ad::dense
