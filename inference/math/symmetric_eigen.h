// Eigenvalues and eigenvectors of small symmetric matrices, and means of them, for metrics.
#pragma once

#include "inference/math/vectors.h"

namespace fermiac::inference {

/// Eigendecomposition of the symmetric row-major n × n matrix `a`, whose rows become the unit eigenvectors; `values` [n]
/// the eigenvalues, in no order. Householder's reduction to tridiagonal form, then QL with implicit shifts: O(n³).
/// False if `a` has elements that are not finite, or in the (unheard-of) case that an eigenvalue does not settle.
bool symmetric_eigen(Span a, std::size_t n, Span values);

/// The matrix s with s a s = b, the geometric mean of a^-1 and b, for symmetric positive definite a and b (both garbage
/// afterwards). False if one is not, to working precision.
bool geometric_mean(Span a, Span b, std::size_t n, Vec* s);

}  // namespace fermiac::inference
