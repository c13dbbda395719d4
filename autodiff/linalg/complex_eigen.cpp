// Eigenvalues and eigenvectors of general matrices, and the complex Schur form.
#include <algorithm>
#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "autodiff/linalg/eigen_views.h"
#include "autodiff/linalg/real_eigen.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using Complex = std::complex<double>;
using CMatrix = Eigen::MatrixXcd;
using CMap = Eigen::Map<CMatrix>;
using CConstMap = Eigen::Map<const CMatrix>;

Complex* complex_numbers(double* p) {
  return reinterpret_cast<Complex*>(p);
}
const Complex* complex_numbers(const double* p) {
  return reinterpret_cast<const Complex*>(p);
}

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
template <bool Vectors>
Plan eigen_plan(const KernelCall& c) {
  check_square(c.name, "m", c.in[0].shape);
  const std::uint32_t n = c.in[0].shape.rows;
  return {complex_shape(Vectors ? Shape::matrix(n, n) : Shape::vector(n)), 2 * (std::uint64_t{n} * n + n)};
}
/// Real matrices by the real algorithm, so that conjugate pairs are exact.
Eigenpairs decompose(const KernelCall& c) {
  check_input(c);
  Eigenpairs e(c);
  if (e.v.rows() == 0) return e;
  if (c.in[0].shape.complex) {
    const Eigen::ComplexEigenSolver<CMatrix> solver(complex_input(c));
    e.v = eigen::converged(c, solver).eigenvectors();
    e.lambda = solver.eigenvalues();
  } else if (!real_eigenpairs(c.in[0].v, e.v.rows(), c.scratch, c.scratch + 2 * e.v.size())) {
    domain_error(c.name, "the decomposition of m does not converge.");
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

Plan schur_plan(const KernelCall& c) {
  check_square(c.name, "m", c.in[0].shape);
  return {complex_shape(c.in[0].shape), 0};
}
struct Schur {
  CMatrix u, t;
  explicit Schur(const KernelCall& c) {
    const Eigen::ComplexSchur<CMatrix> solver(complex_input(c), true);
    u = eigen::converged(c, solver).matrixU();
    t = solver.matrixT().triangularView<Eigen::Upper>();
  }
};
template <bool Unitary>
void schur(const KernelCall& c) {
  check_input(c);
  if (c.in[0].shape.rows == 0) return;
  const Schur s(c);
  CMap(complex_numbers(c.out), s.u.rows(), s.u.rows()) = Unitary ? s.u : s.t;
}

/// The strictly lower Z with M*(Z) = R, where M(L) = lower(L T - T L): the number at (i, j) needs those between it and the
/// diagonal, M*(Z)_ij = Σ_{j<=k<i} Z_ik conj(T_jk) - Σ_{j<k<=i} conj(T_ki) Z_kj.
CMatrix solve_lower_adjoint(const CMatrix& t, const CMatrix& r) {
  const Index n = t.rows();
  CMatrix z = CMatrix::Zero(n, n);
  for (Index below = 1; below < n; ++below)
    for (Index j = 0; j + below < n; ++j) {
      const Index i = j + below;
      Complex rest = r(i, j);
      for (Index k = j + 1; k < i; ++k) rest -= z.coeff(i, k) * std::conj(t.coeff(j, k)) - std::conj(t.coeff(k, i)) * z.coeff(k, j);
      z(i, j) = rest / std::conj(t(j, j) - t(i, i));
    }
  return z;
}

/// With P = U* dA U and K = U* dU = L - L*, L strictly lower (phases are free and do not turn): dT = P - K T + T K is
/// upper triangular, so that lower(P) = lower(L T - T L).
template <bool Unitary>
void schur_reverse(const KernelCall& c) {
  const Index n = c.in[0].shape.rows;
  if (n == 0) return;
  const Schur s(c);
  const CMatrix out = CConstMap(complex_numbers(c.out_a), n, n);
  const CMatrix g = Unitary ? CMatrix(CMatrix::Zero(n, n)) : CMatrix(out.triangularView<Eigen::Upper>());
  const CMatrix z = Unitary ? CMatrix(s.u.adjoint() * out) : CMatrix(s.t.adjoint() * g - g * s.t.adjoint());
  const CMatrix q = g + solve_lower_adjoint(s.t, z - z.adjoint());
  add_input_adjoint(c, (s.u * q * s.u.adjoint()).conjugate());
}

// ---- symmetric matrices: A = V diag(λ) V', λ ascending. Complex ones must be symmetric too, not Hermitian, and then
// real.

Eigen::SelfAdjointEigenSolver<CMatrix> decompose_symmetric(const KernelCall& c) {
  check_input(c);
  const CMatrix a = complex_input(c);
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i <= j; ++i) {
      if (std::abs(a(i, j) - a(j, i)) > 1e-8)
        domain_error(c.name, fmt::format("m is not symmetric: m[{0},{1}] differs from m[{1},{0}]", i + 1, j + 1));
      if (std::abs(a(i, j).imag()) > 1e-8)
        domain_error(c.name, fmt::format("m[{},{}] has an imaginary part, but must be real!", i + 1, j + 1));
    }
  return eigen::converged(c, Eigen::SelfAdjointEigenSolver<CMatrix>(a));
}
template <bool Vectors>
Plan symmetric_plan(const KernelCall& c) {
  check_square(c.name, "m", c.in[0].shape);
  const std::uint32_t n = c.in[0].shape.rows;
  return {complex_shape(Vectors ? Shape::matrix(n, n) : Shape::vector(n)), 0};
}
template <bool Vectors>
void symmetric(const KernelCall& c) {
  const Index n = c.in[0].shape.rows;
  if (n == 0) return;
  const auto e = decompose_symmetric(c);
  if (Vectors)
    CMap(complex_numbers(c.out), n, n) = e.eigenvectors();
  else
    CMap(complex_numbers(c.out), n, 1) = e.eigenvalues().cast<Complex>();
}
/// dλ_k = (V* dA V)_kk; dV = V C, C_jk = (V* dA V)_jk / (λ_k - λ_j), C_kk = 0.
template <bool Vectors>
void symmetric_reverse(const KernelCall& c) {
  const Index n = c.in[0].shape.rows;
  if (n == 0) return;
  const auto e = decompose_symmetric(c);
  const CMatrix& v = e.eigenvectors();
  CMatrix m = CMatrix::Zero(n, n);
  if (Vectors) {
    const CMatrix h = v.adjoint() * CConstMap(complex_numbers(c.out_a), n, n);
    for (Index k = 0; k < n; ++k)
      for (Index j = 0; j < n; ++j)
        if (j != k) m(j, k) = std::conj(h(j, k)) / (e.eigenvalues()[k] - e.eigenvalues()[j]);
  } else {
    for (Index k = 0; k < n; ++k) m(k, k) = complex_numbers(c.out_a)[k].real();
  }
  add_input_adjoint(c, v.conjugate() * m * v.transpose());
}

}  // namespace

FERMIAC_EXPORT_KERNELS(complex_eigen_kernels, {"eigenvalues", eigen_plan<false>, eigenvalues, eigenvalues_reverse},
                       {"eigenvectors", eigen_plan<true>, eigenvectors, eigenvectors_reverse},
                       {"complex_schur_decompose_t", schur_plan, schur<false>, schur_reverse<false>},
                       {"complex_schur_decompose_u", schur_plan, schur<true>, schur_reverse<true>},
                       {"complex_eigenvalues_sym", symmetric_plan<false>, symmetric<false>, symmetric_reverse<false>},
                       {"complex_eigenvectors_sym", symmetric_plan<true>, symmetric<true>, symmetric_reverse<true>})

}  // namespace fermiac::ad
