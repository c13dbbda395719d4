// Densities and masses as formulas, for :doc.
#include <algorithm>

#include "repl/commands.h"

namespace fermiac::repl {
namespace {

struct Definition {
  std::string_view name, formula;
};

constexpr Definition kDefinitions[] = {
    {"bernoulli", "p(n) = theta if n = 1, 1 - theta if n = 0"},
    {"bernoulli_logit", "p(n) = inv_logit(alpha) if n = 1, inv_logit(-alpha) if n = 0"},
    {"beta", "p(theta) = theta^(alpha - 1) (1 - theta)^(beta - 1) / B(alpha, beta), 0 < theta < 1"},
    {"beta_binomial", "p(n) = choose(N, n) B(n + alpha, N - n + beta) / B(alpha, beta), n = 0 … N"},
    {"beta_proportion", "p(theta) = theta^(mu kappa - 1) (1 - theta)^((1 - mu) kappa - 1) / B(mu kappa, (1 - mu) kappa)"},
    {"binomial", "p(n) = choose(N, n) theta^n (1 - theta)^(N - n), n = 0 … N"},
    {"binomial_logit", "p(n) = choose(N, n) inv_logit(alpha)^n inv_logit(-alpha)^(N - n), n = 0 … N"},
    {"categorical", "p(n) = theta[n], n = 1 … K"},
    {"categorical_logit", "p(n) = softmax(beta)[n], n = 1 … K"},
    {"cauchy", "p(y) = 1 / (pi sigma (1 + ((y - mu) / sigma)^2))"},
    {"chi_square", "p(y) = 2^(-nu/2) / Gamma(nu/2) y^(nu/2 - 1) exp(-y/2), y > 0"},
    {"dirichlet", "p(theta) = Gamma(sum(alpha)) / prod Gamma(alpha[k]) prod theta[k]^(alpha[k] - 1)"},
    {"discrete_range", "p(n) = 1 / (u - l + 1), n = l … u"},
    {"double_exponential", "p(y) = exp(-|y - mu| / sigma) / (2 sigma)"},
    {"exp_mod_normal", "p(y) = lambda/2 exp(lambda/2 (2 mu + lambda sigma^2 - 2 y)) erfc((mu + lambda sigma^2 - y) / (sqrt(2) sigma))"},
    {"exponential", "p(y) = beta exp(-beta y), y >= 0"},
    {"frechet", "p(y) = alpha/sigma (y/sigma)^(-alpha - 1) exp(-(y/sigma)^-alpha), y > 0"},
    {"gamma", "p(y) = beta^alpha / Gamma(alpha) y^(alpha - 1) exp(-beta y), y > 0"},
    {"geometric", "p(n) = theta (1 - theta)^n, n >= 0"},
    {"gumbel", "p(y) = exp(-z - exp(-z)) / beta with z = (y - mu) / beta"},
    {"hypergeometric", "p(n) = choose(a, n) choose(b, N - n) / choose(a + b, N)"},
    {"inv_chi_square", "p(y) = 2^(-nu/2) / Gamma(nu/2) y^(-nu/2 - 1) exp(-1 / (2 y)), y > 0"},
    {"inv_gamma", "p(y) = beta^alpha / Gamma(alpha) y^(-alpha - 1) exp(-beta / y), y > 0"},
    {"inv_wishart", "p(W) = |S|^(nu/2) / (2^(nu K/2) Gamma_K(nu/2)) |W|^(-(nu + K + 1)/2) exp(-tr(S W^-1) / 2)"},
    {"lkj_corr", "p(R) proportional to |R|^(eta - 1)"},
    {"lkj_corr_cholesky", "p(L) proportional to prod L[k, k]^(K - k + 2 eta - 2), k = 2 … K"},
    {"logistic", "p(y) = exp(-z) / (sigma (1 + exp(-z))^2) with z = (y - mu) / sigma"},
    {"loglogistic", "p(y) = (beta/alpha) (y/alpha)^(beta - 1) / (1 + (y/alpha)^beta)^2, y > 0"},
    {"lognormal", "p(y) = exp(-(log(y) - mu)^2 / (2 sigma^2)) / (sqrt(2 pi) sigma y), y > 0"},
    {"multi_normal", "p(y) = exp(-(y - mu)' Sigma^-1 (y - mu) / 2) / sqrt((2 pi)^K |Sigma|)"},
    {"multi_normal_cholesky", "as multi_normal with Sigma = L L'"},
    {"multi_normal_prec", "as multi_normal with Sigma = Omega^-1"},
    {"multi_student_t", "p(y) proportional to (1 + (y - mu)' Sigma^-1 (y - mu) / nu)^(-(nu + K) / 2) / sqrt(|Sigma|)"},
    {"multinomial", "p(y) = N! / prod y[k]! prod theta[k]^y[k] with N = sum(y)"},
    {"neg_binomial", "p(n) = choose(n + alpha - 1, alpha - 1) (beta / (beta + 1))^alpha (1 / (beta + 1))^n, n >= 0"},
    {"neg_binomial_2", "p(n) = choose(n + phi - 1, n) (mu / (mu + phi))^n (phi / (mu + phi))^phi, n >= 0"},
    {"neg_binomial_2_log", "as neg_binomial_2 with mu = exp(eta)"},
    {"normal", "p(y) = exp(-((y - mu) / sigma)^2 / 2) / (sqrt(2 pi) sigma)"},
    {"ordered_logistic", "p(k) = inv_logit(eta - c[k-1]) - inv_logit(eta - c[k]), c[0] = -inf, c[K] = inf"},
    {"pareto", "p(y) = alpha y_min^alpha / y^(alpha + 1), y >= y_min"},
    {"pareto_type_2", "p(y) = alpha/lambda (1 + (y - mu) / lambda)^(-alpha - 1), y >= mu"},
    {"poisson", "p(n) = lambda^n exp(-lambda) / n!, n >= 0"},
    {"poisson_log", "p(n) = exp(n alpha - exp(alpha)) / n!, n >= 0"},
    {"rayleigh", "p(y) = y / sigma^2 exp(-y^2 / (2 sigma^2)), y >= 0"},
    {"scaled_inv_chi_square", "as inv_gamma with alpha = nu/2, beta = nu sigma^2 / 2"},
    {"skew_normal", "p(y) = normal(y | xi, omega) (1 + erf(alpha (y - xi) / (omega sqrt(2))))"},
    {"std_normal", "p(y) = exp(-y^2 / 2) / sqrt(2 pi)"},
    {"student_t", "p(y) = Gamma((nu + 1)/2) / (Gamma(nu/2) sqrt(nu pi) sigma) (1 + ((y - mu) / sigma)^2 / nu)^(-(nu + 1)/2)"},
    {"uniform", "p(y) = 1 / (beta - alpha), alpha <= y <= beta"},
    {"von_mises", "p(y) = exp(kappa cos(y - mu)) / (2 pi I0(kappa))"},
    {"weibull", "p(y) = alpha/sigma (y/sigma)^(alpha - 1) exp(-(y/sigma)^alpha), y >= 0"},
    {"wishart", "p(W) = |W|^((nu - K - 1)/2) exp(-tr(S^-1 W) / 2) / (2^(nu K/2) Gamma_K(nu/2) |S|^(nu/2))"},
};

}  // namespace

std::string_view definition_of(std::string_view distribution) {
  const auto* at = std::ranges::find(kDefinitions, distribution, &Definition::name);
  return at == std::end(kDefinitions) ? std::string_view() : at->formula;
}

}  // namespace fermiac::repl
