#include "autodiff/linalg/dense.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "autodiff/kernels/map_op.h"
#include "autodiff/kernels/pick_isa.h"
#include "autodiff/kernels/pieces.h"
#include "autodiff/stop.h"

namespace fermiac::ad {
namespace isa_sse2 {
extern const dense::Ops dense_ops;
}
namespace isa_avx2 {
extern const dense::Ops dense_ops;
}
namespace isa_avx512 {
extern const dense::Ops dense_ops;
}
}  // namespace fermiac::ad

namespace fermiac::ad::dense {
namespace {

constexpr Index kBlock = 48;            // of the blocked factorisation and solves
constexpr Index kPackFrom = 8 * 8 * 8;  // multiplications below which packing does not pay

const Ops& choose_ops() { return FERMIAC_FOR_ACTIVE_ISA(dense_ops); }

void small_product(double alpha, View a, View b, double* c, Index ldc) {
  for (Index j = 0; j < b.cols; ++j)
    for (Index k = 0; k < a.cols; ++k) {
      const double s = alpha * b(k, j);
      for (Index i = 0; i < a.rows; ++i) c[i + j * ldc] += s * a(i, k);
    }
}

// Products of large matrices with vectors, in pieces of rows.
constexpr Index kLargeMatrix = 1 << 18;   // elements
constexpr std::uint32_t kMostPieces = 64;
constexpr Index kMostSums = 64;           // columns whose sums over rows are kept by piece
Pieces row_pieces(Index rows) { return Pieces(static_cast<std::uint32_t>(rows), 1024, kMostPieces); }

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
  if (a.transposed) multiply_transposed(a.cols, a.rows, alpha, a.p, a.ld, x, y);
  else multiply_vector(a.rows, a.cols, alpha, a.p, a.ld, x, y);
  return true;
}

/// Stride between neighbours of a view with one row or one column.
Index row_stride(View a) { return a.transposed ? 1 : a.ld; }
Index column_stride(View a) { return a.transposed ? a.ld : 1; }

bool cholesky_small(double* a, Index n, Index ld) {
  for (Index j = 0; j < n; ++j) {
    double* cj = a + j * ld;
    for (Index k = 0; k < j; ++k) ops().axpy(n - j, -a[j + k * ld], a + j + k * ld, cj + j);
    if (!(cj[j] > 0) || !std::isfinite(cj[j])) return false;
    const double s = 1 / (cj[j] = std::sqrt(cj[j]));
    for (Index i = j + 1; i < n; ++i) cj[i] *= s;
  }
  return true;
}

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
/// B (m x n) = B L'⁻¹: column k of the result needs the columns before it.
void right_transposed(const double* l, Index ldl, Index n, double* b, Index ldb, Index m) {
  for (Index k = 0; k < n; ++k) {
    double* x = b + k * ldb;
    for (Index j = 0; j < k; ++j) ops().axpy(m, -l[k + j * ldl], b + j * ldb, x);
    const double s = 1 / l[k + k * ldl];
    for (Index i = 0; i < m; ++i) x[i] *= s;
  }
}
/// B = B L⁻¹: column k needs the columns after it.
void right_plain(const double* l, Index ldl, Index n, double* b, Index ldb, Index m) {
  for (Index k = n - 1; k >= 0; --k) {
    double* x = b + k * ldb;
    for (Index j = k + 1; j < n; ++j) ops().axpy(m, -l[j + k * ldl], b + j * ldb, x);
    const double s = 1 / l[k + k * ldl];
    for (Index i = 0; i < m; ++i) x[i] *= s;
  }
}

}  // namespace

const Ops& ops() {
  static const Ops& table = choose_ops();
  return table;
}

namespace {

constexpr Index kRowsAtOnce = 64;       // as gemm packs them: parts of whole such blocks cost nothing more
constexpr Index kLongWork = 1 << 27;    // multiplications between stop points
constexpr Index kPieceWork = 1 << 20;   // … of a piece at least: 0.1 ms

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

/// C += alpha A B, pieces of C's longer side in parallel.
void product_in_pieces(double alpha, View a, View b, double* c, Index ldc) {
  const bool by_rows = a.rows >= b.cols;
  const auto extent = static_cast<std::uint32_t>(by_rows ? a.rows : b.cols);
  const Index least = kPieceWork / ((by_rows ? b.cols : a.rows) * a.cols);
  const Pieces pieces(extent, static_cast<std::uint32_t>((least + 63) / 64 * 64), kMostPieces);
  if (pieces.count < 2) return block_product(alpha, a, b, c, ldc);
  auto piece = [&](std::uint32_t k) {
    const Index first = pieces.begin(k), count = pieces.length(k, extent);
    if (by_rows) block_product(alpha, rows_of(a, first, count), b, c + first, ldc);
    else block_product(alpha, a, columns_of(b, first, count), c + first * ldc, ldc);
  };
  each_piece(pieces.count, piece);
}

/// C += alpha A B for large matrices, rows of C at a time.
void large_product(double alpha, View a, View b, double* c, Index ldc) {
  const Index block = kRowsAtOnce * b.cols * a.cols;
  const Index step = kRowsAtOnce * std::max<Index>(1, kLongWork / block);
  for (Index i = 0; i < a.rows; i += step) {
    if (i > 0) stop_point();
    product_in_pieces(alpha, rows_of(a, i, std::min(step, a.rows - i)), b, c + i, ldc);
  }
}

}  // namespace

double dot(Index n, const double* x, const double* y) { return ops().dot(n, x, y); }
void axpy(Index n, double a, const double* x, double* y) { ops().axpy(n, a, x, y); }

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

bool cholesky(double* a, Index n) {
  if (n <= kSmallMatrix) return ops().small_cholesky(n, a);
  for (Index k = 0; k < n; k += kBlock) {
    const Index nb = std::min(kBlock, n - k);
    const Index rest = n - k - nb;
    stop_point();
    if (!cholesky_small(a + k + k * n, nb, n)) return false;
    if (rest == 0) break;
    double* panel = a + k + nb + k * n;
    right_transposed(a + k + k * n, n, nb, panel, n, rest);
    for (Index j = 0; j < rest; j += kBlock) {  // trailing update, lower blocks only
      const Index w = std::min(kBlock, rest - j);
      add_product(-1, view(panel + j, rest - j, nb, n), t(view(panel + j, w, nb, n)),
                  a + (k + nb + j) + (k + nb + j) * n, n);
    }
  }
  for (Index j = 1; j < n; ++j) std::fill_n(a + j * n, j, 0.0);
  return true;
}

namespace {

/// One diagonal block: P = tril(L' L̄) with its diagonal halved, S = L'⁻¹ P L⁻¹, Ā = S + S' below the diagonal, S on it.
void reverse_block(const double* l, double* a, Index ld, Index n, double* scratch) {
  double *compact = scratch, *g = scratch + n * n, *p = g + n * n;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      compact[i + j * n] = i >= j ? l[i + j * ld] : 0;
      g[i + j * n] = i >= j ? a[i + j * ld] : 0;
    }
  product(t(view(compact, n, n)), view(g, n, n), p);
  for (Index j = 0; j < n; ++j) {
    std::fill_n(p + j * n, j, 0.0);
    p[j + j * n] *= 0.5;
  }
  left_backward(compact, n, n, p, n, n);
  right_plain(compact, n, n, p, n, n);
  for (Index j = 0; j < n; ++j) {
    a[j + j * ld] = p[j + j * n];
    for (Index i = j + 1; i < n; ++i) a[i + j * ld] = p[i + j * n] + p[j + i * n];
  }
}

/// m += s (d + d') r for the lower triangle d of an n x n block.
void add_symmetric_product(double s, const double* d, Index ldd, Index n, View r, double* m, Index ldm, double* scratch) {
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) scratch[i + j * n] = i == j ? 2 * d[i + i * ldd] : i > j ? d[i + j * ldd] : d[j + i * ldd];
  add_product(s, view(scratch, n, n), r, m, ldm);
}

}  // namespace

/// Murray, "Differentiation of the Cholesky decomposition" (2016): blocks from the last to the first. With R left of the
/// diagonal block D, C below D and B below R:  C̄ = C̄ D⁻¹, B̄ -= C̄ R, D̄ -= tril(C̄' C), D̄ by itself, R̄ -= C̄' B + (D̄ + D̄') R.
void cholesky_reverse(const double* l, Index n, double* a, double* scratch) {
  static_assert(kReverseScratch == 3 * kBlock * kBlock);
  if (n <= kSmallMatrix) return ops().small_cholesky_reverse(n, l, a);
  const Index blocks = (n + kBlock - 1) / kBlock;
  for (Index b = blocks - 1; b >= 0; --b) {
    const Index j = b * kBlock, nb = std::min(kBlock, n - j), below = n - j - nb;
    stop_point();
    const double *d = l + j + j * n, *c = d + nb;
    double *d_a = a + j + j * n, *c_a = d_a + nb;
    if (below > 0) {
      right_plain(d, n, nb, c_a, n, below);
      const View c_adjoint = view(c_a, below, nb, n);
      add_product(-1, c_adjoint, view(l + j, nb, j, n), a + j + nb, n);
      std::fill_n(scratch, nb * nb, 0.0);
      add_product(-1, t(c_adjoint), view(c, below, nb, n), scratch);
      for (Index q = 0; q < nb; ++q) axpy(nb - q, 1, scratch + q + q * nb, d_a + q + q * n);
    }
    reverse_block(d, d_a, n, nb, scratch);
    if (below > 0) add_product(-1, t(view(c_a, below, nb, n)), view(l + j + nb, below, j, n), a + j, n);
    add_symmetric_product(-1, d_a, n, nb, view(l + j, nb, j, n), a + j, n, scratch);
  }
}

void solve_lower(Side side, bool transposed, const double* l, Index n, double* b, Index m) {
  const Index blocks = (n + kBlock - 1) / kBlock;
  const bool up = (side == Side::Left) == transposed;  // last block first
  for (Index s = 0; s < blocks; ++s) {
    stop_point();
    const Index k = (up ? blocks - 1 - s : s) * kBlock;
    const Index nb = std::min(kBlock, n - k);
    const Index below = n - k - nb;
    const double* d = l + k + k * n;
    const View under = view(l + k + nb + k * n, below, nb, n);  // the blocks of L below the diagonal one
    const View beside = view(l + k, nb, k, n);                  // and left of it
    if (side == Side::Left) {
      double* x = b + k;
      if (transposed) {
        left_backward(d, n, nb, x, n, m);
        add_product(-1, t(beside), view(x, nb, m, n), b, n);
      } else {
        left_forward(d, n, nb, x, n, m);
        add_product(-1, under, view(x, nb, m, n), b + k + nb, n);
      }
    } else {
      double* x = b + k * m;
      if (transposed) {
        right_transposed(d, n, nb, x, m, m);
        add_product(-1, view(x, m, nb), t(under), b + (k + nb) * m, m);
      } else {
        right_plain(d, n, nb, x, m, m);
        add_product(-1, view(x, m, nb), beside, b, m);
      }
    }
  }
}

void invert_lower(const double* l, Index n, double* out) {
  std::fill_n(out, n * n, 0.0);
  for (Index i = 0; i < n; ++i) out[i + i * n] = 1;
  solve_lower(Side::Left, false, l, n, out, n);
}

void invert_from_cholesky(const double* l, Index n, double* out) {
  std::vector<double> inv(static_cast<std::size_t>(n * n));
  invert_lower(l, n, inv.data());
  product(t(view(inv.data(), n, n)), view(inv.data(), n, n), out);
}

Lu::Lu(const double* a, Index size) : lu(a, a + size * size), swaps(static_cast<std::size_t>(size)), n(size) {
  double* m = lu.data();
  for (Index k = 0; k < n; ++k) {
    stop_point();
    Index best = k;
    for (Index i = k + 1; i < n; ++i)
      if (std::abs(m[i + k * n]) > std::abs(m[best + k * n])) best = i;
    swaps[static_cast<std::size_t>(k)] = best;
    if (best != k) {
      sign = -sign;
      for (Index j = 0; j < n; ++j) std::swap(m[k + j * n], m[best + j * n]);
    }
    if (m[k + k * n] == 0) {
      singular = true;
      continue;
    }
    const double s = 1 / m[k + k * n];
    for (Index i = k + 1; i < n; ++i) m[i + k * n] *= s;
    for (Index j = k + 1; j < n; ++j) axpy(n - k - 1, -m[k + j * n], m + k + 1 + k * n, m + k + 1 + j * n);
  }
}

void Lu::solve(double* b, Index m) const {
  const double* a = lu.data();
  for (Index c = 0; c < m; ++c) {
    stop_point();
    double* x = b + c * n;
    for (Index k = 0; k < n; ++k) std::swap(x[k], x[swaps[static_cast<std::size_t>(k)]]);
    for (Index k = 0; k < n; ++k) axpy(n - k - 1, -x[k], a + k + 1 + k * n, x + k + 1);
    for (Index k = n - 1; k >= 0; --k) {
      x[k] /= a[k + k * n];
      axpy(k, -x[k], a + k * n, x);
    }
  }
}

void Lu::solve_transposed(double* b, Index m) const {
  const double* a = lu.data();
  for (Index c = 0; c < m; ++c) {
    stop_point();
    double* x = b + c * n;
    for (Index k = 0; k < n; ++k) x[k] = (x[k] - dot(k, a + k * n, x)) / a[k + k * n];
    for (Index k = n - 1; k >= 0; --k) x[k] -= dot(n - k - 1, a + k + 1 + k * n, x + k + 1);
    for (Index k = n - 1; k >= 0; --k) std::swap(x[k], x[swaps[static_cast<std::size_t>(k)]]);
  }
}

double Lu::determinant() const {
  double d = sign;
  for (Index k = 0; k < n; ++k) d *= lu[static_cast<std::size_t>(k + k * n)];
  return d;
}

double Lu::log_abs_determinant() const {
  double d = 0;
  for (Index k = 0; k < n; ++k) d += std::log(std::abs(lu[static_cast<std::size_t>(k + k * n)]));
  return d;
}

Index first_asymmetric(const double* a, Index n, Index* column) {
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j)
      if (!(std::abs(a[i + j * n] - a[j + i * n]) <= 1e-8)) {
        *column = j;
        return i;
      }
  return -1;
}

void transpose(const double* a, Index rows, Index cols, double* out) {
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) out[j + i * cols] = a[i + j * rows];
}

void symmetrize(double* a, Index n) {
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) a[i + j * n] = a[j + i * n] = 0.5 * (a[i + j * n] + a[j + i * n]);
}

}  // namespace fermiac::ad::dense
