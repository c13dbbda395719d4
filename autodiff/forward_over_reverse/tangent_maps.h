// Second derivatives of element-wise maps: how fast the partials change when the operands do.
#pragma once

#include <cstddef>
#include <string_view>

#include "autodiff/kernels/map_op.h"

namespace fermiac::ad {

/// One application to scalars, everything with its speed.
struct MovingMap {
  const double* x;          // operands
  const double* dx;
  double value, dvalue;     // of the map
  double g, dg;             // of its adjoint
  Keep keep;
};

struct TangentMap {
  std::string_view name;    // of the map
  /// d[j] = d/dt of g ∂f/∂x_j. Exact to rounding; NaN where the map has no second derivative that is known.
  void (*adjoints)(const MovingMap& at, double* d) = nullptr;
};

/// Null for maps that have none: those that scalar_driver.h makes.
const TangentMap* tangent_map(MapCode code);

}  // namespace fermiac::ad
