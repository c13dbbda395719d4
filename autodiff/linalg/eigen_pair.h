// Both halves of a symmetric eigendecomposition at once: the tape puts it in the place of eigenvectors_sym and
// eigenvalues_sym of the same matrix.
#pragma once

#include "autodiff/kernels/kernel.h"

namespace fermiac::ad {

/// m -> [eigenvectors, n x n | eigenvalues, n]. Cost: O(n³).
extern const Kernel kEigenPair;

}  // namespace fermiac::ad
