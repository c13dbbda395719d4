// Eigenvalues and eigenvectors of a real symmetric matrix: reflections make it tridiagonal, implicit QR steps with Wilkinson's shift make
// that diagonal (Golub and Van Loan, Matrix Computations, 8.3). All the time goes into three loops over columns; rotations of one
// step are applied to the vectors together, so that a column is read and written once per step.
#pragma once

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/kernel.h"
#include "autodiff/linalg/dense_ops.h"

namespace fermiac::ad {

/// Of the lower triangle of a [n x n]: orthonormal eigenvectors [n x n], eigenvalues [n] in ascending order. False if the steps do not end.
bool symmetric_eigenpairs(const double* a, dense::Index n, double* vectors, double* values);

/// What the instruction sets provide. Columns are `ld` apart, and as long as a multiple of the lanes.
struct SymmetricEigenLoops {
  /// A -= v w' + w v', `columns` columns of `rows` rows; of v and w the elements of the columns begin at `at`.
  void (*rank_two)(dense::Index rows, dense::Index columns, dense::Index at, const double* v, const double* w, double* a, dense::Index ld);
  /// Q = (I - tau v v') Q.
  void (*reflect)(dense::Index rows, dense::Index columns, double tau, const double* v, double* q, dense::Index ld);
  /// Rotates columns k and k + 1 by the cosine and sine turns[2 k], turns[2 k + 1], for k < count one after the other.
  void (*rotate)(dense::Index rows, dense::Index count, const double* turns, double* q, dense::Index ld);
};
FERMIAC_DECLARE_FOR_ISAS(extern const SymmetricEigenLoops kSymmetricEigenLoops;)

/// m -> [eigenvectors, n x n | eigenvalues, n]. Cost: O(n³).
extern const Kernel kEigenPair;

}  // namespace fermiac::ad
