// Gaussian dynamic linear models with the states integrated out by the Kalman filter, and the adjoint of the filter.
//   y_t = F' θ_t + N(0, V),  θ_t = G θ_{t-1} + N(0, W),  θ_0 ~ N(m0, C0)
#include <algorithm>
#include <cmath>
#include <vector>

#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

using dense::t;
using dense::view;
using dense::View;

constexpr double kLogTwoPi = 1.83787706640934548356;

/// A small matrix of our own, column-major.
struct Block {
  Index rows, cols;
  std::vector<double> x;
  Block(Index r, Index c) : rows(r), cols(c), x(static_cast<std::size_t>(r * c)) {}
  Block(Index r, Index c, const double* from) : rows(r), cols(c), x(from, from + r * c) {}
  operator View() const { return view(x.data(), rows, cols); }
  double& at(Index i, Index j) { return x[static_cast<std::size_t>(i + j * rows)]; }
  Block& add(double s, View a, View b) {
    dense::add_product(s, a, b, x.data());
    return *this;
  }
  Block& add(double s, const Block& b) {
    dense::axpy(rows * cols, s, b.x.data(), x.data());
    return *this;
  }
  Block& symmetrize() {
    dense::symmetrize(x.data(), rows);
    return *this;
  }
  void add_to(double* a) const {
    if (a) dense::axpy(rows * cols, 1, x.data(), a);
  }
};
Block times(View a, View b) { return Block(a.rows, b.cols).add(1, a, b); }
Block times(View a, View b, View c) { return times(times(a, b), c); }

enum Operand { kY, kF, kG, kV, kW, kM0, kC0 };

struct Model {
  Index r, steps, n;
  View f, g, w;
  Block v;
  explicit Model(const KernelCall& c)
      : r(c.in[kF].shape.cols), steps(c.in[kY].shape.cols), n(c.in[kF].shape.rows), f(as_matrix(c.in[kF])),
        g(as_matrix(c.in[kG])), w(as_matrix(c.in[kW])), v(r, r) {
    const bool diagonal = c.in[kV].shape.inner == Inner::Vector;
    for (Index i = 0; i < r * r; ++i)
      if (!diagonal) v.x[static_cast<std::size_t>(i)] = c.in[kV].v[i];
    for (Index i = 0; i < r && diagonal; ++i) v.at(i, i) = c.in[kV].v[i];
  }
};

/// One step of the filter from the state before it, (m, C).
struct Step {
  Block a, big_r, b, qi, e, u;
  double log_det = 0;
  Step(const KernelCall& c, const Model& d, Index s, const Block& m, const Block& cov)
      : a(times(d.g, m)), big_r(times(d.g, cov, t(d.g))), b(d.n, d.r), qi(d.r, d.r), e(d.r, 1), u(d.r, 1) {
    dense::axpy(d.n * d.n, 1, d.w.p, big_r.x.data());
    b.add(1, big_r, d.f);
    Block q = times(t(d.f), b);
    q.add(1, d.v);
    dense::symmetrize(q.x.data(), d.r);
    Block l(d.r, d.r);
    factor_or_throw(c.name, "Q", q.x.data(), d.r, l.x.data());
    for (Index i = 0; i < d.r; ++i) log_det += 2 * std::log(l.at(i, i));
    dense::invert_from_cholesky(l.x.data(), d.r, qi.x.data());
    e.add(-1, t(d.f), a);
    dense::axpy(d.r, 1, c.in[kY].v + s * d.r, e.x.data());
    u.add(1, qi, e);
  }
  Block mean() const { return Block(a).add(1, b, u); }
  Block covariance() const { return Block(big_r).add(-1, times(b, qi), t(b)).symmetrize(); }
};

struct Adjoints {
  Block f, g, v, w;
  explicit Adjoints(const Model& d) : f(d.n, d.r), g(d.n, d.n), v(d.r, d.r), w(d.n, d.n) {}
};

/// Maps the adjoints of the state after a step to those of the state before it. The adjoint of a symmetric matrix is kept exactly
/// symmetric: the filter damps only its symmetric part, so an antisymmetric part left by rounding would grow from step to step.
void reverse_step(const KernelCall& c, const Model& d, Index s, double weight, const Block& m, const Block& cov, Block& m_a,
                  Block& cov_a, Adjoints& to) {
  const Step p(c, d, s, m, cov);
  Block b_a = times(m_a, t(p.u)), u_a = times(t(p.b), m_a), e_a(d.r, 1), qi_a(d.r, d.r), r_a = cov_a;
  const Block bq = times(p.b, p.qi);
  b_a.add(-1, cov_a, bq).add(-1, t(cov_a), bq);
  qi_a.add(-1, t(p.b), times(cov_a, p.b)).add(-0.5 * weight, p.e, t(p.e)).add(1, u_a, t(p.e));
  e_a.add(-weight, p.u).add(1, p.qi, u_a);
  // -weight/2 e'Q⁻¹e is in qi_a and in e_a; the determinant goes straight to Q̄.
  Block q_a = Block(d.r, d.r).add(-0.5 * weight, p.qi).add(-1, p.qi, times(qi_a, p.qi));
  Block q_sum = q_a;
  for (Index j = 0; j < d.r; ++j)
    for (Index i = 0; i < d.r; ++i) q_sum.at(i, j) += q_a.at(j, i);
  if (c.in[kY].a) dense::axpy(d.r, 1, e_a.x.data(), c.in[kY].a + s * d.r);
  to.v.add(1, q_a);
  to.f.add(0.5, p.b, q_sum).add(0.5, p.b, t(q_sum)).add(1, t(p.big_r), b_a);
  r_a.add(1, d.f, times(q_a, t(d.f))).add(1, b_a, t(d.f)).symmetrize();
  Block a_a = m_a;
  a_a.add(-1, d.f, e_a);
  to.f.add(-1, p.a, t(e_a));
  to.w.add(1, r_a);
  to.g.add(1, r_a, times(d.g, t(cov))).add(1, t(r_a), times(d.g, cov)).add(1, a_a, t(m));
  m_a = times(t(d.g), a_a);
  cov_a = times(t(d.g), r_a, d.g).symmetrize();
}

Plan dlm_plan(const KernelCall& c) {
  const Shape &y = c.in[kY].shape, &f = c.in[kF].shape, &v = c.in[kV].shape;
  check_sizes_match(c.name, "columns of F", f.cols, "rows of y", y.rows);
  check_sizes_match(c.name, "rows of F", f.rows, "rows of G", c.in[kG].shape.rows);
  for (auto [j, label] : {std::pair{kG, "G"}, std::pair{kW, "W"}, std::pair{kC0, "C0"}}) {
    check_square(c.name, label, c.in[j].shape);
    check_sizes_match(c.name, std::string("rows of ") + label, c.in[j].shape.rows, "rows of F", f.rows);
  }
  if (v.inner == Inner::Matrix) check_square(c.name, "V", v);
  check_sizes_match(c.name, "size of V", v.rows, "rows of y", y.rows);
  check_sizes_match(c.name, "size of m0", size_of(c.in[kM0]), "rows of F", f.rows);
  return {Shape::scalar(), 0};
}

/// Positive semidefinite up to 1e-8.
void check_semidefinite(const KernelCall& c, const char* label, const KernelArg& a) {
  const Index n = a.shape.rows;
  check_symmetric(c.name, label, a.v, n);
  Block l(n, n, a.v);
  for (Index i = 0; i < n; ++i) l.at(i, i) += 1e-8;
  if (!dense::cholesky(l.x.data(), n)) domain_error(c.name, std::string(label) + " is not positive semidefinite.");
}

void check_dlm(const KernelCall& c, const Model& d) {
  static constexpr const char* kLabels[] = {"y", "F", "G", "V", "W", "m0", "C0"};
  for (std::size_t j = 0; j < 7; ++j) check_finite(c.name, kLabels[j], c.in[j]);
  if (c.in[kV].shape.inner == Inner::Matrix) check_semidefinite(c, "V", c.in[kV]);
  else check_nonnegative(c.name, "V", c.in[kV]);
  check_semidefinite(c, "W", c.in[kW]);
  check_symmetric(c.name, "C0", c.in[kC0].v, d.n);
  Block l(d.n, d.n);
  factor_or_throw(c.name, "C0", c.in[kC0].v, d.n, l.x.data());
}

double gaussian_dlm_obs(const KernelCall& c, double g) {
  const Model d(c);
  check_dlm(c, d);
  if (!c.keep(0b1111111) || d.steps == 0) return 0;
  std::vector<Block> means{Block(d.n, 1, c.in[kM0].v)}, covariances{Block(d.n, d.n, c.in[kC0].v)};
  double lp = c.propto ? 0 : -0.5 * static_cast<double>(d.r * d.steps) * kLogTwoPi;
  for (Index s = 0; s < d.steps; ++s) {
    stop_point();
    const Step p(c, d, s, means.back(), covariances.back());
    lp -= 0.5 * (p.log_det + dense::dot(d.r, p.e.x.data(), p.u.x.data()));
    means.push_back(p.mean());
    covariances.push_back(p.covariance());
  }
  if (g == 0) return lp;
  Adjoints to(d);
  Block m_a(d.n, 1), cov_a(d.n, d.n);
  for (Index s = d.steps - 1; s >= 0; --s) {
    stop_point();
    const auto at = static_cast<std::size_t>(s);
    reverse_step(c, d, s, g, means[at], covariances[at], m_a, cov_a, to);
  }
  to.f.add_to(c.in[kF].a);
  to.g.add_to(c.in[kG].a);
  to.w.add_to(c.in[kW].a);
  if (c.in[kV].shape.inner == Inner::Matrix) to.v.add_to(c.in[kV].a);
  else if (c.in[kV].a)
    for (Index i = 0; i < d.r; ++i) c.in[kV].a[i] += to.v.at(i, i);
  m_a.add_to(c.in[kM0].a);
  cov_a.add_to(c.in[kC0].a);
  return lp;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(dynamic_linear_kernels, density<gaussian_dlm_obs>("gaussian_dlm_obs_lpdf", dlm_plan))

}  // namespace fermiac::ad
