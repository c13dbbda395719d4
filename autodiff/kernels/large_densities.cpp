#include "autodiff/kernels/large_densities.h"

#include <cmath>
#include <utility>

#include "autodiff/kernels/incomplete.h"

namespace fermiac::ad::scalar {
namespace {

Tail exchanged(Tail t) {
  std::swap(t.by_a, t.by_b);
  return t;
}
/// beta_kernel with the smaller of x and y first, from which it takes the other: here both have a rounding of their own.
Tail kernel(double a, double b, double x, double y, bool slopes) {
  return x <= y ? beta_kernel(a, b, x, y, slopes) : exchanged(beta_kernel(b, a, y, x, slopes));
}

/// a b - c d with one rounding more than of the result.
double product_difference(double a, double b, double c, double d) {
  const double w = c * d, lost = std::fma(-c, d, w);
  return std::fma(a, b, -w) + lost;
}

/// The gamma law with shape a at y = x / rate, and its slopes by a and, times y, by y.
struct GammaLaw {
  double log = 0, by_a = 0, by_log_y = 0;
};
GammaLaw gamma_law(double a, double y, double rate, bool slopes) {
  const double gap = product_difference(y, rate, 1, a);
  const Tail t = gamma_kernel(a, y * rate, gap / a, slopes);
  return {t.log + std::log(a / y), t.by_a + 1 / a, -gap - 1};
}
/// The same of 1 / y at scale s.
GammaLaw inverse_gamma_law(double a, double y, double s, bool slopes) {
  const double gap = product_difference(s, 1, a, y) / y;
  const Tail t = gamma_kernel(a, s / y, gap / a, slopes);
  return {t.log + std::log(a / y), t.by_a + 1 / a, gap - 1};
}

/// The slope of beta's density: (a - 1) / x - (b - 1) / (1 - x).
double beta_slope(double a, double b, double x) {
  const double y = 1 - x, lost = (1 - y) - x;  // 1 - x is y + lost
  return (product_difference(a, y, b, x) + a * lost - (y - x)) / (x * y);
}
/// log B's law at x, and its slopes by the shapes.
Tail beta_law(double a, double b, double x, bool slopes) {
  Tail t = kernel(a, b, x, 1 - x, slopes);
  t.log -= std::log(x) + std::log1p(-x);
  return t;
}

/// n log theta + m log(1 - theta) and the binomial coefficient.
double binomial_law(double n, double total, double p, double q) {
  return kernel(n + 1, total - n + 1, p, q, false).log - std::log((total + 1) * p) - std::log(q);
}

/// The kernels of a beta law with shapes a and b, before and after k and n, at the mean of the second, where its gap is 0.
struct Compound {
  Tail prior, posterior;
  Compound(double a, double b, double k, double n, bool slopes) {
    const double sum = a + b + k + n, p = (a + k) / sum, q = (b + n) / sum, gap = product_difference(k, b, n, a) / sum;
    const bool first = p <= q;
    prior = first ? beta_kernel(a, b, p, q, gap, slopes) : exchanged(beta_kernel(b, a, q, p, -gap, slopes));
    posterior = first ? beta_kernel(a + k, b + n, p, q, 0, slopes) : exchanged(beta_kernel(b + n, a + k, q, p, 0, slopes));
  }
};

/// The slopes of a law of counts with mean mu and shape r, by mu and by r.
void count_slopes(double n, double mu, double r, double by_r, double* d) {
  const double sum = mu + r, gap = n - mu;
  d[1] = gap / sum * (r / mu);
  d[2] = by_r - gap / sum;
}

}  // namespace

double log_negative_binomial(double n, double r, double p, double q, double* by_r) {
  if (n == 0) {
    const double log_p = q < 0.5 ? std::log1p(-q) : std::log(p);
    if (by_r) *by_r = log_p;
    return r * log_p;
  }
  const Tail t = kernel(r, n + 1, p, q, by_r != nullptr);
  if (by_r) *by_r = t.by_a - 1 / (r + n);
  return t.log - std::log(r + n) - std::log(q);
}

double large_gamma(const double* x, double* d) {
  const GammaLaw t = gamma_law(x[1], x[0], x[2], d != nullptr);
  if (d) d[0] = t.by_log_y / x[0], d[1] = t.by_a, d[2] = (t.by_log_y + 1) / x[2];
  return t.log;
}
double large_inv_gamma(const double* x, double* d) {
  const GammaLaw t = inverse_gamma_law(x[1], x[0], x[2], d != nullptr);
  if (d) d[0] = t.by_log_y / x[0], d[1] = t.by_a, d[2] = -(t.by_log_y + 1) / x[2];
  return t.log;
}
double large_chi_square(const double* x, double* d) {
  const GammaLaw t = gamma_law(0.5 * x[1], x[0], 0.5, d != nullptr);
  if (d) d[0] = t.by_log_y / x[0], d[1] = 0.5 * t.by_a;
  return t.log;
}
double large_inv_chi_square(const double* x, double* d) {
  const GammaLaw t = inverse_gamma_law(0.5 * x[1], x[0], 0.5, d != nullptr);
  if (d) d[0] = t.by_log_y / x[0], d[1] = 0.5 * t.by_a;
  return t.log;
}
double large_scaled_inv_chi_square(const double* x, double* d) {
  const double h = 0.5 * x[1], ratio = x[2] * x[2] / x[0], gap = std::fma(x[2], x[2], -x[0]) / x[0];  // ratio - 1
  const Tail t = gamma_kernel(h, h * ratio, gap, d != nullptr);
  if (d) {
    d[0] = (h * gap - 1) / x[0];
    d[1] = 0.5 * (gap < -0.5 ? t.by_a + 1 / h - gap : log1pmx(gap) + 0.5 / h - stirling_slope(h));
    d[2] = -x[1] * gap / x[2];
  }
  return t.log + std::log(h / x[0]);
}

double large_beta(const double* x, double* d) {
  const Tail t = beta_law(x[1], x[2], x[0], d != nullptr);
  if (d) d[0] = beta_slope(x[1], x[2], x[0]), d[1] = t.by_a, d[2] = t.by_b;
  return t.log;
}
/// mu t.by_a + (1 - mu) t.by_b with the logarithms' leading terms, which cancel, taken out; gap is y - mu.
static double precision_slope(double mu, double kappa, double gap, const Tail& t) {
  const double rest = 1 - mu, u = gap / mu, v = -gap / rest;
  if (u < -0.5 || v < -0.5 || mu * kappa < 10 || rest * kappa < 10) return mu * t.by_a + rest * t.by_b;
  return mu * log1pmx(u) + rest * log1pmx(v) + 0.5 / kappa + stirling_slope(kappa) - mu * stirling_slope(mu * kappa) -
         rest * stirling_slope(rest * kappa);
}
double large_beta_proportion(const double* x, double* d) {
  const double y = x[0], rest = 1 - y, mu = x[1], kappa = x[2], gap = kappa * (y - mu);
  const Tail t = beta_kernel(mu * kappa, (1 - mu) * kappa, y, rest, gap, d != nullptr);
  if (d) {
    d[0] = -(gap + (rest - y)) / (y * rest);
    d[1] = kappa * (t.by_a - t.by_b);
    d[2] = precision_slope(mu, kappa, gap / kappa, t);
  }
  return t.log - std::log(y) - std::log1p(-y);
}

/// Hankel's series: I_0(kappa) is exp(kappa) / sqrt(2 pi kappa) (1 + u / 8 + 9 u² / 128 + …), u = 1 / kappa.
double large_von_mises(const double* x, double* d) {
  const double kappa = x[2], angle = x[1] - x[0], taken = x[1] - angle, lost = (x[1] - (angle + taken)) + (taken - x[0]);
  const double half = std::sin(0.5 * angle), other = std::cos(0.5 * angle), turn_c = std::cos(0.5 * lost), turn_s = std::sin(0.5 * lost);
  const double s = half * turn_c + other * turn_s, u = 1 / kappa;
  if (d) {
    d[0] = 2 * kappa * s * (other * turn_c - half * turn_s);
    d[1] = -d[0];
    d[2] = -2 * s * s + u * (0.5 + u * (0.125 + u * (0.125 + u * (25.0 / 128))));
  }
  const double rest = u * (1.0 / 8 + u * (1.0 / 16 + u * (25.0 / 384 + u * (13.0 / 128))));
  return -2 * kappa * s * s + 0.5 * std::log(kappa) - kLogSqrtTwoPi - rest;
}

double large_poisson(const double* x, double* d) {
  if (d) d[0] = 0, d[1] = (x[0] - x[1]) / x[1];
  return gamma_kernel(x[0], x[1], false).log;
}
double large_poisson_log(const double* x, double* d) {
  const double rate = std::exp(x[1]);
  if (d) d[0] = 0, d[1] = x[0] - rate;
  return rate > 0 ? gamma_kernel(x[0], rate, false).log : x[0] * x[1] - lgamma(x[0] + 1);
}

double large_binomial(const double* x, double* d) {
  const double n = x[0], total = x[1], p = x[2], q = 1 - p;
  if (d) d[0] = d[1] = 0, d[2] = -product_difference(total, p, n, 1) / (p * q);
  return binomial_law(n, total, p, q);
}
double large_binomial_logit(const double* x, double* d) {
  const double n = x[0], total = x[1], p = inv_logit(x[2]), q = inv_logit(-x[2]);
  if (d) d[0] = d[1] = 0, d[2] = p < q ? -product_difference(total, p, n, 1) : product_difference(total, q, total - n, 1);
  if (p < 1e-300 || q < 1e-300) return log_choose(total, n) - n * log1p_exp(-x[2]) - (total - n) * log1p_exp(x[2]);
  return binomial_law(n, total, p, q);
}

double large_neg_binomial(const double* x, double* d) {
  const double n = x[0], alpha = x[1], beta = x[2], q = 1 / (1 + beta);
  double by_r = 0;
  const double lp = log_negative_binomial(n, alpha, beta * q, q, d ? &by_r : nullptr);
  if (d) d[0] = 0, d[1] = by_r, d[2] = -product_difference(n, beta, alpha, 1) / beta * q;
  return lp;
}
double large_neg_binomial_2(const double* x, double* d) {
  const double n = x[0], mu = x[1], phi = x[2], sum = mu + phi;
  double by_r = 0;
  const double lp = log_negative_binomial(n, phi, phi / sum, mu / sum, d ? &by_r : nullptr);
  if (d) d[0] = 0, count_slopes(n, mu, phi, by_r, d);
  return lp;
}
double large_neg_binomial_2_log(const double* x, double* d) {
  const double n = x[0], phi = x[2], t = x[1] - std::log(phi), q = inv_logit(t), mu = phi * std::exp(t);
  if (!(q > 1e-290 && q < 1)) {  // nearly all of the mass is at one end
    const double l = log1p_exp(t);
    if (d) d[0] = 0, d[1] = n - (n + phi) * q, d[2] = digamma_difference(phi, n) - l + q - n * (1 - q) / phi;
    return lgamma_difference(phi, n) - lgamma(n + 1) - phi * l + n * (t - l);
  }
  double by_r = 0;
  const double exact = std::exp(x[1]), lp = log_negative_binomial(n, phi, inv_logit(-t), q, d ? &by_r : nullptr);
  if (d) d[0] = 0, count_slopes(n, std::isfinite(exact) ? exact : mu, phi, by_r, d), d[1] = (n - exact) * inv_logit(-t);
  return lp;
}

double large_beta_binomial(const double* x, double* d) {
  const double n = x[0], m = x[1] - x[0], a = x[2], b = x[3], sum = a + b + x[1], p = (a + n) / sum, q = (b + m) / sum;
  const Compound c(a, b, n, m, d != nullptr);
  const Tail &prior = c.prior, &posterior = c.posterior;
  if (d) d[0] = d[1] = 0, d[2] = prior.by_a - posterior.by_a, d[3] = prior.by_b - posterior.by_b;
  return binomial_law(n, x[1], p, q) + prior.log - posterior.log;
}
double large_beta_neg_binomial(const double* x, double* d) {
  const double n = x[0], r = x[1], a = x[2], b = x[3], sum = a + b + r + n, p = (a + r) / sum, q = (b + n) / sum;
  double by_r = 0;
  const double count = log_negative_binomial(n, r, p, q, d ? &by_r : nullptr);
  const Compound c(a, b, r, n, d != nullptr);
  const Tail &prior = c.prior, &posterior = c.posterior;
  if (d) d[0] = 0, d[1] = by_r - posterior.by_a, d[2] = prior.by_a - posterior.by_a, d[3] = prior.by_b - posterior.by_b;
  return count + prior.log - posterior.log;
}

double large_hypergeometric(const double* x, double*) {
  const double n = x[0], draws = x[1], a = x[2], b = x[3];
  if (draws == 0 || draws == a + b) return 0;
  const double p = draws / (a + b), q = (a + b - draws) / (a + b);
  return binomial_law(n, a, p, q) + binomial_law(draws - n, b, p, q) - binomial_law(draws, a + b, p, q);
}

}  // namespace fermiac::ad::scalar
