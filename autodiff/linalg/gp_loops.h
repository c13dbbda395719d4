// The loops of covariance functions over runs of pairs of points, one table per instruction set.
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

/// With the adjoint g of every element k: Σ g k, and how the sum of g k changes with what the element is made of.
struct GpSums {
  double value = 0;
  double inner = 0;  // Σ w s; periodic: Σ g k sin²
  double angle = 0;  // periodic: Σ of the slope with respect to the angle times the angle
};

inline constexpr GpIndex kGpColumns = 8;  // whose adjoints are gathered at once

struct GpLoops {
  /// s_i += ((x_i - y) scale)².
  void (*add_squares)(GpIndex n, const double* x, double y, double scale, double* s);
  /// s to covariances, in place.
  void (*value[kGpForms])(GpIndex n, const GpScales& scales, double* s);
  /// s to the slopes w_i = g_i dk_i/ds_i, in place; periodic: by the angle. Adds to the sums.
  void (*slope[kGpForms])(GpIndex n, const GpScales& scales, const double* k, const double* g, double* s, GpSums& sums);
  /// Columns of a matrix and of its transpose: out[r + q ldo] = a[r + q ld] + across[q + r ld] for r < rows, q <
  /// columns.
  void (*fold)(GpIndex rows, GpIndex columns, const double* a, const double* across, GpIndex ld, double* out,
               GpIndex ldo);
};

const GpLoops& gp_loops();

}  // namespace fermiac::ad
