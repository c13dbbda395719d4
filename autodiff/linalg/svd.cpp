// The thin singular value decomposition A = U S V' and the pseudo-inverse.
#include <algorithm>
#include <cmath>

#include "autodiff/linalg/eigen_views.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using namespace eigen;

/// In scratch: U, V, S.
struct Svd {
  Map u, v;
  Eigen::Map<Vector> s;
  explicit Svd(const KernelCall& c)
      : u(c.scratch, rows(c), smaller(c)), v(c.scratch + rows(c) * smaller(c), cols(c), smaller(c)),
        s(c.scratch + (rows(c) + cols(c)) * smaller(c), smaller(c)) {}
};
enum class Part { U, S, V };

template <Part P>
Plan svd_plan(const KernelCall& c) {
  const Index k = smaller(c);
  const auto scratch = static_cast<std::uint64_t>((rows(c) + cols(c) + 1) * k);
  if (P == Part::S) return {Shape::vector(static_cast<std::uint32_t>(k)), scratch};
  return {matrix_shape(P == Part::U ? rows(c) : cols(c), k), scratch};
}
template <Part P>
void svd(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  check_finite(c.name, "m", c.in[0]);
  Svd d(c);
  // By halves; of fewer than sixteen columns the same rotations as JacobiSVD.
  const Eigen::BDCSVD<Matrix> solver(input(c), Eigen::ComputeThinU | Eigen::ComputeThinV);
  d.u = converged(c, solver).matrixU();
  d.v = solver.matrixV();
  d.s = solver.singularValues();
  if (P == Part::S) Eigen::Map<Vector>(c.out, d.s.size()) = d.s;
  if (P == Part::U) Map(c.out, rows(c), smaller(c)) = d.u;
  if (P == Part::V) Map(c.out, cols(c), smaller(c)) = d.v;
}
/// F ∘ (X' X̄ - X̄' X), F_ij = 1 / (s_j² - s_i²).
Matrix rotation(const Svd& d, const Map& x, const ConstMap& x_a) {
  Matrix m = x.transpose() * x_a;
  m -= m.transpose().eval();
  for (Index j = 0; j < m.cols(); ++j)
    for (Index i = 0; i < m.rows(); ++i)
      m(i, j) = i == j ? 0 : m(i, j) / ((d.s[j] - d.s[i]) * (d.s[j] + d.s[i]));
  return m;
}
/// Townsend, "Differentiating the singular value decomposition" (2016).
template <Part P>
void svd_reverse(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  const Svd d(c);
  const Index k = smaller(c);
  if (P == Part::S) {
    input_adjoint(c) += d.u * Eigen::Map<const Vector>(c.out_a, k).asDiagonal() * d.v.transpose();
  } else if (P == Part::U) {
    const ConstMap g = out_adjoint(c, rows(c), k);
    const Matrix rest = g - d.u * (d.u.transpose() * g);
    input_adjoint(c) += (d.u * rotation(d, d.u, g) * d.s.asDiagonal() + rest * d.s.cwiseInverse().asDiagonal()) * d.v.transpose();
  } else {
    const ConstMap g = out_adjoint(c, cols(c), k);
    const Matrix rest = g - d.v * (d.v.transpose() * g);
    input_adjoint(c) += d.u * (d.s.asDiagonal() * rotation(d, d.v, g) * d.v.transpose() +
                               d.s.cwiseInverse().asDiagonal() * rest.transpose());
  }
}

// ---- pseudo-inverse P. Ā -= P' P̄ P', plus what reaches outside the ranges of A and A' (Golub & Pereyra, 1973).

Plan pseudo_inverse_plan(const KernelCall& c) { return {matrix_shape(cols(c), rows(c)), 0}; }
void pseudo_inverse(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  check_finite(c.name, "m", c.in[0]);
  const Eigen::JacobiSVD<Matrix> d(input(c), Eigen::ComputeThinU | Eigen::ComputeThinV);
  Vector inverse = converged(c, d).singularValues();
  const double floor = inverse[0] * static_cast<double>(std::max(rows(c), cols(c))) * 2.2204460492503131e-16;
  for (double& s : inverse) s = s > floor ? 1 / s : 0;
  const Matrix scaled = d.matrixV() * inverse.asDiagonal();
  Map(c.out, cols(c), rows(c)).noalias() = scaled * d.matrixU().transpose();
}
void pseudo_inverse_reverse(const KernelCall& c) {
  if (size_of(c.in[0]) == 0) return;
  const ConstMap a = input(c), g = out_adjoint(c, cols(c), rows(c));
  const ConstMap p(c.out, cols(c), rows(c));
  Map to = input_adjoint(c);
  to -= p.transpose() * g * p.transpose();
  const Matrix left = g.transpose() - a * (p * g.transpose());
  to += left * p * p.transpose();
  const Matrix gp = p.transpose() * p * g.transpose();
  to += gp - gp * p * a;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(svd_kernels, {"singular_values", svd_plan<Part::S>, svd<Part::S>, svd_reverse<Part::S>},
                       {"svd_U", svd_plan<Part::U>, svd<Part::U>, svd_reverse<Part::U>},
                       {"svd_V", svd_plan<Part::V>, svd<Part::V>, svd_reverse<Part::V>},
                       {"generalized_inverse", pseudo_inverse_plan, pseudo_inverse, pseudo_inverse_reverse})

}  // namespace fermiac::ad
