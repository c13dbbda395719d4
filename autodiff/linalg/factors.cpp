// Kernels on factorisations: Cholesky, inverses, determinants, divisions. Adjoints after Giles, "Collected matrix
// derivative results for forward and reverse mode algorithmic differentiation" (2008), Cholesky after Murray (2016).
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/linalg/triangles.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using dense::add_product;
using dense::Lu;
using dense::product;
using dense::Side;
using dense::t;
using dense::view;
using dense::View;

Index order(const KernelCall& c) {
  return c.in[0].shape.rows;
}

/// Scratch: so many matrices like the operand, and columns of it.
template <unsigned ScratchSquares, unsigned ScratchColumns = 0>
Plan square_plan(const KernelCall& c) {
  check_square(c.name, "m", c.in[0].shape);
  const std::uint32_t n = c.in[0].shape.rows;
  return {Shape::matrix(n, n), saturated_product({ScratchSquares, n, n}) + std::uint64_t{ScratchColumns} * n};
}
template <unsigned ScratchSquares, unsigned ScratchColumns = 0>
Plan square_to_scalar_plan(const KernelCall& c) {
  return {Shape::scalar(), square_plan<ScratchSquares, ScratchColumns>(c).scratch};
}

// ---- Cholesky factor. The input's lower triangle gets the whole derivative.

void cholesky_decompose(const KernelCall& c) {
  const Index n = order(c);
  check_symmetric(c.name, "m", c.in[0].v, n);
  factor_or_throw(c.name, "m", c.in[0].v, n, c.out);
}
Plan cholesky_plan(const KernelCall& c) {
  const Plan p = square_plan<1>(c);
  return {p.out, p.scratch + static_cast<std::uint64_t>(dense::kReverseScratch)};
}
void cholesky_reverse(const KernelCall& c) {
  const Index n = order(c);
  for (Index j = 0; j < n; ++j) std::copy_n(c.out_a + j * (n + 1), n - j, c.scratch + j * (n + 1));
  dense::cholesky_reverse(c.out, n, c.scratch, c.scratch + n * n);
  for (Index j = 0; j < n; ++j) dense::axpy(n - j, 1, c.scratch + j + j * n, c.in[0].a + j + j * n);
}

// ---- inverses

/// Ā -= X' X̄ X' for X = A⁻¹.
void inverse_reverse(const KernelCall& c) {
  const Index n = order(c);
  const View x = view(c.out, n, n);
  product(t(x), view(c.out_a, n, n), c.scratch);
  add_product(-1, view(c.scratch, n, n), t(x), c.in[0].a);
}
void inverse(const KernelCall& c) {
  Lu::factor(c.in[0].v, order(c), c.scratch).invert(c.out);
}

void inverse_spd(const KernelCall& c) {
  const Index n = order(c);
  check_symmetric(c.name, "m", c.in[0].v, n);
  dense::symmetric_ops().add_mirrored(n, 0.5, c.in[0].v, c.scratch);
  if (!dense::cholesky(c.scratch, n)) domain_error(c.name, "m is not positive definite.");
  dense::invert_from_cholesky(c.scratch, n, c.out, c.scratch + n * n);
}
void inverse_spd_reverse(const KernelCall& c) {
  const Index n = order(c);
  double* g = c.scratch + n * n;
  dense::symmetric_ops().add_mirrored(n, 0.5, c.out_a, g);
  const View x = view(c.out, n, n);
  product(x, view(g, n, n), c.scratch);
  add_product(-1, view(c.scratch, n, n), x, c.in[0].a);
}

/// X = (L L')⁻¹.
void check_lower_triangular(const KernelCall& c) {
  const Index n = order(c);
  for (Index j = 1; j < n; ++j)
    for (Index i = 0; i < j; ++i)
      if (c.in[0].v[i + j * n] != 0)
        domain_error(c.name, "L is not lower triangular; " + element_name("L", i, j) + " is not 0");
}
void chol2inv(const KernelCall& c) {
  check_lower_triangular(c);
  dense::invert_from_cholesky(c.in[0].v, order(c), c.out, c.scratch);
}
/// L̄ -= tril((M + M') L), M = X X̄ X.
void chol2inv_reverse(const KernelCall& c) {
  const Index n = order(c);
  const View x = view(c.out, n, n);
  double* m = c.scratch + n * n;
  product(x, view(c.out_a, n, n), c.scratch);
  product(view(c.scratch, n, n), x, m);
  dense::symmetrize(m, n);
  product(view(m, n, n), view(c.in[0].v, n, n), c.scratch);
  for (Index j = 0; j < n; ++j) dense::axpy(n - j, -2, c.scratch + j + j * n, c.in[0].a + j + j * n);
}

// ---- determinants. Scratch: the factors, then the inverse.

void add_inverse_transposed(const KernelCall& c, const Lu& lu, double g) {
  const Index n = order(c);
  double* inverse = c.scratch + Lu::space(n);
  lu.invert_transposed(inverse);
  dense::axpy(n * n, g, inverse, c.in[0].a);
}
void determinant(const KernelCall& c) {
  *c.out = Lu::factor(c.in[0].v, order(c), c.scratch).determinant();
}
void determinant_reverse(const KernelCall& c) {
  const Lu lu(c.scratch, order(c));
  if (!lu.singular()) add_inverse_transposed(c, lu, *c.out * *c.out_a);
}
void log_determinant(const KernelCall& c) {
  *c.out = Lu::factor(c.in[0].v, order(c), c.scratch).log_abs_determinant();
}
void log_determinant_reverse(const KernelCall& c) {
  add_inverse_transposed(c, Lu(c.scratch, order(c)), *c.out_a);
}
void log_determinant_spd(const KernelCall& c) {
  const Index n = order(c);
  check_symmetric(c.name, "m", c.in[0].v, n);
  factor_or_throw(c.name, "m", c.in[0].v, n, c.scratch);
  *c.out = 0;
  for (Index i = 0; i < n; ++i) *c.out += 2 * std::log(c.scratch[i + i * n]);
}
void log_determinant_spd_reverse(const KernelCall& c) {
  const Index n = order(c);
  double* inv = c.scratch + n * n;
  dense::invert_from_cholesky(c.scratch, n, inv, inv + n * n);
  dense::axpy(n * n, *c.out_a, inv, c.in[0].a);
}

// ---- divisions: C = A⁻¹ B (left) and C = B A⁻¹ (right), A general, symmetric positive definite or lower triangular.

enum class Form { General, Spd, TriLow };

template <Side S>
const KernelArg& divisor(const KernelCall& c) {
  return c.in[S == Side::Left ? 0 : 1];
}
template <Side S>
const KernelArg& dividend(const KernelCall& c) {
  return c.in[S == Side::Left ? 1 : 0];
}

template <Side S>
Plan divide_plan(const KernelCall& c) {
  const KernelArg &a = divisor<S>(c), &b = dividend<S>(c);
  check_square(c.name, "A", a.shape);
  if (S == Side::Left)
    check_sizes_match(c.name, "Columns of A", a.shape.cols, "Rows of B", as_matrix(b).rows);
  else
    check_sizes_match(c.name, "Columns of B", as_matrix(b).cols, "Rows of A", a.shape.rows);
  return {b.shape, static_cast<std::uint64_t>(Lu::space(a.shape.rows)) + 2 * std::uint64_t{b.shape.size()}};
}
/// Scratch: the factors of A, then twice as much as the dividend.
double* behind_factors(const KernelCall& c, Index n) {
  return c.scratch + Lu::space(n);
}

/// x (as the dividend) = A⁻¹ x or x A⁻¹, with A' in place of A when `transposed`.
template <Form F, Side S>
void divide_in_place(const KernelCall& c, double* x, bool transposed) {
  const Index n = divisor<S>(c).shape.rows;
  const View b = as_matrix(dividend<S>(c));
  const Index m = S == Side::Left ? b.cols : b.rows;
  if (F == Form::TriLow) return dense::solve_lower(S, transposed, divisor<S>(c).v, n, x, m);
  if (F == Form::Spd) {
    dense::solve_lower(S, S == Side::Right, c.scratch, n, x, m);
    return dense::solve_lower(S, S == Side::Left, c.scratch, n, x, m);
  }
  const Lu lu(c.scratch, n);
  if (S == Side::Left) return transposed ? lu.solve_transposed(x, m) : lu.solve(x, m);
  double* xt = behind_factors(c, n) + b.rows * b.cols;  // x A⁻¹ = (A'⁻¹ x')'
  dense::transpose(x, m, n, xt);
  if (transposed)
    lu.solve(xt, m);
  else
    lu.solve_transposed(xt, m);
  dense::transpose(xt, n, m, x);
}
template <Form F, Side S>
void divide(const KernelCall& c) {
  const Index n = divisor<S>(c).shape.rows;
  if (F == Form::Spd) {
    check_symmetric(c.name, "A", divisor<S>(c).v, n);
    factor_or_throw(c.name, "A", divisor<S>(c).v, n, c.scratch);
  }
  if (F == Form::General) Lu::factor(divisor<S>(c).v, n, c.scratch);
  std::copy_n(dividend<S>(c).v, size_of(dividend<S>(c)), c.out);
  divide_in_place<F, S>(c, c.out, false);
}
/// W = A'⁻¹ C̄ (or C̄ A'⁻¹); B̄ += W; Ā -= W C' (or C' W), lower triangle only for triangular A.
template <Form F, Side S>
void divide_reverse(const KernelCall& c) {
  const KernelArg &a = divisor<S>(c), &b = dividend<S>(c);
  const Index n = a.shape.rows;
  const View bm = as_matrix(b);
  double* w = behind_factors(c, n);
  std::copy_n(c.out_a, size_of(b), w);
  divide_in_place<F, S>(c, w, true);
  if (b.a) dense::axpy(size_of(b), 1, w, b.a);
  if (!a.a) return;
  const View wv = view(w, bm.rows, bm.cols), cv = view(c.out, bm.rows, bm.cols);
  if (F == Form::TriLow)
    dense::add_lower_product(-1, S == Side::Left ? wv : t(cv), S == Side::Left ? t(cv) : wv, a.a, n);
  else if (S == Side::Left)
    add_product(-1, wv, t(cv), a.a);
  else if (F == Form::Spd)
    add_product(-1, t(wv), cv, a.a);  // by symmetry; the side that the left division has
  else
    add_product(-1, t(cv), wv, a.a);
}

template <Form F, Side S>
constexpr Kernel division(std::string_view name) {
  return {name, divide_plan<S>, divide<F, S>, divide_reverse<F, S>};
}

// ---- powers and symmetric copies

/// Exponents up to this one are derived factor by factor.
constexpr int kFewFactors = 8;

Plan matrix_power_plan(const KernelCall& c) {
  check_square(c.name, "M", c.in[0].shape);
  const int k = c.in[1].i ? *c.in[1].i : 0;
  if (k < 0) domain_error(c.name, "exponent", 0, k, "nonnegative");
  const std::uint32_t n = c.in[0].shape.rows;
  const std::uint32_t squares = c.in[0].autodiff && k > kFewFactors ? 4 : 3;
  return {Shape::matrix(n, n), saturated_product({squares, n, n})};
}
/// Square and multiply; the first factor is copied.
void matrix_power(const KernelCall& c) {
  check_finite(c.name, "M", c.in[0]);
  const Index n = order(c);
  double *base = c.scratch, *next = c.scratch + n * n;
  std::copy_n(c.in[0].v, n * n, base);
  std::fill_n(c.out, n * n, 0.0);
  for (Index i = 0; i < n; ++i) c.out[i + i * n] = 1;
  bool first = true;
  for (unsigned k = static_cast<unsigned>(*c.in[1].i); k > 0; k >>= 1) {
    if (k & 1u) {
      if (!first) product(view(c.out, n, n), view(base, n, n), next);
      std::copy_n(first ? base : next, n * n, c.out);
      first = false;
    }
    if (k == 1) return;
    product(view(base, n, n), view(base, n, n), next);
    std::swap(base, next);
  }
}
/// P ← P Q, D ← P E + D Q: the product of the block matrices [P D; 0 P] and [Q E; 0 Q], by way of `next`.
void multiply_pairs(Index n, double*& p, double*& d, const double* q, const double* e, double*& next) {
  product(view(p, n, n), view(e, n, n), next);
  dense::add_product(1, view(d, n, n), view(q, n, n), next);
  std::swap(d, next);
  product(view(p, n, n), view(q, n, n), next);
  std::swap(p, next);
}
/// Ā = Σ_{i+j=k-1} M'^i X̄ M'^j is what stands beside M'^k in [M' X̄; 0 M']^k: square and multiply from the top bit on.
void matrix_power_reverse_large(const KernelCall& c) {
  const Index n = order(c);
  double *p = c.scratch, *d = p + n * n, *next = d + n * n, *m = next + n * n;
  dense::transpose(c.in[0].v, n, n, m);
  std::copy_n(m, n * n, p);
  std::copy_n(c.out_a, n * n, d);
  const auto k = static_cast<unsigned>(*c.in[1].i);
  for (unsigned bit = std::bit_floor(k) >> 1; bit > 0; bit >>= 1) {
    multiply_pairs(n, p, d, p, d, next);
    if (k & bit) multiply_pairs(n, p, d, m, c.out_a, next);
  }
  dense::axpy(n * n, 1, d, c.in[0].a);
}
/// The same sum by Horner: S ← M' S + X̄ M'^j, from S = X̄ on.
void matrix_power_reverse(const KernelCall& c) {
  if (*c.in[1].i > kFewFactors) return matrix_power_reverse_large(c);
  const Index n = order(c);
  double *s = c.scratch, *g = s + n * n, *next = g + n * n;
  const View m = view(c.in[0].v, n, n);
  if (*c.in[1].i == 0) return;
  std::copy_n(c.out_a, n * n, s);
  std::copy_n(c.out_a, n * n, g);
  for (int k = *c.in[1].i; k > 1; --k) {
    product(view(g, n, n), t(m), next);
    std::swap(g, next);
    product(t(m), view(s, n, n), next);
    dense::axpy(n * n, 1, g, next);
    std::swap(s, next);
  }
  dense::axpy(n * n, 1, s, c.in[0].a);
}

void symmetrize(const KernelCall& c) {
  std::copy_n(c.in[0].v, size_of(c.in[0]), c.out);
  dense::symmetric_ops().mirror(order(c), c.out);
}
void symmetrize_reverse(const KernelCall& c) {
  const Index n = order(c);
  for (Index j = 0; j < n; ++j) {
    c.in[0].a[j + j * n] += c.out_a[j + j * n];
    for (Index i = j + 1; i < n; ++i) c.in[0].a[i + j * n] += c.out_a[i + j * n] + c.out_a[j + i * n];
  }
}

}  // namespace

FERMIAC_EXPORT_KERNELS(
    factor_kernels, {"cholesky_decompose", cholesky_plan, cholesky_decompose, cholesky_reverse},
    {"inverse", square_plan<1, 1>, inverse, inverse_reverse},
    {"inverse_spd", square_plan<2>, inverse_spd, inverse_spd_reverse},
    {"chol2inv", square_plan<2>, chol2inv, chol2inv_reverse},
    {"determinant", square_to_scalar_plan<2, 1>, determinant, determinant_reverse},
    {"log_determinant", square_to_scalar_plan<2, 1>, log_determinant, log_determinant_reverse},
    {"log_determinant_spd", square_to_scalar_plan<3>, log_determinant_spd, log_determinant_spd_reverse},
    division<Form::General, Side::Left>("mdivide_left"), division<Form::General, Side::Right>("mdivide_right"),
    division<Form::Spd, Side::Left>("mdivide_left_spd"), division<Form::Spd, Side::Right>("mdivide_right_spd"),
    division<Form::TriLow, Side::Left>("mdivide_left_tri_low"),
    division<Form::TriLow, Side::Right>("mdivide_right_tri_low"),
    {"matrix_power", matrix_power_plan, matrix_power, matrix_power_reverse},
    {"symmetrize_from_lower_tri", square_plan<0>, symmetrize, symmetrize_reverse})

}  // namespace fermiac::ad
