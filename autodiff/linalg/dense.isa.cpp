// Inner loops of dense linear algebra. gemm follows Goto & van de Geijn (ACM TOMS 34, 2008): pack panels of A and B,
// keep a small block of C in registers.
#include "autodiff/kernels/lane_sums.h"
#include "autodiff/linalg/dense_ops.h"
#include "autodiff/linalg/tiles.h"
#include "autodiff/linalg/triangles.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

using dense::Index;

double dot(Index n, const double* x, const double* y) {
  V s0{}, s1{};
  Index i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    s0 += load(x + i) * load(y + i);
    s1 += load(x + i + kLanes) * load(y + i + kLanes);
  }
  double s = n >= 2 * kLanes ? sum_lanes(s0 + s1) : 0.0;
  for (; i < n; ++i) s += x[i] * y[i];
  return s;
}

void axpy(Index n, double a, const double* x, double* y) {
  const V av = splat<V>(a);
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, load(y + i) + av * load(x + i));
  for (; i < n; ++i) y[i] += a * x[i];
}

/// Four columns at a time, so that y is read and written once per four.
void gemv(Index m, Index n, double alpha, const double* a, Index lda, const double* x, double* y) {
  Index j = 0;
  for (; j + 4 <= n; j += 4) {
    const double* c = a + j * lda;
    const double s[4] = {alpha * x[j], alpha * x[j + 1], alpha * x[j + 2], alpha * x[j + 3]};
    const V v0 = splat<V>(s[0]), v1 = splat<V>(s[1]), v2 = splat<V>(s[2]), v3 = splat<V>(s[3]);
    Index i = 0;
    for (; i + kLanes <= m; i += kLanes)
      store(y + i, load(y + i) + (load(c + i) * v0 + load(c + lda + i) * v1) +
                       (load(c + 2 * lda + i) * v2 + load(c + 3 * lda + i) * v3));
    for (; i < m; ++i) y[i] += (c[i] * s[0] + c[lda + i] * s[1]) + (c[2 * lda + i] * s[2] + c[3 * lda + i] * s[3]);
  }
  for (; j < n; ++j) axpy(m, alpha * x[j], a + j * lda, y);
}

void gemv_t(Index m, Index n, double alpha, const double* a, Index lda, const double* x, double* y) {
  Index j = 0;
  for (; j + 4 <= n; j += 4) {
    const double* c = a + j * lda;
    V s0{}, s1{}, s2{}, s3{};
    Index i = 0;
    for (; i + kLanes <= m; i += kLanes) {
      const V xv = load(x + i);
      s0 += load(c + i) * xv;
      s1 += load(c + lda + i) * xv;
      s2 += load(c + 2 * lda + i) * xv;
      s3 += load(c + 3 * lda + i) * xv;
    }
    double r[4] = {sum_lanes(s0), sum_lanes(s1), sum_lanes(s2), sum_lanes(s3)};
    for (; i < m; ++i)
      for (int k = 0; k < 4; ++k) r[k] += c[k * lda + i] * x[i];
    for (int k = 0; k < 4; ++k) y[j + k] += alpha * r[k];
  }
  for (; j < n; ++j) y[j] += alpha * dot(m, a + j * lda, x);
}

constexpr Index kMr = 2 * kLanes;  // rows of the register block
#if defined(__AVX512F__)
constexpr int kNr = 8;       // its columns
constexpr int kMostNr = 12;  // … where B is so narrow that one block holds all its columns
constexpr Index kMc = 240;   // rows of a packed block of A: B is packed anew for each; processors with these lanes have
                             // second-level caches of a megabyte
#elif defined(__aarch64__)  // 32 registers, as with AVX-512
constexpr int kNr = 8;
constexpr int kMostNr = 12;
constexpr Index kMc = 240;
#elif defined(__AVX__)
constexpr int kNr = 6;
constexpr int kMostNr = 6;
constexpr Index kMc = 96;
#else
constexpr int kNr = 4;
constexpr int kMostNr = 4;
constexpr Index kMc = 96;
#endif
constexpr Index kKc = 192;  // columns of a packed block of A

/// A panel of rows i.. (`mr` of them, the others zeros), columns k0...
void pack_part_of_a(const double* a, Index lda, bool ta, Index i, Index mr, Index k0, Index kc, double* to) {
  for (Index k = 0; k < kc; ++k)
    for (Index r = 0; r < kMr; ++r, ++to)
      *to = r < mr ? (ta ? a[(k0 + k) + (i + r) * lda] : a[(i + r) + (k0 + k) * lda]) : 0.0;
}
void pack_panel(const double* a, Index lda, Index kc, double* to) {
  for (Index k = 0; k < kc; ++k, a += lda, to += kMr) {
    store(to, load(a));
    store(to + kLanes, load(a + kLanes));
  }
}
void pack_turned_panel(const double* a, Index lda, Index kc, double* to) {
  const Index whole = kc / kLanes * kLanes;
  for (Index k = 0; k < whole; k += kLanes)
    for (Index half = 0; half < kMr; half += kLanes) {
      V x[kLanes];
      load_turned(a + k + half * lda, lda, x);
      store_tile(x, to + k * kMr + half, kMr);
    }
  for (Index k = whole; k < kc; ++k)
    for (Index r = 0; r < kMr; ++r) to[k * kMr + r] = a[k + r * lda];
}
/// Rows i0.. of A, columns k0.., as panels of kMr rows; missing rows are zeros.
void pack_a(const double* a, Index lda, bool ta, Index i0, Index mc, Index k0, Index kc, double* to) {
  for (Index p = 0; p < mc; p += kMr, to += kMr * kc) {
    const Index i = i0 + p;
    if (p + kMr > mc)
      pack_part_of_a(a, lda, ta, i, mc - p, k0, kc, to);
    else if (ta)
      pack_turned_panel(a + k0 + i * lda, lda, kc, to);
    else
      pack_panel(a + i + k0 * lda, lda, kc, to);
  }
}

/// Columns j0.. of B, `width` to a row of the result; missing ones are zeros.
void pack_b(const double* b, Index ldb, bool tb, Index k0, Index kc, Index j0, Index nr, Index width, double alpha,
            double* to) {
  for (Index k = 0; k < kc; ++k)
    for (Index c = 0; c < width; ++c, ++to)
      *to = c < nr ? alpha * (tb ? b[(j0 + c) + (k0 + k) * ldb] : b[(k0 + k) + (j0 + c) * ldb]) : 0.0;
}
/// The same for all kNr columns, from the first of them.
void pack_whole_b(const double* b, Index ldb, bool tb, Index kc, double alpha, double* to) {
  Index k = 0;
  if (tb) {
    for (; k < kc; ++k)
      for (Index c = 0; c < kNr; ++c) to[k * kNr + c] = alpha * b[c + k * ldb];
    return;
  }
  if constexpr (kNr % kLanes == 0)
    for (; k + kLanes <= kc; k += kLanes)
      for (Index c = 0; c < kNr; c += kLanes) {
        V x[kLanes];
        load_turned(b + k + c * ldb, ldb, x);
        for (V& row : x) row *= alpha;
        store_tile(x, to + k * kNr + c, kNr);
      }
  for (; k < kc; ++k)
    for (Index c = 0; c < kNr; ++c) to[k * kNr + c] = alpha * b[k + c * ldb];
}

/// `step` from one column of the panel of A to the next: packed panels kMr, A itself lda.
template <int Nr>
void micro(Index kc, const double* pa, Index step, const double* pb, double* c, Index ldc, Index mr, Index nr) {
  V acc[2][Nr]{};
  for (Index k = 0; k < kc; ++k, pa += step, pb += Nr) {
    const V a0 = load(pa), a1 = load(pa + kLanes);
    FERMIAC_UNROLL
    for (int j = 0; j < Nr; ++j) {
      const V bj = splat<V>(pb[j]);
      acc[0][j] += a0 * bj;
      acc[1][j] += a1 * bj;
    }
  }
  if (mr == kMr) {
    for (Index j = 0; j < nr; ++j) {
      double* to = c + j * ldc;
      store(to, load(to) + acc[0][j]);
      store(to + kLanes, load(to + kLanes) + acc[1][j]);
    }
    return;
  }
  for (Index j = 0; j < nr; ++j)
    for (Index i = 0; i < mr; ++i) c[i + j * ldc] += i < kLanes ? acc[0][j][i] : acc[1][j][i - kLanes];
}

Index least(Index a, Index b) {
  return a < b ? a : b;
}

using Micro = void (*)(Index, const double*, Index, const double*, double*, Index, Index, Index);
/// The block of so many columns.
template <int Nr>
Micro micro_of(Index columns) {
  if constexpr (Nr > 1) {
    if (columns < Nr) return micro_of<Nr - 1>(columns);
  }
  return micro<Nr>;
}

constexpr Index kNarrow = 24;     // columns of B: below, packing A costs as much as using it
constexpr Index kFewColumns = 4;  // … and turning it over, where it is transposed

/// A few columns of B, all of them packed: A is read where it lies, a panel at a time is packed where it is transposed
/// or has too few rows.
void narrow(Index m, Index n, Index k, double alpha, const double* a, Index lda, bool ta, const double* b, Index ldb,
            bool tb, double* c, Index ldc) {
  alignas(64) double pa[kMr * kKc];
  alignas(64) double pb[(kNarrow + 8) * kKc];
  const Index blocks = (n + kMostNr - 1) / kMostNr, width = (n + blocks - 1) / blocks;
  const Micro block = micro_of<kMostNr>(width);
  for (Index k0 = 0; k0 < k; k0 += kKc) {
    const Index kc = least(kKc, k - k0);
    for (Index j = 0; j < n; j += width) pack_b(b, ldb, tb, k0, kc, j, least(width, n - j), width, alpha, pb + j * kc);
    for (Index i = 0; i < m; i += kMr) {
      const Index mr = least(kMr, m - i);
      const bool in_place = mr == kMr && !ta;
      if (!in_place) pack_a(a, lda, ta, i, mr, k0, kc, pa);
      for (Index j = 0; j < n; j += width)
        block(kc, in_place ? a + i + k0 * lda : pa, in_place ? lda : kMr, pb + j * kc, c + i + j * ldc, ldc, mr,
              least(width, n - j));
    }
  }
}

constexpr int kDotRows = kLanes > 4 ? kLanes : 4;

/// C += alpha A' B for a few columns of B: columns against columns, Rows by Cols at a time.
template <int Rows, int Cols>
void dots(Index k, double alpha, const double* a, Index lda, const double* b, Index ldb, double* c, Index ldc) {
  V acc[Rows][Cols]{};
  const auto add = [&](Index i, auto get) {
    V bv[Cols];
    FERMIAC_UNROLL
    for (int j = 0; j < Cols; ++j) bv[j] = get(b + i + j * ldb);
    FERMIAC_UNROLL
    for (int r = 0; r < Rows; ++r) {
      const V av = get(a + i + r * lda);
      FERMIAC_UNROLL
      for (int j = 0; j < Cols; ++j) acc[r][j] += av * bv[j];
    }
  };
  Index i = 0;
  for (; i + kLanes <= k; i += kLanes)
    add(
        i, [](const double* p) __attribute__((always_inline)) { return load(p); });
  if (i < k)
    add(
        i, [&](const double* p) __attribute__((always_inline)) { return load_first(p, k - i); });
  FERMIAC_UNROLL
  for (int j = 0; j < Cols; ++j) {
    if constexpr (Rows % kLanes == 0) {
      FERMIAC_UNROLL
      for (int r = 0; r < Rows; r += kLanes) {
        double* to = c + r + j * ldc;
        store(to, load(to) + alpha * sum_each(&acc[r][j], Cols));
      }
    } else {
      for (int r = 0; r < Rows; ++r) c[r + j * ldc] += alpha * sum_lanes(acc[r][j]);
    }
  }
}
void narrow_transposed(Index m, Index n, Index k, double alpha, const double* a, Index lda, const double* b, Index ldb,
                       double* c, Index ldc) {
  for (Index p = 0; p < m; p += kDotRows) {
    Index j = 0;
    if (p + kDotRows <= m)
      for (; j + 2 <= n; j += 2) dots<kDotRows, 2>(k, alpha, a + p * lda, lda, b + j * ldb, ldb, c + p + j * ldc, ldc);
    for (; j < n; ++j)
      for (Index q = p; q < m && q < p + kDotRows; ++q)
        dots<1, 1>(k, alpha, a + q * lda, lda, b + j * ldb, ldb, c + q + j * ldc, ldc);
  }
}

/// A block of C that the diagonal crosses: its elements on and below the diagonal. Row 0 is row `offset` of the
/// columns.
void micro_on_diagonal(Index kc, const double* pa, const double* pb, double* c, Index ldc, Index mr, Index nr,
                       Index offset) {
  alignas(64) double block[kMr * kNr] = {};
  micro<kNr>(kc, pa, kMr, pb, block, kMr, kMr, nr);
  for (Index j = 0; j < nr; ++j)
    for (Index i = j > offset ? j - offset : 0; i < mr; ++i) c[i + j * ldc] += block[i + j * kMr];
}

/// C += alpha A B in packed blocks; Lower: only the lower triangle of C.
template <bool Lower>
void packed(Index m, Index n, Index k, double alpha, const double* a, Index lda, bool ta, const double* b, Index ldb,
            bool tb, double* c, Index ldc) {
  alignas(64) double pa[(kMc + kMr) * kKc];
  alignas(64) double pb[kNr * kKc];
  for (Index k0 = 0; k0 < k; k0 += kKc) {
    const Index kc = least(kKc, k - k0);
    for (Index i0 = 0; i0 < m; i0 += kMc) {
      const Index mc = least(kMc, m - i0);
      pack_a(a, lda, ta, i0, mc, k0, kc, pa);
      const Index end = Lower ? least(n, i0 + mc) : n;
      for (Index j0 = 0; j0 < end; j0 += kNr) {
        const Index nr = least(kNr, n - j0);
        if (nr == kNr)
          pack_whole_b(tb ? b + j0 + k0 * ldb : b + k0 + j0 * ldb, ldb, tb, kc, alpha, pb);
        else
          pack_b(b, ldb, tb, k0, kc, j0, nr, kNr, alpha, pb);
        for (Index p = 0; p < mc; p += kMr) {
          const Index i = i0 + p, mr = least(kMr, mc - p);
          if (Lower && i + mr <= j0) continue;
          if (Lower && i < j0 + nr - 1)
            micro_on_diagonal(kc, pa + p * kc, pb, c + i + j0 * ldc, ldc, mr, nr, i - j0);
          else
            micro<kNr>(kc, pa + p * kc, kMr, pb, c + i + j0 * ldc, ldc, mr, nr);
        }
      }
    }
  }
}

void gemm(Index m, Index n, Index k, double alpha, const double* a, Index lda, bool ta, const double* b, Index ldb,
          bool tb, double* c, Index ldc) {
  if (n <= kFewColumns && ta && !tb && k >= 2 * kLanes)
    return narrow_transposed(m, n, k, alpha, a, lda, b, ldb, c, ldc);
  if (n < kNarrow) return narrow(m, n, k, alpha, a, lda, ta, b, ldb, tb, c, ldc);
  packed<false>(m, n, k, alpha, a, lda, ta, b, ldb, tb, c, ldc);
}
void gemm_lower(Index n, Index k, double alpha, const double* a, Index lda, bool ta, const double* b, Index ldb,
                bool tb, double* c, Index ldc) {
  packed<true>(n, n, k, alpha, a, lda, ta, b, ldb, tb, c, ldc);
}

// ---- matrices turned over, by squares of lanes

// Columns turned over together: runs that long are written before the next column, and the lines of all columns stay in
// the first-level cache.
constexpr Index kTurned = 32;

/// Calls f(i, j) for the first rows and columns of squares of lanes, kTurned columns at a time; Lower: for those with i >=
/// j.
template <bool Lower, class F>
FERMIAC_INLINE void each_square(Index rows, Index columns, F f) {
  for (Index panel = 0; panel < columns; panel += kTurned)
    for (Index i = Lower ? panel : 0; i < rows; i += kLanes) {
      const Index last = Lower ? least(i + 1, columns) : columns;
      for (Index j = panel; j < least(panel + kTurned, last); j += kLanes) f(i, j);
    }
}

void turn_over(Index rows, Index columns, const double* a, Index lda, double* out, Index ldo) {
  each_square<false>(
      rows, columns, [&](Index i, Index j) __attribute__((always_inline)) {
        V x[kLanes];
        load_turned_part(a + i + j * lda, lda, rows - i, columns - j, x);
        store_part_tile(x, out + j + i * ldo, ldo, columns - j, rows - i);
      });
}

bool few_symmetric(Index n, const double* a, double tolerance) {
  bool fails = false;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) fails |= !(abs(a[i + j * n] - a[j + i * n]) <= tolerance);
  return !fails;
}
bool symmetric(Index n, const double* a, double tolerance) {
  if (n < kLanes) return few_symmetric(n, a, tolerance);
  VI wrong{};
  each_square<true>(
      n, n, [&](Index i, Index j) __attribute__((always_inline)) {
        V x[kLanes], y[kLanes];
        load_turned_part(a + j + i * n, n, n - j, n - i, x);
        load_part_tile(a + i + j * n, n, n - i, n - j, y);
        FERMIAC_UNROLL
        for (int q = 0; q < kLanes; ++q) wrong |= ~(abs(x[q] - y[q]) <= tolerance);
      });
  return !any(wrong);
}

void mirror_few(Index n, double* a, Index ld) {
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) a[j + i * ld] = a[i + j * ld];
}
void mirror(Index n, double* a) {
  each_square<true>(
      n, n, [&](Index i, Index j) __attribute__((always_inline)) {
        if (i == j) return mirror_few(least(kLanes, n - i), a + i * (n + 1), n);
        V x[kLanes];
        load_turned_part(a + i + j * n, n, n - i, n - j, x);
        store_part_tile(x, a + j + i * n, n, n - j, n - i);
      });
}

/// Both squares are read before either is written.
void add_mirrored(Index n, double factor, const double* a, double* out) {
  each_square<true>(
      n, n, [&](Index i, Index j) __attribute__((always_inline)) {
        V x[kLanes], y[kLanes];
        load_turned_part(a + j + i * n, n, n - j, n - i, x);
        load_part_tile(a + i + j * n, n, n - i, n - j, y);
        FERMIAC_UNROLL
        for (int q = 0; q < kLanes; ++q) x[q] = factor * (x[q] + y[q]);
        store_part_tile(x, out + i + j * n, n, n - i, n - j);
        turn(x);
        store_part_tile(x, out + j + i * n, n, n - j, n - i);
      });
}

double sum(Index n, const double* x) { return sum_of<2>(x, n); }

double max(Index n, const double* x) {
  const double inf = __builtin_inf();
  V high = splat<V>(-inf);
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const V v = load(x + i);
    high = select(v > high, v, high);
  }
  double h = -inf;
  for (int j = 0; j < kLanes; ++j) h = high[j] > h ? high[j] : h;
  for (; i < n; ++i) h = x[i] > h ? x[i] : h;
  return h;
}

void shift(Index n, double a, double* y) {
  const V av = splat<V>(a);
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, load(y + i) + av);
  for (; i < n; ++i) y[i] += a;
}

double sum_exp(Index n, const double* x, double shift) {
  V s{};
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) s += exp(load(x + i) - shift);
  double total = n >= kLanes ? sum_lanes(s) : 0.0;
  for (; i < n; ++i) total += exp(x[i] - shift);
  return total;
}

void scaled_exp(Index n, double c, const double* x, double* y) {
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, c * exp(load(x + i)));
  for (; i < n; ++i) y[i] = c * exp(x[i]);
}

void axpy_exp(Index n, double g, const double* x, double shift, double* y) {
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes) store(y + i, load(y + i) + g * exp(load(x + i) - shift));
  for (; i < n; ++i) y[i] += g * exp(x[i] - shift);
}

}  // namespace

extern const dense::Ops dense_ops;
constinit const dense::Ops dense_ops = {dot, axpy, gemv, gemv_t, gemm, sum, max, shift, sum_exp, scaled_exp, axpy_exp};
extern const dense::SymmetricOps symmetric_ops;
constinit const dense::SymmetricOps symmetric_ops = {gemm_lower, symmetric, mirror, add_mirrored, turn_over};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
