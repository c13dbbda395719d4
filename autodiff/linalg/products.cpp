// Matrix products and what is made of them. Throughout, X̄ is the adjoint of X.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/linalg/triangles.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using dense::add_product;
using dense::product;
using dense::t;
using dense::View;

Shape result_shape(Index rows, Index cols, bool column, bool row) {
  const auto r = static_cast<std::uint32_t>(rows), c = static_cast<std::uint32_t>(cols);
  if (column && row) return Shape::scalar();
  if (column) return Shape::vector(r);
  return row ? Shape::row_vector(c) : Shape::matrix(r, c);
}

// ---- multiply: C = A B for every pair of matrix, vector and row vector

Plan multiply_plan(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  check_sizes_match(c.name, "Columns of m1", a.cols, "Rows of m2", b.rows);
  return {result_shape(a.rows, b.cols, c.in[1].shape.inner == Inner::Vector, c.in[0].shape.inner == Inner::RowVector),
          0};
}
void multiply(const KernelCall& c) {
  product(as_matrix(c.in[0]), as_matrix(c.in[1]), c.out);
}
void multiply_reverse(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  const View g = dense::view(c.out_a, a.rows, b.cols);
  if (c.in[0].a) add_product(1, g, t(b), c.in[0].a);
  if (c.in[1].a) add_product(1, t(a), g, c.in[1].a);
}

// ---- dot products. The dimension that survives: none (everything is summed), rows or columns.

enum class Over { All, Rows, Columns };

template <Over O>
Plan dot_plan(const KernelCall& c) {
  if (c.in.size() == 2) check_same_size(c, 0, 1, "v1", "v2");
  const Shape& s = c.in[0].shape;
  if (O == Over::Rows) return {Shape::vector(s.rows), 0};
  if (O == Over::Columns) return {Shape::row_vector(s.cols), 0};
  return {Shape::scalar(), 0};
}

/// x' y; one operand stands for both.
void dot(const KernelCall& c) {
  *c.out = dense::dot(size_of(c.in[0]), c.in[0].v, c.in.back().v);
}
void dot_reverse(const KernelCall& c) {
  const Index n = size_of(c.in[0]);
  if (c.in.size() == 1) return dense::axpy(n, 2 * *c.out_a, c.in[0].v, c.in[0].a);
  if (c.in[0].a) dense::axpy(n, *c.out_a, c.in[1].v, c.in[0].a);
  if (c.in[1].a) dense::axpy(n, *c.out_a, c.in[0].v, c.in[1].a);
}

/// Calls visit(k, r) for element k, which belongs to result r.
template <Over O, class Visit>
void each_term(const Shape& s, Visit visit) {
  for (Index j = 0; j < s.cols; ++j)
    for (Index i = 0; i < s.rows; ++i) visit(i + j * s.rows, O == Over::Rows ? i : j);
}
template <Over O>
void dots(const KernelCall& c) {
  const Shape& s = c.in[0].shape;
  const double *x = c.in[0].v, *y = c.in.back().v;
  std::fill_n(c.out, O == Over::Rows ? s.rows : s.cols, 0.0);
  each_term<O>(s, [&](Index k, Index r) { c.out[r] += x[k] * y[k]; });
}
template <Over O>
void dots_reverse(const KernelCall& c) {
  const double factor = c.in.size() == 1 ? 2 : 1;
  for (std::size_t j = 0; j < c.in.size(); ++j) {
    const double* other = c.in[c.in.size() - 1 - j].v;
    double* to = c.in[j].a;
    if (to) each_term<O>(c.in[0].shape, [&](Index k, Index r) { to[k] += factor * c.out_a[r] * other[k]; });
  }
}

// ---- A A', A' A

template <bool Outer>
Plan self_product_plan(const KernelCall& c) {
  const View a = as_matrix(c.in[0]);
  const auto n = static_cast<std::uint32_t>(Outer ? a.rows : a.cols);
  return {Shape::matrix(n, n), std::uint64_t{n} * n};
}
/// A A'.
void square_product(View a, double* out) {
  std::fill_n(out, a.rows * a.rows, 0.0);
  dense::add_lower_product(1, a, t(a), out, a.rows);
  dense::symmetric_ops().mirror(a.rows, out);
}
template <bool Outer>
void self_product(const KernelCall& c) {
  const View a = as_matrix(c.in[0]);
  square_product(Outer ? a : t(a), c.out);
}
/// X̄ + X̄', in scratch.
View sum_with_transpose(const KernelCall& c) {
  const Index n = c.out_shape.rows;
  dense::symmetric_ops().add_mirrored(n, 1, c.out_a, c.scratch);
  return dense::view(c.scratch, n, n);
}
/// X = A A': Ā += (X̄ + X̄') A. X = A' A: Ā += A (X̄ + X̄').
template <bool Outer>
void self_product_reverse(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), s = sum_with_transpose(c);
  if (Outer)
    add_product(1, s, a, c.in[0].a);
  else
    add_product(1, a, s, c.in[0].a);
}

// ---- L L' of the lower triangle of L, a band of rows at a time: columns right of its diagonal block are zeros.

constexpr Index kBand = 64;

Plan lower_self_plan(const KernelCall& c) {
  const Shape& s = c.in[0].shape;
  return {Shape::matrix(s.rows, s.rows), std::uint64_t{s.rows} * s.rows + s.size()};
}
View lower_part(const KernelCall& c) {
  const Shape& s = c.in[0].shape;
  const Index r = s.rows, k = s.cols;
  double* l = c.scratch + r * r;
  for (Index j = 0; j < k; ++j) {
    const Index above = std::min(j, r);
    std::fill_n(l + j * r, above, 0.0);
    std::copy_n(c.in[0].v + above + j * r, r - above, l + above + j * r);
  }
  return dense::view(l, r, k);
}
View part(View a, Index i, Index rows, Index j, Index cols) {
  return dense::view(a.p + i + j * a.ld, rows, cols, a.ld);
}
/// C += A B for the lower triangle of the n x n block in front of the following rows of A and C.
void add_band(View a, View b, double* c, Index ldc) {
  const Index n = b.cols, below = a.rows - n;
  dense::add_lower_product(1, part(a, 0, n, 0, a.cols), b, c, ldc);
  add_product(1, part(a, n, below, 0, a.cols), b, c + n, ldc);
}
void lower_self(const KernelCall& c) {
  const View l = lower_part(c);
  const Index n = l.rows;
  std::fill_n(c.out, n * n, 0.0);
  for (Index j = 0; j < n; j += kBand) {
    const Index w = std::min(kBand, n - j), k = std::min(j + w, l.cols);
    add_band(part(l, j, n - j, 0, k), t(part(l, j, w, 0, k)), c.out + j * (n + 1), n);
  }
  dense::symmetric_ops().mirror(n, c.out);
}
/// L̄ += tril((X̄ + X̄') L).
void lower_self_reverse(const KernelCall& c) {
  const View s = sum_with_transpose(c), l = dense::view(c.scratch + s.rows * s.rows, c.in[0].shape.rows, c.in[0].shape.cols);
  const Index n = l.rows, end = std::min(n, l.cols);
  for (Index j = 0; j < end; j += kBand) {
    const Index w = std::min(kBand, end - j);
    add_band(part(s, j, n - j, j, n - j), part(l, j, n - j, j, w), c.in[0].a + j * (n + 1), n);
  }
}

// ---- quadratic forms B' A B

Plan quad_form_plan(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  check_square(c.name, "A", c.in[0].shape);
  check_sizes_match(c.name, "Columns of A", a.cols, "Rows of B", b.rows);
  const bool vector = c.in[1].shape.inner == Inner::Vector;
  return {vector ? Shape::scalar() : Shape::matrix(c.in[1].shape.cols, c.in[1].shape.cols),
          static_cast<std::uint64_t>(2 * b.rows * b.cols)};
}
/// scratch = A B.
void quad_form(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  product(a, b, c.scratch);
  product(t(b), dense::view(c.scratch, b.rows, b.cols), c.out);
}
void quad_form_sym(const KernelCall& c) {
  check_symmetric(c.name, "A", c.in[0].v, c.in[0].shape.rows);
  quad_form(c);
  dense::symmetrize(c.out, as_matrix(c.in[1]).cols);
}
/// With G = X̄: Ā += B G B', B̄ += A B G' + A' B G.
void quad_form_reverse(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  const Index n = b.rows, m = b.cols;
  double* bg = c.scratch + n * m;
  const View gv = dense::view(c.out_a, m, m), ab = dense::view(c.scratch, n, m);
  product(b, gv, bg);
  if (c.in[0].a) add_product(1, dense::view(bg, n, m), t(b), c.in[0].a);
  if (!c.in[1].a) return;
  add_product(1, ab, t(gv), c.in[1].a);
  add_product(1, t(a), dense::view(bg, n, m), c.in[1].a);
}

/// trace(B' A B) = Σ B ∘ (A B).
Plan trace_quad_form_plan(const KernelCall& c) {
  return {Shape::scalar(), quad_form_plan(c).scratch + c.in[0].shape.size()};
}
void trace_quad_form(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  product(a, b, c.scratch);
  *c.out = dense::dot(size_of(c.in[1]), c.in[1].v, c.scratch);
}
void trace_quad_form_reverse(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  if (c.in[0].a) {
    double* square = c.scratch + size_of(c.in[1]);
    square_product(b, square);
    dense::axpy(size_of(c.in[0]), *c.out_a, square, c.in[0].a);
  }
  if (!c.in[1].a) return;
  dense::axpy(size_of(c.in[1]), *c.out_a, c.scratch, c.in[1].a);
  add_product(*c.out_a, t(a), b, c.in[1].a);
}

/// trace(D B' A B).
Plan trace_gen_quad_form_plan(const KernelCall& c) {
  const View d = as_matrix(c.in[0]), a = as_matrix(c.in[1]), b = as_matrix(c.in[2]);
  check_square(c.name, "A", c.in[1].shape);
  check_square(c.name, "D", c.in[0].shape);
  check_sizes_match(c.name, "Columns of A", a.cols, "Rows of B", b.rows);
  check_sizes_match(c.name, "Columns of B", b.cols, "Rows of D", d.rows);
  return {Shape::scalar(), static_cast<std::uint64_t>(2 * b.rows * b.cols)};
}
void trace_gen_quad_form(const KernelCall& c) {
  const View d = as_matrix(c.in[0]), a = as_matrix(c.in[1]), b = as_matrix(c.in[2]);
  double* bd = c.scratch + b.rows * b.cols;
  product(a, b, c.scratch);
  product(b, t(d), bd);
  *c.out = dense::dot(size_of(c.in[2]), bd, c.scratch);
}
/// D̄ += g (B' A B)', Ā += g B D' B', B̄ += g (A B D + A' B D').
void trace_gen_quad_form_reverse(const KernelCall& c) {
  const View d = as_matrix(c.in[0]), a = as_matrix(c.in[1]), b = as_matrix(c.in[2]);
  const View ab = dense::view(c.scratch, b.rows, b.cols);
  const View bdt = dense::view(c.scratch + b.rows * b.cols, b.rows, b.cols);
  const double g = *c.out_a;
  if (c.in[0].a) add_product(g, t(ab), b, c.in[0].a);
  if (c.in[1].a) add_product(g, bdt, t(b), c.in[1].a);
  if (!c.in[2].a) return;
  add_product(g, ab, d, c.in[2].a);
  add_product(g, t(a), bdt, c.in[2].a);
}

/// trace(A B).
Plan trace_dot_plan(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  check_sizes_match(c.name, "Columns of A", a.cols, "Rows of B", b.rows);
  check_sizes_match(c.name, "Rows of A", a.rows, "Columns of B", b.cols);
  return {Shape::scalar(), 0};
}
void trace_dot(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  *c.out = 0;
  for (Index j = 0; j < a.cols; ++j)
    for (Index i = 0; i < a.rows; ++i) *c.out += a(i, j) * b(j, i);
}
void trace_dot_reverse(const KernelCall& c) {
  const View a = as_matrix(c.in[0]), b = as_matrix(c.in[1]);
  for (Index j = 0; j < a.cols; ++j)
    for (Index i = 0; i < a.rows; ++i) {
      if (c.in[0].a) c.in[0].a[i + j * a.rows] += *c.out_a * b(j, i);
      if (c.in[1].a) c.in[1].a[j + i * b.rows] += *c.out_a * a(i, j);
    }
}

/// Of any matrix: the sum of its main diagonal.
Plan trace_plan(const KernelCall&) {
  return {Shape::scalar(), 0};
}
void trace(const KernelCall& c) {
  const Shape& s = c.in[0].shape;
  *c.out = 0;
  for (Index i = 0; i < std::min(s.rows, s.cols); ++i) *c.out += c.in[0].v[i + i * s.rows];
}
void trace_reverse(const KernelCall& c) {
  const Shape& s = c.in[0].shape;
  for (Index i = 0; i < std::min(s.rows, s.cols); ++i) c.in[0].a[i + i * s.rows] += *c.out_a;
}

// ---- diagonals

/// diag(v) M diag(v), diag(v) M, M diag(v): element (i, j) is scaled by v_i and/or v_j.
template <bool Pre, bool Post>
Plan diag_plan(const KernelCall& c) {
  const bool matrix_first = Post;
  const KernelArg& m = c.in[matrix_first ? 0 : 1];
  const KernelArg& v = c.in[matrix_first ? 1 : 0];
  if (Pre && Post) check_square(c.name, "m", m.shape);
  if (Pre) check_sizes_match(c.name, "Size of v", size_of(v), "Rows of m", m.shape.rows);
  if (Post) check_sizes_match(c.name, "Size of v", size_of(v), "Columns of m", m.shape.cols);
  return {m.shape, 0};
}
template <bool Pre, bool Post>
void diag_multiply(const KernelCall& c) {
  const double* m = c.in[Post ? 0 : 1].v;
  const double* v = c.in[Post ? 1 : 0].v;
  const Index rows = c.out_shape.rows, cols = c.out_shape.cols;
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) c.out[i + j * rows] = m[i + j * rows] * (Pre ? v[i] : 1.0) * (Post ? v[j] : 1.0);
}
template <bool Pre, bool Post>
void diag_multiply_reverse(const KernelCall& c) {
  const KernelArg& ma = c.in[Post ? 0 : 1];
  const KernelArg& va = c.in[Post ? 1 : 0];
  const double *m = ma.v, *v = va.v;
  const Index rows = c.out_shape.rows, cols = c.out_shape.cols;
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) {
      const double g = c.out_a[i + j * rows], mij = m[i + j * rows];
      const double left = Pre ? v[i] : 1.0, right = Post ? v[j] : 1.0;
      if (ma.a) ma.a[i + j * rows] += g * left * right;
      if (va.a && Pre) va.a[i] += g * mij * right;
      if (va.a && Post) va.a[j] += g * mij * left;
    }
}

/// M + diag(d), d a scalar or a vector as long as the diagonal.
Plan add_diag_plan(const KernelCall& c) {
  const Shape& m = c.in[0].shape;
  if (is_container(c.in[1]))
    check_sizes_match(c.name, "number of elements of to_add", size_of(c.in[1]), "diagonal", std::min(m.rows, m.cols));
  return {m, 0};
}
void add_diag(const KernelCall& c) {
  const Shape& m = c.in[0].shape;
  std::copy_n(c.in[0].v, m.size(), c.out);
  for (Index i = 0; i < std::min(m.rows, m.cols); ++i)
    c.out[i + i * m.rows] += number(c.in[1], is_container(c.in[1]) ? i : 0);
}
void add_diag_reverse(const KernelCall& c) {
  const Shape& m = c.in[0].shape;
  if (c.in[0].a) dense::axpy(m.size(), 1, c.out_a, c.in[0].a);
  if (!c.in[1].a) return;
  for (Index i = 0; i < std::min(m.rows, m.cols); ++i)
    c.in[1].a[is_container(c.in[1]) ? i : 0] += c.out_a[i + i * m.rows];
}

}  // namespace

FERMIAC_EXPORT_KERNELS(
    product_kernels, total({"multiply", multiply_plan, multiply, multiply_reverse}),
    total({"dot_product", dot_plan<Over::All>, dot, dot_reverse}), total({"dot_self", dot_plan<Over::All>, dot, dot_reverse}),
    total({"rows_dot_product", dot_plan<Over::Rows>, dots<Over::Rows>, dots_reverse<Over::Rows>}),
    total({"rows_dot_self", dot_plan<Over::Rows>, dots<Over::Rows>, dots_reverse<Over::Rows>}),
    total({"columns_dot_product", dot_plan<Over::Columns>, dots<Over::Columns>, dots_reverse<Over::Columns>}),
    total({"columns_dot_self", dot_plan<Over::Columns>, dots<Over::Columns>, dots_reverse<Over::Columns>}),
    total({"crossprod", self_product_plan<false>, self_product<false>, self_product_reverse<false>}),
    total({"tcrossprod", self_product_plan<true>, self_product<true>, self_product_reverse<true>}),
    total({"multiply_lower_tri_self_transpose", lower_self_plan, lower_self, lower_self_reverse}),
    total({"quad_form", quad_form_plan, quad_form, quad_form_reverse}),
    {"quad_form_sym", quad_form_plan, quad_form_sym, quad_form_reverse},
    total({"trace_quad_form", trace_quad_form_plan, trace_quad_form, trace_quad_form_reverse}),
    total({"trace_gen_quad_form", trace_gen_quad_form_plan, trace_gen_quad_form, trace_gen_quad_form_reverse}),
    total({"trace_dot", trace_dot_plan, trace_dot, trace_dot_reverse}), total({"trace", trace_plan, trace, trace_reverse}),
    total({"quad_form_diag", diag_plan<true, true>, diag_multiply<true, true>, diag_multiply_reverse<true, true>}),
    total({"diag_pre_multiply", diag_plan<true, false>, diag_multiply<true, false>, diag_multiply_reverse<true, false>}),
    total({"diag_post_multiply", diag_plan<false, true>, diag_multiply<false, true>, diag_multiply_reverse<false, true>}),
    total({"add_diag", add_diag_plan, add_diag, add_diag_reverse}))

}  // namespace fermiac::ad
