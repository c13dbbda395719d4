// Triangles that fit into the first-level cache: Cholesky factors and triangular solves in registers.
#include "autodiff/linalg/tiles.h"
#include "autodiff/linalg/triangles.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

using dense::Index;

// ---- Cholesky factors, on a copy whose columns are padded to whole vectors of lanes.

/// Zeros in the lanes before `first`.
FERMIAC_INLINE V from_lane(Index first, V x) { return select(lane_index() >= first, x, V{}); }
/// With another number in one lane. Written to memory by itself, it would keep the next load of all lanes waiting.
FERMIAC_INLINE V with_lane(Index lane, double number, V x) { return select(lane_index() == lane, splat<V>(number), x); }

struct Padded {
  Index n, ld;
  alignas(64) double x[dense::kTriangle * dense::kTriangle];

  /// The lower triangle of a, zeros elsewhere.
  Padded(const double* a, Index lda, Index size) : n(size), ld((size + kLanes - 1) / kLanes * kLanes) {
    for (Index j = 0; j < n; ++j, a += lda) {
      for (Index i = 0; i < start(j); i += kLanes) store(column(j) + i, V{});
      for (Index i = start(j); i < ld; i += kLanes) store(column(j) + i, from_lane(j - i, load_part(a + i, n - i)));
    }
  }
  double* column(Index j) { return x + j * ld; }
  /// First row of the vector that holds row i.
  static Index start(Index i) { return i / kLanes * kLanes; }
};

/// y -= c x from the vector of row `first` on.
FERMIAC_INLINE void subtract_scaled(Index first, Index ld, double c, const double* x, double* y) {
  for (Index i = Padded::start(first); i < ld; i += kLanes) store(y + i, load(y + i) - c * load(x + i));
}

bool cholesky(Index n, double* a, Index lda) {
  Padded m(a, lda, n);
  for (Index j = 0; j < n; ++j) {
    double* c = m.column(j);
    if (!(c[j] > 0) || !(c[j] < __builtin_inf())) return false;
    const double d = sqrt(c[j]);
    const V inverse = splat<V>(1 / d);
    const Index first = Padded::start(j);
    store(c + first, with_lane(j - first, d, load(c + first) * inverse));
    for (Index i = first + kLanes; i < m.ld; i += kLanes) store(c + i, load(c + i) * inverse);
    for (Index k = j + 1; k < n; ++k) subtract_scaled(k, m.ld, c[k], c, m.column(k));
  }
  for (Index j = 0; j < n; ++j, a += lda)
    for (Index i = 0; i < n; i += kLanes) store_part(a + i, from_lane(j - i, load(m.column(j) + i)), n - i);
  return true;
}

/// Murray (2016), the unblocked form: with d, c the diagonal element and what is below it, r and B left of them,
/// d̄ -= c'c̄ / d,  (d̄, c̄) /= d,  r̄ -= (d̄, c̄)' (r; B),  B̄ -= c̄ r,  d̄ /= 2.
void cholesky_reverse(Index n, const double* l, Index ldl, double* a, Index lda) {
  Padded m(l, ldl, n), g(a, lda, n);
  for (Index j = n - 1; j >= 0; --j) {
    double *c = m.column(j), *c_a = g.column(j);
    const double inverse = 1 / c[j];
    const double d_a = c_a[j];
    const Index first = Padded::start(j);
    const V head = with_lane(j - first, 0.0, load(c_a + first)) * inverse;
    V product = load(c + first) * head;
    for (Index i = first + kLanes; i < m.ld; i += kLanes) {
      store(c_a + i, load(c_a + i) * inverse);
      product += load(c + i) * load(c_a + i);
    }
    const double scaled = (d_a - sum_lanes(product)) * inverse;
    store(c_a + first, with_lane(j - first, 0.5 * scaled, head));
    for (Index i = 0; i < j; ++i) {
      double *b = m.column(i), *b_a = g.column(i);
      const double r = b[j];
      V sum = head * load(b + first);
      for (Index q = first + kLanes; q < m.ld; q += kLanes) {
        const V w = load(c_a + q);
        sum += w * load(b + q);
        store(b_a + q, load(b_a + q) - r * w);
      }
      const V r_a = with_lane(j - first, sum_lanes(sum) + scaled * r, V{});
      store(b_a + first, load(b_a + first) - r * head - r_a);
    }
  }
  for (Index j = 0; j < n; ++j, a += lda)
    for (Index i = Padded::start(j); i < n; i += kLanes)
      store_part(a + i, select(lane_index() >= j - i, load(g.column(j) + i), load_part(a + i, n - i)), n - i);
}

// ---- triangular solves. Left sides are taken kRows at a time (their rows for X L = B, columns for L X = B) into a
// strip in which each unknown is a row of kRows numbers; kCols equations are solved together, their unknowns in
// registers.

constexpr Index kRows = 2 * kLanes;
constexpr int kCols = kLanes >= 8 ? 8 : 4;
constexpr Index kMost = dense::kTriangle;
static_assert(kMost % kCols == 0);

/// The equations in the order in which they are solved: equation i has unknowns 0..i. For groups of kCols equations,
/// the coefficients of each unknown in turn; equations beyond the last are filled up with those of the unit matrix.
struct Equations {
  Index n, groups;
  double inverse[kMost];
  double c[kMost * (kMost + kCols) / 2];

  /// Backward: L'X = B or X L = B, the last unknown first.
  Equations(Index order, const double* l, Index ld, bool backward) : n(order), groups((order + kCols - 1) / kCols) {
    const double* first = backward ? l + (n - 1) * (ld + 1) : l;
    const Index by_equation = backward ? -ld : 1, by_unknown = backward ? -1 : ld;
    double* to = c;
    for (Index g = 0; g < groups * kCols; g += kCols) {
      const double* group = first + g * by_equation;
      const Index count = n - g < kCols ? n - g : kCols;
      for (Index j = 0; j < g; ++j, to += kCols) copy(group + j * by_unknown, by_equation, count, to);
      for (Index j = 0; j < kCols; ++j)
        for (Index i = 0; i < kCols; ++i)
          *to++ = j < i && i < count ? group[i * by_equation + (g + j) * by_unknown] : 0.0;
    }
    for (Index i = 0; i < groups * kCols; ++i) inverse[i] = i < n ? 1 / first[i * (by_equation + by_unknown)] : 1.0;
  }

  void solve(double* x) const {
    const double* coefficients = c;
    for (Index g = 0; g < groups * kCols; g += kCols) coefficients = solve_group(coefficients, g, x);
  }

 private:
  static void copy(const double* from, Index stride, Index count, double* to) {
    if (count == kCols)
      for (Index i = 0; i < kCols; ++i) to[i] = from[i * stride];
    else
      for (Index i = 0; i < kCols; ++i) to[i] = i < count ? from[i * stride] : 0.0;
  }
  const double* solve_group(const double* coefficients, Index g, double* x) const {
    V a[kCols], b[kCols];
    double* own = x + g * kRows;
    FERMIAC_UNROLL
    for (int i = 0; i < kCols; ++i) {
      a[i] = load(own + i * kRows);
      b[i] = load(own + i * kRows + kLanes);
    }
    for (const double* known = x; known != own; known += kRows, coefficients += kCols) {
      const V u = load(known), v = load(known + kLanes);
      FERMIAC_UNROLL
      for (int i = 0; i < kCols; ++i) {
        a[i] -= coefficients[i] * u;
        b[i] -= coefficients[i] * v;
      }
    }
    FERMIAC_UNROLL
    for (int p = 0; p < kCols; ++p, coefficients += kCols) {
      a[p] *= inverse[g + p];
      b[p] *= inverse[g + p];
      FERMIAC_UNROLL
      for (int i = p + 1; i < kCols; ++i) {
        a[i] -= coefficients[i] * a[p];
        b[i] -= coefficients[i] * b[p];
      }
    }
    FERMIAC_UNROLL
    for (int i = 0; i < kCols; ++i) {
      store(own + i * kRows, a[i]);
      store(own + i * kRows + kLanes, b[i]);
    }
    return coefficients;
  }
};

/// Unknown k of left side r lies at b[k * unknown + r * side]; one of the two strides is 1. A strip holds the sides r <
/// count.
struct Sides {
  double* b;
  Index unknown, side;

  template <bool Read>
  void move(Index n, Index count, double* x) const {
    if (count == kRows && side == 1) return move_along<Read>(n, x);
    if (count == kRows) return move_across<Read>(n, x);
    for (Index k = 0; k < n; ++k)
      for (Index r = 0; r < kRows; ++r) {
        if (Read)
          x[k * kRows + r] = r < count ? b[k * unknown + r * side] : 0.0;
        else if (r < count)
          b[k * unknown + r * side] = x[k * kRows + r];
      }
  }

 private:
  template <bool Read>
  void move_along(Index n, double* x) const {
    for (Index k = 0; k < n; ++k)
      for (Index r = 0; r < kRows; r += kLanes) {
        if (Read)
          store(x + k * kRows + r, load(b + k * unknown + r));
        else
          store(b + k * unknown + r, load(x + k * kRows + r));
      }
  }
  /// By squares of lanes; `unknown` is 1 or -1.
  template <bool Read>
  void move_across(Index n, double* x) const {
    Index k = 0;
    for (; k + kLanes <= n; k += kLanes)
      for (Index r = 0; r < kRows; r += kLanes) {
        double* square = b + (unknown > 0 ? k : -(k + kLanes - 1)) + r * side;
        double* strip = x + (unknown > 0 ? k : k + kLanes - 1) * kRows + r;
        V v[kLanes];
        if (Read) {
          load_turned(square, side, v);
          store_tile(v, strip, unknown * kRows);
        } else {
          load_turned(strip, unknown * kRows, v);
          store_tile(v, square, side);
        }
      }
    for (; k < n; ++k)
      for (Index r = 0; r < kRows; ++r) {
        double &there = b[k * unknown + r * side], &here = x[k * kRows + r];
        if (Read)
          here = there;
        else
          there = here;
      }
  }
};

void solve_strips(const Equations& e, Sides sides, Index m) {
  alignas(64) double x[kMost * kRows];
  for (Index k = e.n * kRows; k < e.groups * kCols * kRows; ++k) x[k] = 0;
  for (Index r = 0; r < m; r += kRows, sides.b += kRows * sides.side) {
    const Index count = m - r < kRows ? m - r : kRows;
    sides.move<true>(e.n, count, x);
    e.solve(x);
    sides.move<false>(e.n, count, x);
  }
}

void solve_left(Index n, const double* l, Index ldl, bool transposed, double* b, Index ldb, Index m) {
  const Equations e(n, l, ldl, transposed);
  solve_strips(e, transposed ? Sides{b + n - 1, -1, ldb} : Sides{b, 1, ldb}, m);
}
void solve_right(Index n, const double* l, Index ldl, bool transposed, double* b, Index ldb, Index m) {
  const Equations e(n, l, ldl, !transposed);
  solve_strips(e, transposed ? Sides{b, ldb, 1} : Sides{b + (n - 1) * ldb, -ldb, 1}, m);
}

}  // namespace

extern const dense::TriangleOps triangle_ops;
constinit const dense::TriangleOps triangle_ops = {cholesky, cholesky_reverse, solve_left, solve_right};

}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
