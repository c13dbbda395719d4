// Eigenvalues and eigenvectors of general matrices, and the complex Schur form.
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "autodiff/errors.h"
#include "autodiff/linalg/eigen_views.h"
#include "autodiff/linalg/real_eigen.h"

namespace fermiac::ad {
namespace {

using Complex = std::complex<double>;
using CMatrix = Eigen::MatrixXcd;
using CMap = Eigen::Map<CMatrix>;
using CConstMap = Eigen::Map<const CMatrix>;

Complex* complex_numbers(double* p) { return reinterpret_cast<Complex*>(p); }
const Complex* complex_numbers(const double* p) { return reinterpret_cast<const Complex*>(p); }

CMatrix complex_input(const KernelCall& c) {
  const Index m = c.in[0].shape.rows, n = c.in[0].shape.cols;
  if (c.in[0].shape.complex) return CConstMap(complex_numbers(c.in[0].v), m, n);
  return eigen::input(c).cast<Complex>();
}
/// For dS = Re Σ M_ij dA_ij: adds M (real operands: its real part) to the adjoint.
void add_input_adjoint(const KernelCall& c, const CMatrix& m) {
  if (!c.in[0].shape.complex) {
    eigen::input_adjoint(c) += m.real();
    return;
  }
  CMap(complex_numbers(c.in[0].a), m.rows(), m.cols()) += m.conjugate();
}
void check_input(const KernelCall& c) {
  for (Index i = 0; i < size_of(c.in[0]); ++i)
    if (!std::isfinite(c.in[0].v[i])) domain_error(c.name, "m", i + 1, c.in[0].v[i], "finite");
}
Shape complex_shape(Shape s) {
  s.complex = true;
  return s;
}

// ---- A V = V diag(λ), the columns of V of length 1. scratch = V, λ as complex numbers.

struct Eigenpairs {
  CMap v;
  Eigen::Map<Eigen::VectorXcd> lambda;
  explicit Eigenpairs(const KernelCall& c)
      : v(complex_numbers(c.scratch), c.in[0].shape.rows, c.in[0].shape.rows),
        lambda(complex_numbers(c.scratch) + c.in[0].shape.rows * c.in[0].shape.rows, c.in[0].shape.rows) {}
};
Plan eigen_plan(const KernelCall& c) {
  check_square(c.name, "m", c.in[0].shape);
  const std::uint32_t n = c.in[0].shape.rows;
  return {complex_shape(c.name == "eigenvalues" ? Shape::vector(n) : Shape::matrix(n, n)), 2 * (n * n + n)};
}
/// Real matrices by the real algorithm, so that conjugate pairs are exact.
Eigenpairs decompose(const KernelCall& c) {
  check_input(c);
  Eigenpairs e(c);
  if (e.v.rows() == 0) return e;
  if (c.in[0].shape.complex) {
    const Eigen::ComplexEigenSolver<CMatrix> solver(complex_input(c));
    e.v = solver.eigenvectors();
    e.lambda = solver.eigenvalues();
  } else {
    real_eigenpairs(c.in[0].v, e.v.rows(), c.scratch, c.scratch + 2 * e.v.size());
  }
  return e;
}
void eigenvalues(const KernelCall& c) {
  const Eigenpairs e = decompose(c);
  std::copy_n(e.lambda.data(), e.lambda.size(), complex_numbers(c.out));
}
/// dλ_k = (V⁻¹ dA V)_kk.
void eigenvalues_reverse(const KernelCall& c) {
  const Eigenpairs e(c);
  const Index n = e.v.rows();
  CMatrix inverse = e.v.inverse();
  for (Index k = 0; k < n; ++k) inverse.row(k) *= std::conj(complex_numbers(c.out_a)[k]);
  add_input_adjoint(c, inverse.transpose() * e.v.transpose());
}
void eigenvectors(const KernelCall& c) {
  const Eigenpairs e = decompose(c);
  std::copy_n(e.v.data(), e.v.size(), complex_numbers(c.out));
}
/// dV = V C, C_jk = (V⁻¹ dA V)_jk / (λ_k - λ_j); C_kk is real and keeps the length: the phase does not turn.
void eigenvectors_reverse(const KernelCall& c) {
  const Eigenpairs e(c);
  const Index n = e.v.rows();
  const CMatrix h = e.v.adjoint() * CConstMap(complex_numbers(c.out_a), n, n), gram = e.v.adjoint() * e.v;
  CMatrix m = CMatrix::Zero(n, n);
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j)
      if (j != k) m(j, k) = (std::conj(h(j, k)) - h(k, k).real() * gram(k, j)) / (e.lambda[k] - e.lambda[j]);
  const CMatrix inverse = e.v.inverse();
  add_input_adjoint(c, inverse.transpose() * m * e.v.transpose());
}

// ---- A = U T U*, T upper triangular

[[noreturn]] void no_derivatives(const KernelCall& c) {
  throw FatalError(fmt::format("{}: derivatives are not implemented", c.name));
}
Plan schur_plan(const KernelCall& c) {
  check_square(c.name, "m", c.in[0].shape);
  return {complex_shape(c.in[0].shape), 0};
}
template <bool Unitary>
void schur(const KernelCall& c) {
  check_input(c);
  if (c.in[0].shape.rows == 0) return;
  const Eigen::ComplexSchur<CMatrix> solver(complex_input(c), Unitary);
  CMap out(complex_numbers(c.out), c.in[0].shape.rows, c.in[0].shape.rows);
  if (Unitary) out = solver.matrixU();
  else out = solver.matrixT().triangularView<Eigen::Upper>();
}

}  // namespace

FERMIAC_EXPORT_KERNELS(complex_eigen_kernels, {"eigenvalues", eigen_plan, eigenvalues, eigenvalues_reverse},
                       {"eigenvectors", eigen_plan, eigenvectors, eigenvectors_reverse},
                       {"complex_schur_decompose_t", schur_plan, schur<false>, no_derivatives},
                       {"complex_schur_decompose_u", schur_plan, schur<true>, no_derivatives})

}  // namespace fermiac::ad
