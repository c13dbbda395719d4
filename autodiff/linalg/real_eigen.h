// Eigenpairs of a general real matrix.
#pragma once

#include "autodiff/linalg/dense_ops.h"

namespace fermiac::ad {

/// Unit eigenvectors (n x n) and eigenvalues (n) of the n x n matrix, as (re, im) pairs; conjugate pairs are exact. False if
/// the iterations do not end.
bool real_eigenpairs(const double* a, dense::Index n, double* vectors, double* values);

}  // namespace fermiac::ad
