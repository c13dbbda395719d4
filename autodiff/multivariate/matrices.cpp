// Densities of matrices: LKJ, Wishart, inverse Wishart, on the matrix or on its Cholesky factor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/kernels/incomplete.h"
#include "autodiff/kernels/large_densities.h"
#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using dense::product;
using dense::t;
using dense::view;

constexpr double kLogTwo = 0.69314718055994530942;
constexpr double kLogPi = 1.14472988584940017414;

// ---- LKJ. The constant: Lewandowski, Kurowicka & Joe (2009), equations 16 and 17.

/// -log c(eta, K) and its slope. With the duplication formula the powers of 2 cancel: log B(x, x) is
/// (1 - 2 x) log 2 + log(pi) / 2 - (log Gamma(x + 1/2) - log Gamma(x)).
double lkj_constant(double eta, Index size, double* slope) {
  double lp = 0;
  *slope = 0;
  for (Index k = 1; k < size; ++k) {
    const double rest = static_cast<double>(size - k), x = eta + 0.5 * (rest - 1);
    lp -= rest * (0.5 * kLogPi - scalar::lgamma_difference(x, 0.5));
    *slope += rest * scalar::digamma_difference(x, 0.5);
  }
  return lp;
}

Plan lkj_corr_plan(const KernelCall& c) {
  check_square(c.name, "Correlation matrix", c.in[0].shape);
  return {Shape::scalar(), 2 * std::uint64_t{c.in[0].shape.size()}};
}
void check_unit_diagonal(const KernelCall& c, const double* y, Index n) {
  for (Index i = 0; i < n; ++i)
    if (!(std::abs(y[i + i * n] - 1) <= 1e-8))
      domain_error(c.name, fmt::format("Correlation matrix is not a valid correlation matrix. {} is {}, but should be near 1",
                                       element_name("Correlation matrix", i, i), y[i + i * n]));
}
/// Adds g times the slope of log det(L L'), all of it in the lower triangle.
void add_log_determinant(const double* l, Index n, double g, double* inverse, double* a) {
  dense::invert_from_cholesky(l, n, inverse);
  for (Index j = 0; j < n; ++j) {
    a[j + j * n] += g * inverse[j + j * n];
    dense::axpy(n - j - 1, 2 * g, inverse + j + 1 + j * n, a + j + 1 + j * n);
  }
}
double lkj_corr(const KernelCall& c, double g) {
  const Index n = c.in[0].shape.rows;
  const double eta = scalar_of(c.in[1]);
  double *l = c.scratch, *inverse = l + n * n, slope = 0, lp = 0, log_det = 0;
  check_positive(c.name, "Shape parameter", c.in[1]);
  check_symmetric(c.name, "Correlation matrix", c.in[0].v, n);
  check_unit_diagonal(c, c.in[0].v, n);
  factor_or_throw(c.name, "Correlation matrix", c.in[0].v, n, l);
  if (n == 0) return 0;
  for (Index i = 0; i < n; ++i) log_det += 2 * std::log(l[i + i * n]);
  const double constant = std::isinf(eta) ? std::nan("") : lkj_constant(eta, n, &slope);
  if (c.keep(0b10)) lp += constant;
  if (c.keep(0b11)) lp += (eta - 1) * log_det;
  if (g == 0) return lp;
  if (c.in[1].a) *c.in[1].a += g * (slope + log_det);
  if (!c.in[0].a) return lp;
  add_log_determinant(l, n, g * (eta - 1), inverse, c.in[0].a);
  return lp;
}

Plan scalar_plan(const KernelCall&) { return {Shape::scalar(), 0}; }

void check_lower(const KernelCall& c, const char* label, const KernelArg& a) {
  const Index rows = a.shape.rows, cols = a.shape.cols;
  for (Index j = 1; j < cols; ++j)
    for (Index i = 0; i < std::min(j, rows); ++i)
      if (a.v[i + j * rows] != 0)
        domain_error(c.name, fmt::format("{} is not lower triangular; {} = {}", label, element_name(label, i, j),
                                         a.v[i + j * rows]));
}
/// Σ_{k>=2} (K - k + 2 eta - 2) log L_kk, K the number of columns.
double lkj_corr_cholesky(const KernelCall& c, double g) {
  const KernelArg& l = c.in[0];
  const Index rows = l.shape.rows, n = std::min(rows, static_cast<Index>(l.shape.cols));
  const double eta = scalar_of(c.in[1]);
  check_positive(c.name, "Shape parameter", c.in[1]);
  check_lower(c, "Random variable", l);
  if (n == 0) return 0;
  double slope = 0, lp = 0, log_det = 0;
  const double constant = std::isinf(eta) ? std::nan("") : lkj_constant(eta, n, &slope);
  if (c.keep(0b10)) lp += constant;
  if (!c.keep(0b11)) return lp;
  for (Index i = 1; i < n; ++i) {
    const double x = l.v[i + i * rows], weight = static_cast<double>(n - i - 1) + 2 * eta - 2;
    log_det += 2 * std::log(x);
    lp += weight * std::log(x);
    if (g != 0 && l.a) l.a[i + i * rows] += g * weight / x;
  }
  if (g != 0 && c.in[1].a) *c.in[1].a += g * (slope + log_det);
  return lp;
}

/// Lognormal standard deviations times an LKJ correlation.
Plan lkj_cov_plan(const KernelCall& c) {
  check_square(c.name, "Covariance matrix", c.in[0].shape);
  check_sizes_match(c.name, "Rows of location parameter", size_of(c.in[1]), "columns of scale parameter", size_of(c.in[2]));
  check_sizes_match(c.name, "Rows of random variable", c.in[0].shape.rows, "rows of location parameter", size_of(c.in[1]));
  return {Shape::scalar(), 2 * std::uint64_t{c.in[0].shape.size()}};
}
double lkj_cov(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &mu = c.in[1], &sigma = c.in[2];
  const Index n = y.shape.rows;
  const double eta = scalar_of(c.in[3]);
  double *l = c.scratch, *inverse = l + n * n, slope = 0, lp = 0, log_det = 0;
  check_positive(c.name, "Shape parameter", c.in[3]);
  check_finite(c.name, "Location parameter", mu);
  check_positive_finite(c.name, "Scale parameter", sigma);
  check_symmetric(c.name, "Covariance matrix", y.v, n);
  factor_or_throw(c.name, "Covariance matrix", y.v, n, l);
  const double constant = lkj_constant(eta, n, &slope);
  if (!c.keep(0b1111)) return 0;  // otherwise nothing is dropped
  lp += constant;
  for (Index i = 0; i < n; ++i) {
    const double v = y.v[i + i * n], s = sigma.v[i], z = (0.5 * std::log(v) - mu.v[i]) / s;
    log_det += 2 * std::log(l[i + i * n]) - std::log(v);
    lp -= 0.5 * (kLogPi + kLogTwo) + std::log(s) + 0.5 * std::log(v) + 0.5 * z * z;
    if (g == 0) continue;
    if (y.a) y.a[i + i * n] += g * (-0.5 - 0.5 * z / s - (eta - 1)) / v;
    if (mu.a) mu.a[i] += g * z / s;
    if (sigma.a) sigma.a[i] += g * (z * z - 1) / s;
  }
  lp += (eta - 1) * log_det;
  if (g == 0) return lp;
  if (c.in[3].a) *c.in[3].a += g * (slope + log_det);
  if (!y.a) return lp;
  add_log_determinant(l, n, g * (eta - 1), inverse, y.a);
  return lp;
}

// ---- Wishart family: c(nu) + a log|A| + b log|B| - tr(A⁻¹ B) / 2, where (A, B) is (S, W) for the Wishart and (W, S) for
// its inverse; on Cholesky factors of W and S with the Jacobian of W = L L'. Only the lower triangle of A's factor is
// looked at, but all of B's.

enum class Family { Wishart, Inverse };
enum class On { Matrix, Factor };

struct WishartMatrix {
  const double* l;          // Cholesky factor
  const double* inverse;
  double log_det;
};

Plan wishart_plan(const KernelCall& c) {
  check_square(c.name, "random variable", c.in[0].shape);
  check_square(c.name, "scale parameter", c.in[2].shape);
  check_sizes_match(c.name, "Rows of random variable", c.in[0].shape.rows, "columns of scale parameter",
                    c.in[2].shape.rows);
  return {Shape::scalar(), 7 * std::uint64_t{c.in[0].shape.size()}};
}

template <On O>
WishartMatrix prepare(const KernelCall& c, const KernelArg& m, const char* label, double* scratch) {
  const Index n = m.shape.rows;
  double *l = scratch, *inverse = scratch + n * n, log_det = 0;
  if (O == On::Matrix) {
    check_symmetric(c.name, label, m.v, n);
    factor_or_throw(c.name, label, m.v, n, l);
  } else {
    for (Index i = 0; i < n; ++i)
      if (!(m.v[i + i * n] > 0))
        domain_error(c.name, fmt::format("{} is {}, but must be positive!", element_name(label, i, i), m.v[i + i * n]));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) l[i + j * n] = i >= j ? m.v[i + j * n] : 0.0;
  }
  for (Index i = 0; i < n; ++i) log_det += 2 * std::log(l[i + i * n]);
  dense::invert_from_cholesky(l, n, inverse);
  return {l, inverse, log_det};
}

/// Adds the adjoint G of L L' (symmetric, g included) to the operand.
template <On O>
void add_gradient(const KernelArg& m, const double* l, const double* gradient, double* scratch) {
  const Index n = m.shape.rows;
  if (O == On::Matrix) return dense::axpy(n * n, 1, gradient, m.a);
  product(view(gradient, n, n), view(l, n, n), scratch);
  for (Index j = 0; j < n; ++j) dense::axpy(n - j, 2, scratch + j + j * n, m.a + j + j * n);
}

bool is_lower(const double* l, Index n) {
  for (Index j = 1; j < n; ++j)
    for (Index i = 0; i < j; ++i)
      if (l[i + j * n] != 0) return false;
  return true;
}

double log_multi_gamma(Index k, double x, double* slope) {
  if (std::isinf(x)) return x;
  double r = 0.25 * static_cast<double>(k * (k - 1)) * kLogPi;
  for (Index j = 0; j < k; ++j) {
    r += std::lgamma(x - 0.5 * static_cast<double>(j));
    *slope += digamma(x - 0.5 * static_cast<double>(j));
  }
  return r;
}

/// The matrices' terms with a factor nu and the constant c(nu), for large nu, where they cancel: with M = L_A⁻¹ L_B the squares of
/// its diagonal are chi-square variates (M. S. Bartlett's decomposition), whose gamma kernels are small. Without
/// -(k + 1) / 2 log|W|; `slope` is that by nu.
struct LargeWishart {
  double log = 0, slope = 0;
  LargeWishart(const double* a, const double* b, double* m, Index k, double nu) {
    std::copy_n(b, k * k, m);
    for (Index j = 0; j < k; ++j)
      for (Index i = j; i < k; ++i) {
        for (Index p = j; p < i; ++p) m[i + j * k] -= a[i + p * k] * m[p + j * k];
        m[i + j * k] /= a[i + i * k];
        if (i > j) log -= 0.5 * m[i + j * k] * m[i + j * k];
      }
    log -= 0.25 * static_cast<double>(k * (k - 1)) * kLogPi;
    for (Index i = 0; i < k; ++i) add_diagonal(m[i + i * k], static_cast<double>(i), nu);
  }

 private:
  void add_diagonal(double root, double i, double nu) {
    const double shape = 0.5 * (nu - i), x = 0.5 * root * root;
    const scalar::Tail t = scalar::gamma_kernel(shape, x, true);
    log += t.log + std::log(shape) + 0.5 * i * std::log(x);
    slope += 0.5 * (t.by_a + 1 / shape);
  }
};

template <Family F, On O>
double wishart(const KernelCall& c, double g) {
  const Index n = c.in[0].shape.rows, nn = n * n;
  const double k = static_cast<double>(n), nu = scalar_of(c.in[1]);
  if (!(nu > k - 1)) domain_error(c.name, "Degrees of freedom parameter", 0, nu, fmt::format("greater than {}", k - 1));
  const WishartMatrix w = prepare<O>(c, c.in[0], "random variable", c.scratch);
  const WishartMatrix s = prepare<O>(c, c.in[2], "scale parameter", c.scratch + 2 * nn);
  const bool inverse = F == Family::Inverse;
  const WishartMatrix &a = inverse ? w : s, &b = inverse ? s : w;
  const double weight_w = inverse ? -0.5 * (nu + k + 1) : 0.5 * (nu - k - 1), weight_s = inverse ? 0.5 * nu : -0.5 * nu;
  const double weight_a = inverse ? weight_w : weight_s, weight_b = inverse ? weight_s : weight_w;
  const KernelArg &arg_a = inverse ? c.in[0] : c.in[2], &arg_b = inverse ? c.in[2] : c.in[0];
  const double* factor_b = O == On::Factor ? arg_b.v : b.l;
  double *ll = c.scratch + 4 * nn, *m = ll + nn, *other = m + nn, slope = 0;
  product(view(factor_b, n, n), t(view(factor_b, n, n)), ll);  // B
  double lp = 0;
  const double gamma = log_multi_gamma(n, 0.5 * nu, &slope);
  const unsigned logs = O == On::Factor ? 0b111 : 0;  // on factors these summands go together
  if (c.keep(0b010)) lp -= 0.5 * nu * k * kLogTwo + gamma;
  if (O == On::Factor && c.keep(0b010)) lp += k * kLogTwo;
  if (c.keep(0b110 | logs)) lp += weight_s * s.log_det;
  if (c.keep(0b101)) lp -= 0.5 * dense::dot(nn, a.inverse, ll);
  if (c.keep(0b011 | logs)) lp += weight_w * w.log_det;
  const bool large = nu > scalar::kLargeShape && std::isfinite(nu) && is_lower(factor_b, n) && c.keep(0b010) && c.keep(0b101);
  const LargeWishart sum(a.l, factor_b, m, large ? n : 0, nu);
  if (large) lp = sum.log - 0.5 * (k + 1) * w.log_det + (O == On::Factor ? k * kLogTwo : 0);
  if (O == On::Factor && c.keep(logs))
    for (Index i = 0; i < n; ++i) lp += static_cast<double>(n - i) * std::log(w.l[i + i * n]);
  if (g == 0) return lp;
  if (c.in[1].a && large) *c.in[1].a += g * sum.slope;
  else if (c.in[1].a)
    *c.in[1].a += g * (-0.5 * k * kLogTwo - 0.5 * slope + (inverse ? 0.5 : -0.5) * (s.log_det - w.log_det));
  if (arg_a.a) {  // g (a A⁻¹ + A⁻¹ B A⁻¹ / 2)
    product(view(a.inverse, n, n), view(ll, n, n), m);
    product(view(m, n, n), view(a.inverse, n, n), other);
    const double w_a = O == On::Matrix ? weight_a : 0;  // on a factor the determinant has a diagonal slope only
    for (Index i = 0; i < nn; ++i) m[i] = g * 0.5 * other[i] + (w_a != 0 ? g * w_a * a.inverse[i] : 0.0);
    add_gradient<O>(arg_a, a.l, m, other);
    if (O == On::Factor)
      for (Index i = 0; i < n; ++i) arg_a.a[i + i * n] += 2 * g * weight_a / a.l[i + i * n];
  }
  if (arg_b.a && O == On::Factor) {  // of b log|B| - |L_A⁻¹ L_B|² / 2
    dense::add_product(-g, view(a.inverse, n, n), view(factor_b, n, n), arg_b.a);
    for (Index i = 0; i < n; ++i) arg_b.a[i + i * n] += 2 * g * weight_b / factor_b[i + i * n];
  } else if (arg_b.a) {  // g (b B⁻¹ - A⁻¹ / 2)
    for (Index i = 0; i < nn; ++i) m[i] = g * (weight_b * b.inverse[i] - 0.5 * a.inverse[i]);
    add_gradient<O>(arg_b, b.l, m, other);
  }
  if (O == On::Factor && c.in[0].a)
    for (Index i = 0; i < n; ++i) c.in[0].a[i + i * n] += g * static_cast<double>(n - i) / w.l[i + i * n];
  return lp;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(
    matrix_density_kernels, density<lkj_corr>("lkj_corr_lpdf", lkj_corr_plan),
    density<lkj_corr_cholesky>("lkj_corr_cholesky_lpdf", scalar_plan), density<lkj_cov>("lkj_cov_lpdf", lkj_cov_plan),
    density<wishart<Family::Wishart, On::Matrix>>("wishart_lpdf", wishart_plan),
    density<wishart<Family::Inverse, On::Matrix>>("inv_wishart_lpdf", wishart_plan),
    density<wishart<Family::Wishart, On::Factor>>("wishart_cholesky_lpdf", wishart_plan),
    density<wishart<Family::Inverse, On::Factor>>("inv_wishart_cholesky_lpdf", wishart_plan))

}  // namespace fermiac::ad
