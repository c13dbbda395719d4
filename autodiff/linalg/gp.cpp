// Covariance functions of Gaussian processes. All but the dot product are sigma² f(s), s = Σ_d (x_d - y_d)² / l_d²; for
// the periodic one s = Σ_d (x_d - y_d)² and f = exp(-2 sin²(π √s / p) / l²).
#include <algorithm>
#include <cmath>
#include <numbers>

#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/pieces.h"
#include "autodiff/linalg/gp_loops.h"
#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/linalg/triangles.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
FERMIAC_DECLARE_FOR_ISAS(extern const GpLoops gp_loop_table;)

const GpLoops& gp_loops() {
  static const GpLoops& table = FERMIAC_FOR_ACTIVE_ISA(gp_loop_table);
  return table;
}

namespace {

using dense::t;
using dense::View;

/// An array of numbers or of vectors.
struct Points {
  const double* v;
  double* a;
  Index n, dim;
  explicit Points(const KernelArg& x) : v(x.v), a(x.a), n(x.shape.array_dims[0]), dim(x.shape.inner_size()) {}
  /// A column per point.
  dense::View matrix() const { return dense::view(v, dim, n); }
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
  /// Of points without coordinates there need not be any.
  double length(Index d) const {
    const Index at = is_container(scale) ? d : 0;
    return at < size_of(scale) ? number(scale, at) : 1;
  }
};

/// Columns in pieces, the same for any number of threads.
constexpr Index kLargeCovariance = 1 << 16;
constexpr std::uint32_t kColumnsOfPiece = 64, kMostPieces = 16;
Pieces pieces_of(const Gp& gp) {
  const auto columns = static_cast<std::uint32_t>(gp.y.n);
  return Pieces(columns, gp.x.n * gp.y.n < kLargeCovariance ? columns : kColumnsOfPiece, kMostPieces);
}

/// Scratch: a factor per dimension; coordinates dimension by dimension; for each piece the adjoints of factors and
/// coordinates, where some are wanted.
struct Workplace {
  Index dim, piece;
  double *factors, *x, *y, *adjoints;
  Workplace(const Gp& gp, double* scratch)
      : dim(gp.x.dim),
        piece(size(gp)),
        factors(scratch),
        x(factors + dim),
        y(gp.symmetric ? x : x + gp.x.n * dim),
        adjoints(scratch + piece) {}
  static Index size(const Gp& gp) { return (1 + gp.x.n + (gp.symmetric ? 0 : gp.y.n)) * gp.x.dim; }
  GpAdjoints of_piece(const Gp& gp, std::uint32_t k) const {
    double* own = adjoints + k * piece;
    return {own + dim, gp.symmetric ? own + dim : own + dim + gp.x.n * dim, own};
  }
};

bool spreads(const Gp& gp, const KernelCall& c) {
  return c.in[0].autodiff || (!gp.symmetric && c.in[1].autodiff) || (is_container(gp.scale) && gp.scale.autodiff);
}

template <std::size_t Parameters>
Plan gp_plan(const KernelCall& c) {
  const Gp gp(c, Parameters);
  if (gp.x.n > 0 && gp.y.n > 0) check_sizes_match(c.name, "dimension of x1", gp.x.dim, "dimension of x2", gp.y.dim);
  if (Parameters == 2 && is_container(gp.scale) && gp.x.n > 0)
    check_sizes_match(c.name, "x dimension", gp.x.dim, "number of length scales", size_of(gp.scale));
  const Shape out = Shape::matrix(static_cast<std::uint32_t>(gp.x.n), static_cast<std::uint32_t>(gp.y.n));
  if (Parameters == 1) return {out, 0};
  const Index pieces = spreads(gp, c) ? pieces_of(gp).count : 0;
  return {out, static_cast<std::uint64_t>((1 + pieces) * Workplace::size(gp))};
}

enum class Check { Positive, PositiveFinite };

void check_gp(const KernelCall& c, const Gp& gp, Check check) {
  const auto positive = check == Check::Positive ? check_positive : check_positive_finite;
  check_finite(c.name, gp.symmetric ? "x" : "x1", c.in[0]);
  if (!gp.symmetric) check_finite(c.name, "x2", c.in[1]);
  positive(c.name, "magnitude", gp.sigma);
  positive(c.name, "length scale", gp.scale);
}

// ---- functions of the distance, by blocks of pairs

template <GpForm F>
GpScales scales_of(const KernelCall& c, const Gp& gp) {
  const double sigma = scalar_of(gp.sigma);
  if (F != GpForm::Periodic) return {.variance = sigma * sigma};
  return {sigma * sigma, 1 / scalar_of(gp.scale), std::numbers::pi / scalar_of(c.in.back())};
}

struct Block {
  Index i, rows, j, columns;
  bool mirrored;  // its transpose is a copy
};
constexpr Index kPanel = 32, kRun = 64, kSquare = 8;

/// Columns j… of a symmetric matrix down to the last of their own rows: squares on the diagonal and what is below.
template <class Visit>
void each_block_on_diagonal(Index j, Index columns, Visit& visit) {
  const Index end = j + columns;
  for (; j < end; j += kSquare) {
    const Index w = std::min(kSquare, end - j);
    visit(Block{j, w, j, w, false});
    if (j + w < end) visit(Block{j + w, end - j - w, j, w, true});
  }
}
/// Blocks that cover these columns; of a symmetric matrix from the diagonal down.
template <class Visit>
void each_block(const Gp& gp, Index first, Index count, Visit visit) {
  const Index end = first + count;
  for (Index j = first; j < end; j += kPanel) {
    const Index columns = std::min(kPanel, end - j);
    stop_point();
    if (gp.symmetric) each_block_on_diagonal(j, columns, visit);
    for (Index i = gp.symmetric ? j + columns : 0; i < gp.x.n; i += kRun)
      visit(Block{i, std::min(kRun, gp.x.n - i), j, columns, gp.symmetric});
  }
}

GpBlock points_of(const Gp& gp, const Workplace& w, const Block& b) {
  return {b.rows, b.columns, w.dim, w.x + b.i, w.y + b.j, gp.x.n, gp.y.n, w.factors, gp.x.n};
}

template <GpForm F, Check C>
void stationary(const KernelCall& c) {
  const Gp gp(c, F == GpForm::Periodic ? 3 : 2);
  check_gp(c, gp, C);
  if (F == GpForm::Periodic) check_positive(c.name, "period", c.in.back());
  if (gp.x.n == 0 || gp.y.n == 0) return;
  stop_point();
  const Workplace w(gp, c.scratch);
  for (Index d = 0; d < w.dim; ++d) w.factors[d] = F == GpForm::Periodic ? 1 : 1 / gp.length(d);
  dense::transpose(gp.x.v, w.dim, gp.x.n, w.x);
  if (!gp.symmetric) dense::transpose(gp.y.v, w.dim, gp.y.n, w.y);
  const GpScales scales = scales_of<F>(c, gp);
  const Index n = gp.x.n;
  const Pieces pieces = pieces_of(gp);
  auto columns = [&](std::uint32_t k) {
    each_block(gp, pieces.begin(k), pieces.length(k, static_cast<std::uint32_t>(gp.y.n)), [&](const Block& b) {
      double* own = c.out + b.i + b.j * n;
      gp_loops().value[static_cast<int>(F)](points_of(gp, w, b), scales, own);
      if (b.mirrored) dense::symmetric_ops().turn_over(b.rows, b.columns, own, n, c.out + b.j + b.i * n, n);
    });
  };
  each_piece(pieces.count, columns);
}

/// What a piece adds to the adjoints of lengths and coordinates.
void add_spread(const Gp& gp, const Workplace& w, const GpAdjoints& a) {
  for (Index d = 0; d < w.dim; ++d) {
    if (gp.scale.a && is_container(gp.scale)) gp.scale.a[d] -= 2 * a.lengths[d] / gp.length(d);
    for (Index i = 0; gp.x.a && i < gp.x.n; ++i) gp.x.a[i * w.dim + d] += a.x[i + d * gp.x.n];
    for (Index j = 0; gp.y.a && !gp.symmetric && j < gp.y.n; ++j) gp.y.a[j * w.dim + d] += a.y[j + d * gp.y.n];
  }
}

/// The adjoints that are wanted.
GpAdjoints clear_spread(const Gp& gp, const Workplace& w, const GpAdjoints& a) {
  std::fill_n(a.lengths, w.piece, 0.0);
  return {gp.x.a ? a.x : nullptr, gp.y.a ? a.y : nullptr, gp.scale.a && is_container(gp.scale) ? a.lengths : nullptr};
}

/// Those of the first row and column of a block.
GpAdjoints shifted(const GpAdjoints& a, const Block& b) {
  return {a.x ? a.x + b.i : nullptr, a.y ? a.y + b.j : nullptr, a.lengths};
}

/// Adjoints of magnitude, length scale and period.
template <GpForm F>
void add_scales(const KernelCall& c, const Gp& gp, const GpSums& sums) {
  const double l = gp.length(0);
  if (gp.sigma.a) *gp.sigma.a += 2 * sums.value / scalar_of(gp.sigma);
  if (F == GpForm::Periodic && c.in.back().a) *c.in.back().a -= sums.angle / scalar_of(c.in.back());
  if (!gp.scale.a || is_container(gp.scale)) return;
  *gp.scale.a += F == GpForm::Periodic ? 4 * sums.inner / (l * l * l) : -2 * sums.inner / l;
}

template <GpForm F>
void stationary_reverse(const KernelCall& c) {
  const Gp gp(c, F == GpForm::Periodic ? 3 : 2);
  if (gp.x.n == 0 || gp.y.n == 0) return;
  const GpScales scales = scales_of<F>(c, gp);
  const Workplace w(gp, c.scratch);
  const bool spread = gp.x.a || gp.y.a || (gp.scale.a && is_container(gp.scale));
  const Index n = gp.x.n;
  const Pieces pieces = pieces_of(gp);
  GpSums sums[kMostPieces];
  auto columns = [&](std::uint32_t k) {
    const GpAdjoints a = spread ? clear_spread(gp, w, w.of_piece(gp, k)) : GpAdjoints{};
    each_block(gp, pieces.begin(k), pieces.length(k, static_cast<std::uint32_t>(gp.y.n)), [&](const Block& b) {
      const Index own = b.i + b.j * n, across = b.j + b.i * n;
      gp_loops().slope[static_cast<int>(F)](points_of(gp, w, b), scales, c.out + own, c.out_a + own,
                                            b.mirrored ? c.out_a + across : nullptr, sums[k], shifted(a, b));
    });
  };
  each_piece(pieces.count, columns);
  for (std::uint32_t k = 0; k < pieces.count; ++k) {
    add_scales<F>(c, gp, sums[k]);
    if (spread) add_spread(gp, w, w.of_piece(gp, k));
  }
}

// ---- dot product: sigma² + x·y

void dot_prod(const KernelCall& c) {
  const Gp gp(c, 1);
  check_not_nan(c.name, gp.symmetric ? "x" : "x1", c.in[0]);
  if (!gp.symmetric) check_not_nan(c.name, "x2", c.in[1]);
  check_nonnegative(c.name, "sigma", gp.sigma);
  check_finite(c.name, "sigma", gp.sigma);
  const View x = gp.x.matrix(), y = gp.y.matrix();
  std::fill_n(c.out, x.cols * y.cols, scalar_of(gp.sigma) * scalar_of(gp.sigma));
  if (!gp.symmetric) return dense::add_product(1, t(x), y, c.out);
  dense::add_lower_product(1, t(x), x, c.out, x.cols);
  dense::symmetric_ops().mirror(x.cols, c.out);
}
/// With G the adjoint of the result: X̄ += Y G', Ȳ += X G; both where X is Y.
void dot_prod_reverse(const KernelCall& c) {
  const Gp gp(c, 1);
  const View x = gp.x.matrix(), y = gp.y.matrix(), g = dense::view(c.out_a, x.cols, y.cols);
  if (gp.x.a) dense::add_product(1, y, t(g), gp.x.a);
  if (gp.y.a) dense::add_product(1, x, g, gp.y.a);
  if (gp.sigma.a) *gp.sigma.a += 2 * scalar_of(gp.sigma) * dense::ops().sum(x.cols * y.cols, c.out_a);
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
