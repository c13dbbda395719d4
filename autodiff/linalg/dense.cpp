#include "autodiff/linalg/dense.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/kernels/pieces.h"
#include "autodiff/linalg/triangles.h"
#include "support/base/stop.h"

namespace fermiac::ad {
FERMIAC_DECLARE_FOR_ISAS(extern const dense::Ops dense_ops;)
FERMIAC_DECLARE_FOR_ISAS(extern const dense::TriangleOps triangle_ops;)
FERMIAC_DECLARE_FOR_ISAS(extern const dense::SymmetricOps symmetric_ops;)
}  // namespace fermiac::ad

namespace fermiac::ad::dense {
namespace {

constexpr Index kBlock = kTriangle;     // of the blocked factorisation and solves
constexpr Index kPackFrom = 8 * 8 * 8;  // multiplications below which packing does not pay

void small_product(double alpha, View a, View b, double* c, Index ldc) {
  for (Index j = 0; j < b.cols; ++j)
    for (Index k = 0; k < a.cols; ++k) {
      const double s = alpha * b(k, j);
      for (Index i = 0; i < a.rows; ++i) c[i + j * ldc] += s * a(i, k);
    }
}

// Products of large matrices with vectors, in pieces of rows.
constexpr Index kLargeMatrix = 1 << 18;  // elements
constexpr std::uint32_t kMostPieces = 64;
constexpr Index kMostSums = 64;  // columns whose sums over rows are kept by piece
Pieces row_pieces(Index rows) {
  return Pieces(static_cast<std::uint32_t>(rows), 1024, kMostPieces);
}

void multiply_vector(Index m, Index n, double alpha, const double* a, Index lda, const double* x, double* y) {
  if (m * n < kLargeMatrix) return ops().gemv(m, n, alpha, a, lda, x, y);
  const Pieces pieces = row_pieces(m);
  auto rows = [&](std::uint32_t k) {
    const Index first = pieces.begin(k);
    ops().gemv(pieces.length(k, static_cast<std::uint32_t>(m)), n, alpha, a + first, lda, x, y + first);
  };
  each_piece(pieces.count, rows);
}

void multiply_transposed(Index m, Index n, double alpha, const double* a, Index lda, const double* x, double* y) {
  if (m * n < kLargeMatrix) return ops().gemv_t(m, n, alpha, a, lda, x, y);
  if (n > kMostSums) {
    const Pieces pieces(static_cast<std::uint32_t>(n), 64, kMostPieces);
    auto columns = [&](std::uint32_t k) {
      const Index first = pieces.begin(k);
      ops().gemv_t(m, pieces.length(k, static_cast<std::uint32_t>(n)), alpha, a + first * lda, lda, x, y + first);
    };
    return each_piece(pieces.count, columns);
  }
  const Pieces pieces = row_pieces(m);
  double sums[kMostPieces][kMostSums] = {};
  auto rows = [&](std::uint32_t k) {
    const Index first = pieces.begin(k);
    ops().gemv_t(pieces.length(k, static_cast<std::uint32_t>(m)), n, alpha, a + first, lda, x + first, sums[k]);
  };
  each_piece(pieces.count, rows);
  for (std::uint32_t k = 0; k < pieces.count; ++k)
    for (Index j = 0; j < n; ++j) y[j] += sums[k][j];
}

/// y += alpha A x with x and y at any stride; false when the strides rule out the vector loops.
bool matrix_vector(double alpha, View a, const double* x, Index stride_x, double* y, Index stride_y) {
  if (stride_x != 1 || stride_y != 1) return false;
  if (a.transposed)
    multiply_transposed(a.cols, a.rows, alpha, a.p, a.ld, x, y);
  else
    multiply_vector(a.rows, a.cols, alpha, a.p, a.ld, x, y);
  return true;
}

/// Stride between neighbours of a view with one row or one column.
Index row_stride(View a) {
  return a.transposed ? 1 : a.ld;
}
Index column_stride(View a) {
  return a.transposed ? a.ld : 1;
}

// Solves with a few left sides, which fill no strip of a triangle: a column at a time.
constexpr Index kFewSides = 2;

/// B (n x m) = L⁻¹ B.
void left_forward(const double* l, Index ldl, Index n, double* b, Index ldb, Index m) {
  for (Index c = 0; c < m; ++c) {
    double* x = b + c * ldb;
    for (Index k = 0; k < n; ++k) {
      x[k] /= l[k + k * ldl];
      ops().axpy(n - k - 1, -x[k], l + k + 1 + k * ldl, x + k + 1);
    }
  }
}
/// B = L'⁻¹ B.
void left_backward(const double* l, Index ldl, Index n, double* b, Index ldb, Index m) {
  for (Index c = 0; c < m; ++c) {
    double* x = b + c * ldb;
    for (Index k = n - 1; k >= 0; --k)
      x[k] = (x[k] - ops().dot(n - k - 1, l + k + 1 + k * ldl, x + k + 1)) / l[k + k * ldl];
  }
}

}  // namespace

const Ops& ops() {
  static const Ops& table = FERMIAC_FOR_ACTIVE_ISA(dense_ops);
  return table;
}
const SymmetricOps& symmetric_ops() {
  static const SymmetricOps& table = FERMIAC_FOR_ACTIVE_ISA(symmetric_ops);
  return table;
}
const TriangleOps& triangles() {
  static const TriangleOps& table = FERMIAC_FOR_ACTIVE_ISA(triangle_ops);
  return table;
}

namespace {

constexpr Index kRowsAtOnce = 64;      // rows between stop points are a multiple of it
constexpr Index kLongWork = 1 << 27;   // multiplications between stop points
constexpr Index kPieceWork = 1 << 18;  // … of a piece at least: some ten microseconds
constexpr Index kPieceWidth = 128;     // rows or columns of a piece at least: each packs the other operand anew

View rows_of(View a, Index first, Index count) {
  a.p += a.transposed ? first * a.ld : first;
  a.rows = count;
  return a;
}
View columns_of(View a, Index first, Index count) {
  a.p += a.transposed ? first : first * a.ld;
  a.cols = count;
  return a;
}

void block_product(double alpha, View a, View b, double* c, Index ldc) {
  ops().gemm(a.rows, b.cols, a.cols, alpha, a.p, a.ld, a.transposed, b.p, b.ld, b.transposed, c, ldc);
}

/// Pieces of so many rows or columns, each of which costs `work` multiplications.
Pieces product_pieces(std::uint32_t extent, Index work) {
  const Index least = std::max(kPieceWork / std::max<Index>(1, work), kPieceWidth - 1);
  return Pieces(extent, static_cast<std::uint32_t>((least + 63) / 64 * 64), kMostPieces);
}

/// C += alpha A B, pieces of C's longer side in parallel.
void product_in_pieces(double alpha, View a, View b, double* c, Index ldc) {
  const bool by_rows = a.rows >= b.cols;
  const auto extent = static_cast<std::uint32_t>(by_rows ? a.rows : b.cols);
  const Pieces pieces = product_pieces(extent, (by_rows ? b.cols : a.rows) * a.cols);
  if (pieces.count < 2) return block_product(alpha, a, b, c, ldc);
  auto piece = [&](std::uint32_t k) {
    const Index first = pieces.begin(k), count = pieces.length(k, extent);
    if (by_rows)
      block_product(alpha, rows_of(a, first, count), b, c + first, ldc);
    else
      block_product(alpha, a, columns_of(b, first, count), c + first * ldc, ldc);
  };
  each_piece(pieces.count, piece);
}

/// C += alpha A B for large matrices, rows of C at a time.
void large_product(double alpha, View a, View b, double* c, Index ldc) {
  const Index block = kRowsAtOnce * b.cols * a.cols;
  const Index step = kRowsAtOnce * std::max<Index>(1, kLongWork / block);
  for (Index i = 0; i < a.rows; i += step) {
    stop_point();
    product_in_pieces(alpha, rows_of(a, i, std::min(step, a.rows - i)), b, c + i, ldc);
  }
}

}  // namespace

double dot(Index n, const double* x, const double* y) {
  return ops().dot(n, x, y);
}
void axpy(Index n, double a, const double* x, double* y) {
  ops().axpy(n, a, x, y);
}

void add_product(double alpha, View a, View b, double* c, Index ldc) {
  if (ldc < 0) ldc = a.rows;
  if (a.rows == 0 || b.cols == 0 || a.cols == 0) return;
  if (b.cols == 1 && matrix_vector(alpha, a, b.p, column_stride(b), c, 1)) return;
  if (a.rows == 1 && matrix_vector(alpha, t(b), a.p, a.cols == 1 ? 1 : row_stride(a), c, b.cols == 1 ? 1 : ldc)) return;
  if (a.rows * b.cols * a.cols < kPackFrom) return small_product(alpha, a, b, c, ldc);
  large_product(alpha, a, b, c, ldc);
}

void product(View a, View b, double* c) {
  std::fill_n(c, a.rows * b.cols, 0.0);
  add_product(1, a, b, c);
}

namespace {

void small_lower_product(double alpha, View a, View b, double* c, Index ldc) {
  for (Index j = 0; j < b.cols; ++j)
    for (Index k = 0; k < a.cols; ++k) {
      const double s = alpha * b(k, j);
      for (Index i = j; i < a.rows; ++i) c[i + j * ldc] += s * a(i, k);
    }
}

}  // namespace

void add_lower_product(double alpha, View a, View b, double* c, Index ldc) {
  const Index n = a.rows;
  if (n == 0 || a.cols == 0) return;
  if (n * n * a.cols < kPackFrom) return small_lower_product(alpha, a, b, c, ldc);
  const auto extent = static_cast<std::uint32_t>(n);
  const Pieces pieces = product_pieces(extent, (n / 2 + 1) * a.cols);
  stop_point();
  auto columns = [&](std::uint32_t k) {
    const Index first = pieces.begin(k), w = pieces.length(k, extent), below = n - first - w;
    const View ak = rows_of(a, first, w), bk = columns_of(b, first, w);
    double* ck = c + first * (ldc + 1);
    symmetric_ops().gemm_lower(w, a.cols, alpha, ak.p, a.ld, a.transposed, bk.p, b.ld, b.transposed, ck, ldc);
    if (below > 0) block_product(alpha, rows_of(a, first + w, below), bk, ck + w, ldc);
  };
  each_piece(pieces.count, columns);
}

namespace {

/// Of a triangle and left sides so small that taking them to strips costs more. `forward`: the first unknown first;
/// unknown k of a side lies at b[k * unknown], the sides are `side` apart.
void solve_small(const double* l, Index ldl, Index n, bool forward, double* b, Index unknown, Index side, Index m) {
  for (Index r = 0; r < m; ++r, b += side)
    for (Index i = 0; i < n; ++i) {
      const Index k = forward ? i : n - 1 - i;
      double x = b[k * unknown];
      for (Index q = forward ? 0 : k + 1; q < (forward ? k : n); ++q)
        x -= (forward ? l[k + q * ldl] : l[q + k * ldl]) * b[q * unknown];
      b[k * unknown] = x / l[k * (ldl + 1)];
    }
}

/// One triangle against all left sides, pieces of them in parallel.
void solve_triangle(Side side, bool transposed, const double* l, Index ldl, Index n, double* b, Index ldb, Index m) {
  if (n * n * m < 2 * kPackFrom) {
    const bool left = side == Side::Left;
    return solve_small(l, ldl, n, left != transposed, b, left ? 1 : ldb, left ? ldb : 1, m);
  }
  const auto extent = static_cast<std::uint32_t>(m);
  const Pieces pieces = product_pieces(extent, n * n / 2);
  auto sides = [&](std::uint32_t k) {
    const Index first = pieces.begin(k), count = pieces.length(k, extent);
    if (side == Side::Left)
      triangles().solve_left(n, l, ldl, transposed, b + first * ldb, ldb, count);
    else
      triangles().solve_right(n, l, ldl, transposed, b + first, ldb, count);
  };
  each_piece(pieces.count, sides);
}
void solve_left_triangle(bool transposed, const double* l, Index ldl, Index n, double* b, Index ldb, Index m) {
  if (m > kFewSides)
    solve_triangle(Side::Left, transposed, l, ldl, n, b, ldb, m);
  else
    (transposed ? left_backward : left_forward)(l, ldl, n, b, ldb, m);
}

}  // namespace

namespace {

constexpr Index kUnblocked = 16;  // beyond, triangles gain from being split in two
Index first_half(Index n) {
  return (n / 2 + 7) / 8 * 8;
}

/// With R above, C below it and D: R, C = C R'⁻¹, D - C C'.
bool factor_triangle(double* a, Index n, Index ld) {
  if (n <= kUnblocked) return triangles().cholesky(n, a, ld);
  const Index first = first_half(n), rest = n - first;
  double *c = a + first, *d = a + first * (ld + 1);
  if (!factor_triangle(a, first, ld)) return false;
  triangles().solve_right(first, a, ld, true, c, ld, rest);
  symmetric_ops().gemm_lower(rest, first, -1, c, ld, false, c, ld, true, d, ld);
  return factor_triangle(d, rest, ld);
}

}  // namespace

bool cholesky(double* a, Index n) {
  if (n <= kUnblocked) return triangles().cholesky(n, a, n);
  for (Index k = 0; k < n; k += kBlock) {
    const Index nb = std::min(kBlock, n - k), rest = n - k - nb;
    double *diagonal = a + k * (n + 1), *panel = diagonal + nb;
    stop_point();
    if (!factor_triangle(diagonal, nb, n)) return false;
    solve_triangle(Side::Right, true, diagonal, n, nb, panel, n, rest);
    add_lower_product(-1, view(panel, rest, nb, n), t(view(panel, rest, nb, n)), panel + nb * n, n);
  }
  for (Index j = 1; j < n; ++j) std::fill_n(a + j * n, j, 0.0);
  return true;
}

namespace {

/// m += s (d + d') r for the lower triangle d of an n x n block.
void add_symmetric_product(double s, const double* d, Index ldd, Index n, View r, double* m, Index ldm,
                           double* scratch) {
  for (Index j = 0; j < n; ++j) {
    std::copy(d + j * (ldd + 1), d + n + j * ldd, scratch + j * (n + 1));
    scratch[j * (n + 1)] *= 2;
  }
  symmetric_ops().mirror(n, scratch);
  add_product(s, view(scratch, n, n), r, m, ldm);
}

/// Of a triangle: D̄ by itself, C̄ -= (D̄ + D̄') C, C̄ = C̄ R⁻¹, R̄ -= tril(C̄' C), R̄ by itself.
void reverse_triangle(const double* l, double* a, Index n, Index ld, double* scratch) {
  if (n <= kUnblocked) return triangles().cholesky_reverse(n, l, ld, a, ld);
  const Index first = first_half(n), rest = n - first;
  const double *c = l + first, *d = l + first * (ld + 1);
  double *c_a = a + first, *d_a = a + first * (ld + 1);
  reverse_triangle(d, d_a, rest, ld, scratch);
  add_symmetric_product(-1, d_a, ld, rest, view(c, rest, first, ld), c_a, ld, scratch);
  triangles().solve_right(first, l, ld, false, c_a, ld, rest);
  symmetric_ops().gemm_lower(first, rest, -1, c_a, ld, true, c, ld, false, a, ld);
  reverse_triangle(l, a, first, ld, scratch);
}

}  // namespace

/// Murray, "Differentiation of the Cholesky decomposition" (2016): blocks from the last to the first. With R left of
/// the diagonal block D, C below D and B below R:  C̄ = C̄ D⁻¹, B̄ -= C̄ R, D̄ -= tril(C̄' C), D̄ by itself, R̄ -= C̄' B + (D̄ +
/// D̄') R.
void cholesky_reverse(const double* l, Index n, double* a, double* scratch) {
  static_assert(kReverseScratch >= kBlock * kBlock);
  if (n <= kUnblocked) return triangles().cholesky_reverse(n, l, n, a, n);
  const Index blocks = (n + kBlock - 1) / kBlock;
  for (Index b = blocks - 1; b >= 0; --b) {
    const Index j = b * kBlock, nb = std::min(kBlock, n - j), below = n - j - nb;
    stop_point();
    const double *d = l + j + j * n, *c = d + nb;
    double *d_a = a + j + j * n, *c_a = d_a + nb;
    if (below > 0) {
      solve_triangle(Side::Right, false, d, n, nb, c_a, n, below);
      const View c_adjoint = view(c_a, below, nb, n);
      add_product(-1, c_adjoint, view(l + j, nb, j, n), a + j + nb, n);
      add_lower_product(-1, t(c_adjoint), view(c, below, nb, n), d_a, n);
    }
    reverse_triangle(d, d_a, nb, n, scratch);
    if (below > 0) add_product(-1, t(view(c_a, below, nb, n)), view(l + j + nb, below, j, n), a + j, n);
    add_symmetric_product(-1, d_a, n, nb, view(l + j, nb, j, n), a + j, n, scratch);
  }
}

namespace {

/// A lower triangle, by blocks: L itself, L with ones on the diagonal, or the transpose of an upper triangle.
struct Triangle {
  enum class Kind { Lower, UnitLower, UpperTransposed };
  const double* p;
  Index n, ld;
  Kind kind = Kind::Lower;

  View part(Index i, Index rows, Index j, Index cols) const {
    if (kind == Kind::UpperTransposed) return t(view(p + j + i * ld, cols, rows, ld));
    return view(p + i + j * ld, rows, cols, ld);
  }
  /// The block on the diagonal as a plain lower triangle: where it lies, or in `memory`, kBlock squared.
  View diagonal(Index k, Index nb, double* memory) const {
    const View own = part(k, nb, k, nb);
    if (kind == Kind::Lower) return own;
    for (Index j = 0; j < nb; ++j) {
      for (Index i = j; i < nb; ++i) memory[i + j * nb] = own(i, j);
      if (kind == Kind::UnitLower) memory[j * (nb + 1)] = 1;
    }
    return view(memory, nb, nb);
  }
  /// From row and column k on.
  Triangle from(Index k) const { return {p + k * (ld + 1), n - k, ld, kind}; }
};

/// B (n x m) = T⁻¹ B, or T'⁻¹ B when transposed.
void solve_left(bool transposed, const Triangle& triangle, double* b, Index ldb, Index m) {
  double memory[kBlock * kBlock];
  const Index n = triangle.n, blocks = (n + kBlock - 1) / kBlock;
  for (Index s = 0; s < blocks; ++s) {
    stop_point();
    const Index k = (transposed ? blocks - 1 - s : s) * kBlock, nb = std::min(kBlock, n - k), below = n - k - nb;
    const View d = triangle.diagonal(k, nb, memory);
    double* x = b + k;
    solve_left_triangle(transposed, d.p, d.ld, nb, x, ldb, m);
    if (transposed)
      add_product(-1, t(triangle.part(k, nb, 0, k)), view(x, nb, m, ldb), b, ldb);
    else
      add_product(-1, triangle.part(k + nb, below, k, nb), view(x, nb, m, ldb), x + nb, ldb);
  }
}
void solve_right(bool transposed, const double* l, Index n, double* b, Index m) {
  const Index blocks = (n + kBlock - 1) / kBlock;
  for (Index s = 0; s < blocks; ++s) {
    stop_point();
    const Index k = (transposed ? s : blocks - 1 - s) * kBlock, nb = std::min(kBlock, n - k), below = n - k - nb;
    const double* d = l + k * (n + 1);
    double* x = b + k * m;
    solve_triangle(Side::Right, transposed, d, n, nb, x, m, m);
    if (transposed)
      add_product(-1, view(x, m, nb), t(view(d + nb, below, nb, n)), x + nb * m, m);
    else
      add_product(-1, view(x, m, nb), view(l + k, nb, k, n), b, m);
  }
}

}  // namespace

void solve_lower(Side side, bool transposed, const double* l, Index n, double* b, Index m) {
  if (side == Side::Left)
    solve_left(transposed, Triangle{l, n, n}, b, n, m);
  else
    solve_right(transposed, l, n, b, m);
}

namespace {

/// T⁻¹: a block of columns at a time, from its own rows down.
void invert_triangle(const Triangle& triangle, double* out) {
  const Index n = triangle.n;
  std::fill_n(out, n * n, 0.0);
  for (Index j = 0; j < n; j += kBlock) {
    double* block = out + j * (n + 1);
    const Index nb = std::min(kBlock, n - j);
    for (Index i = 0; i < nb; ++i) block[i * (n + 1)] = 1;
    solve_left(false, triangle.from(j), block, n, nb);
  }
}

}  // namespace

void invert_lower(const double* l, Index n, double* out) {
  invert_triangle({l, n, n}, out);
}

void invert_from_cholesky(const double* l, Index n, double* out) {
  std::vector<double> inverse(static_cast<std::size_t>(n * n));
  invert_from_cholesky(l, n, out, inverse.data());
}
/// X'X for X = L⁻¹, a block of rows at a time: they need X from their own rows down.
void invert_from_cholesky(const double* l, Index n, double* out, double* inverse) {
  invert_lower(l, n, inverse);
  std::fill_n(out, n * n, 0.0);
  for (Index i = 0; i < n; i += kBlock) {
    const Index nb = std::min(kBlock, n - i);
    const View own = t(view(inverse + i * (n + 1), n - i, nb, n));
    add_product(1, own, view(inverse + i, n - i, i, n), out + i, n);
    add_lower_product(1, own, t(own), out + i * (n + 1), n);
  }
  symmetric_ops().mirror(n, out);
}

namespace {

constexpr Index kNarrowPanel = 16;  // columns of a panel that is factored a column at a time

/// Swaps rows k and swaps[k] in turn, or the last pair first, of a matrix of so many columns.
void swap_rows(const double* swaps, Index count, bool backward, double* a, Index ld, Index columns) {
  for (Index j = 0; j < columns; ++j, a += ld)
    for (Index s = 0; s < count; ++s) {
      const Index k = backward ? count - 1 - s : s;
      std::swap(a[k], a[static_cast<Index>(swaps[k])]);
    }
}

Index largest(const double* x, Index n) {
  Index best = 0;
  for (Index i = 1; i < n; ++i)
    if (std::abs(x[i]) > std::abs(x[best])) best = i;
  return best;
}

void factor_narrow_panel(double* a, Index rows, Index columns, Index ld, double* swaps) {
  for (Index k = 0; k < columns; ++k) {
    double* c = a + k * (ld + 1);
    const Index below = rows - k - 1, best = k + largest(c, rows - k);
    swaps[k] = static_cast<double>(best);
    if (best != k)
      for (Index j = 0; j < columns; ++j) std::swap(a[k + j * ld], a[best + j * ld]);
    if (*c == 0) continue;
    const double s = 1 / *c;
    for (Index i = 1; i <= below; ++i) c[i] *= s;
    for (Index j = 1; j < columns - k; ++j) axpy(below, -c[j * ld], c + 1, c + 1 + j * ld);
  }
}

/// Columns in two halves (Toledo, "Locality of reference in LU decomposition with partial pivoting", 1997), rows >=
/// columns. swaps[k]: the row that is exchanged with row k.
void factor_panel(double* a, Index rows, Index columns, Index ld, double* swaps) {
  if (columns <= kNarrowPanel) return factor_narrow_panel(a, rows, columns, ld, swaps);
  stop_point();
  const Index first = first_half(columns), rest = columns - first;
  double *right = a + first * ld, *corner = right + first;
  factor_panel(a, rows, first, ld, swaps);
  swap_rows(swaps, first, false, right, ld, rest);
  solve_left(false, {a, first, ld, Triangle::Kind::UnitLower}, right, ld, rest);
  add_product(-1, view(a + first, rows - first, first, ld), view(right, first, rest, ld), corner, ld);
  factor_panel(corner, rows - first, rest, ld, swaps + first);
  swap_rows(swaps + first, rest, false, a + first, ld, first);
  for (Index k = first; k < columns; ++k) swaps[k] += static_cast<double>(first);
}

}  // namespace

Lu Lu::factor(const double* a, Index n, double* space) {
  std::copy_n(a, n * n, space);
  factor_panel(space, n, n, n, space + n * n);
  return {space, n};
}

void Lu::solve(double* b, Index m) const {
  swap_rows(swaps_, n_, false, b, n_, m);
  solve_left(false, {lu_, n_, n_, Triangle::Kind::UnitLower}, b, n_, m);
  solve_left(true, {lu_, n_, n_, Triangle::Kind::UpperTransposed}, b, n_, m);
}

void Lu::solve_transposed(double* b, Index m) const {
  solve_left(false, {lu_, n_, n_, Triangle::Kind::UpperTransposed}, b, n_, m);
  solve_left(true, {lu_, n_, n_, Triangle::Kind::UnitLower}, b, n_, m);
  swap_rows(swaps_, n_, true, b, n_, m);
}

void Lu::invert(double* out) const {
  invert_triangle({lu_, n_, n_, Triangle::Kind::UnitLower}, out);
  solve_left(true, {lu_, n_, n_, Triangle::Kind::UpperTransposed}, out, n_, n_);
  for (Index k = n_ - 1; k >= 0; --k)
    if (const auto j = static_cast<Index>(swaps_[k]); j != k) std::swap_ranges(out + k * n_, out + (k + 1) * n_, out + j * n_);
}

void Lu::invert_transposed(double* out) const {
  invert_triangle({lu_, n_, n_, Triangle::Kind::UpperTransposed}, out);
  solve_left(true, {lu_, n_, n_, Triangle::Kind::UnitLower}, out, n_, n_);
  swap_rows(swaps_, n_, true, out, n_, n_);
}

bool Lu::singular() const {
  for (Index k = 0; k < n_; ++k)
    if (pivot(k) == 0) return true;
  return false;
}

double Lu::determinant() const {
  double d = 1;
  for (Index k = 0; k < n_; ++k) d *= swaps_[k] == static_cast<double>(k) ? pivot(k) : -pivot(k);
  return d;
}

double Lu::log_abs_determinant() const {
  double d = 0;
  for (Index k = 0; k < n_; ++k) d += std::log(std::abs(pivot(k)));
  return d;
}

Index first_asymmetric(const double* a, Index n, Index* column) {
  if (symmetric_ops().symmetric(n, a, 1e-8)) return -1;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j)
      if (!(std::abs(a[i + j * n] - a[j + i * n]) <= 1e-8)) {
        *column = j;
        return i;
      }
  return -1;
}

void transpose(const double* a, Index rows, Index cols, double* out) {
  symmetric_ops().turn_over(rows, cols, a, rows, out, cols);
}

void symmetrize(double* a, Index n) {
  symmetric_ops().add_mirrored(n, 0.5, a, a);
}

}  // namespace fermiac::ad::dense
