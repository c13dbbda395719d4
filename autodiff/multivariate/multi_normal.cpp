// Densities that depend on y through quadratic forms d' Σ⁻¹ d, d = y - mu: multivariate normal (covariance, precision,
// Cholesky factor), Student t, Gaussian processes.
#include <algorithm>
#include <cmath>

#include "autodiff/kernels/special_scalar.h"
#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/linalg/triangles.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using dense::add_product;
using dense::Side;
using dense::t;
using dense::view;

constexpr double kLogTwoPi = 1.83787706640934548356;
constexpr double kLogPi = 1.14472988584940017414;

enum class Form { Covariance, Precision, Cholesky };

/// `count` quadratic forms of order n against one matrix. Where the density's partials with respect to the forms are
/// w_k, the partials of everything else follow: 2 w_k u_k for d_k, and a sum of outer products for the matrix.
struct Quadratics {
  Form form;
  const KernelArg& matrix;
  Index n, count;
  double *l, *d, *z, *u, *quad, *square;  // n², then n x count three times, count, n²
  double log_det_half = 0;                // of Σ

  static std::uint64_t scratch(Index n, Index count) {
    return static_cast<std::uint64_t>(2 * n * n + 3 * n * count + count);
  }
  Quadratics(Form f, const KernelArg& m, Index order, Index number_of, double* s)
      : form(f),
        matrix(m),
        n(order),
        count(number_of),
        l(s),
        d(l + n * n),
        z(d + n * count),
        u(z + n * count),
        quad(u + n * count),
        square(quad + count) {}

  const double* factor() const { return form == Form::Cholesky ? matrix.v : l; }

  /// Needs d and the factor. z = L⁻¹ d, u = Σ⁻¹ d, quad.
  void evaluate(bool partials) {
    const double* f = factor();
    for (Index i = 0; i < n; ++i) log_det_half += std::log(f[i + i * n]);
    if (form == Form::Precision) {
      log_det_half = -log_det_half;
      dense::product(view(matrix.v, n, n), view(d, n, count), u);
      for (Index k = 0; k < count; ++k) quad[k] = dense::dot(n, d + k * n, u + k * n);
      return;
    }
    std::copy_n(d, n * count, z);
    dense::solve_lower(Side::Left, false, f, n, z, count);
    for (Index k = 0; k < count; ++k) quad[k] = dense::dot(n, z + k * n, z + k * n);
    if (!partials) return;
    std::copy_n(z, n * count, u);
    dense::solve_lower(Side::Left, true, f, n, u, count);
  }

  /// Adds the partials to the matrix's adjoints; w_k times g in `w`, and `det` = g times the partial with respect to
  /// log_det_half.
  void add_to_matrix(const double* w, double det) {
    if (!matrix.a) return;
    const double* x = form == Form::Precision ? d : u;
    const double* y = form == Form::Covariance ? u : form == Form::Precision ? d : z;
    const double sign = form == Form::Precision ? 1 : form == Form::Covariance ? -1 : -2;
    double* wx = form == Form::Cholesky ? d : z;  // a buffer no longer needed
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < n; ++i) wx[i + k * n] = w[k] * x[i + k * n];
    const auto left = view(wx, n, count), right = t(view(y, n, count));
    if (form == Form::Cholesky) {
      dense::add_lower_product(sign, left, right, matrix.a, n);
      for (Index j = 0; j < n; ++j) matrix.a[j + j * n] += det / matrix.v[j + j * n];
      return;
    }
    if (det != 0) {
      dense::invert_from_cholesky(l, n, l, square);  // the factor is no longer needed either
      dense::axpy(n * n, form == Form::Covariance ? 0.5 * det : -0.5 * det, l, matrix.a);
    }
    add_product(sign, left, right, matrix.a);
  }
};

const char* matrix_label(Form f) {
  return f == Form::Covariance ? "Covariance matrix" : f == Form::Precision ? "Precision matrix" : "Cholesky factor";
}

void check_matrix(const KernelCall& c, Quadratics& q, const char* label) {
  if (q.form == Form::Cholesky)
    return;  // a diagonal that is not positive gives NaN; the upper triangle is not looked at
  if (q.n == 0 && q.form == Form::Precision) domain_error(c.name, "Precision matrix is not positive definite.");
  check_symmetric(c.name, label, q.matrix.v, q.n);
  factor_or_throw(c.name, label, q.matrix.v, q.n, q.l);
}

// ---- y and mu: vectors, or arrays of vectors of which every one counts

Index order_of(const KernelArg& a) {
  return a.shape.inner_size();
}
bool is_array(const KernelArg& a) {
  return a.shape.rank > 0;
}
Index number_of(const KernelArg& y, const KernelArg& mu) {
  return is_array(y) ? y.shape.count() : is_array(mu) ? mu.shape.count() : 1;
}
bool is_empty(const KernelArg& y, const KernelArg& mu) {
  return (is_array(y) && y.shape.count() == 0) || (is_array(mu) && mu.shape.count() == 0);
}

Plan elliptic_plan(const KernelCall& c, std::size_t location, Form form) {
  const KernelArg &y = c.in[0], &mu = c.in[location], &m = c.in[location + 1];
  if (is_array(y) && is_array(mu))
    check_sizes_match(c.name, "Size of random variable", y.shape.count(), "size of location parameter",
                      mu.shape.count());
  const char* label = matrix_label(form);
  check_square(c.name, label, m.shape);
  if (is_empty(y, mu)) return {Shape::scalar(), 0};
  check_sizes_match(c.name, "Size of random variable", order_of(y), "size of location parameter", order_of(mu));
  check_sizes_match(c.name, "Size of random variable", order_of(y), std::string("rows of ") + label, m.shape.rows);
  return {Shape::scalar(),
          Quadratics::scratch(order_of(y), number_of(y, mu)) + static_cast<std::uint64_t>(number_of(y, mu))};
}

void differences(const KernelArg& y, const KernelArg& mu, Quadratics& q) {
  for (Index k = 0; k < q.count; ++k)
    for (Index i = 0; i < q.n; ++i)
      q.d[i + k * q.n] = y.v[i + (is_array(y) ? k * q.n : 0)] - mu.v[i + (is_array(mu) ? k * q.n : 0)];
}
void add_to_differences(const KernelArg& y, const KernelArg& mu, const Quadratics& q, const double* w) {
  for (Index k = 0; k < q.count; ++k) {
    if (y.a) dense::axpy(q.n, 2 * w[k], q.u + k * q.n, y.a + (is_array(y) ? k * q.n : 0));
    if (mu.a) dense::axpy(q.n, -2 * w[k], q.u + k * q.n, mu.a + (is_array(mu) ? k * q.n : 0));
  }
}

template <Form F>
double multi_normal(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &mu = c.in[1];
  if (is_empty(y, mu)) return 0;
  Quadratics q(F, c.in[2], order_of(y), number_of(y, mu), c.scratch);
  double* w = c.scratch + Quadratics::scratch(q.n, q.count);
  check_not_nan(c.name, "Random variable", y);
  check_finite(c.name, "Location parameter", mu);
  check_matrix(c, q, matrix_label(F));
  if (!c.keep(0b111)) return 0;
  differences(y, mu, q);
  q.evaluate(g != 0);
  double lp = 0;
  for (Index k = 0; k < q.count; ++k) lp -= 0.5 * q.quad[k];
  const double count = static_cast<double>(q.count);
  if (!c.propto) lp -= 0.5 * count * static_cast<double>(q.n) * kLogTwoPi;
  if (c.keep(0b100)) lp -= count * q.log_det_half;
  if (g == 0) return lp;
  std::fill_n(w, q.count, -0.5 * g);
  add_to_differences(y, mu, q, w);
  q.add_to_matrix(w, -count * g);
  return lp;
}
template <Form F>
Plan multi_normal_plan(const KernelCall& c) {
  return elliptic_plan(c, 1, F);
}

/// log t = lgamma((nu+n)/2) - lgamma(nu/2) - n/2 log(nu π) - log det(L) - (nu+n)/2 log1p(quad / nu).
template <Form F>
double multi_student_t(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &mu = c.in[2];
  check_positive_finite(c.name, "Degrees of freedom parameter", c.in[1]);
  if (is_empty(y, mu)) return 0;
  Quadratics q(F, c.in[3], order_of(y), number_of(y, mu), c.scratch);
  double* w = c.scratch + Quadratics::scratch(q.n, q.count);
  if (q.n == 0) return 0;
  check_finite(c.name, "Location parameter", mu);
  check_not_nan(c.name, "Random variable", y);
  check_matrix(c, q, matrix_label(F));
  if (F == Form::Cholesky)
    for (Index j = 1; j < q.n; ++j)
      for (Index i = 0; i < j; ++i)
        if (c.in[3].v[i + j * q.n] != 0)
          domain_error(c.name, "Cholesky factor is not lower triangular; " + element_name("Cholesky factor", i, j) +
                                   " is not 0");
  if (!c.keep(0b1111)) return 0;
  differences(y, mu, q);
  q.evaluate(g != 0);
  const double nu = scalar_of(c.in[1]), n = static_cast<double>(q.n), count = static_cast<double>(q.count);
  double lp = 0, slope_nu = 0;
  for (Index k = 0; k < q.count; ++k) {
    const double soft = std::log1p(q.quad[k] / nu);
    lp -= 0.5 * (nu + n) * soft;
    w[k] = -0.5 * g * (nu + n) / (nu + q.quad[k]);
    slope_nu += -0.5 * soft + 0.5 * (nu + n) * q.quad[k] / (nu * (nu + q.quad[k]));
  }
  if (c.keep(0b0010)) lp += count * (scalar::lgamma_difference(0.5 * nu, 0.5 * n) - 0.5 * n * std::log(nu));
  if (!c.propto) lp -= 0.5 * count * n * kLogPi;
  if (c.keep(0b1000)) lp -= count * q.log_det_half;
  if (g == 0) return lp;
  if (c.in[1].a) *c.in[1].a += g * (slope_nu + 0.5 * count * (scalar::digamma_difference(0.5 * nu, 0.5 * n) - n / nu));
  add_to_differences(y, mu, q, w);
  q.add_to_matrix(w, -count * g);
  return lp;
}
template <Form F>
Plan multi_student_t_plan(const KernelCall& c) {
  return elliptic_plan(c, 2, F);
}

/// Rows of y are independent normals with mean 0 and covariance Σ / w_i.
Plan multi_gp_plan(const KernelCall& c) {
  check_square(c.name, "Kernel matrix", c.in[1].shape);
  check_sizes_match(c.name, "Size of random variable (rows y)", c.in[0].shape.rows, "Size of kernel scales (w)",
                    size_of(c.in[2]));
  check_sizes_match(c.name, "Size of random variable (cols y)", c.in[0].shape.cols, "rows of kernel matrix",
                    c.in[1].shape.rows);
  return {Shape::scalar(), Quadratics::scratch(c.in[0].shape.cols, c.in[0].shape.rows) + c.in[0].shape.rows};
}
template <Form F>
double multi_gp(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &scale = c.in[2];
  Quadratics q(F, c.in[1], y.shape.cols, y.shape.rows, c.scratch);
  double* w = c.scratch + Quadratics::scratch(q.n, q.count);
  check_positive_finite(c.name, "Kernel scales", scale);
  check_finite(c.name, "Random variable", y);
  if (q.count == 0) return 0;
  check_matrix(c, q, F == Form::Cholesky ? "Cholesky decomposition of kernel matrix" : "Kernel matrix");
  if (!c.keep(0b111)) return 0;
  dense::transpose(y.v, q.count, q.n, q.d);
  q.evaluate(g != 0);
  const double n = static_cast<double>(q.n), count = static_cast<double>(q.count);
  double lp = 0;
  for (Index k = 0; k < q.count; ++k) {
    lp -= 0.5 * scale.v[k] * q.quad[k];
    if (c.keep(0b100)) lp += 0.5 * n * std::log(scale.v[k]);
    w[k] = -0.5 * g * scale.v[k];
    if (g != 0 && scale.a) scale.a[k] += g * 0.5 * (n / scale.v[k] - q.quad[k]);
  }
  if (!c.propto) lp -= 0.5 * count * n * kLogTwoPi;
  if (c.keep(0b010)) lp -= count * q.log_det_half;
  if (g == 0) return lp;
  if (y.a)
    for (Index k = 0; k < q.count; ++k)
      for (Index i = 0; i < q.n; ++i) y.a[k + i * q.count] += 2 * w[k] * q.u[i + k * q.n];
  q.add_to_matrix(w, -count * g);
  return lp;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(
    multi_normal_kernels,
    density<multi_normal<Form::Covariance>>("multi_normal_lpdf", multi_normal_plan<Form::Covariance>),
    density<multi_normal<Form::Precision>>("multi_normal_prec_lpdf", multi_normal_plan<Form::Precision>),
    density<multi_normal<Form::Cholesky>>("multi_normal_cholesky_lpdf", multi_normal_plan<Form::Cholesky>),
    density<multi_student_t<Form::Covariance>>("multi_student_t_lpdf", multi_student_t_plan<Form::Covariance>),
    density<multi_student_t<Form::Cholesky>>("multi_student_t_cholesky_lpdf", multi_student_t_plan<Form::Cholesky>),
    density<multi_gp<Form::Covariance>>("multi_gp_lpdf", multi_gp_plan),
    density<multi_gp<Form::Cholesky>>("multi_gp_cholesky_lpdf", multi_gp_plan))

}  // namespace fermiac::ad
