// Eigenvalues and eigenvectors of symmetric matrices, eigenvalues ascending. scratch = V, then the eigenvalues.
#include <algorithm>
#include <cmath>

#include "autodiff/errors.h"
#include "autodiff/linalg/eigen_pair.h"
#include "autodiff/linalg/eigen_views.h"

namespace fermiac::ad {
namespace {

using namespace eigen;

enum class Part { Values, Vectors };

template <Part P>
Plan eigen_sym_plan(const KernelCall& c) {
  if (c.in[0].shape.complex) domain_error(c.name, "m is complex, but must be a real symmetric matrix.");
  check_square(c.name, "m", c.in[0].shape);
  const auto n = static_cast<std::uint32_t>(rows(c));
  return {P == Part::Values ? Shape::vector(n) : Shape::matrix(n, n), std::uint64_t{n} * n + n};
}
bool solve_sym(const KernelCall& c) {
  const Index n = rows(c);
  check_symmetric(c.name, "m", c.in[0].v, n);
  if (n == 0) return false;
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(input(c));
  Map(c.scratch, n, n) = converged(c, solver).eigenvectors();
  Map(c.scratch + n * n, n, 1) = solver.eigenvalues();
  return true;
}
bool has_nan(const KernelCall& c) {
  return rows(c) > 0 && std::isnan(input(c).sum());
}
void eigenvalues_sym(const KernelCall& c) {
  const Index n = rows(c);
  if (has_nan(c)) return std::fill_n(c.out, n, std::nan("")), void();
  if (solve_sym(c)) std::copy_n(c.scratch + n * n, n, c.out);
}
void add_through_values(const KernelCall& c, const double* values_a) {
  const Index n = rows(c);
  const Map v(c.scratch, n, n);
  input_adjoint(c) += v * Eigen::Map<const Vector>(values_a, n).asDiagonal() * v.transpose();
}
void eigenvalues_sym_reverse(const KernelCall& c) { add_through_values(c, c.out_a); }
void eigenvectors_sym(const KernelCall& c) {
  if (has_nan(c)) return std::fill_n(c.out, rows(c) * rows(c), std::nan("")), void();
  if (solve_sym(c)) std::copy_n(c.scratch, rows(c) * rows(c), c.out);
}
/// Ā += V (F ∘ V' V̄) V', F_ij = 1 / (λ_j - λ_i). Only the antisymmetric part of V' V̄ matters, as F turns the symmetric
/// one into an antisymmetric part of Ā, which no symmetric matrix feels. Where eigenvalues are close it is left out: it
/// would be huge, and what remains of it after rounding would drown the rest (in functions of A the rest stays small).
void eigenvectors_sym_reverse(const KernelCall& c) {
  constexpr double kClose = 1e-5;
  const Index n = rows(c);
  if (n == 0) return;
  const Map v(c.scratch, n, n);
  const double* lambda = c.scratch + n * n;
  const double close = kClose * std::max(std::abs(lambda[0]), std::abs(lambda[n - 1]));
  const Matrix m = v.transpose() * out_adjoint(c, n, n);
  Matrix f = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const double gap = lambda[j] - lambda[i];
      if (i != j) f(i, j) = (std::abs(gap) < close ? 0.5 * (m(i, j) - m(j, i)) : m(i, j)) / gap;
    }
  input_adjoint(c) += v * f * v.transpose();
}

Plan pair_plan(const KernelCall& c) {
  const Plan one = eigen_sym_plan<Part::Vectors>(c);
  return {Shape::vector(checked_count(one.scratch, c.name)), one.scratch};
}
void pair_forward(const KernelCall& c) {
  const Index n = rows(c), size = n * n + n;
  if (has_nan(c)) return std::fill_n(c.out, size, std::nan("")), void();
  if (solve_sym(c)) std::copy_n(c.scratch, size, c.out);
}
void pair_reverse(const KernelCall& c) {
  eigenvectors_sym_reverse(c);
  add_through_values(c, c.out_a + rows(c) * rows(c));
}

}  // namespace

const Kernel kEigenPair{"eigen_pair__", pair_plan, pair_forward, pair_reverse};

FERMIAC_EXPORT_KERNELS(eigen_sym_kernels, {"eigenvalues_sym", eigen_sym_plan<Part::Values>, eigenvalues_sym, eigenvalues_sym_reverse},
                       {"eigenvectors_sym", eigen_sym_plan<Part::Vectors>, eigenvectors_sym, eigenvectors_sym_reverse})

}  // namespace fermiac::ad
