#include "autodiff/transforms/structured.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "autodiff/linalg/dense.h"
#include "support/base/check.h"

namespace fermiac::ad {
namespace {

using dense::view;

Index same_size(Extent e) { return e.size(); }

// Far out doubles overflow on the way to results that do not. Such points are computed anew with these, whose exponents
// reach sixteen times as far: nothing there becomes infinite, so nothing becomes the difference of infinities.
using Wide = long double;

/// A number of the free scale beyond which exp or squares may overflow on the way.
bool any_beyond(Index n, const double* y, double limit) {
  return std::any_of(y, y + n, [limit](double v) { return std::abs(v) > limit; });
}
/// exp(y), where that is within reach of Wide even when squared.
Wide wide_exp(double y) { return std::exp(static_cast<Wide>(std::clamp(y, -5000.0, 5000.0))); }
/// A sum that may overflow on the way.
class Sum {
 public:
  void add(double x) { add(1, x); }
  void add(double times, double x) {
    sum_ += times * x;
    wide_ += static_cast<Wide>(times) * x;
  }
  double value() const { return std::isfinite(sum_) ? sum_ : static_cast<double>(wide_); }

 private:
  double sum_ = 0;
  Wide wide_ = 0;
};
/// a x where an infinite x comes from overflow: nothing without a.
double slope_times(double a, double x) { return a == 0 ? 0 : a * x; }

// ---- ordered and positive_ordered: x_k = x_{k-1} + exp(y_k)

template <bool Positive>
double ordered(Extent e, const double* y, double* x, double*) {
  Sum log_j;
  for (Index k = 0; k < e.rows; ++k) {
    const bool plain = k == 0 && !Positive;
    x[k] = (k > 0 ? x[k - 1] : 0) + (plain ? y[k] : std::exp(y[k]));
    if (!plain) log_j.add(y[k]);
  }
  return log_j.value();
}
template <bool Positive>
void ordered_reverse(Extent e, const double* y, const double*, const double* x_a, double g, double* y_a, double*) {
  double after = 0;
  for (Index k = e.rows - 1; k >= 0; --k) {
    after += x_a[k];
    y_a[k] += k == 0 && !Positive ? after : slope_times(after, std::exp(y[k])) + g;
  }
}
template <bool Positive>
void ordered_inverse(Extent e, const double* x, double* y) {
  for (Index k = e.rows - 1; k > 0; --k) y[k] = std::log(x[k] - x[k - 1]);
  if (e.rows > 0) y[0] = Positive ? std::log(x[0]) : x[0];
}

// ---- sum to zero: x = H y, H orthonormal with columns orthogonal to the ones; column n is
// (1, …, 1, -n, 0, …) / sqrt(n (n + 1)). Elements may be strided, for rows of matrices.

double h_scale(Index n) { return 1 / std::sqrt(static_cast<double>(n) * static_cast<double>(n + 1)); }

/// x (n + 1 numbers) = H y.
template <class T>
void h_times(Index n, const T* y, Index sy, T* x, Index sx) {
  T sum = 0;
  x[n * sx] = 0;
  for (Index i = n; i > 0; --i) {
    const T w = y[(i - 1) * sy] * h_scale(i);
    sum += w;
    x[i * sx] -= static_cast<double>(i) * w;
    x[(i - 1) * sx] = sum;
  }
}
/// y (n numbers) += H' x.
void add_h_transposed(Index n, const double* x, Index sx, double* y, Index sy) {
  double before = 0;
  for (Index i = 1; i <= n; ++i) {
    before += x[(i - 1) * sx];
    y[(i - 1) * sy] += (before - static_cast<double>(i) * x[i * sx]) * h_scale(i);
  }
}

/// A vector, or H_R Y H_C' for matrices.
Index sum_to_zero_size(Extent e) {
  return std::max<Index>(e.rows - 1, 0) * (e.vector ? 1 : std::max<Index>(e.cols - 1, 0));
}
template <class T>
void sum_to_zero_of(Extent e, const T* y, T* x, T* scratch) {
  if (e.vector) {
    if (e.rows > 0) h_times(e.rows - 1, y, 1, x, 1);
    return;
  }
  const Index r = e.rows - 1, c = e.cols - 1;
  for (Index j = 0; j < c; ++j) h_times(r, y + j * r, 1, scratch + j * e.rows, 1);
  for (Index i = 0; i < e.rows; ++i) h_times(c, scratch + i, e.rows, x + i, e.rows);
}
constexpr double kSumsMayOverflow = 1e300;
double sum_to_zero(Extent e, const double* y, double* x, double* scratch) {
  const Index n = sum_to_zero_size(e);
  if (!any_beyond(n, y, kSumsMayOverflow)) return sum_to_zero_of(e, y, x, scratch), 0;
  const std::vector<Wide> wide(y, y + n);
  std::vector<Wide> sums(static_cast<std::size_t>(e.size())), work(sums.size());
  sum_to_zero_of(e, wide.data(), sums.data(), work.data());
  std::copy(sums.begin(), sums.end(), x);
  return 0;
}
void sum_to_zero_reverse(Extent e, const double*, const double*, const double* x_a, double, double* y_a,
                         double* scratch) {
  if (e.vector) {
    if (e.rows > 0) add_h_transposed(e.rows - 1, x_a, 1, y_a, 1);
    return;
  }
  const Index r = e.rows - 1, c = e.cols - 1;
  std::fill_n(scratch, e.rows * c, 0.0);
  for (Index i = 0; i < e.rows; ++i) add_h_transposed(c, x_a + i, e.rows, scratch + i, e.rows);
  for (Index j = 0; j < c; ++j) add_h_transposed(r, scratch + j * e.rows, 1, y_a + j * r, 1);
}
void sum_to_zero_inverse(Extent e, const double* x, double* y) {
  std::vector<double> scratch(static_cast<std::size_t>(e.size()));
  std::fill_n(y, sum_to_zero_size(e), 0.0);
  sum_to_zero_reverse(e, nullptr, nullptr, x, 0, y, scratch.data());
}

// ---- simplex: softmax(H y). Strided for the stochastic matrices.

/// A share of exactly 0, which draws printed with few digits have, is read as the smallest normal number: its logarithm is finite, and
/// constraining again gives the share to within 3e-308.
constexpr double kSmallestShare = std::numeric_limits<double>::min();

double far_simplex_one(Index k, const double* y, Index sy, double* x, Index sx) {
  std::vector<Wide> free(static_cast<std::size_t>(k)), logs(free.size());
  for (Index i = 0; i + 1 < k; ++i) free[static_cast<std::size_t>(i)] = y[i * sy];
  h_times<Wide>(k - 1, free.data(), 1, logs.data(), 1);
  const Wide high = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (Index i = 0; i < k; ++i) sum += x[i * sx] = static_cast<double>(std::exp(logs[static_cast<std::size_t>(i)] - high));
  for (Index i = 0; i < k; ++i) x[i * sx] /= sum;
  const double n = static_cast<double>(k);
  return static_cast<double>(-n * (high + std::log(sum)) + 0.5 * std::log(n));
}
double simplex_one(Index k, const double* y, Index sy, double* x, Index sx) {
  for (Index i = 0; i + 1 < k; ++i)
    if (std::abs(y[i * sy]) > kSumsMayOverflow) return far_simplex_one(k, y, sy, x, sx);
  h_times(k - 1, y, sy, x, sx);
  double high = x[0], sum = 0;
  for (Index i = 1; i < k; ++i) high = std::max(high, x[i * sx]);
  for (Index i = 0; i < k; ++i) sum += x[i * sx] = std::exp(x[i * sx] - high);
  for (Index i = 0; i < k; ++i) x[i * sx] /= sum;
  const double n = static_cast<double>(k);
  return -n * (high + std::log(sum)) + 0.5 * std::log(n);  // Σ log x + log(K)/2, as H y sums to 0
}
void simplex_one_reverse(Index k, const double* x, const double* x_a, Index sx, double g, double* y_a, Index sy,
                         double* scratch) {
  double d = 0;
  for (Index i = 0; i < k; ++i) d += x[i * sx] * x_a[i * sx];
  for (Index i = 0; i < k; ++i)
    scratch[i] = x[i * sx] * (x_a[i * sx] - d) + g * (1 - static_cast<double>(k) * x[i * sx]);
  add_h_transposed(k - 1, scratch, 1, y_a, sy);
}
void simplex_one_inverse(Index k, const double* x, Index sx, double* y, Index sy) {
  std::vector<double> logs(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) logs[static_cast<std::size_t>(i)] = std::log(std::max(x[i * sx], kSmallestShare));
  for (Index i = 0; i + 1 < k; ++i) y[i * sy] = 0;
  add_h_transposed(k - 1, logs.data(), 1, y, sy);
}

/// Columns (or rows) of a matrix that are simplexes; a simplex is the matrix with one column.
template <bool Rows>
struct Lines {
  Index length, count, step, free_step;  // elements of a line, lines; distance between a line's elements
  Index next, free_next;                 // and between lines
  explicit Lines(Extent e)
      : length(Rows ? e.cols : e.rows), count(Rows ? e.rows : e.cols), step(Rows ? e.rows : 1),
        free_step(Rows ? e.rows : 1), next(Rows ? 1 : e.rows), free_next(Rows ? 1 : e.rows - 1) {}
};
template <bool Rows>
Index lines_size(Extent e) { return Rows ? e.rows * (e.cols - 1) : (e.rows - 1) * e.cols; }
template <bool Rows>
double lines(Extent e, const double* y, double* x, double*) {
  const Lines<Rows> l(e);
  double log_j = 0;
  for (Index i = 0; i < l.count; ++i)
    log_j += simplex_one(l.length, y + i * l.free_next, l.free_step, x + i * l.next, l.step);
  return log_j;
}
template <bool Rows>
void lines_reverse(Extent e, const double*, const double* x, const double* x_a, double g, double* y_a, double* scratch) {
  const Lines<Rows> l(e);
  for (Index i = 0; i < l.count; ++i)
    simplex_one_reverse(l.length, x + i * l.next, x_a + i * l.next, l.step, g, y_a + i * l.free_next, l.free_step, scratch);
}
template <bool Rows>
void lines_inverse(Extent e, const double* x, double* y) {
  const Lines<Rows> l(e);
  for (Index i = 0; i < l.count; ++i)
    simplex_one_inverse(l.length, x + i * l.next, l.step, y + i * l.free_next, l.free_step);
}

// ---- simplex as it was before Stan 2.37: of what is left of a stick of length 1, element k takes inv_logit(y_k - log(K - k))

double sticks(Extent e, const double* y, double* x, double*) {
  double rest = 1, log_rest = 0, log_j = 0;
  for (Index k = 0; k + 1 < e.rows; ++k) {
    const double u = y[k] - std::log(static_cast<double>(e.rows - k - 1)), high = std::log1p(std::exp(-std::abs(u)));
    const double log_z = std::min(u, 0.0) - high, log_1mz = std::min(-u, 0.0) - high;
    log_j += log_rest + log_z + log_1mz;
    x[k] = rest * std::exp(log_z);
    rest *= std::exp(log_1mz);
    log_rest += log_1mz;
  }
  if (e.rows > 0) x[e.rows - 1] = rest;
  return log_j;
}
/// From the right; `after` is the adjoint of the logarithm of what is left after element k.
void sticks_reverse(Extent e, const double* y, const double* x, const double* x_a, double g, double* y_a, double*) {
  double after = e.rows > 0 ? x[e.rows - 1] * x_a[e.rows - 1] : 0;
  for (Index k = e.rows - 2; k >= 0; --k) {
    const double pieces = static_cast<double>(e.rows - k - 1);
    const double z = 1 / (1 + pieces * std::exp(-y[k])), left = 1 / (1 + std::exp(y[k]) / pieces), own = x[k] * x_a[k];
    y_a[k] += own * left - z * after + g * (left - z);
    after += own + g;
  }
}
void sticks_inverse(Extent e, const double* x, double* y) {
  double rest = e.rows > 0 ? x[e.rows - 1] : 0;
  for (Index k = e.rows - 2; k >= 0; --k) {
    y[k] = std::log(std::max(x[k], kSmallestShare) / std::max(rest, kSmallestShare)) + std::log(static_cast<double>(e.rows - k - 1));
    rest += x[k];
  }
}

// ---- unit vector: y / |y|; the Jacobian term makes y standard normal

/// |y|; squares of doubles neither overflow nor vanish in Wide.
Wide length(Index n, const double* y) {
  const double square = dense::dot(n, y, y);
  if (square > 1e-290 && std::isfinite(square)) return std::sqrt(square);
  Wide wide = 0;
  for (Index i = 0; i < n; ++i) wide += static_cast<Wide>(y[i]) * y[i];
  return std::sqrt(wide);
}
/// 0 has no direction: the first axis stands for it, and nothing moves.
double unit_vector(Extent e, const double* y, double* x, double*) {
  const Wide r = length(e.rows, y);
  for (Index i = 0; i < e.rows; ++i) x[i] = r == 0 ? (i == 0 ? 1 : 0) : static_cast<double>(y[i] / r);
  return -0.5 * dense::dot(e.rows, y, y);
}
void unit_vector_reverse(Extent e, const double* y, const double* x, const double* x_a, double g, double* y_a, double*) {
  const Wide r = length(e.rows, y);
  const double d = dense::dot(e.rows, x, x_a);
  for (Index i = 0; i < e.rows; ++i)
    y_a[i] += (r == 0 ? 0 : static_cast<double>((x_a[i] - x[i] * d) / r)) - g * y[i];
}
void unit_vector_inverse(Extent e, const double* x, double* y) { std::copy_n(x, e.rows, y); }

// ---- correlation matrices and their factors. With canonical partial correlations z_ij = tanh(y), i > j, and
// r_ij = Π_{k<j} (1 - z_ik²): L_ij = z_ij sqrt(r_ij), L_ii = sqrt(r_ii).

Index corr_size(Extent e) { return e.rows * (e.rows - 1) / 2; }

/// The place of (i, j), i > j, in the free vector: row by row for factors, column by column for matrices.
Index by_rows(Index i, Index j, Index) { return i * (i - 1) / 2 + j; }
Index by_columns(Index i, Index j, Index n) { return j * n - j * (j + 1) / 2 + i - j - 1; }
using Place = Index (*)(Index, Index, Index);

/// log(1 - tanh²(y)).
double log_sech2(double y) { return 2 * (std::numbers::ln2 - std::abs(y) - std::log1p(std::exp(-2 * std::abs(y)))); }
/// How often log(1 - z_ij²) counts in the log Jacobian.
double factor_weight(Index i, Index j, Index) { return 1 + 0.5 * static_cast<double>(i - 1 - j); }
double matrix_weight(Index, Index j, Index n) { return 1 + 0.5 * static_cast<double>(n - 2 - j); }
using Weight = double (*)(Index, Index, Index);

double corr_factor(Index n, const double* y, double* l, Place place, Weight weight) {
  double log_j = 0;
  std::fill_n(l, n * n, 0.0);
  for (Index i = 0; i < n; ++i) {
    double log_rest = 0;  // log r_ij
    for (Index j = 0; j < i; ++j) {
      const double v = y[place(i, j, n)], shrink = log_sech2(v);
      l[i + j * n] = std::tanh(v) * std::exp(0.5 * log_rest);
      log_rest += shrink;
      log_j += weight(i, j, n) * shrink;
    }
    l[i + i * n] = std::exp(0.5 * log_rest);
  }
  return log_j;
}
/// `logs` is scratch for a row of log r_ij. Going through a row from the right, `tail` is Σ_{k>j} L̄_ik L_ik: every later element is proportional to sqrt(r), and
/// d log sqrt(1 - z²) / dy = -z.
void corr_factor_reverse(Index n, const double* y, const double* l, const double* l_a, double g, double* y_a, Place place,
                         Weight weight, double* logs) {
  for (Index i = 1; i < n; ++i) {
    double tail = l_a[i + i * n] * l[i + i * n];
    logs[0] = 0;
    for (Index j = 0; j + 1 < i; ++j) logs[j + 1] = logs[j] + log_sech2(y[place(i, j, n)]);
    for (Index j = i - 1; j >= 0; --j) {
      const Index at = place(i, j, n);
      const double z = std::tanh(y[at]), shrink = log_sech2(y[at]);
      const double own = l_a[i + j * n] * std::exp(0.5 * logs[j] + shrink);
      y_a[at] += own - z * tail - 2 * g * weight(i, j, n) * z;
      tail += l_a[i + j * n] * l[i + j * n];
    }
  }
}
/// From the right: L_ij / sqrt(Σ_{k>j} L_ik²) is z / sqrt(1 - z²) = sinh(y), without cancellation.
void corr_factor_inverse(Index n, const double* l, double* y, Place place) {
  for (Index i = 1; i < n; ++i) {
    double after = l[i + i * n] * l[i + i * n];
    for (Index j = i - 1; j >= 0; --j) {
      y[place(i, j, n)] = std::asinh(l[i + j * n] / std::sqrt(after));
      after += l[i + j * n] * l[i + j * n];
    }
  }
}

double cholesky_factor_corr(Extent e, const double* y, double* x, double*) {
  return corr_factor(e.rows, y, x, by_rows, factor_weight);
}
void cholesky_factor_corr_reverse(Extent e, const double* y, const double* x, const double* x_a, double g, double* y_a,
                                  double* scratch) {
  corr_factor_reverse(e.rows, y, x, x_a, g, y_a, by_rows, factor_weight, scratch);
}
void cholesky_factor_corr_inverse(Extent e, const double* x, double* y) { corr_factor_inverse(e.rows, x, y, by_rows); }

/// x = L L'.
void self_product(Index n, const double* l, double* x) { dense::product(view(l, n, n), dense::t(view(l, n, n)), x); }
/// L̄ = (X̄ + X̄') L; `sum` is scratch.
void self_product_reverse(Index n, const double* l, const double* x_a, double* sum, double* l_a) {
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) sum[i + j * n] = x_a[i + j * n] + x_a[j + i * n];
  dense::product(view(sum, n, n), view(l, n, n), l_a);
}

double corr_matrix(Extent e, const double* y, double* x, double* scratch) {
  const double log_j = corr_factor(e.rows, y, scratch, by_columns, matrix_weight);
  self_product(e.rows, scratch, x);
  for (Index i = 0; i < e.rows; ++i) x[i + i * e.rows] = 1;
  return log_j;
}
void corr_matrix_reverse(Extent e, const double* y, const double*, const double* x_a, double g, double* y_a,
                         double* scratch) {
  const Index n = e.rows, nn = n * n;
  corr_factor(n, y, scratch, by_columns, matrix_weight);
  self_product_reverse(n, scratch, x_a, scratch + nn, scratch + 2 * nn);
  corr_factor_reverse(n, y, scratch, scratch + 2 * nn, g, y_a, by_columns, matrix_weight, scratch + 3 * nn);
}
void corr_matrix_inverse(Extent e, const double* x, double* y) {
  std::vector<double> l(x, x + e.size());
  dense::cholesky(l.data(), e.rows);
  corr_factor_inverse(e.rows, l.data(), y, by_columns);
}

// ---- covariance factors: the lower triangle row by row, the diagonal through exp

Index cov_factor_size(Extent e) { return e.cols * (e.cols + 1) / 2 + (e.rows - e.cols) * e.cols; }

/// Calls visit(place, i, j) for every free element of an m x n factor, in order.
template <class Visit>
void each_lower(Extent e, Visit visit) {
  Index at = 0;
  for (Index i = 0; i < e.rows; ++i)
    for (Index j = 0; j < e.cols && j <= i; ++j) visit(at++, i, j);
}
double cov_factor(Extent e, const double* y, double* x, double*) {
  Sum log_j;
  std::fill_n(x, e.size(), 0.0);
  each_lower(e, [&](Index at, Index i, Index j) {
    x[i + j * e.rows] = i == j ? std::exp(y[at]) : y[at];
    if (i == j) log_j.add(y[at]);
  });
  return log_j.value();
}
void cov_factor_reverse(Extent e, const double*, const double* x, const double* x_a, double g, double* y_a, double*) {
  each_lower(e, [&](Index at, Index i, Index j) {
    y_a[at] += i == j ? slope_times(x_a[i + j * e.rows], x[i + j * e.rows]) + g : x_a[i + j * e.rows];
  });
}
void cov_factor_inverse(Extent e, const double* x, double* y) {
  each_lower(e, [&](Index at, Index i, Index j) { y[at] = i == j ? std::log(x[i + j * e.rows]) : x[i + j * e.rows]; });
}

/// Where products of two elements of the factor may overflow.
constexpr double kProductsMayOverflow = 300;
std::vector<Wide> wide_factor(Extent e, const double* y) {
  std::vector<Wide> l(static_cast<std::size_t>(e.size()));
  each_lower(e, [&](Index at, Index i, Index j) {
    l[static_cast<std::size_t>(i + j * e.rows)] = i == j ? wide_exp(y[at]) : static_cast<Wide>(y[at]);
  });
  return l;
}
/// Element (i, k) of A B, Wide, A as it is found at a(i, j) and B at b(j, k).
template <class A, class B>
Wide inner(Index n, A a, B b) {
  Wide sum = 0;
  for (Index j = 0; j < n; ++j) sum += a(j) * b(j);
  return sum;
}
void far_cov_matrix(Extent e, const double* y, double* x) {
  const Index n = e.rows;
  const std::vector<Wide> l = wide_factor(e, y);
  const auto at = [&](Index i, Index j) { return l[static_cast<std::size_t>(i + j * n)]; };
  for (Index k = 0; k < n; ++k)
    for (Index i = 0; i < n; ++i)
      x[i + k * n] = static_cast<double>(inner(n, [&](Index j) { return at(i, j); }, [&](Index j) { return at(k, j); }));
}

/// x = L L'; log J = K log 2 + Σ_k (K - k + 2) log L_kk, k from 1.
double cov_matrix(Extent e, const double* y, double* x, double* scratch) {
  const Index n = e.rows;
  Sum log_j;
  log_j.add(static_cast<double>(n) * std::numbers::ln2);
  cov_factor(e, y, scratch, nullptr);
  each_lower(e, [&](Index at, Index i, Index j) {
    if (i == j) log_j.add(static_cast<double>(n - i + 1), y[at]);
  });
  if (any_beyond(cov_factor_size(e), y, kProductsMayOverflow)) far_cov_matrix(e, y, x);
  else self_product(n, scratch, x);
  return log_j.value();
}
void far_cov_matrix_reverse(Extent e, const double* y, const double* x_a, double g, double* y_a) {
  const Index n = e.rows;
  const std::vector<Wide> l = wide_factor(e, y);
  each_lower(e, [&](Index at, Index i, Index j) {
    const Wide a = inner(
        n, [&](Index k) { return static_cast<Wide>(x_a[i + k * n]) + x_a[k + i * n]; },
        [&](Index k) { return l[static_cast<std::size_t>(k + j * n)]; });
    const Wide diagonal = l[static_cast<std::size_t>(i + j * n)];
    y_a[at] += static_cast<double>(i == j ? a * diagonal + g * static_cast<double>(n - i + 1) : a);
  });
}
void cov_matrix_reverse(Extent e, const double* y, const double*, const double* x_a, double g, double* y_a,
                        double* scratch) {
  if (any_beyond(cov_factor_size(e), y, kProductsMayOverflow)) return far_cov_matrix_reverse(e, y, x_a, g, y_a);
  const Index n = e.rows, nn = n * n;
  double* l_a = scratch + 2 * nn;
  cov_factor(e, y, scratch, nullptr);
  self_product_reverse(n, scratch, x_a, scratch + nn, l_a);
  each_lower(e, [&](Index at, Index i, Index j) {
    const double a = l_a[i + j * n];
    y_a[at] += i == j ? a * scratch[i + j * n] + g * static_cast<double>(n - i + 1) : a;
  });
}
void cov_matrix_inverse(Extent e, const double* x, double* y) {
  std::vector<double> l(x, x + e.size());
  dense::cholesky(l.data(), e.rows);
  cov_factor_inverse(e, l.data(), y);
}

Index simplex_size(Extent e) { return std::max<Index>(e.rows - 1, 0); }

#define FERMIAC_STRUCTURED(name) name, name "_constrain", name "_jacobian__", name "_unconstrain"
constexpr Structured kStructured[] = {
    {Transform::Ordered, FERMIAC_STRUCTURED("ordered"), 0, same_size, ordered<false>, ordered_reverse<false>,
     ordered_inverse<false>},
    {Transform::PositiveOrdered, FERMIAC_STRUCTURED("positive_ordered"), 0, same_size, ordered<true>,
     ordered_reverse<true>, ordered_inverse<true>},
    {Transform::Simplex, FERMIAC_STRUCTURED("simplex"), 0, simplex_size, lines<false>, lines_reverse<false>,
     lines_inverse<false>},
    {Transform::UnitVector, FERMIAC_STRUCTURED("unit_vector"), 0, same_size, unit_vector, unit_vector_reverse,
     unit_vector_inverse},
    {Transform::SumToZero, FERMIAC_STRUCTURED("sum_to_zero"), 0, sum_to_zero_size, sum_to_zero,
     sum_to_zero_reverse, sum_to_zero_inverse},
    {Transform::CholeskyFactorCorr, FERMIAC_STRUCTURED("cholesky_factor_corr"), 1, corr_size, cholesky_factor_corr,
     cholesky_factor_corr_reverse, cholesky_factor_corr_inverse},
    {Transform::CholeskyFactorCov, FERMIAC_STRUCTURED("cholesky_factor_cov"), 2, cov_factor_size, cov_factor,
     cov_factor_reverse, cov_factor_inverse},
    {Transform::CorrMatrix, FERMIAC_STRUCTURED("corr_matrix"), 1, corr_size, corr_matrix, corr_matrix_reverse,
     corr_matrix_inverse},
    {Transform::CovMatrix, FERMIAC_STRUCTURED("cov_matrix"), 1, cov_factor_size, cov_matrix, cov_matrix_reverse,
     cov_matrix_inverse},
    {Transform::StochasticColumn, FERMIAC_STRUCTURED("stochastic_column"), 0, lines_size<false>, lines<false>,
     lines_reverse<false>, lines_inverse<false>},
    {Transform::StochasticRow, FERMIAC_STRUCTURED("stochastic_row"), 0, lines_size<true>, lines<true>,
     lines_reverse<true>, lines_inverse<true>},
};

}  // namespace

std::span<const Structured> all_structured() { return kStructured; }

const Structured& stick_breaking() {
  static constexpr Structured kStickBreaking = {Transform::Simplex, FERMIAC_STRUCTURED("simplex_stick_breaking"), 0, simplex_size,
                                                sticks, sticks_reverse, sticks_inverse};
  return kStickBreaking;
}

const Structured& structured(Transform t) {
  for (const Structured& s : kStructured)
    if (s.kind == t) return s;
  FERMIAC_CHECK(false, "not a structured transform");
  return kStructured[0];
}

#undef FERMIAC_STRUCTURED

}  // namespace fermiac::ad
