#include "inference/math/symmetric_eigen.h"

#include <algorithm>

namespace fermiac::inference {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int kMostSweeps = 60;

/// The matrix while its eigenvectors are found: rows of `q` are the basis in which it is tridiagonal.
struct Tridiagonal {
  std::size_t n;
  Vec diagonal, below;  // below[i] couples i and i + 1; the last is zero
  Vec q;                // row-major [n × n]
};

/// a := H a H and q := H q for the reflection H = I - 2 v v' that leaves column k zero below its first subdiagonal.
void reflect(Span a, std::size_t n, std::size_t k, Span q, Vec& v, Vec& w) {
  const std::size_t first = k + 1, m = n - first;
  v.assign(m, 0.0);
  for (std::size_t i = 0; i < m; ++i) v[i] = a[(first + i) * n + k];
  const double length = norm(v), tail = norm(ConstSpan(v).subspan(1));
  if (tail == 0) return;
  const double pivot = v[0] > 0 ? -length : length;
  v[0] -= pivot;
  const double scale = norm(v);
  for (double& x : v) x /= scale;
  a[first * n + k] = a[k * n + first] = pivot;
  for (std::size_t i = first + 1; i < n; ++i) a[i * n + k] = a[k * n + i] = 0;

  // With w = 2 (a v - (v' a v) v) the reflected block is a - v w' - w v'.
  w.assign(m, 0.0);
  for (std::size_t i = 0; i < m; ++i) w[i] = 2 * dot(a.subspan((first + i) * n + first, m), v);
  axpy(-dot(v, w), v, w);
  for (std::size_t i = 0; i < m; ++i) {
    const Span row = a.subspan((first + i) * n + first, m);
    axpy(-v[i], w, row);
    axpy(-w[i], v, row);
  }
  w.assign(n, 0.0);
  for (std::size_t i = 0; i < m; ++i) axpy(v[i], q.subspan((first + i) * n, n), w);
  for (std::size_t i = 0; i < m; ++i) axpy(-2 * v[i], w, q.subspan((first + i) * n, n));
}

Tridiagonal tridiagonalise(Span a, std::size_t n) {
  Tridiagonal t{.n = n, .diagonal = Vec(n), .below = Vec(n), .q = Vec(n * n)};
  for (std::size_t i = 0; i < n; ++i) t.q[i * n + i] = 1;
  Vec v, w;
  for (std::size_t k = 0; k + 2 < n; ++k) reflect(a, n, k, t.q, v, w);
  for (std::size_t i = 0; i < n; ++i) t.diagonal[i] = a[i * n + i];
  for (std::size_t i = 0; i + 1 < n; ++i) t.below[i] = a[(i + 1) * n + i];
  return t;
}

/// Two rows turned by the angle with cosine c and sine s.
void rotate(Span upper, Span lower, double c, double s) {
  for (std::size_t k = 0; k < upper.size(); ++k) {
    const double x = upper[k], y = lower[k];
    upper[k] = c * x - s * y;
    lower[k] = s * x + c * y;
  }
}

/// One implicit QL step with Wilkinson's shift on the unreduced block from l to m.
void ql_step(Tridiagonal& t, std::size_t l, std::size_t m) {
  Vec& d = t.diagonal;
  Vec& e = t.below;
  const double half = (d[l + 1] - d[l]) / (2 * e[l]);
  double g = d[m] - d[l] + e[l] / (half + std::copysign(std::hypot(half, 1), half));
  double s = 1, c = 1, p = 0;
  for (std::size_t i = m; i-- > l;) {
    const double f = s * e[i], b = c * e[i];
    const double r = std::hypot(f, g);
    e[i + 1] = r;
    if (r == 0) {  // the block falls apart here
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    const double turned = (d[i] - g) * s + 2 * c * b;
    p = s * turned;
    d[i + 1] = g + p;
    g = c * turned - b;
    rotate(Span(t.q).subspan(i * t.n, t.n), Span(t.q).subspan((i + 1) * t.n, t.n), c, s);
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

bool diagonalise(Tridiagonal& t) {
  for (std::size_t l = 0; l < t.n; ++l) {
    for (int sweep = 0;; ++sweep) {
      std::size_t m = l;
      while (m + 1 < t.n && std::fabs(t.below[m]) > kEpsilon * (std::fabs(t.diagonal[m]) + std::fabs(t.diagonal[m + 1]))) ++m;
      if (m == l) break;
      if (sweep == kMostSweeps) return false;
      ql_step(t, l, m);
    }
  }
  return true;
}

/// out = x y' for row-major n × n matrices.
void multiply_transposed(ConstSpan x, ConstSpan y, std::size_t n, Span out) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) out[i * n + j] = dot(x.subspan(i * n, n), y.subspan(j * n, n));
}

Vec transposed(ConstSpan a, std::size_t n) {
  Vec out(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) out[j * n + i] = a[i * n + j];
  return out;
}

}  // namespace

bool symmetric_eigen(Span a, std::size_t n, Span values) {
  if (!all_finite(a)) return false;
  Tridiagonal t = tridiagonalise(a, n);
  if (!diagonalise(t)) return false;
  copy(t.diagonal, values);
  copy(t.q, a);
  return true;
}

// With a = l l' and m = l' b l: s = l'^-1 m^(1/2) l^-1, as s a s = l'^-1 m l^-1 = b.
bool geometric_mean(Span a, Span b, std::size_t n, Vec* s) {
  if (!cholesky_in_place(a, n)) return false;
  const Vec lt = transposed(a, n);
  Vec product(n * n), m(n * n), values(n);
  multiply_transposed(lt, b, n, product);   // l' b, as b is symmetric
  multiply_transposed(product, lt, n, m);   // l' b l
  if (!symmetric_eigen(m, n, values)) return false;
  // Rows of m are eigenvectors v; s is the sum of w w' with w = value^(1/4) l'^-1 v.
  for (std::size_t k = 0; k < n; ++k) {
    if (!(values[k] > 0)) return false;
    const Span v = Span(m).subspan(k * n, n);
    solve_lower_transposed(a, n, v);
    const double scale = std::sqrt(std::sqrt(values[k]));
    for (double& x : v) x *= scale;
  }
  const Vec columns = transposed(m, n);
  s->resize(n * n);
  multiply_transposed(columns, columns, n, *s);
  return true;
}

}  // namespace fermiac::inference
