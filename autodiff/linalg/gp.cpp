// Covariance functions of Gaussian processes. All but the dot product are sigma² f(s), s = Σ_d (x_d - y_d)² / l_d² (for
// the periodic one s = sin²(π |x - y| / p) / l²).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "autodiff/errors.h"
#include "autodiff/linalg/kernel_tools.h"

namespace fermiac::ad {
namespace {

/// An array of numbers or of vectors.
struct Points {
  const double* v;
  double* a;
  Index n, dim;
  explicit Points(const KernelArg& x)
      : v(x.v), a(x.a), n(x.shape.array_dims[0]), dim(x.shape.inner_size()) {}
};

/// f and its slope with respect to s.
struct Value {
  double f, slope;
};
Value exp_quad(double s) {
  const double f = std::exp(-0.5 * s);
  return {f, -0.5 * f};
}
/// The same for a run of s, in place, times `variance`.
void exp_quad_run(double* s, Index n, double variance) {
  for (Index i = 0; i < n; ++i) s[i] *= -0.5;
  dense::ops().scaled_exp(n, variance, s, s);
}
Value exponential(double s) {
  const double r = std::sqrt(s), f = std::exp(-r);
  return {f, s == 0 ? 0 : -0.5 * f / r};
}
Value matern32(double s) {
  const double r = std::sqrt(3 * s), e = std::exp(-r);
  return {(1 + r) * e, -1.5 * e};
}
Value matern52(double s) {
  const double r = std::sqrt(5 * s), e = std::exp(-r);
  return {(1 + r + r * r / 3) * e, -5.0 / 6 * (1 + r) * e};
}

/// The call taken apart: one or two sets of points, then sigma, then length scales.
struct Gp {
  Points x, y;
  bool symmetric;
  const KernelArg &sigma, &scale;
  Gp(const KernelCall& c, std::size_t parameters)
      : x(c.in[0]), y(c.in[c.in.size() - parameters == 2 ? 1 : 0]), symmetric(c.in.size() - parameters == 1),
        sigma(c.in[c.in.size() - parameters]), scale(c.in[c.in.size() - parameters + (parameters > 1 ? 1 : 0)]) {}
  double length(Index d) const { return number(scale, is_container(scale) ? d : 0); }
  /// Calls visit(i, j) for every pair, the lower triangle of symmetric ones.
  template <class Visit>
  void each_pair(Visit visit) const {
    for (Index j = 0; j < y.n; ++j)
      for (Index i = symmetric ? j : 0; i < x.n; ++i) visit(i, j);
  }
  /// The adjoint of element (i, j), with that of (j, i) where it was a copy.
  double adjoint(const KernelCall& c, Index i, Index j) const {
    const double g = c.out_a[i + j * x.n];
    return symmetric && i != j ? g + c.out_a[j + i * x.n] : g;
  }
  void store(const KernelCall& c, Index i, Index j, double k) const {
    c.out[i + j * x.n] = k;
    if (symmetric) c.out[j + i * x.n] = k;
  }
};

template <std::size_t Parameters>
Plan gp_plan(const KernelCall& c) {
  const Gp gp(c, Parameters);
  if (gp.x.n > 0 && gp.y.n > 0) check_sizes_match(c.name, "dimension of x1", gp.x.dim, "dimension of x2", gp.y.dim);
  if (Parameters == 2 && is_container(gp.scale) && gp.x.n > 0)
    check_sizes_match(c.name, "x dimension", gp.x.dim, "number of length scales", size_of(gp.scale));
  return {Shape::matrix(static_cast<std::uint32_t>(gp.x.n), static_cast<std::uint32_t>(gp.y.n)), 0};
}

enum class Check { Positive, PositiveFinite };

void check_gp(const KernelCall& c, const Gp& gp, Check check) {
  const auto positive = check == Check::Positive ? check_positive : check_positive_finite;
  check_finite(c.name, gp.symmetric ? "x" : "x1", c.in[0]);
  if (!gp.symmetric) check_finite(c.name, "x2", c.in[1]);
  positive(c.name, "magnitude", gp.sigma);
  positive(c.name, "length scale", gp.scale);
}

double scaled_square(const Gp& gp, Index i, Index j) {
  if (gp.x.dim == 1) {
    const double z = (gp.x.v[i] - gp.y.v[j]) / gp.length(0);
    return z * z;
  }
  double s = 0;
  for (Index d = 0; d < gp.x.dim; ++d) {
    const double z = (gp.x.v[i * gp.x.dim + d] - gp.y.v[j * gp.x.dim + d]) / gp.length(d);
    s += z * z;
  }
  return s;
}

/// The squared exponential column by column: the exponentials of a whole column at once.
void exp_quad_forward(const KernelCall& c) {
  const Gp gp(c, 2);
  check_gp(c, gp, Check::Positive);
  const double variance = scalar_of(gp.sigma) * scalar_of(gp.sigma);
  for (Index j = 0; j < gp.y.n; ++j) {
    const Index first = gp.symmetric ? j : 0;
    double* column = c.out + j * gp.x.n;
    for (Index i = first; i < gp.x.n; ++i) column[i] = scaled_square(gp, i, j);
    exp_quad_run(column + first, gp.x.n - first, variance);
    if (gp.symmetric)
      for (Index i = first + 1; i < gp.x.n; ++i) c.out[j + i * gp.x.n] = column[i];
  }
}

template <Value (*F)(double), Check C>
void stationary(const KernelCall& c) {
  const Gp gp(c, 2);
  check_gp(c, gp, C);
  const double variance = scalar_of(gp.sigma) * scalar_of(gp.sigma);
  gp.each_pair([&](Index i, Index j) { gp.store(c, i, j, variance * F(scaled_square(gp, i, j)).f); });
}
template <Value (*F)(double)>
void stationary_reverse(const KernelCall& c) {
  const Gp gp(c, 2);
  const double sigma = scalar_of(gp.sigma), variance = sigma * sigma;
  const Index dim = gp.x.dim;
  const bool inner = gp.x.a || gp.y.a || gp.scale.a;
  const bool only_scale = !gp.x.a && !gp.y.a && !is_container(gp.scale);
  double for_sigma = 0, for_scale = 0;
  gp.each_pair([&](Index i, Index j) {
    const double g = gp.adjoint(c, i, j);
    for_sigma += g * c.out[i + j * gp.x.n];
    if (!inner) return;
    double slope = 0;
    if constexpr (F == exp_quad) slope = -0.5 * g * c.out[i + j * gp.x.n];
    else slope = g * variance * F(scaled_square(gp, i, j)).slope;
    if (only_scale) {
      for_scale -= slope * scaled_square(gp, i, j);
      return;
    }
    for (Index d = 0; d < dim; ++d) {
      const double l = gp.length(d), diff = gp.x.v[i * dim + d] - gp.y.v[j * dim + d];
      const double part = 2 * slope * diff / (l * l);
      if (gp.scale.a) gp.scale.a[is_container(gp.scale) ? d : 0] -= part * diff / l;
      if (gp.x.a) gp.x.a[i * dim + d] += part;
      if (gp.y.a) gp.y.a[j * dim + d] -= part;
    }
  });
  if (gp.sigma.a) *gp.sigma.a += 2 * for_sigma / sigma;
  if (only_scale && gp.scale.a) *gp.scale.a += 2 * for_scale / scalar_of(gp.scale);
}

// ---- periodic: sigma² exp(-2 sin²(π r / p) / l²), r the Euclidean distance

double euclidean(const Gp& gp, Index i, Index j) {
  double s = 0;
  for (Index d = 0; d < gp.x.dim; ++d) {
    const double z = gp.x.v[i * gp.x.dim + d] - gp.y.v[j * gp.x.dim + d];
    s += z * z;
  }
  return std::sqrt(s);
}
void periodic(const KernelCall& c) {
  const Gp gp(c, 3);
  check_gp(c, gp, Check::Positive);
  check_positive(c.name, "period", c.in.back());
  const double variance = scalar_of(gp.sigma) * scalar_of(gp.sigma), l = scalar_of(gp.scale), p = scalar_of(c.in.back());
  gp.each_pair([&](Index i, Index j) {
    const double s = std::sin(std::numbers::pi * euclidean(gp, i, j) / p) / l;
    gp.store(c, i, j, variance * std::exp(-2 * s * s));
  });
}
void periodic_reverse(const KernelCall& c) {
  const Gp gp(c, 3);
  const double sigma = scalar_of(gp.sigma), l = scalar_of(gp.scale), p = scalar_of(c.in.back());
  const Index dim = gp.x.dim;
  double for_sigma = 0, for_scale = 0, for_period = 0;
  gp.each_pair([&](Index i, Index j) {
    const double gk = gp.adjoint(c, i, j) * c.out[i + j * gp.x.n];
    const double r = euclidean(gp, i, j), angle = std::numbers::pi * r / p, s = std::sin(angle);
    for_sigma += gk;
    for_scale += gk * s * s;
    const double by_angle = -2 * gk * std::sin(2 * angle) / (l * l);
    for_period -= by_angle * angle / p;
    if (r == 0 || (!gp.x.a && !gp.y.a)) return;
    const double by_r = by_angle * std::numbers::pi / (p * r);
    for (Index d = 0; d < dim; ++d) {
      const double part = by_r * (gp.x.v[i * dim + d] - gp.y.v[j * dim + d]);
      if (gp.x.a) gp.x.a[i * dim + d] += part;
      if (gp.y.a) gp.y.a[j * dim + d] -= part;
    }
  });
  if (gp.sigma.a) *gp.sigma.a += 2 * for_sigma / sigma;
  if (gp.scale.a) *gp.scale.a += 4 * for_scale / (l * l * l);
  if (c.in.back().a) *c.in.back().a += for_period;
}

// ---- dot product: sigma² + x·y

void dot_prod(const KernelCall& c) {
  const Gp gp(c, 1);
  check_not_nan(c.name, gp.symmetric ? "x" : "x1", c.in[0]);
  if (!gp.symmetric) check_not_nan(c.name, "x2", c.in[1]);
  check_nonnegative(c.name, "sigma", gp.sigma);
  check_finite(c.name, "sigma", gp.sigma);
  const double variance = scalar_of(gp.sigma) * scalar_of(gp.sigma);
  gp.each_pair([&](Index i, Index j) {
    gp.store(c, i, j, variance + dense::dot(gp.x.dim, gp.x.v + i * gp.x.dim, gp.y.v + j * gp.x.dim));
  });
}
void dot_prod_reverse(const KernelCall& c) {
  const Gp gp(c, 1);
  const Index dim = gp.x.dim;
  double total = 0;
  gp.each_pair([&](Index i, Index j) {
    const double g = gp.adjoint(c, i, j);
    total += g;
    if (gp.x.a) dense::axpy(dim, g, gp.y.v + j * dim, gp.x.a + i * dim);
    if (gp.y.a) dense::axpy(dim, g, gp.x.v + i * dim, gp.y.a + j * dim);
  });
  if (gp.sigma.a) *gp.sigma.a += 2 * scalar_of(gp.sigma) * total;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(gp_kernels,
                       {"gp_exp_quad_cov", gp_plan<2>, exp_quad_forward, stationary_reverse<exp_quad>},
                       {"gp_exponential_cov", gp_plan<2>, stationary<exponential, Check::PositiveFinite>, stationary_reverse<exponential>},
                       {"gp_matern32_cov", gp_plan<2>, stationary<matern32, Check::PositiveFinite>, stationary_reverse<matern32>},
                       {"gp_matern52_cov", gp_plan<2>, stationary<matern52, Check::PositiveFinite>, stationary_reverse<matern52>},
                       {"gp_periodic_cov", gp_plan<3>, periodic, periodic_reverse},
                       {"gp_dot_prod_cov", gp_plan<1>, dot_prod, dot_prod_reverse})

}  // namespace fermiac::ad
