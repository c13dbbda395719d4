// The matrix exponential by scaling and squaring with a Padé approximant of degree 13 (Higham, SIAM J. Matrix Anal. Appl.
// 26, 2005) of the balanced matrix, its action on a matrix, and the adjoint by the exponential of a block matrix.
#include <algorithm>
#include <cmath>
#include <vector>

#include "autodiff/kernels/to_int.h"
#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using dense::product;
using dense::t;
using dense::view;
using dense::View;
using Numbers = std::vector<double>;

Numbers zeros(Index n) { return Numbers(static_cast<std::size_t>(n)); }
Numbers times(const Numbers& a, const Numbers& b, Index n) {
  Numbers r = zeros(n * n);
  dense::add_product(1, view(a.data(), n, n), view(b.data(), n, n), r.data());
  return r;
}
void add_identity(Numbers& a, Index n, double s) {
  for (Index i = 0; i < n; ++i) a[static_cast<std::size_t>(i + i * n)] += s;
}

constexpr double kPade[] = {64764752532480000., 32382376266240000., 7771770303897600., 1187353796428800., 129060195264000.,
                            10559470521600., 670442572800., 33522128640., 1323241920., 40840800., 960960., 16380., 182., 1.};

/// Σ_j c_{first+2j} A^{2j}, j = 0..6, from A², A⁴, A⁶.
Numbers half_polynomial(int first, const Numbers& a2, const Numbers& a4, const Numbers& a6, Index n) {
  Numbers high = zeros(n * n), low = zeros(n * n);
  for (std::size_t i = 0; i < high.size(); ++i) {
    low[i] = kPade[first + 2] * a2[i] + kPade[first + 4] * a4[i] + kPade[first + 6] * a6[i];
    high[i] = kPade[first + 8] * a2[i] + kPade[first + 10] * a4[i] + kPade[first + 12] * a6[i];
  }
  Numbers r = times(a6, high, n);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += low[i];
  add_identity(r, n, kPade[first]);
  return r;
}

double norm1(const Numbers& a, Index n) {
  double largest = 0;
  for (Index j = 0; j < n; ++j) {
    double s = 0;
    for (Index i = 0; i < n; ++i) s += std::abs(a[static_cast<std::size_t>(i + j * n)]);
    largest = std::max(largest, s);
  }
  return largest;
}

/// Scales rows and columns by powers of 2 until the norms of row k and column k are close, for all k (Parlett and Reinsch, Numer.
/// Math. 13, 1969): a = D^-1 a D. Returns the exponents of D, all 0 where the norm of `a` does not fall by half, for balancing may
/// then lose digits (Watkins, Electron. Trans. Numer. Anal. 23, 2006).
class Balance {
 public:
  Balance(Numbers& a, Index n) : n_(n), exponent_(static_cast<std::size_t>(n), 0) {
    Numbers balanced = a;
    constexpr int kMaxSweeps = 100;
    for (int sweep = 0; sweep < kMaxSweeps && improve(balanced); ++sweep) {
    }
    if (norm1(balanced, n) < 0.5 * norm1(a, n)) a = std::move(balanced);
    else std::fill(exponent_.begin(), exponent_.end(), 0);
  }
  /// e = D e D^-1
  void undo(Numbers& e) const {
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) at(e, i, j) = std::ldexp(at(e, i, j), of(i) - of(j));
  }

 private:
  double& at(Numbers& a, Index i, Index j) const { return a[static_cast<std::size_t>(i + j * n_)]; }
  int of(Index k) const { return exponent_[static_cast<std::size_t>(k)]; }
  bool improve(Numbers& a) {
    bool changed = false;
    for (Index k = 0; k < n_; ++k) changed |= balance(a, k);
    return changed;
  }
  bool balance(Numbers& a, Index k) {
    double column = 0, row = 0;
    for (Index i = 0; i < n_; ++i)
      if (i != k) column += std::abs(at(a, i, k)), row += std::abs(at(a, k, i));
    if (!(column > 0 && row > 0)) return false;
    const int e = to_int(std::round(0.5 * (std::log2(row) - std::log2(column))), -kMost, kMost);
    if (e == 0 || std::abs(of(k) + e) > kMost || !(std::ldexp(column, e) + std::ldexp(row, -e) < 0.95 * (column + row))) return false;
    for (Index i = 0; i < n_; ++i)
      if (i != k) at(a, i, k) = std::ldexp(at(a, i, k), e), at(a, k, i) = std::ldexp(at(a, k, i), -e);
    exponent_[static_cast<std::size_t>(k)] += e;
    return true;
  }

  static constexpr int kMost = 400;  // exponents that neither overflow nor lose digits
  Index n_;
  std::vector<int> exponent_;
};

Numbers expm(Numbers a, Index n) {
  if (n == 0) return a;
  if (!std::isfinite(norm1(a, n))) return Numbers(a.size(), std::nan(""));
  const Balance balance(a, n);
  const double norm = norm1(a, n);
  int squarings = 0;
  if (norm > 5.37) squarings = to_int(std::ceil(std::log2(norm / 5.37)), 0, 1100);
  for (double& x : a) x = std::ldexp(x, -squarings);
  const Numbers a2 = times(a, a, n), a4 = times(a2, a2, n), a6 = times(a2, a4, n);
  const Numbers u = times(a, half_polynomial(1, a2, a4, a6, n), n), v = half_polynomial(0, a2, a4, a6, n);
  Numbers p = v, q = v;
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] += u[i];
    q[i] -= u[i];
  }
  Numbers factors(static_cast<std::size_t>(dense::Lu::space(n)));
  dense::Lu::factor(q.data(), n, factors.data()).solve(p.data(), n);
  for (int s = 0; s < squarings; ++s) p = times(p, p, n);
  balance.undo(p);
  return p;
}

/// The derivative of expm at A in direction G: the upper right block of expm([A G; 0 A]).
Numbers expm_derivative(const Numbers& a, const Numbers& g, Index n) {
  const Index m = 2 * n;
  Numbers block = zeros(m * m), r = zeros(n * n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const double x = a[static_cast<std::size_t>(i + j * n)];
      block[static_cast<std::size_t>(i + j * m)] = block[static_cast<std::size_t>(i + n + (j + n) * m)] = x;
      block[static_cast<std::size_t>(i + (j + n) * m)] = g[static_cast<std::size_t>(i + j * n)];
    }
  block = expm(std::move(block), m);
  for (Index j = 0; j < n; ++j) std::copy_n(block.data() + (j + n) * m, n, r.data() + j * n);
  return r;
}

Numbers scaled(const KernelArg& a, double s) {
  Numbers r(a.v, a.v + size_of(a));
  for (double& x : r) x *= s;
  return r;
}
Numbers transposed(const Numbers& a, Index n) {
  Numbers r = zeros(n * n);
  dense::transpose(a.data(), n, n, r.data());
  return r;
}

Plan matrix_exp_plan(const KernelCall& c) {
  check_square(c.name, "m", c.in[0].shape);
  return {c.in[0].shape, 0};
}
void matrix_exp(const KernelCall& c) {
  const Numbers e = expm(scaled(c.in[0], 1), c.in[0].shape.rows);
  std::copy(e.begin(), e.end(), c.out);
}
void matrix_exp_reverse(const KernelCall& c) {
  const Index n = c.in[0].shape.rows;
  const Numbers g(c.out_a, c.out_a + n * n);
  const Numbers d = expm_derivative(transposed(scaled(c.in[0], 1), n), g, n);
  dense::axpy(n * n, 1, d.data(), c.in[0].a);
}

/// exp(s A) B; operands (A, B) or (s, A, B).
struct Action {
  const KernelArg *s, &a, &b;
  Index n, m;
  explicit Action(const KernelCall& c)
      : s(c.in.size() == 3 ? &c.in[0] : nullptr), a(c.in[c.in.size() - 2]), b(c.in.back()), n(a.shape.rows), m(b.shape.cols) {}
  double scale() const { return s ? scalar_of(*s) : 1; }
};
Plan action_plan(const KernelCall& c) {
  const Action x(c);
  check_square(c.name, "A", x.a.shape);
  check_sizes_match(c.name, "columns of A", x.a.shape.cols, "rows of B", x.b.shape.rows);
  return {x.b.shape, 0};
}
void action(const KernelCall& c) {
  const Action x(c);
  const Numbers e = expm(scaled(x.a, x.scale()), x.n);
  product(view(e.data(), x.n, x.n), as_matrix(x.b), c.out);
}
/// B̄ += E' C̄; with D the derivative of expm at (s A)' in direction C̄ B': Ā += s D, s̄ += A·D.
void action_reverse(const KernelCall& c) {
  const Action x(c);
  const Index n = x.n;
  const View g = view(c.out_a, n, x.m);
  const Numbers at = transposed(scaled(x.a, x.scale()), n);
  if (x.b.a) {
    const Numbers e = expm(at, n);
    dense::add_product(1, view(e.data(), n, n), g, x.b.a);
  }
  if (!x.a.a && !(x.s && x.s->a)) return;
  Numbers direction = zeros(n * n);
  product(g, t(as_matrix(x.b)), direction.data());
  const Numbers d = expm_derivative(at, direction, n);
  if (x.a.a) dense::axpy(n * n, x.scale(), d.data(), x.a.a);
  if (x.s && x.s->a) *x.s->a += dense::dot(n * n, x.a.v, d.data());
}

}  // namespace

FERMIAC_EXPORT_KERNELS(matrix_exp_kernels, {"matrix_exp", matrix_exp_plan, matrix_exp, matrix_exp_reverse},
                       {"matrix_exp_multiply", action_plan, action, action_reverse},
                       {"scale_matrix_exp_multiply", action_plan, action, action_reverse})

}  // namespace fermiac::ad
