#include "autodiff/dist/rng.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#define FERMIAC_LAW_DRAWS
#include "autodiff/dist/laws/all.h"
#include "autodiff/errors.h"
#include "autodiff/kernels/scalar_driver.h"
#include "autodiff/stop.h"

namespace fermiac::ad {

// ---- building blocks

/// Marsaglia & Tsang, "A simple method for generating gamma variables", ACM TOMS 26 (2000); shape >= 1. Rejection would
/// never end for what is no finite number.
static double gamma_of_large_shape(Rng& rng, double shape) {
  if (!std::isfinite(shape)) return shape;
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = rng.normal();
    const double t = 1 + c * x;
    if (t <= 0) continue;
    const double v = t * t * t;
    if (std::log(rng.uniform()) < 0.5 * x * x + d * (1 - v + std::log(v))) return d * v;
  }
}

double draw_log_gamma(Rng& rng, double shape) {
  if (shape >= 1) return std::log(gamma_of_large_shape(rng, shape));
  return std::log(gamma_of_large_shape(rng, shape + 1)) - rng.exponential() / shape;
}

double draw_gamma(Rng& rng, double shape) {
  return shape >= 1 ? gamma_of_large_shape(rng, shape) : std::exp(draw_log_gamma(rng, shape));
}

double draw_chi_square(Rng& rng, double nu) { return 2 * draw_gamma(rng, 0.5 * nu); }

double draw_beta(Rng& rng, double a, double b) {
  const double log_x = draw_log_gamma(rng, a);
  const double log_y = draw_log_gamma(rng, b);
  if (log_x == log_y && std::isinf(log_x)) return rng.uniform() * (a + b) < a ? 1 : 0;  // shapes so small leave the ends alone
  return scalar::inv_logit(log_x - log_y);
}

namespace {

double poisson_by_product(Rng& rng, double rate) {
  const double limit = std::exp(-rate);
  double n = 0;
  for (double p = rng.uniform(); p > limit; p *= rng.uniform()) ++n;
  return n;
}

/// The transformed rejection method PTRS of W. Hoermann, Insurance: Mathematics and Economics 12 (1993); rate >= 10.
double poisson_by_rejection(Rng& rng, double rate) {
  const double b = 0.931 + 2.53 * std::sqrt(rate);
  const double a = -0.059 + 0.02483 * b;
  const double inv_alpha = 1.1239 + 1.1328 / (b - 3.4);
  const double v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = rng.uniform() - 0.5;
    const double v = rng.uniform();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v * inv_alpha / (a / (us * us) + b)) <= k * std::log(rate) - rate - scalar::lgamma(k + 1)) return k;
  }
}

/// Inversion by walking up from 0; p <= 1/2, n p < 10.
double binomial_by_inversion(Rng& rng, double n, double p) {
  const double odds = p / (1 - p);
  for (;;) {
    double mass = std::exp(n * std::log1p(-p));
    double u = rng.uniform();
    for (double k = 0; k <= n && mass > 0; ++k) {
      if (u <= mass) return k;
      u -= mass;
      mass *= odds * (n - k) / (k + 1);
    }
  }
}

/// The transformed rejection method BTRS of W. Hoermann, J. Stat. Comput. Simul. 46 (1993); p <= 1/2, n p >= 10.
double binomial_by_rejection(Rng& rng, double n, double p) {
  const double sd = std::sqrt(n * p * (1 - p));
  const double b = 1.15 + 2.53 * sd;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double c = n * p + 0.5;
  const double v_r = 0.92 - 4.2 / b;
  const double alpha = (2.83 + 5.1 / b) * sd;
  const double mode = std::floor((n + 1) * p);
  const double log_odds = std::log(p / (1 - p));
  const double at_mode = scalar::lgamma(mode + 1) + scalar::lgamma(n - mode + 1);
  for (;;) {
    const double u = rng.uniform() - 0.5;
    const double v = rng.uniform();
    const double us = 0.5 - std::fabs(u);
    const double k = std::floor((2 * a / us + b) * u + c);
    if (k < 0 || k > n) continue;
    if (us >= 0.07 && v <= v_r) return k;
    const double bound = at_mode - scalar::lgamma(k + 1) - scalar::lgamma(n - k + 1) + (k - mode) * log_odds;
    if (std::log(v * alpha / (a / (us * us) + b)) <= bound) return k;
  }
}

}  // namespace

double draw_poisson(Rng& rng, double rate) {
  return rate < 10 ? poisson_by_product(rng, rate) : poisson_by_rejection(rng, rate);
}

double draw_binomial(Rng& rng, double n, double p) {
  if (std::isnan(n) || std::isnan(p)) return scalar::kNan;
  if (p > 0.5) return n - draw_binomial(rng, n, 1 - p);
  if (p == 0 || n == 0) return 0;
  return n * p < 10 ? binomial_by_inversion(rng, n, p) : binomial_by_rejection(rng, n, p);
}

namespace {

// draws::normal is what draws from laws::kNormal; its rules come from the law.
#define FERMIAC_DRAW(name, Name) \
  RngOp{#name "_rng", static_cast<int>(laws::k##Name.arguments.size()) - 1, kDrawRules<laws::k##Name>, draws::name, laws::k##Name.counts},
constexpr RngOp kRngs[] = {FERMIAC_LAWS_WITH_DRAWS(FERMIAC_DRAW)};
#undef FERMIAC_DRAW

constexpr std::uint32_t kDrawsToStop = 64;

double guarded(const RngOp& op, Rng& rng, const double* x) {
  const double v = op.draw(rng, x);
  if (op.integer_result && !(std::fabs(v) <= 2147483647.0))
    throw DomainError(fmt::format("{}: the draw {} does not fit an int!", op.name, v));
  return v;
}

}  // namespace

const RngOp* find_rng(std::string_view name) {
  const auto it = std::ranges::find(kRngs, name, &RngOp::name);
  return it == std::ranges::end(kRngs) ? nullptr : it;
}

std::span<const RngOp> all_rngs() { return kRngs; }

double draw(const RngOp& op, Rng& rng, const double* x) {
  if (!rules_hold(op.rules, x)) {
    MapArgs args;
    for (int j = 0; j < op.arity; ++j) args.x[j] = x + j;
    explain_rules(op.name, op.rules, args);
  }
  return guarded(op, rng, x);
}

void draw_all(const RngOp& op, Rng& rng, const MapArgs& args) {
  explain_rules(op.name, op.rules, args);
  double x[kMaxMapArity];
  for (std::uint32_t i = 0; i < args.n; ++i) {
    for (int j = 0; j < op.arity; ++j) x[j] = args.x[j][args.vector_mask >> j & 1u ? i : 0];
    if (i % kDrawsToStop == 0) stop_point();
    args.out[i] = guarded(op, rng, x);
  }
}

}  // namespace fermiac::ad
