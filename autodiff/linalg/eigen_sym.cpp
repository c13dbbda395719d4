// Eigenvalues and eigenvectors of symmetric matrices, eigenvalues ascending. scratch = V, then the eigenvalues.
#include <algorithm>
#include <cmath>
#include <vector>

#include "autodiff/linalg/dense.h"
#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/linalg/symmetric_eigenpairs.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using dense::Index;

Index rows(const KernelCall& c) { return c.in[0].shape.rows; }

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
  if (!symmetric_eigenpairs(c.in[0].v, n, c.scratch, c.scratch + n * n)) domain_error(c.name, "the decomposition of m does not converge.");
  return n > 0;
}
bool has_nan(const KernelCall& c) {
  return rows(c) > 0 && std::isnan(dense::ops().sum(rows(c) * rows(c), c.in[0].v));
}
void eigenvalues_sym(const KernelCall& c) {
  const Index n = rows(c);
  if (has_nan(c)) return std::fill_n(c.out, n, std::nan("")), void();
  if (solve_sym(c)) std::copy_n(c.scratch + n * n, n, c.out);
}
void eigenvectors_sym(const KernelCall& c) {
  if (has_nan(c)) return std::fill_n(c.out, rows(c) * rows(c), std::nan("")), void();
  if (solve_sym(c)) std::copy_n(c.scratch, rows(c) * rows(c), c.out);
}
/// F ∘ (V' V̄), F_ij = 1 / (λ_j - λ_i). Only the antisymmetric part of V' V̄ matters, as F turns the symmetric one into an
/// antisymmetric part of Ā, which no symmetric matrix feels. Where eigenvalues are close it is left out: it would be huge, and what
/// remains of it after rounding would drown the rest (in functions of A the rest stays small).
void divide_by_gaps(const double* lambda, Index n, double* m) {
  constexpr double kClose = 1e-5;
  const double close = kClose * std::max(std::abs(lambda[0]), std::abs(lambda[n - 1]));
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) {
      double &above = m[i + j * n], &below = m[j + i * n];
      const double gap = lambda[j] - lambda[i];
      const bool is_close = std::abs(gap) < close;
      const double half = 0.5 * (above - below);
      above = (is_close ? half : above) / gap;
      below = (is_close ? half : -below) / gap;
    }
    m[j + j * n] = 0;
  }
}
dense::View eigenvectors(const KernelCall& c) { return dense::view(c.scratch, rows(c), rows(c)); }
std::vector<double> square_matrix(Index n) { return std::vector<double>(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)); }
/// Ā += M V'.
void add_times_vectors(const KernelCall& c, const std::vector<double>& m) {
  dense::add_product(1, dense::view(m.data(), rows(c), rows(c)), t(eigenvectors(c)), c.in[0].a);
}
/// Ā += V diag λ̄ V'.
void eigenvalues_sym_reverse(const KernelCall& c) {
  const Index n = rows(c);
  std::vector<double> m = square_matrix(n);
  for (Index j = 0; j < n; ++j) dense::axpy(n, c.out_a[j], c.scratch + j * n, m.data() + j * n);
  if (n > 0) add_times_vectors(c, m);
}
/// Ā += V (F ∘ (V' V̄) + diag λ̄) V'; λ̄ may be null.
void add_through_vectors(const KernelCall& c, const double* values_a) {
  const Index n = rows(c);
  if (n == 0) return;
  std::vector<double> inner = square_matrix(n), m = square_matrix(n);
  dense::product(t(eigenvectors(c)), dense::view(c.out_a, n, n), inner.data());
  divide_by_gaps(c.scratch + n * n, n, inner.data());
  for (Index j = 0; values_a != nullptr && j < n; ++j) inner[static_cast<std::size_t>(j * (n + 1))] = values_a[j];
  dense::product(eigenvectors(c), dense::view(inner.data(), n, n), m.data());
  add_times_vectors(c, m);
}
void eigenvectors_sym_reverse(const KernelCall& c) { add_through_vectors(c, nullptr); }

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
  add_through_vectors(c, c.out_a + rows(c) * rows(c));
}

}  // namespace

const Kernel kEigenPair{"eigen_pair__", pair_plan, pair_forward, pair_reverse};

FERMIAC_EXPORT_KERNELS(eigen_sym_kernels, {"eigenvalues_sym", eigen_sym_plan<Part::Values>, eigenvalues_sym, eigenvalues_sym_reverse},
                       {"eigenvectors_sym", eigen_sym_plan<Part::Vectors>, eigenvectors_sym, eigenvectors_sym_reverse})

}  // namespace fermiac::ad
