// Views of kernel operands as Eigen matrices, for the decompositions. Include only from .cpp files.
#pragma once

#include <algorithm>

#include "autodiff/linalg/eigen.h"
#include "autodiff/linalg/kernel_tools.h"

namespace fermiac::ad::eigen {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using ConstMap = Eigen::Map<const Matrix>;
using Map = Eigen::Map<Matrix>;

inline Index rows(const KernelCall& c) { return c.in[0].shape.rows; }
inline Index cols(const KernelCall& c) { return c.in[0].shape.cols; }
inline Index smaller(const KernelCall& c) { return std::min(rows(c), cols(c)); }
inline ConstMap input(const KernelCall& c) { return {c.in[0].v, rows(c), cols(c)}; }
inline Map input_adjoint(const KernelCall& c) { return {c.in[0].a, rows(c), cols(c)}; }
inline ConstMap out_adjoint(const KernelCall& c, Index r, Index k) { return {c.out_a, r, k}; }
inline Shape matrix_shape(Index r, Index k) {
  return Shape::matrix(static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(k));
}

/// The decomposition, which has no numbers to give where its iterations did not end: matrices near overflow.
template <class Decomposition>
const Decomposition& converged(const KernelCall& c, const Decomposition& d) {
  if (d.info() != Eigen::Success) domain_error(c.name, "the decomposition of m does not converge.");
  return d;
}

}  // namespace fermiac::ad::eigen
