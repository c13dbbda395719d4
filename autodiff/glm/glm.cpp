// Generalised linear models: eta = alpha + X beta and the log density of y given eta in one pass over X. Rows are taken
// in tiles, so that X comes from memory once for value and gradient.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/glm/glm_links.h"
#include "autodiff/kernels/isa.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/kernels/pieces.h"
#include "autodiff/kernels/special_scalar.h"
#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/multivariate/ordered.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {

FERMIAC_DECLARE_FOR_ISAS(extern const glm::Links glm_links;)

namespace glm {

const Links& links() { return FERMIAC_FOR_ACTIVE_ISA(glm_links); }

}  // namespace glm

namespace {

constexpr Index kTile = 512;
constexpr Index kTileStride = kTile + 8;         // vector loops may run over the end
constexpr Index kTileScratch = 4 * kTileStride;  // eta, slope, y and one more
constexpr double kLogSqrtTwoPi = 0.91893853320467274178;
constexpr const char* kOutcomes = "Vector of dependent variables";

/// The operands that all models share. X with one row (a row vector) belongs to every outcome.
struct Linear {
  const KernelArg &y, &x, &alpha, &beta;
  bool shared_row;
  Index n, k;

  Linear(const KernelArg& outcomes, const KernelArg& predictors, const KernelArg& intercept, const KernelArg& weights)
      : y(outcomes), x(predictors), alpha(intercept), beta(weights), shared_row(x.shape.inner == Inner::RowVector),
        n(shared_row ? size_of(y) : x.shape.rows), k(x.shape.cols) {}
};
Linear linear(const KernelCall& c, std::size_t x) { return {c.in[0], c.in[x], c.in[x + 1], c.in[x + 2]}; }

/// Rows in pieces of whole tiles; adjoints of alpha and beta are kept by piece.
constexpr std::uint32_t kMostPieces = 64;
Pieces row_pieces(Index n) { return Pieces(static_cast<std::uint32_t>(n), 8 * kTile, kMostPieces); }

void check_outcome_sizes(const KernelCall& c, const KernelArg& a, const char* label, Index n) {
  if (is_container(a)) check_sizes_match(c.name, label, size_of(a), "rows of matrix of independent variables", n);
}
Plan glm_plan(const KernelCall& c, std::size_t x) {
  const Linear m = linear(c, x);
  for (std::size_t j = 0; j < x; ++j) check_outcome_sizes(c, c.in[j], kOutcomes, m.n);
  check_outcome_sizes(c, m.alpha, "Vector of intercepts", m.n);
  check_sizes_match(c.name, "Weight vector", size_of(m.beta), "columns of matrix of independent variables", m.k);
  const std::size_t by_piece = row_pieces(m.n).count * (static_cast<std::size_t>(m.k) + 1);
  return {Shape::scalar(), static_cast<std::uint64_t>(kTileScratch) + by_piece};
}
Plan simple_plan(const KernelCall& c) { return glm_plan(c, 1); }
Plan binomial_plan(const KernelCall& c) { return glm_plan(c, 2); }
Plan scaled_plan(const KernelCall& c) {
  const Plan p = glm_plan(c, 1);
  check_outcome_sizes(c, c.in[4], "Vector of scale parameters", linear(c, 1).n);
  return p;
}

/// Rows first.. first+rows of a tile, with room for what the links need.
struct Tile {
  Index first, rows;
  double *eta, *slope, *y, *extra;
};

void load_tile(const KernelArg& a, const Tile& t, double* to) {
  if (!is_container(a)) std::fill_n(to, t.rows, number(a, 0));
  else if (a.i) glm::links().to_doubles(t.rows, a.i + t.first, to);
  else std::copy_n(a.v + t.first, t.rows, to);
}

/// Adds slope (already times g) to alpha, beta and X.
void add_slopes(const Linear& m, const Tile& t) {
  const auto& ops = dense::ops();
  const bool needs_sum = m.shared_row || (m.alpha.a && !is_container(m.alpha));
  const double sum = needs_sum ? glm::links().sum(t.rows, t.slope) : 0;
  if (m.alpha.a) {
    if (is_container(m.alpha)) ops.axpy(t.rows, 1, t.slope, m.alpha.a + t.first);
    else *m.alpha.a += sum;
  }
  if (m.shared_row) {
    if (m.beta.a) ops.axpy(m.k, sum, m.x.v, m.beta.a);
    if (m.x.a) ops.axpy(m.k, sum, m.beta.v, m.x.a);
    return;
  }
  if (m.beta.a) ops.gemv_t(t.rows, m.k, 1, m.x.v + t.first, m.n, t.slope, m.beta.a);
  if (!m.x.a) return;
  for (Index j = 0; j < m.k; ++j) ops.axpy(t.rows, m.beta.v[j], t.slope, m.x.a + t.first + j * m.n);
}

/// One tile: eta, y, then density(tile), which fills tile.slope when `g` is not 0.
template <class TileDensity>
double one_tile(const Linear& m, double g, double shared, const Tile& t, TileDensity& density_of) {
  load_tile(m.alpha, t, t.eta);
  if (m.shared_row)
    for (Index i = 0; i < t.rows; ++i) t.eta[i] += shared;
  else dense::ops().gemv(t.rows, m.k, 1, m.x.v + t.first, m.n, m.beta.v, t.eta);
  load_tile(m.y, t, t.y);
  const double lp = density_of(t);
  if (g == 0) return lp;
  if (g != 1)
    for (Index i = 0; i < t.rows; ++i) t.slope[i] *= g;
  add_slopes(m, t);
  return lp;
}

/// Σ of density(tile) over the tiles of rows begin..end, one after the other; `s` holds kTileScratch doubles.
template <class TileDensity>
double tiles(const Linear& m, double g, double shared, Index begin, Index end, double* s, TileDensity& density_of) {
  double lp = 0;
  for (Index first = begin; first < end; first += kTile) {
    stop_point();
    lp += one_tile(m, g, shared,
                   {first, std::min(kTile, end - first), s, s + kTileStride, s + 2 * kTileStride, s + 3 * kTileStride},
                   density_of);
  }
  return lp;
}

template <class TileDensity>
double each_tile(const KernelCall& c, const Linear& m, double g, TileDensity density_of) {
  const double shared = m.shared_row ? dense::dot(m.k, m.x.v, m.beta.v) : 0;
  const double lp = tiles(m, g, shared, 0, m.n, c.scratch, density_of);
  if (!std::isfinite(lp)) check_finite(c.name, "Matrix of independent variables", m.x);
  return lp;
}

/// The same for a density(tile) without state of its own: pieces of rows on all free threads.
template <class TileDensity>
double each_tile_parallel(const KernelCall& c, const Linear& m, double g, TileDensity density_of) {
  const Pieces pieces = row_pieces(m.n);
  if (pieces.count < 2 || m.shared_row) return each_tile(c, m, g, density_of);
  const Index width = m.k + 1;
  double* adjoints = c.scratch + kTileScratch;
  std::fill_n(adjoints, pieces.count * static_cast<std::size_t>(width), 0.0);
  double sums[kMostPieces] = {};
  auto rows = [&](std::uint32_t k) {
    double s[kTileScratch];
    KernelArg alpha = m.alpha, beta = m.beta;
    if (beta.a) beta.a = adjoints + k * width;
    if (alpha.a && !is_container(alpha)) alpha.a = adjoints + k * width + m.k;
    const Linear mine(m.y, m.x, alpha, beta);
    const Index begin = pieces.begin(k), end = begin + pieces.length(k, static_cast<std::uint32_t>(m.n));
    sums[k] = tiles(mine, g, 0, begin, end, s, density_of);
  };
  each_piece(pieces.count, rows);
  double lp = 0;
  for (std::uint32_t k = 0; k < pieces.count; ++k) {
    lp += sums[k];
    if (m.beta.a) dense::axpy(m.k, 1, adjoints + k * width, m.beta.a);
    if (m.alpha.a && !is_container(m.alpha)) *m.alpha.a += adjoints[k * width + m.k];
  }
  if (!std::isfinite(lp)) check_finite(c.name, "Matrix of independent variables", m.x);
  return lp;
}

void check_linear(const KernelCall& c, const Linear& m) {
  check_finite(c.name, "Weight vector", m.beta);
  check_finite(c.name, "Intercept", m.alpha);
}
/// All of them are at most `most`, which is a power of 2 minus 1, and none is negative; without a branch per element.
bool all_up_to(const KernelArg& y, std::uint32_t most) {
  const Index n = size_of(y);
  std::uint32_t bits[4] = {};
  Index i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) bits[k] |= static_cast<std::uint32_t>(y.i[i + k]);
  for (; i < n; ++i) bits[0] |= static_cast<std::uint32_t>(y.i[i]);
  return (bits[0] | bits[1] | bits[2] | bits[3]) <= most;
}
void check_counts(const KernelCall& c, const KernelArg& y, const char* label) {
  if (all_up_to(y, 0x7fffffff)) return;
  for (Index i = 0; i < size_of(y); ++i)
    if (y.i[i] < 0) domain_error(c.name, label, is_container(y) ? i + 1 : 0, y.i[i], "nonnegative");
}
/// Σ lgamma(y + 1) over all n outcomes.
double log_factorials(const KernelArg& y, Index n) {
  double s = 0;
  if (!is_container(y)) return static_cast<double>(n) * scalar::log_factorial(number(y, 0));
  for (Index i = 0; i < n; ++i) s += scalar::log_factorial(number(y, i));
  return s;
}

double bernoulli_logit_glm(const KernelCall& c, double g) {
  const Linear m = linear(c, 1);
  for (Index i = all_up_to(m.y, 1) ? size_of(m.y) : 0; i < size_of(m.y); ++i)
    if (m.y.i[i] < 0 || m.y.i[i] > 1)
      domain_error(c.name, kOutcomes, is_container(m.y) ? i + 1 : 0, m.y.i[i], "in the interval [0, 1]");
  check_linear(c, m);
  if (!c.keep(0b1110)) return 0;
  return each_tile_parallel(c, m, g, [&](const Tile& t) {
    return glm::links().bernoulli(t.rows, t.y, t.eta, g != 0 ? t.slope : nullptr);
  });
}

double poisson_log_glm(const KernelCall& c, double g) {
  const Linear m = linear(c, 1);
  check_counts(c, m.y, kOutcomes);
  check_linear(c, m);
  // The reference counts the constant of a scalar outcome once, however many rows X has.
  const double constant = c.propto ? 0 : -log_factorials(m.y, size_of(m.y));
  if (!c.keep(0b1110)) return constant;
  return constant + each_tile_parallel(c, m, g, [&](const Tile& t) {
    return glm::links().poisson(t.rows, t.y, t.eta, g != 0 ? t.slope : nullptr);
  });
}

double binomial_logit_glm(const KernelCall& c, double g) {
  const Linear m = linear(c, 2);
  const KernelArg& trials = c.in[1];
  check_counts(c, trials, "Population size parameter");
  const Index outcomes = is_container(m.y) ? size_of(m.y) : size_of(trials), y_step = is_container(m.y), n_step = is_container(trials);
  for (Index i = 0; i < outcomes; ++i) {
    const int y = m.y.i[i * y_step], n = trials.i[i * n_step];
    if (y < 0 || y > n)
      domain_error(c.name, "Successes variable", is_container(m.y) ? i + 1 : 0, y, fmt::format("in the interval [0, {}]", n));
  }
  check_linear(c, m);
  double constant = 0;
  if (!c.propto) {
    constant = log_factorials(trials, m.n) - log_factorials(m.y, m.n);
    for (Index i = 0; i < m.n; ++i)
      constant -= scalar::log_factorial(number(trials, is_container(trials) ? i : 0) - number(m.y, is_container(m.y) ? i : 0));
  }
  if (!c.keep(0b11100)) return constant;
  return constant + each_tile_parallel(c, m, g, [&](const Tile& t) {
    load_tile(trials, t, t.extra);
    return glm::links().binomial(t.rows, t.y, t.extra, t.eta, g != 0 ? t.slope : nullptr);
  });
}

double neg_binomial_2_log_glm(const KernelCall& c, double g) {
  const Linear m = linear(c, 1);
  const KernelArg& precision = c.in[4];
  check_counts(c, m.y, kOutcomes);
  check_linear(c, m);
  check_positive_finite(c.name, "Precision parameter", precision);
  const double phi = scalar_of(precision), log_phi = std::log(phi), n = static_cast<double>(m.n);
  double lp = c.propto ? 0 : -log_factorials(m.y, m.n), softplus = 0, for_phi = 0;
  if (!c.keep(0b11110)) return lp;
  const bool gammas = c.keep(0b10000), slope = g != 0 && precision.a;
  if (!gammas) lp -= n * phi * log_phi;
  const double for_eta = each_tile(c, m, g, [&](const Tile& t) {
    const double v = glm::links().neg_binomial(t.rows, t.y, phi, log_phi, t.eta, g != 0 ? t.slope : nullptr, &softplus);
    if (slope)
      for (Index i = 0; i < t.rows; ++i) for_phi -= t.slope[i] / phi;
    if (gammas) lp += glm::links().rising(t.rows, t.y, phi, slope ? &for_phi : nullptr);
    return v;
  });
  if (slope) *precision.a += g * (for_phi - softplus);
  return lp + for_eta;
}

/// Adds w times `from` to the adjoints of an operand with one number per row, or one for all.
void add_rows(const KernelArg& a, const Tile& t, double w, const double* from) {
  if (is_container(a)) return dense::ops().axpy(t.rows, w, from, a.a + t.first);
  *a.a += w * glm::links().sum(t.rows, from);
}

double normal_id_glm(const KernelCall& c, double g) {
  const Linear m = linear(c, 1);
  const KernelArg& sigma = c.in[4];
  check_finite(c.name, kOutcomes, m.y);
  check_linear(c, m);
  check_positive_finite(c.name, "Scale vector", sigma);
  double constant = c.propto ? 0 : -static_cast<double>(m.n) * kLogSqrtTwoPi;
  if (c.keep(0b10000)) {
    double logs = 0;
    for (Index i = 0; i < size_of(sigma); ++i) logs += std::log(number(sigma, i));
    constant -= is_container(sigma) ? logs : static_cast<double>(m.n) * logs;
  }
  if (!c.keep(0b11111)) return constant;
  return constant + each_tile(c, m, g, [&](const Tile& t) {
    load_tile(sigma, t, t.extra);
    const double sum = glm::links().normal(t.rows, t.y, t.eta, t.extra, t.slope);
    if (g == 0) return -0.5 * sum;
    if (m.y.a) add_rows(m.y, t, -g, t.slope);
    if (sigma.a) add_rows(sigma, t, g, t.extra);
    return -0.5 * sum;
  });
}

// ---- categories: eta = alpha' + X beta has one column per category

Plan categorical_plan(const KernelCall& c) {
  const KernelArg &x = c.in[1], &alpha = c.in[2], &beta = c.in[3];
  const Index n = x.shape.inner == Inner::RowVector ? size_of(c.in[0]) : static_cast<Index>(x.shape.rows);
  check_outcome_sizes(c, c.in[0], kOutcomes, n);
  check_sizes_match(c.name, "Vector of intercepts", size_of(alpha), "columns of weight matrix", beta.shape.cols);
  check_sizes_match(c.name, "Columns of matrix of independent variables", x.shape.cols, "rows of weight matrix",
                    beta.shape.rows);
  return {Shape::scalar(), static_cast<std::uint64_t>(n) * beta.shape.cols};
}
/// eta in scratch, row after row; overwritten by g (1[y = j] - softmax).
double categorical_logit_glm(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &x = c.in[1], &alpha = c.in[2], &beta = c.in[3];
  const Index k = x.shape.cols, cats = beta.shape.cols;
  const bool shared = x.shape.inner == Inner::RowVector;
  const Index n = shared ? size_of(y) : static_cast<Index>(x.shape.rows);
  for (Index i = 0; i < size_of(y); ++i)
    if (y.i[i] < 1 || y.i[i] > cats)
      domain_error(c.name, kOutcomes, is_container(y) ? i + 1 : 0, y.i[i], fmt::format("in the interval [1, {}]", cats));
  check_finite(c.name, "Weight vector", beta);
  check_finite(c.name, "Intercept", alpha);
  if (!c.keep(0b1110) || cats < 2) return 0;
  double* eta = c.scratch;  // cats x n
  for (Index i = 0; i < n; ++i) std::copy_n(alpha.v, cats, eta + i * cats);
  const dense::View weights = dense::view(beta.v, k, cats), predictors = as_matrix(x);
  if (shared) {
    for (Index i = 0; i < n; ++i) dense::add_product(1, dense::t(weights), dense::t(predictors), eta + i * cats);
  } else {
    dense::add_product(1, dense::t(weights), dense::t(predictors), eta);
  }
  double lp = 0;
  for (Index i = 0; i < n; ++i) {
    double* e = eta + i * cats;
    const int yi = y.i[is_container(y) ? i : 0];
    const double high = *std::max_element(e, e + cats);
    const double total = high + std::log(dense::ops().sum_exp(cats, e, high));
    lp += e[yi - 1] - total;
    if (g == 0) continue;
    for (Index j = 0; j < cats; ++j) e[j] = -g * std::exp(e[j] - total);
    e[yi - 1] += g;
    if (alpha.a) dense::axpy(cats, 1, e, alpha.a);
  }
  if (!std::isfinite(lp)) check_finite(c.name, "Matrix of independent variables", x);
  if (g == 0) return lp;
  const Index rows = shared ? 1 : n;
  if (shared)
    for (Index i = 1; i < n; ++i) dense::axpy(cats, 1, eta + i * cats, eta);
  if (n == 0) return lp;
  const dense::View slope = dense::view(eta, cats, rows);
  if (beta.a) dense::add_product(1, dense::t(predictors), dense::t(slope), beta.a);
  if (x.a) dense::add_product(1, dense::t(slope), dense::t(weights), x.a);
  return lp;
}

// ---- ordered outcomes

Plan ordered_plan(const KernelCall& c) {
  const KernelArg &x = c.in[1], &beta = c.in[2];
  const Index n = x.shape.inner == Inner::RowVector ? size_of(c.in[0]) : static_cast<Index>(x.shape.rows);
  check_outcome_sizes(c, c.in[0], kOutcomes, n);
  check_sizes_match(c.name, "Weight vector", size_of(beta), "columns of matrix of independent variables", x.shape.cols);
  return {Shape::scalar(), static_cast<std::uint32_t>(kTileScratch)};
}
double ordered_logistic_glm(const KernelCall& c, double g) {
  static constexpr double kZero = 0;
  KernelArg no_intercept;
  no_intercept.v = &kZero;
  const KernelArg& cuts = c.in[3];
  const Linear m{c.in[0], c.in[1], no_intercept, c.in[2]};
  const Index k = size_of(cuts);
  for (Index i = 0; i < size_of(m.y); ++i) check_outcome(c.name, m.y.i[i], k + 1, is_container(m.y) ? i + 1 : 0);
  check_finite(c.name, "Weight vector", m.beta);
  check_ordered_cutpoints(c.name, cuts.v, k);
  if (!c.keep(0b1110) || k == 0) return 0;
  return each_tile(c, m, g, [&](const Tile& t) {
    double lp = 0;
    for (Index i = 0; i < t.rows; ++i) {
      const int y = static_cast<int>(t.y[i]);
      const OrderedTerm r = ordered_logistic_term(y, t.eta[i], cuts.v, k);
      lp += r.value;
      t.slope[i] = r.location;
      if (g != 0 && cuts.a) r.add_to_cuts(y, k, g, cuts.a);
    }
    return lp;
  });
}

}  // namespace

FERMIAC_EXPORT_KERNELS(glm_kernels, density<bernoulli_logit_glm>("bernoulli_logit_glm_lpmf", simple_plan),
                       density<poisson_log_glm>("poisson_log_glm_lpmf", simple_plan),
                       density<binomial_logit_glm>("binomial_logit_glm_lpmf", binomial_plan),
                       density<neg_binomial_2_log_glm>("neg_binomial_2_log_glm_lpmf", scaled_plan),
                       density<normal_id_glm>("normal_id_glm_lpdf", scaled_plan),
                       density<categorical_logit_glm>("categorical_logit_glm_lpmf", categorical_plan),
                       density<ordered_logistic_glm>("ordered_logistic_glm_lpmf", ordered_plan))

}  // namespace fermiac::ad
