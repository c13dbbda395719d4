// The loops of covariance functions over blocks of pairs of points, one table per instruction set.
#pragma once

#include <cstddef>

namespace fermiac::ad {

using GpIndex = std::ptrdiff_t;

/// A covariance is variance * f(s); s the scaled squared distance, for the periodic one the squared distance itself.
enum class GpForm { ExpQuad, Exponential, Matern32, Matern52, Periodic };
inline constexpr int kGpForms = 5;

struct GpScales {
  double variance = 0;
  double inverse_length = 0;  // periodic only, as are the others
  double angle = 0;           // π / period
};

/// Points against points: coordinate d of row i is x[i + d x_stride], of column j y[j + d y_stride].
struct GpBlock {
  GpIndex rows = 0, columns = 0, dim = 0;
  const double *x = nullptr, *y = nullptr;
  GpIndex x_stride = 0, y_stride = 0;
  const double* factors = nullptr;  // of the differences in each dimension
  GpIndex ld = 0;                   // from column to column of the covariances and their adjoints
};

/// Adjoints by coordinate, at the strides of the coordinates, and by dimension the sums of w z² for scaled differences z.
/// What is null is not wanted.
struct GpAdjoints {
  double *x = nullptr, *y = nullptr;
  double* lengths = nullptr;
};

/// With the adjoint g of every element k and w = g dk/ds.
struct GpSums {
  double value = 0;  // Σ g k
  double inner = 0;  // Σ w s; periodic: Σ g k sin²
  double angle = 0;  // periodic: Σ of the slope with respect to the angle times the angle
};

struct GpLoops {
  void (*value[kGpForms])(const GpBlock& b, const GpScales& scales, double* k);
  /// Adds to sums and adjoints. `across`: adjoints of the block's transpose, whose elements are copies, or null.
  void (*slope[kGpForms])(const GpBlock& b, const GpScales& scales, const double* k, const double* g,
                          const double* across, GpSums& sums, const GpAdjoints& adjoints);
};

const GpLoops& gp_loops();

}  // namespace fermiac::ad
