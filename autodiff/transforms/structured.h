// One element of a structured type: the maps, their adjoints and inverses.
#pragma once

#include <string_view>

#include "autodiff/linalg/dense_ops.h"
#include "autodiff/shape.h"
#include "autodiff/transforms/transforms.h"

namespace fermiac::ad {

using dense::Index;

/// Size of a constrained element; vectors have one column.
struct Extent {
  Index rows = 0, cols = 1;
  bool vector = false;
  Index size() const { return rows * cols; }
};

struct Structured {
  Transform kind;
  std::string_view name, constrain_kernel, jacobian_kernel, unconstrain_kernel;
  int sizes;  // int operands of the constraining kernels
  /// Numbers of one free element.
  Index (*free_size)(Extent e);
  /// x from y; returns the log Jacobian. `scratch` holds scratch_size(e) doubles.
  double (*constrain)(Extent e, const double* y, double* x, double* scratch);
  /// ȳ += (∂x/∂y)' x̄ + g ∂logJ/∂y.
  void (*reverse)(Extent e, const double* y, const double* x, const double* x_a, double g, double* y_a, double* scratch);
  /// y from a valid x.
  void (*unconstrain)(Extent e, const double* x, double* y);
};

const Structured& structured(Transform t);
/// The simplex transform used before Stan 2.37, to compare with and to read what older versions wrote on the free scale.
const Structured& stick_breaking();
std::span<const Structured> all_structured();
inline Index scratch_size(Extent e) { return 4 * e.size() + 2 * (e.rows + e.cols); }

/// Validity of one element (checks.cpp).
void check_element(Transform t, std::string_view label, Extent e, const double* x, double rounding = 0);

}  // namespace fermiac::ad
