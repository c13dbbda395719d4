// Covariance functions of Gaussian processes. All but the dot product are sigma² f(s), s = Σ_d (x_d - y_d)² / l_d²; for
// the periodic one s = Σ_d (x_d - y_d)² and f = exp(-2 sin²(π √s / p) / l²).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "autodiff/errors.h"
#include "autodiff/kernels/pick_isa.h"
#include "autodiff/linalg/gp_loops.h"
#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/linalg/triangles.h"

namespace fermiac::ad {
FERMIAC_DECLARE_FOR_ISAS(extern const GpLoops gp_loop_table)

const GpLoops& gp_loops() {
  static const GpLoops& table = FERMIAC_FOR_ACTIVE_ISA(gp_loop_table);
  return table;
}

namespace {

/// An array of numbers or of vectors.
struct Points {
  const double* v;
  double* a;
  Index n, dim;
  explicit Points(const KernelArg& x) : v(x.v), a(x.a), n(x.shape.array_dims[0]), dim(x.shape.inner_size()) {}
};

/// The call taken apart: one or two sets of points, then sigma, then length scales.
struct Gp {
  Points x, y;
  bool symmetric;
  const KernelArg &sigma, &scale;
  Gp(const KernelCall& c, std::size_t parameters)
      : x(c.in[0]),
        y(c.in[c.in.size() - parameters == 2 ? 1 : 0]),
        symmetric(c.in.size() - parameters == 1),
        sigma(c.in[c.in.size() - parameters]),
        scale(c.in[c.in.size() - parameters + (parameters > 1 ? 1 : 0)]) {}
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

/// Scratch: the coordinates of x, dimension by dimension.
template <std::size_t Parameters>
Plan gp_plan(const KernelCall& c) {
  const Gp gp(c, Parameters);
  if (gp.x.n > 0 && gp.y.n > 0) check_sizes_match(c.name, "dimension of x1", gp.x.dim, "dimension of x2", gp.y.dim);
  if (Parameters == 2 && is_container(gp.scale) && gp.x.n > 0)
    check_sizes_match(c.name, "x dimension", gp.x.dim, "number of length scales", size_of(gp.scale));
  return {Shape::matrix(static_cast<std::uint32_t>(gp.x.n), static_cast<std::uint32_t>(gp.y.n)),
          static_cast<std::uint32_t>(gp.x.n * gp.x.dim)};
}

enum class Check { Positive, PositiveFinite };

void check_gp(const KernelCall& c, const Gp& gp, Check check) {
  const auto positive = check == Check::Positive ? check_positive : check_positive_finite;
  check_finite(c.name, gp.symmetric ? "x" : "x1", c.in[0]);
  if (!gp.symmetric) check_finite(c.name, "x2", c.in[1]);
  positive(c.name, "magnitude", gp.sigma);
  positive(c.name, "length scale", gp.scale);
}

// ---- functions of the distance, a run of one column at a time

template <GpForm F>
GpScales scales_of(const KernelCall& c, const Gp& gp) {
  const double sigma = scalar_of(gp.sigma);
  if (F != GpForm::Periodic) return {.variance = sigma * sigma};
  return {sigma * sigma, 1 / scalar_of(gp.scale), std::numbers::pi / scalar_of(c.in.back())};
}
/// What differences of dimension d are multiplied by.
template <GpForm F>
double factor(const Gp& gp, Index d) {
  return F == GpForm::Periodic ? 1 : 1 / gp.length(d);
}

/// The s of x_first … against y_j.
template <GpForm F>
void distances(const KernelCall& c, const Gp& gp, Index first, Index count, Index j, double* s) {
  std::fill_n(s, count, 0.0);
  for (Index d = 0; d < gp.x.dim; ++d)
    gp_loops().add_squares(count, c.scratch + first + d * gp.x.n, gp.y.v[j * gp.x.dim + d], factor<F>(gp, d), s);
}

template <GpForm F, Check C>
void stationary(const KernelCall& c) {
  const Gp gp(c, F == GpForm::Periodic ? 3 : 2);
  check_gp(c, gp, C);
  if (F == GpForm::Periodic) check_positive(c.name, "period", c.in.back());
  dense::transpose(gp.x.v, gp.x.dim, gp.x.n, c.scratch);
  const GpScales scales = scales_of<F>(c, gp);
  for (Index j = 0; j < gp.y.n; ++j) {
    const Index first = gp.symmetric ? j : 0;
    double* run = c.out + first + j * gp.x.n;
    distances<F>(c, gp, first, gp.x.n - first, j, run);
    gp_loops().value[static_cast<int>(F)](gp.x.n - first, scales, run);
  }
  if (gp.symmetric) dense::symmetric_ops().mirror(gp.x.n, c.out);
}

/// Slopes with respect to s (periodic: to the angle) to those of the coordinates and the length scale of each
/// dimension.
template <GpForm F>
void spread(const KernelCall& c, const Gp& gp, Index first, Index count, Index j, const double* w) {
  const Index dim = gp.x.dim;
  const double angle = F == GpForm::Periodic ? std::numbers::pi / scalar_of(c.in.back()) : 0;
  for (Index i = first; i < first + count; ++i) {
    double by_square = 2 * w[i - first];
    if (F == GpForm::Periodic) {
      double square = 0;
      for (Index d = 0; d < dim; ++d) square += std::pow(gp.x.v[i * dim + d] - gp.y.v[j * dim + d], 2);
      by_square = square == 0 ? 0 : w[i - first] * angle / std::sqrt(square);
    }
    for (Index d = 0; d < dim; ++d) {
      const double f = factor<F>(gp, d), diff = gp.x.v[i * dim + d] - gp.y.v[j * dim + d];
      const double part = by_square * diff * f * f;
      if (F != GpForm::Periodic && gp.scale.a) gp.scale.a[is_container(gp.scale) ? d : 0] -= part * diff * f;
      if (gp.x.a) gp.x.a[i * dim + d] += part;
      if (gp.y.a) gp.y.a[j * dim + d] -= part;
    }
  }
}

constexpr Index kRun = 256;

/// The adjoints of rows first… and columns j0…: with those of the elements that were copies.
void gather_adjoints(const KernelCall& c, const Gp& gp, Index first, Index count, Index j0, Index columns, double* g) {
  const Index n = gp.x.n;
  const double* own = c.out_a + first + j0 * n;
  if (gp.symmetric) gp_loops().fold(count, columns, own, c.out_a + j0 + first * n, n, g, kRun);
  for (Index q = 0; q < columns; ++q) {
    if (!gp.symmetric)
      std::copy_n(own + q * n, count, g + q * kRun);
    else if (const Index i = j0 + q - first; i >= 0 && i < count)
      g[i + q * kRun] *= 0.5;
  }
}

template <GpForm F>
void stationary_reverse(const KernelCall& c) {
  const Gp gp(c, F == GpForm::Periodic ? 3 : 2);
  const GpScales scales = scales_of<F>(c, gp);
  const bool one_scale = F == GpForm::Periodic || !is_container(gp.scale);
  const bool spreads = gp.x.a || gp.y.a || (gp.scale.a && !one_scale);
  double s[kRun], g[kRun * kGpColumns];
  GpSums sums;
  for (Index j0 = 0; j0 < gp.y.n; j0 += kGpColumns)
    for (Index first = gp.symmetric ? j0 : 0; first < gp.x.n; first += kRun) {
      const Index columns = std::min(kGpColumns, gp.y.n - j0), count = std::min(kRun, gp.x.n - first);
      gather_adjoints(c, gp, first, count, j0, columns, g);
      for (Index q = 0; q < columns; ++q) {
        const Index j = j0 + q, skip = gp.symmetric ? std::max<Index>(0, std::min(j - first, count)) : 0;
        distances<F>(c, gp, first + skip, count - skip, j, s);
        gp_loops().slope[static_cast<int>(F)](count - skip, scales, c.out + first + skip + j * gp.x.n,
                                              g + skip + q * kRun, s, sums);
        if (spreads) spread<F>(c, gp, first + skip, count - skip, j, s);
      }
    }
  const double l = one_scale ? scalar_of(gp.scale) : 1;
  if (gp.sigma.a) *gp.sigma.a += 2 * sums.value / scalar_of(gp.sigma);
  if (F == GpForm::Periodic && gp.scale.a) *gp.scale.a += 4 * sums.inner / (l * l * l);
  if (F == GpForm::Periodic && c.in.back().a) *c.in.back().a -= sums.angle / scalar_of(c.in.back());
  if (F != GpForm::Periodic && gp.scale.a && !spreads) *gp.scale.a -= 2 * sums.inner / l;
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

template <GpForm F, Check C>
constexpr Kernel stationary_row(std::string_view name) {
  return {name, gp_plan < F == GpForm::Periodic ? 3 : 2 >, stationary<F, C>, stationary_reverse<F>};
}

}  // namespace

FERMIAC_EXPORT_KERNELS(gp_kernels, stationary_row<GpForm::ExpQuad, Check::Positive>("gp_exp_quad_cov"),
                       stationary_row<GpForm::Exponential, Check::PositiveFinite>("gp_exponential_cov"),
                       stationary_row<GpForm::Matern32, Check::PositiveFinite>("gp_matern32_cov"),
                       stationary_row<GpForm::Matern52, Check::PositiveFinite>("gp_matern52_cov"),
                       stationary_row<GpForm::Periodic, Check::Positive>("gp_periodic_cov"),
                       {"gp_dot_prod_cov", gp_plan<1>, dot_prod, dot_prod_reverse})

}  // namespace fermiac::ad
