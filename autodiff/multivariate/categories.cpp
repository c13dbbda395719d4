// Outcomes among categories and the distributions of their probabilities: categorical, multinomial, Dirichlet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/kernels/incomplete.h"
#include "autodiff/kernels/large_densities.h"
#include "autodiff/linalg/kernel_tools.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {


void check_categories(const KernelCall& c, const KernelArg& y, Index k) {
  for (Index n = 0; n < size_of(y); ++n)
    if (y.i[n] < 1 || y.i[n] > k)
      domain_error(c.name, "Category", is_container(y) ? n + 1 : 0, y.i[n], fmt::format("in the interval [1, {}]", k));
}
void check_counts(const KernelCall& c, const KernelArg& y) {
  for (Index n = 0; n < size_of(y); ++n)
    if (y.i[n] < 0) domain_error(c.name, "Number of trials variable", n + 1, y.i[n], "nonnegative");
}

/// Probabilities proportional to exp(x): exp(x_i - high) / sum. Their logarithms keep their digits where logits are large.
struct Softmax {
  double high = 0, sum = 1, log_sum = 0;
  Softmax(const double* x, Index n) : high(*std::max_element(x, x + n)), sum(dense::ops().sum_exp(n, x, high)), log_sum(std::log(sum)) {}
  double log_of(double x) const { return (x - high) - log_sum; }
  /// Adds g times the probabilities.
  void add(double g, const double* x, Index n, double* to) const { dense::ops().axpy_exp(n, g / sum, x, high, to); }
};

// ---- categorical

Plan categorical_plan(const KernelCall&) { return {Shape::scalar(), 0}; }
double categorical(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &theta = c.in[1];
  if (size_of(theta) == 0) domain_error(c.name, "Probabilities parameter is not a valid simplex: it has size 0");
  check_simplex(c.name, "Probabilities parameter", theta.v, size_of(theta));
  check_categories(c, y, size_of(theta));
  double lp = 0;
  if (!c.keep(0b10)) return lp;
  for (Index n = 0; n < size_of(y); ++n) {
    const Index k = y.i[n] - 1;
    lp += std::log(theta.v[k]);
    if (g != 0 && theta.a) theta.a[k] += g / theta.v[k];
  }
  return lp;
}
double categorical_logit(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &beta = c.in[1];
  const Index k = size_of(beta), count = size_of(y);
  check_finite(c.name, "log odds parameter", beta);
  check_categories(c, y, k);
  if (!c.keep(0b10) || count == 0) return 0;
  const Softmax theta(beta.v, k);
  double lp = 0;
  for (Index n = 0; n < count; ++n) lp += theta.log_of(beta.v[y.i[n] - 1]);
  if (g == 0 || !beta.a) return lp;
  for (Index n = 0; n < count; ++n) beta.a[y.i[n] - 1] += g;
  theta.add(-g * static_cast<double>(count), beta.v, k, beta.a);
  return lp;
}

// ---- multinomial

Plan multinomial_plan(const KernelCall& c) {
  check_sizes_match(c.name, "Size of number of trials variable", size_of(c.in[0]), "rows of probabilities parameter",
                    size_of(c.in[1]));
  return {Shape::scalar(), 0};
}
Plan nonempty_multinomial_plan(const KernelCall& c) {
  check_nonempty(c.name, "Probabilities parameter", size_of(c.in[1]));
  return multinomial_plan(c);
}
double total_of(const KernelArg& y) {
  double total = 0;
  for (Index k = 0; k < size_of(y); ++k) total += y.i[k];
  return total;
}
/// log of the multinomial coefficient.
double log_coefficient(const KernelArg& y) {
  double lp = 0, total = 0;
  for (Index k = 0; k < size_of(y); ++k) {
    total += y.i[k];
    lp -= std::lgamma(y.i[k] + 1.0);
  }
  return lp + std::lgamma(total + 1);
}
/// Sum of n numbers, with the rounding of the sum in `rest`.
double careful_sum(const double* x, Index n, double* rest) {
  double sum = 0;
  *rest = 0;
  for (Index i = 0; i < n; ++i) {
    const double next = sum + x[i], taken = next - sum;
    *rest += (sum - (next - taken)) + (x[i] - taken);
    sum = next;
  }
  return sum;
}
/// log n! + Σ y_k log theta_k - log y_k!, for large counts: Poisson masses at n theta_k over the mass of n at n.
template <class LogProbability>
double multinomial_mass(const KernelArg& y, double n, double excess, LogProbability log_theta) {
  constexpr double kTiny = -600;  // beyond, expected counts are far from all others, and soon no normal numbers
  double lp = -scalar::gamma_kernel(n, n, false).log + n * excess;
  for (Index k = 0; k < size_of(y); ++k) {
    const double log_p = log_theta(k), expected = n * std::exp(log_p), count = y.i[k];
    if (count == 0) lp -= expected;
    else if (log_p < kTiny) lp += count * (log_p + std::log(n)) - std::lgamma(count + 1) - expected;
    else lp += scalar::gamma_kernel(count, expected, false).log;
  }
  return lp;
}
double multinomial(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &theta = c.in[1];
  check_counts(c, y);
  check_simplex(c.name, "Probabilities parameter", theta.v, size_of(theta));
  const double total = total_of(y);
  double lp = c.propto ? 0 : log_coefficient(y);
  if (!c.keep(0b10)) return lp;
  for (Index k = 0; k < size_of(y); ++k) {
    if (y.i[k] == 0) continue;
    lp += y.i[k] * std::log(theta.v[k]);
    if (g != 0 && theta.a) theta.a[k] += g * y.i[k] / theta.v[k];
  }
  if (c.propto || total < scalar::kLargeShape) return lp;
  double rest = 0;
  const double sum = careful_sum(theta.v, size_of(theta), &rest);
  return multinomial_mass(y, total, (sum - 1) + rest, [&](Index k) { return std::log(theta.v[k]); });
}
double multinomial_logit(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &beta = c.in[1];
  check_counts(c, y);
  check_finite(c.name, "log-probabilities parameter", beta);
  const double total = total_of(y);
  double lp = c.propto ? 0 : log_coefficient(y);
  if (!c.keep(0b10) || size_of(y) == 0) return lp;
  const Softmax theta(beta.v, size_of(beta));
  for (Index k = 0; k < size_of(y); ++k) lp += y.i[k] * theta.log_of(beta.v[k]);
  if (!c.propto && total >= scalar::kLargeShape)
    lp = multinomial_mass(y, total, 0, [&](Index k) { return theta.log_of(beta.v[k]); });
  if (g == 0 || !beta.a) return lp;
  for (Index k = 0; k < size_of(y); ++k) beta.a[k] += g * y.i[k];
  theta.add(-g * total, beta.v, size_of(beta), beta.a);
  return lp;
}

// ---- Dirichlet

Index vectors_in(const KernelArg& a) { return a.shape.rank > 0 ? a.shape.count() : 1; }
Index stride_of(const KernelArg& a) { return a.shape.rank > 0 ? a.shape.inner_size() : 0; }

Plan dirichlet_plan(const KernelCall& c) {
  const KernelArg &theta = c.in[0], &alpha = c.in[1];
  if (theta.shape.rank > 0 && alpha.shape.rank > 0)
    check_sizes_match(c.name, "Number of probabilities", vectors_in(theta), "number of prior sample sizes",
                      vectors_in(alpha));
  if (vectors_in(theta) > 0 && vectors_in(alpha) > 0)
    check_sizes_match(c.name, "Size of probabilities", theta.shape.inner_size(), "size of prior sample sizes",
                      alpha.shape.inner_size());
  return {Shape::scalar(), 0};
}

/// digamma(total) - digamma(alpha) + log theta.
double concentration_slope(double alpha, double total, double rest, double theta) {
  const double x = total * theta, u = std::fma(total, theta, -alpha) / alpha;
  const scalar::Tail whole = scalar::gamma_kernel(total, total, true), part = scalar::gamma_kernel(alpha, x, u, true);
  return (part.by_a + 1 / alpha) - (whole.by_a + 1 / total) + rest / total;
}
/// The log density where concentrations are large: Poisson masses of alpha_k at A theta_k over that of A at A, A = Σ alpha.
double dirichlet_large(const double* theta, const double* alpha, Index k, double total) {
  double rest = 0;
  const double sum = careful_sum(theta, k, &rest);
  double lp = -scalar::gamma_kernel(total, total, false).log - std::log(total) + total * ((sum - 1) + rest);
  for (Index i = 0; i < k; ++i)
    lp += scalar::gamma_kernel(alpha[i], total * theta[i], false).log + std::log(alpha[i] / theta[i]);
  return lp;
}
bool all_positive(const double* x, Index n) { return std::all_of(x, x + n, [](double v) { return v > 0; }); }

double dirichlet_one(const KernelCall& c, const double* theta, const double* alpha, Index k, double g, double* theta_a,
                     double* alpha_a) {
  double lp = 0, rest = 0;
  const double total = careful_sum(alpha, k, &rest);
  const bool large = total > scalar::kLargeShape && total < 1e300 && all_positive(theta, k);
  if (c.keep(0b10)) {
    lp += std::lgamma(total);
    for (Index i = 0; i < k; ++i) lp -= std::lgamma(alpha[i]);
  }
  if (c.keep(0b11))
    for (Index i = 0; i < k; ++i)
      if (alpha[i] != 1) lp += (alpha[i] - 1) * std::log(theta[i]);
  if (large && c.keep(0b10)) lp = dirichlet_large(theta, alpha, k, total);
  if (g == 0) return lp;
  const double slope = alpha_a && !large ? digamma(total) : 0;
  for (Index i = 0; i < k; ++i) {
    if (theta_a && alpha[i] != 1) theta_a[i] += g * (alpha[i] - 1) / theta[i];
    if (!alpha_a) continue;
    if (large) alpha_a[i] += g * concentration_slope(alpha[i], total, rest, theta[i]);
    else alpha_a[i] += g * (slope - digamma(alpha[i]) + std::log(theta[i]));
  }
  return lp;
}
double dirichlet(const KernelCall& c, double g) {
  const KernelArg &theta = c.in[0], &alpha = c.in[1];
  check_positive_finite(c.name, "prior sample sizes", alpha);
  const Index count = theta.shape.rank > 0 ? vectors_in(theta) : vectors_in(alpha);
  const Index k = theta.shape.inner_size(), dt = stride_of(theta), da = stride_of(alpha);
  for (Index n = 0; n < vectors_in(theta); ++n)
    check_simplex(c.name, theta.shape.rank > 0 ? fmt::format("probabilities[{}]", n + 1) : "probabilities",
                  theta.v + n * dt, k);
  double lp = 0;
  for (Index n = 0; n < count; ++n)
    lp += dirichlet_one(c, theta.v + n * dt, alpha.v + n * da, k, g, theta.a ? theta.a + n * dt : nullptr,
                        alpha.a ? alpha.a + n * da : nullptr);
  return lp;
}

/// One count y with concentration a: log Γ(y + a) / Γ(a), and its slope. Slopes of zero counts are 0.
double log_rising(double a, double y, double* slope) {
  constexpr double kFew = 16, kProductFits = 1e15;
  *slope = 0;
  if (y == 0) return 0;
  if (y <= kFew && a < kProductFits && a > 1 / kProductFits) {
    double product = 1;
    for (double i = 0; i < y; ++i) product *= a + i, *slope += 1 / (a + i);
    return std::log(product);
  }
  *slope = scalar::digamma_difference(a, y);
  return scalar::lgamma_difference(a, y);
}
/// The same with 1 / y! and p^y q^a, for which the sum over categories and the whole cancel.
struct Odds {
  double p, q;
  double log_mass(double a, double y, double* slope) const { return scalar::log_negative_binomial(y, a, q, p, slope); }
};

/// n! Γ(A) / Γ(n + A) Π Γ(y_k + α_k) / (y_k! Γ(α_k)), A = Σ α, n = Σ y.
double dirichlet_multinomial(const KernelCall& c, double g) {
  const KernelArg &y = c.in[0], &alpha = c.in[1];
  check_counts(c, y);
  check_positive_finite(c.name, "prior size parameter", alpha);
  double total = 0;
  for (Index k = 0; k < size_of(y); ++k) total += alpha.v[k];
  const double count = total_of(y), constant = c.propto ? 0 : log_coefficient(y);
  if (!c.keep(0b10) || count == 0) return constant;
  const bool large = count > scalar::kLargeShape;
  const Odds odds{count / (count + total), total / (count + total)};
  const auto term = [&](double a, double n, double* slope) { return large ? odds.log_mass(a, n, slope) : log_rising(a, n, slope); };
  double slope = 0, common = 0, lp = -term(total, count, &common);
  for (Index k = 0; k < size_of(y); ++k) {
    if (y.i[k] == 0 && !large && !(g != 0 && alpha.a)) continue;
    lp += term(alpha.v[k], y.i[k], &slope);
    if (g != 0 && alpha.a) alpha.a[k] += g * (slope - common);
  }
  if (!large) return lp + constant;
  return c.propto ? lp - log_coefficient(y) : lp;
}

}  // namespace

FERMIAC_EXPORT_KERNELS(category_kernels, density<categorical>("categorical_lpmf", categorical_plan),
                       density<categorical_logit>("categorical_logit_lpmf", categorical_plan),
                       density<multinomial>("multinomial_lpmf", nonempty_multinomial_plan),
                       density<multinomial_logit>("multinomial_logit_lpmf", multinomial_plan),
                       density<dirichlet>("dirichlet_lpdf", dirichlet_plan),
                       density<dirichlet_multinomial>("dirichlet_multinomial_lpmf", multinomial_plan))

}  // namespace fermiac::ad
