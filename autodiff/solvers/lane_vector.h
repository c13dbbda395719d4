// Vectors and a linear solver of our own for CVODES. A state has one number per row, its sensitivities a row of lanes,
// one lane per parameter (as OdeSystem keeps them): to CVODES all sensitivities are one vector, so that each step of
// its algorithms is one call and one loop over lanes. Norms of such a vector are the largest of its lanes' norms, which
// is what CVODES computes of one vector per parameter; a linear system is solved for all lanes at once.
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_nvector.h>

#include <cstddef>

namespace fermiac::ad::sundials {

/// rows x lanes zeros; lanes is 1 or a multiple of 8. What is written to a vector brings its number of lanes along.
N_Vector new_lane_vector(std::size_t rows, std::size_t lanes, SUNContext context);
double* lane_data(N_Vector v);

/// LU factors, with row exchanges, of a dense matrix. Left sides are lane vectors.
SUNLinearSolver new_lane_solver(std::size_t rows, SUNContext context);

}  // namespace fermiac::ad::sundials

namespace fermiac::ad {

/// Loops over n numbers, n a multiple of 8. Results may be operands.
struct LaneLoops {
  void (*linear_sum)(std::size_t n, double a, const double* x, double b, const double* y, double* z);
  void (*product)(std::size_t n, const double* x, const double* y, double* z);
  void (*quotient)(std::size_t n, const double* x, const double* y, double* z);
  void (*affine)(std::size_t n, double a, const double* x, double b, double* z);  // a x + b
  void (*absolute)(std::size_t n, const double* x, double* z);
  void (*inverse)(std::size_t n, const double* x, double* z);
  /// The largest, over lanes, sum over rows of (v w)².
  double (*weighted_square)(std::size_t rows, std::size_t lanes, const double* v, const double* w);
};
const LaneLoops& lane_loops();

}  // namespace fermiac::ad
