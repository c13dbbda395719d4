#include "autodiff/multivariate/rng.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/linalg/kernel_tools.h"
#include "autodiff/multivariate/ordered.h"
#include "support/base/errors.h"
#include "support/base/stop.h"

namespace fermiac::ad {
namespace {

using dense::product;
using dense::t;
using dense::view;
using Args = std::span<const KernelArg>;
using Numbers = std::vector<double>;

Numbers numbers(Index n) { return Numbers(static_cast<std::size_t>(n)); }
Shape ints(Index n) { return Shape::array(static_cast<std::uint32_t>(n), Shape::scalar()); }
Shape square(Index n) { return Shape::matrix(static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(n)); }

// ---- variates

double chi_square(Rng& rng, double nu) { return 2 * std::exp(draw_log_gamma(rng, 0.5 * nu)); }
double beta_symmetric(Rng& rng, double a) {
  const double log_odds = draw_log_gamma(rng, a) - draw_log_gamma(rng, a);
  if (std::isnan(log_odds)) return rng.uniform() < 0.5 ? 0 : 1;  // for shapes so small nothing is between the ends
  return 1 / (1 + std::exp(log_odds));
}

/// 1.. for weights that sum to `total`.
Index category(Rng& rng, const double* weights, Index k, double total) {
  double u = rng.uniform() * total;
  for (Index i = 0; i + 1 < k; ++i)
    if ((u -= weights[i]) < 0) return i + 1;
  while (k > 1 && weights[k - 1] == 0) --k;  // rounding must not pick what is impossible
  return k;
}
/// What a Dirichlet law becomes for shapes below the smallest doubles: all of one part.
void corner(Rng& rng, const double* alpha, Index k, double* out) {
  double most = 0, total = 0;
  for (Index i = 0; i < k; ++i) most = std::max(most, alpha[i]);
  for (Index i = 0; i < k; ++i) total += out[i] = alpha[i] / most;
  const Index chosen = category(rng, out, k, total) - 1;
  std::fill_n(out, k, 0.0);
  out[chosen] = 1;
}
/// Dirichlet on the log scale, so that tiny shapes do not underflow to 0 / 0.
void dirichlet_variate(Rng& rng, const double* alpha, Index k, double* out) {
  for (Index i = 0; i < k; ++i) out[i] = draw_log_gamma(rng, alpha[i]);
  const double high = *std::max_element(out, out + k);
  if (std::isinf(high)) return corner(rng, alpha, k, out);
  double sum = 0;
  for (Index i = 0; i < k; ++i) sum += out[i] = std::exp(out[i] - high);
  for (Index i = 0; i < k; ++i) out[i] /= sum;
}

/// Every count given those before it: a binomial draw each.
void conditional_counts(Rng& rng, const double* weights, Index k, double n, double total, double* out) {
  for (Index i = 0; i < k && n > 0; ++i) {
    const double share = total > 0 ? std::clamp(weights[i] / total, 0.0, 1.0) : 0;
    out[i] = i + 1 == k ? n : draw_binomial(rng, n, share);
    n -= out[i];
    total -= weights[i];
  }
}
/// How often each category is drawn in n trials: trial by trial where that is little work.
void counts(Rng& rng, const double* weights, Index k, int n, double* out) {
  constexpr double kMostSteps = 1e6;
  double total = 0;
  for (Index i = 0; i < k; ++i) total += weights[i];
  std::fill_n(out, k, 0.0);
  while (k > 1 && weights[k - 1] == 0) --k;  // rounding must leave nothing to what is impossible
  if (static_cast<double>(n) * static_cast<double>(k) > kMostSteps) return conditional_counts(rng, weights, k, n, total, out);
  for (int i = 0; i < n; ++i) out[category(rng, weights, k, total) - 1] += 1;
}
Numbers softmax(const KernelArg& beta) {
  Numbers w(beta.v, beta.v + size_of(beta));
  const double high = *std::max_element(w.begin(), w.end());
  for (double& x : w) x = std::exp(x - high);
  return w;
}

// ---- categories

Shape scalar_plan(Args) { return Shape::scalar(); }
void categorical(Rng& rng, Args in, double* out) {
  check_simplex("categorical_rng", "Probabilities parameter", in[0].v, size_of(in[0]));
  *out = static_cast<double>(category(rng, in[0].v, size_of(in[0]), 1));
}
void categorical_logit(Rng& rng, Args in, double* out) {
  check_nonempty("categorical_logit_rng", "Log odds parameter", size_of(in[0]));
  check_finite("categorical_logit_rng", "Log odds parameter", in[0]);
  const Numbers w = softmax(in[0]);
  double total = 0;
  for (double x : w) total += x;
  *out = static_cast<double>(category(rng, w.data(), size_of(in[0]), total));
}
Shape multinomial_plan(Args in) { return ints(size_of(in[0])); }
void check_trials(std::string_view name, const KernelArg& n) {
  if (*n.i < 0) domain_error(name, "number of trials variable", 0, *n.i, "nonnegative");
}
void multinomial(Rng& rng, Args in, double* out) {
  check_simplex("multinomial_rng", "Probabilities parameter", in[0].v, size_of(in[0]));
  check_trials("multinomial_rng", in[1]);
  counts(rng, in[0].v, size_of(in[0]), *in[1].i, out);
}
void multinomial_logit(Rng& rng, Args in, double* out) {
  check_nonempty("multinomial_logit_rng", "log-probabilities parameter", size_of(in[0]));
  check_finite("multinomial_logit_rng", "log-probabilities parameter", in[0]);
  check_trials("multinomial_logit_rng", in[1]);
  counts(rng, softmax(in[0]).data(), size_of(in[0]), *in[1].i, out);
}

Shape like_plan(Args in) { return Shape::vector(in[0].shape.scalars()); }
void dirichlet(Rng& rng, Args in, double* out) {
  check_nonempty("dirichlet_rng", "prior sample sizes", size_of(in[0]));
  check_positive_finite("dirichlet_rng", "prior sample sizes", in[0]);
  dirichlet_variate(rng, in[0].v, size_of(in[0]), out);
}
void dirichlet_multinomial(Rng& rng, Args in, double* out) {
  check_nonempty("dirichlet_multinomial_rng", "prior size parameter", size_of(in[0]));
  check_positive_finite("dirichlet_multinomial_rng", "prior size parameter", in[0]);
  check_trials("dirichlet_multinomial_rng", in[1]);
  Numbers theta = numbers(size_of(in[0]));
  dirichlet_variate(rng, in[0].v, size_of(in[0]), theta.data());
  counts(rng, theta.data(), size_of(in[0]), *in[1].i, out);
}

/// A latent location plus noise, cut into categories.
void ordered(std::string_view name, Args in, double noise, double* out) {
  check_finite(name, "Location parameter", in[0]);
  check_ordered_cutpoints(name, in[1].v, size_of(in[1]));
  const double latent = scalar_of(in[0]) + noise;
  *out = static_cast<double>(1 + std::count_if(in[1].v, in[1].v + size_of(in[1]), [=](double c) { return latent > c; }));
}
void ordered_logistic(Rng& rng, Args in, double* out) {
  const double u = rng.uniform();
  ordered("ordered_logistic_rng", in, std::log(u) - std::log1p(-u), out);
}
void ordered_probit(Rng& rng, Args in, double* out) { ordered("ordered_probit_rng", in, rng.normal(), out); }

Shape bernoulli_glm_plan(Args in) {
  const bool shared = in[0].shape.inner == Inner::RowVector;
  if (!shared && is_container(in[1]))
    check_sizes_match("bernoulli_logit_glm_rng", "Vector of intercepts", size_of(in[1]), "rows of matrix of independent variables",
                      in[0].shape.rows);
  check_sizes_match("bernoulli_logit_glm_rng", "Weight vector", size_of(in[2]), "columns of matrix of independent variables",
                    in[0].shape.cols);
  return ints(shared ? size_of(in[1]) : static_cast<Index>(in[0].shape.rows));
}
void bernoulli_glm(Rng& rng, Args in, double* out) {
  constexpr std::string_view kName = "bernoulli_logit_glm_rng";
  check_finite(kName, "Matrix of independent variables", in[0]);
  check_finite(kName, "Intercept", in[1]);
  check_finite(kName, "Weight vector", in[2]);
  const dense::View x = as_matrix(in[0]);
  const auto count = static_cast<Index>(bernoulli_glm_plan(in).size());
  for (Index i = 0; i < count; ++i) {
    if (i % 64 == 63) stop_point();
    double eta = number(in[1], is_container(in[1]) ? i : 0);
    for (Index j = 0; j < x.cols; ++j) eta += x(x.rows == 1 ? 0 : i, j) * in[2].v[j];
    const double u = rng.uniform();
    out[i] = std::log(u) - std::log1p(-u) < eta ? 1 : 0;
  }
}

// ---- multivariate normal and Student t: mu (one or an array), then a covariance matrix or its factor

enum class Form { Covariance, Factor };

template <std::size_t Mu>
Shape normal_plan(Args in) {
  const KernelArg &mu = in[Mu], &m = in[Mu + 1];
  check_square("multi_normal_rng", "covariance parameter", m.shape);
  check_sizes_match("multi_normal_rng", "Size of location parameter", mu.shape.inner_size(), "rows of covariance parameter",
                    m.shape.rows);
  Shape s = mu.shape;
  s.inner = Inner::Vector;
  s.rows = mu.shape.inner_size();
  s.cols = 1;
  return s;
}
template <Form F>
Numbers factor(std::string_view name, const KernelArg& m) {
  const Index n = m.shape.rows;
  Numbers l(m.v, m.v + n * n);
  if (F == Form::Factor) return l;
  check_symmetric(name, "Covariance matrix", m.v, n);
  factor_or_throw(name, "Covariance matrix", m.v, n, l.data());
  return l;
}
/// mu + scale L z for every vector.
void shifted_normals(Rng& rng, const KernelArg& mu, const Numbers& l, double nu, double* out) {
  const Index n = mu.shape.inner_size(), count = mu.shape.rank > 0 ? mu.shape.count() : 1;
  for (Index k = 0; k < count; ++k) {
    stop_point();
    const double scale = nu > 0 ? std::sqrt(nu / chi_square(rng, nu)) : 1;
    double* x = out + k * n;
    std::copy_n(mu.v + k * n, n, x);
    for (Index j = 0; j < n; ++j) dense::axpy(n - j, scale * rng.normal(), l.data() + j + j * n, x + j);
  }
}
template <Form F>
void multi_normal(Rng& rng, Args in, double* out) {
  constexpr std::string_view kName = F == Form::Factor ? "multi_normal_cholesky_rng" : "multi_normal_rng";
  check_finite(kName, "Location parameter", in[0]);
  shifted_normals(rng, in[0], factor<F>(kName, in[1]), 0, out);
}
template <Form F>
void multi_student_t(Rng& rng, Args in, double* out) {
  constexpr std::string_view kName = F == Form::Factor ? "multi_student_t_cholesky_rng" : "multi_student_t_rng";
  check_positive_finite(kName, "Degrees of freedom parameter", in[0]);
  check_finite(kName, "Location parameter", in[1]);
  shifted_normals(rng, in[1], factor<F>(kName, in[2]), scalar_of(in[0]), out);
}

// ---- matrices

Shape lkj_plan(Args in) {
  if (*in[0].i < 1) domain_error("lkj_corr_rng", "dimension", 0, *in[0].i, "positive");
  return square(*in[0].i);
}
/// Canonical partial correlations are independent, 2 Beta(a, a) - 1 with a = eta + (K - 2 - j) / 2 in column j.
void lkj_corr_cholesky(Rng& rng, Args in, double* out) {
  check_positive_finite("lkj_corr_cholesky_rng", "Shape parameter", in[1]);
  const Index n = *in[0].i;
  const double eta = scalar_of(in[1]);
  std::fill_n(out, n * n, 0.0);
  for (Index i = 0; i < n; ++i) {
    stop_point();
    double rest = 1;
    for (Index j = 0; j < i; ++j) {
      const double z = 2 * beta_symmetric(rng, eta + 0.5 * static_cast<double>(n - 2 - j)) - 1;
      out[i + j * n] = z * std::sqrt(rest);
      rest *= 1 - z * z;
    }
    out[i + i * n] = std::sqrt(rest);
  }
}
void self_product(const Numbers& l, Index n, double* out) {
  product(view(l.data(), n, n), t(view(l.data(), n, n)), out);
}
void lkj_corr(Rng& rng, Args in, double* out) {
  const Index n = *in[0].i;
  Numbers l = numbers(n * n);
  lkj_corr_cholesky(rng, in, l.data());
  self_product(l, n, out);
}

Shape wishart_plan(Args in) {
  check_square("wishart_rng", "scale parameter", in[1].shape);
  return in[1].shape;
}
/// Bartlett: the lower factor of a Wishart with identity scale.
Numbers bartlett(Rng& rng, std::string_view name, double nu, Index n) {
  if (!(nu > static_cast<double>(n) - 1))
    domain_error(name, "Degrees of freedom parameter", 0, nu, fmt::format("greater than {}", n - 1));
  if (std::isinf(nu)) domain_error(name, "Degrees of freedom parameter", 0, nu, "finite");
  Numbers a = numbers(n * n);
  for (Index j = 0; j < n; ++j) {
    stop_point();
    a[static_cast<std::size_t>(j + j * n)] = std::sqrt(chi_square(rng, nu - static_cast<double>(j)));
    for (Index i = j + 1; i < n; ++i) a[static_cast<std::size_t>(i + j * n)] = rng.normal();
  }
  return a;
}
template <Form F>
void wishart(Rng& rng, Args in, double* out) {
  constexpr std::string_view kName = F == Form::Factor ? "wishart_cholesky_rng" : "wishart_rng";
  const Index n = in[1].shape.rows;
  const Numbers l = factor<F>(kName, in[1]), a = bartlett(rng, kName, scalar_of(in[0]), n);
  Numbers la = numbers(n * n);
  product(view(l.data(), n, n), view(a.data(), n, n), la.data());
  if (F == Form::Factor) std::copy(la.begin(), la.end(), out);
  else self_product(la, n, out);
}
/// The inverse of a Wishart with scale S⁻¹ = L'⁻¹ L⁻¹: (L A'⁻¹)(L A'⁻¹)' for its identity-scale factor A.
template <Form F>
void inv_wishart(Rng& rng, Args in, double* out) {
  constexpr std::string_view kName = F == Form::Factor ? "inv_wishart_cholesky_rng" : "inv_wishart_rng";
  const Index n = in[1].shape.rows;
  Numbers l = factor<F>(kName, in[1]);
  const Numbers a = bartlett(rng, kName, scalar_of(in[0]), n);
  dense::solve_lower(dense::Side::Right, true, a.data(), n, l.data(), n);
  self_product(l, n, out);
  if (F == Form::Factor) dense::cholesky(out, n);
}

/// Forward filter, backward sampling of the states of a hidden Markov model.
Shape hmm_plan(Args in) {
  check_square("hmm_latent_rng", "Gamma", in[1].shape);
  check_sizes_match("hmm_latent_rng", "Rows of log_omegas", in[0].shape.rows, "rows of Gamma", in[1].shape.rows);
  check_sizes_match("hmm_latent_rng", "Size of rho", size_of(in[2]), "rows of Gamma", in[1].shape.rows);
  return ints(in[0].shape.cols);
}
void hmm_latent(Rng& rng, Args in, double* out) {
  const Index k = in[0].shape.rows, n = in[0].shape.cols;
  const double* gamma = in[1].v;
  check_simplex("hmm_latent_rng", "rho", in[2].v, k);
  Numbers alpha = numbers(k * n), row = numbers(k);
  for (Index i = 0; i < k; ++i) {
    for (Index j = 0; j < k; ++j) row[static_cast<std::size_t>(j)] = gamma[i + j * k];
    check_simplex("hmm_latent_rng", fmt::format("Gamma[{}]", i + 1), row.data(), k);
  }
  for (Index s = 0; s < n; ++s) {
    stop_point();
    double* a = alpha.data() + s * k;
    if (s == 0) std::copy_n(in[2].v, k, a);
    else product(t(view(gamma, k, k)), view(a - k, k, 1), a);
    const double* log_omega = in[0].v + s * k;
    const double high = *std::max_element(log_omega, log_omega + k);
    double sum = 0;
    for (Index j = 0; j < k; ++j) sum += a[j] *= std::exp(log_omega[j] - high);
    for (Index j = 0; j < k; ++j) a[j] /= sum;
  }
  for (Index s = n - 1; s >= 0; --s) {
    double total = 0;
    for (Index j = 0; j < k; ++j) {
      double& w = row[static_cast<std::size_t>(j)];
      w = alpha[static_cast<std::size_t>(s * k + j)];
      if (s + 1 < n) w *= gamma[j + (static_cast<Index>(out[s + 1]) - 1) * k];
      total += w;
    }
    out[s] = static_cast<double>(category(rng, row.data(), k, total));
  }
}

constexpr MultiRng kRngs[] = {
    {"categorical_rng", scalar_plan, categorical, true},
    {"categorical_logit_rng", scalar_plan, categorical_logit, true},
    {"multinomial_rng", multinomial_plan, multinomial, true},
    {"multinomial_logit_rng", multinomial_plan, multinomial_logit, true},
    {"dirichlet_rng", like_plan, dirichlet, false},
    {"dirichlet_multinomial_rng", multinomial_plan, dirichlet_multinomial, true},
    {"ordered_logistic_rng", scalar_plan, ordered_logistic, true},
    {"ordered_probit_rng", scalar_plan, ordered_probit, true},
    {"bernoulli_logit_glm_rng", bernoulli_glm_plan, bernoulli_glm, true},
    {"multi_normal_rng", normal_plan<0>, multi_normal<Form::Covariance>, false},
    {"multi_normal_cholesky_rng", normal_plan<0>, multi_normal<Form::Factor>, false},
    {"multi_student_t_rng", normal_plan<1>, multi_student_t<Form::Covariance>, false},
    {"multi_student_t_cholesky_rng", normal_plan<1>, multi_student_t<Form::Factor>, false},
    {"lkj_corr_rng", lkj_plan, lkj_corr, false},
    {"lkj_corr_cholesky_rng", lkj_plan, lkj_corr_cholesky, false},
    {"wishart_rng", wishart_plan, wishart<Form::Covariance>, false},
    {"wishart_cholesky_rng", wishart_plan, wishart<Form::Factor>, false},
    {"inv_wishart_rng", wishart_plan, inv_wishart<Form::Covariance>, false},
    {"inv_wishart_cholesky_rng", wishart_plan, inv_wishart<Form::Factor>, false},
    {"hmm_latent_rng", hmm_plan, hmm_latent, true},
};

}  // namespace

const MultiRng* find_multi_rng(std::string_view name) {
  for (const MultiRng& r : kRngs)
    if (r.name == name) return &r;
  return nullptr;
}
std::span<const MultiRng> all_multi_rngs() { return kRngs; }

}  // namespace fermiac::ad
