// Constraining transforms: between free vectors and values of constrained types.
//
// Structured types (ordered … stochastic rows) are kernels, for every `kind` below:
//   "<kind>_constrain"    (free value [, sizes]) -> constrained value
//   "<kind>_jacobian__"   the same operands -> vector: the constrained value's numbers, then the log Jacobian (summed over
//                         the elements of arrays) as the last entry
//   "<kind>_unconstrain"  (constrained value) -> free value
// The free value is a vector, or a matrix for the stochastic matrices and sum_to_zero matrices, or an array of such. The
// int sizes are: (K) for cholesky_factor_corr, corr_matrix, cov_matrix; (M, N) for cholesky_factor_cov; none for the others,
// whose size follows from the free value.
//
// Element-wise types are maps (broadcast over their operands), for `bound` one of lower_bound (y, a), upper_bound (y, b),
// lower_upper_bound (y, a, b) and offset_multiplier (y, m, s); infinite bounds fall back to the one-sided or identity map:
//   "<bound>_constrain", "<bound>_log_jacobian__" (log |dx/dy| per element), "<bound>_unconstrain" (x, …)
#pragma once

#include <span>
#include <string_view>

#include "autodiff/shape.h"

namespace fermiac::ad {

enum class Transform : std::uint8_t {
  Identity, LowerBound, UpperBound, LowerUpperBound, OffsetMultiplier,  // element-wise
  Ordered, PositiveOrdered, Simplex, UnitVector, SumToZero, CholeskyFactorCorr, CholeskyFactorCov, CorrMatrix, CovMatrix,
  StochasticColumn, StochasticRow
};
inline bool is_elementwise(Transform t) { return t <= Transform::OffsetMultiplier; }

/// "simplex", "lower_bound", …: the stem of the kernels' and maps' names.
std::string_view transform_name(Transform t);
/// Names of the operations above; static storage.
std::string_view constrain_name(Transform t);
std::string_view jacobian_name(Transform t);  // of the map for element-wise transforms, of the kernel for the others

/// The free value's shape for a constrained value's: arrays stay arrays. Throws SizeError for sizes the type cannot have
/// (a simplex of size 0, cholesky_factor_cov with fewer rows than columns), naming the variable.
Shape free_shape(Transform t, std::string_view variable, const Shape& constrained);

/// The operands of the element-wise transforms: one number for all elements, or one for each.
struct Bound {
  const double* v = nullptr;
  bool scalar = true;
  double at(std::size_t i) const { return v[scalar ? 0 : i]; }
};

/// Throws DomainError (SizeError for impossible sizes) when `x` is not a value of the type, saying what is violated where:
/// "y is not a valid simplex. sum(y) = 1.2, but should be 1". Bounds are inclusive, structures hold to 1e-8.
/// Numbers that were printed and read again have a relative error of `rounding`, which is allowed for; such ordered values may be equal.
void check_constrained(Transform t, std::string_view variable, const Shape& shape, const double* x, Bound first = {},
                       Bound second = {}, double rounding = 0);
/// The free value of `x` (checked first), free_shape(…).size() numbers in `y`. Values on the boundary give ±infinity, and so do those
/// that `rounding` may have carried over it.
void unconstrain(Transform t, std::string_view variable, const Shape& shape, const double* x, double* y, Bound first = {},
                 Bound second = {}, double rounding = 0);

}  // namespace fermiac::ad
