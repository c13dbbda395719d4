#include "autodiff/dist/rng.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

constexpr double kMaxRate = 1073741824;  // 2^30: a Poisson draw then fits an int
constexpr double kPi = scalar::kPi;

double poisson_checked(Rng& rng, const char* function, double rate) {
  if (!(rate < kMaxRate))
    throw DomainError(fmt::format("{}: Random number that came from gamma distribution is {}, but must be less than {}!",
                                  function, rate, kMaxRate));
  return draw_poisson(rng, rate);
}

/// A walk from the mode to both sides, as far as there is mass that a double can hold.
double hypergeometric(Rng& rng, const double* x) {
  const double draws = x[0], a = x[1], b = x[2];
  if (draws > a + b)
    throw DomainError(fmt::format("hypergeometric_rng: Draws parameter is {}, but must be in the interval [0, {}]!", draws, a + b));
  const double low = std::fmax(0, draws - b), high = std::fmin(draws, a);
  const double mode = std::clamp(std::floor((draws + 1) * (a + 1) / (a + b + 2)), low, high);
  const double at_mode = std::exp(scalar::log_choose(a, mode) + scalar::log_choose(b, draws - mode) -
                                  scalar::log_choose(a + b, draws));
  for (;;) {
    double u = rng.uniform() - at_mode;
    double up = at_mode, down = at_mode;
    double i = mode, j = mode;
    if (u <= 0) return mode;
    while ((i < high && up > 0) || (j > low && down > 0)) {
      if (i < high) {
        up *= (a - i) * (draws - i) / ((i + 1) * (b - draws + i + 1));
        ++i;
        if ((u -= up) <= 0) return i;
      }
      if (j > low) {
        down *= j * (b - draws + j) / ((a - j + 1) * (draws - j + 1));
        --j;
        if ((u -= down) <= 0) return j;
      }
    }
  }
}

/// D. J. Best & N. I. Fisher, Applied Statistics 28 (1979). In [m - pi, m + pi] with m = mu mod 2 pi.
double von_mises(Rng& rng, const double* x) {
  const double kappa = x[1];
  const double turns = std::fmod(x[0], 2 * kPi);
  const double m = turns < 0 ? turns + 2 * kPi : turns;
  if (kappa < 1.4e-8) return m + kPi * (2 * rng.uniform() - 1);
  if (kappa > 1e12) return m + rng.normal() / std::sqrt(kappa);  // the limit, where r below is 1 up to rounding
  const double tau = 1 + std::sqrt(1 + 4 * kappa * kappa);
  const double rho = (tau - std::sqrt(2 * tau)) / (2 * kappa);
  const double r = kappa > 1e5 ? 1 + 1 / (2 * kappa) : (1 + rho * rho) / (2 * rho);
  for (;;) {
    const double z = std::cos(kPi * rng.uniform());
    const double w = (1 + r * z) / (r + z);
    const double y = kappa * (r - w);
    const double u = rng.uniform();
    if (y * (2 - y) - u <= 0 && std::log(y / u) + 1 - y < 0) continue;
    const double angle = std::acos(std::clamp(w, -1.0, 1.0));
    return rng.uniform() < 0.5 ? m - angle : m + angle;
  }
}

double skew_normal(Rng& rng, const double* x) {
  const double delta = std::fabs(x[2]) < 1e100 ? x[2] / std::sqrt(1 + x[2] * x[2]) : std::copysign(1.0, x[2]);
  const double z = delta * std::fabs(rng.normal()) + std::sqrt(1 - delta * delta) * rng.normal();
  return x[0] + x[1] * z;
}

double skew_double_exponential(Rng& rng, const double* x) {
  const double e = 0.5 * x[1] * rng.exponential();
  return rng.uniform() < x[2] ? x[0] - e / (1 - x[2]) : x[0] + e / x[2];
}

double discrete_range(Rng& rng, const double* x) {
  const auto width = static_cast<std::uint64_t>(x[1] - x[0]) + 1;
  const std::uint64_t fair = ~std::uint64_t{0} / width * width;
  std::uint64_t u = rng();
  while (u >= fair) u = rng();
  return x[0] + static_cast<double>(u % width);
}

/// Geometric on 1, 2, ... with success probability exp(-W), W exponential.
double yule_simon(Rng& rng, const double* x) {
  const double p = std::exp(-rng.exponential() / x[0]);
  return p >= 1 ? 1 : std::fmax(1, std::ceil(-rng.exponential() / std::log1p(-p)));
}

double beta_neg_binomial(Rng& rng, const double* x) {
  const double log_odds = draw_log_gamma(rng, x[2]) - draw_log_gamma(rng, x[1]);
  return poisson_checked(rng, "beta_neg_binomial_rng", draw_gamma(rng, x[0]) * std::exp(log_odds));
}

/// g times factor / divisor, where the product need not fit.
double scaled(double g, double factor, double divisor) {
  const double product = g * factor;
  return std::isinf(product) ? g / divisor * factor : product / divisor;
}

// ---- domains; operands in the order of the arguments
#define FERMIAC_RULES(name, ...) constexpr DomainRule name[] = {__VA_ARGS__};
constexpr DomainRule location(int j) { return {static_cast<std::uint8_t>(j), Rule::Finite, "Location parameter"}; }
constexpr DomainRule positive(int j, const char* label) { return {static_cast<std::uint8_t>(j), Rule::PositiveFinite, label}; }
constexpr DomainRule probability(int j, const char* label) { return {static_cast<std::uint8_t>(j), Rule::Probability, label}; }
constexpr DomainRule count(int j, const char* label) { return {static_cast<std::uint8_t>(j), Rule::NonNegative, label}; }

FERMIAC_RULES(kLocationScale, location(0), positive(1, "Scale parameter"))
FERMIAC_RULES(kStudentT, positive(0, "Degrees of freedom parameter"), location(1), positive(2, "Scale parameter"))
FERMIAC_RULES(kRate, positive(0, "Inverse scale parameter"))
FERMIAC_RULES(kShapeRate, positive(0, "Shape parameter"), positive(1, "Inverse scale parameter"))
FERMIAC_RULES(kShapeScale, positive(0, "Shape parameter"), positive(1, "Scale parameter"))
FERMIAC_RULES(kScaleShape, positive(0, "Scale parameter"), positive(1, "Shape parameter"))
FERMIAC_RULES(kScale, positive(0, "Scale parameter"))
FERMIAC_RULES(kFreedom, positive(0, "Degrees of freedom parameter"))
FERMIAC_RULES(kFreedomScale, positive(0, "Degrees of freedom parameter"), positive(1, "Scale parameter"))
FERMIAC_RULES(kTwoShapes, positive(0, "First shape parameter"), positive(1, "Second shape parameter"))
FERMIAC_RULES(kMeanPrecision, {0, Rule::Bounded01Open, "Location parameter"}, positive(1, "Precision parameter"))
FERMIAC_RULES(kBounds, {0, Rule::Finite, "Lower bound parameter"}, {1, Rule::Finite, "Upper bound parameter"},
              {1, Rule::Greater, "Upper bound parameter", 0, "Lower bound parameter"})
FERMIAC_RULES(kParetoType2, location(0), positive(1, "Scale parameter"), positive(2, "Shape parameter"))
FERMIAC_RULES(kSkewNormal, location(0), positive(1, "Scale parameter"), {2, Rule::Finite, "Shape parameter"})
FERMIAC_RULES(kExpModNormal, location(0), positive(1, "Scale parameter"), positive(2, "Inv_scale parameter"))
FERMIAC_RULES(kSkewDoubleExponential, location(0), positive(1, "Scale parameter"), probability(2, "Skewness parameter"))
FERMIAC_RULES(kVonMises, location(0), {1, Rule::NonNegativeFinite, "Concentration parameter"})
FERMIAC_RULES(kProbability, probability(0, "Probability parameter"))
FERMIAC_RULES(kLogit, {0, Rule::Finite, "Logit transformed probability parameter"})
FERMIAC_RULES(kBinomial, count(0, "Population size parameter"), probability(1, "Probability parameter"))
FERMIAC_RULES(kBetaBinomial, count(0, "Population size parameter"), positive(1, "First prior sample size parameter"),
              positive(2, "Second prior sample size parameter"))
FERMIAC_RULES(kBetaNegBinomial, positive(0, "Number of successes parameter"), positive(1, "Prior success parameter"),
              positive(2, "Prior failure parameter"))
FERMIAC_RULES(kPoisson, {0, Rule::NonNegative, "Rate parameter"},
              {.operand = 0, .rule = Rule::NotAbove, .label = "Rate parameter", .bound = kMaxRate})
FERMIAC_RULES(kPoissonLog, {0, Rule::NotNan, "Log rate parameter"},
              {.operand = 0, .rule = Rule::NotAbove, .label = "Log rate parameter", .bound = 20.79441541679836})
FERMIAC_RULES(kLocationPrecision, positive(0, "Location parameter"), positive(1, "Precision parameter"))
FERMIAC_RULES(kLogLocationPrecision, {0, Rule::Finite, "Log-location parameter"}, positive(1, "Inverse dispersion parameter"))
FERMIAC_RULES(kDiscreteRange, {1, Rule::GreaterOrEqual, "Upper bound parameter", 0, "Lower bound parameter"})
FERMIAC_RULES(kHypergeometric, count(0, "Draws parameter"), count(1, "Successes in population parameter"),
              count(2, "Failures in population parameter"))
#undef FERMIAC_RULES

using X = const double*;
// clang-format off
constexpr RngOp kRngs[] = {
  {"std_normal_rng", 0, {}, [](Rng& r, X) { return r.normal(); }},
  {"normal_rng", 2, kLocationScale, [](Rng& r, X x) { return x[0] + x[1] * r.normal(); }},
  {"lognormal_rng", 2, kLocationScale, [](Rng& r, X x) { return std::exp(x[0] + x[1] * r.normal()); }},
  {"cauchy_rng", 2, kLocationScale, [](Rng& r, X x) { return x[0] + x[1] * std::tan(kPi * (r.uniform() - 0.5)); }},
  {"student_t_rng", 3, kStudentT, [](Rng& r, X x) { return x[1] + x[2] * r.normal() / std::sqrt(draw_chi_square(r, x[0]) / x[0]); }},
  {"logistic_rng", 2, kLocationScale, [](Rng& r, X x) { const double u = r.uniform(); return x[0] + x[1] * (std::log(u) - std::log1p(-u)); }},
  {"loglogistic_rng", 2, kScaleShape, [](Rng& r, X x) { const double u = r.uniform(); return x[0] * std::exp((std::log(u) - std::log1p(-u)) / x[1]); }},
  {"double_exponential_rng", 2, kLocationScale, [](Rng& r, X x) { const double e = x[1] * r.exponential(); return r.uniform() < 0.5 ? x[0] - e : x[0] + e; }},
  {"gumbel_rng", 2, kLocationScale, [](Rng& r, X x) { return x[0] - x[1] * std::log(r.exponential()); }},
  {"exponential_rng", 1, kRate, [](Rng& r, X x) { return r.exponential() / x[0]; }},
  {"gamma_rng", 2, kShapeRate, [](Rng& r, X x) { return draw_gamma(r, x[0]) / x[1]; }},
  {"inv_gamma_rng", 2, kShapeScale, [](Rng& r, X x) { return x[1] * std::exp(-draw_log_gamma(r, x[0])); }},
  {"chi_square_rng", 1, kFreedom, [](Rng& r, X x) { return draw_chi_square(r, x[0]); }},
  {"inv_chi_square_rng", 1, kFreedom, [](Rng& r, X x) { return 0.5 * std::exp(-draw_log_gamma(r, 0.5 * x[0])); }},
  {"scaled_inv_chi_square_rng", 2, kFreedomScale, [](Rng& r, X x) { return 0.5 * x[0] * x[1] * x[1] * std::exp(-draw_log_gamma(r, 0.5 * x[0])); }},
  {"weibull_rng", 2, kShapeScale, [](Rng& r, X x) { return x[1] * std::pow(r.exponential(), 1 / x[0]); }},
  {"frechet_rng", 2, kShapeScale, [](Rng& r, X x) { return x[1] * std::pow(r.exponential(), -1 / x[0]); }},
  {"rayleigh_rng", 1, kScale, [](Rng& r, X x) { return x[0] * std::sqrt(2 * r.exponential()); }},
  {"pareto_rng", 2, kScaleShape, [](Rng& r, X x) { return x[0] * std::exp(r.exponential() / x[1]); }},
  {"pareto_type_2_rng", 3, kParetoType2, [](Rng& r, X x) { return x[0] + x[1] * std::expm1(r.exponential() / x[2]); }},
  {"beta_rng", 2, kTwoShapes, [](Rng& r, X x) { return draw_beta(r, x[0], x[1]); }},
  {"beta_proportion_rng", 2, kMeanPrecision, [](Rng& r, X x) { return draw_beta(r, x[0] * x[1], (1 - x[0]) * x[1]); }},
  {"uniform_rng", 2, kBounds, [](Rng& r, X x) { return x[0] + (x[1] - x[0]) * r.uniform(); }},
  {"skew_normal_rng", 3, kSkewNormal, skew_normal},
  {"exp_mod_normal_rng", 3, kExpModNormal, [](Rng& r, X x) { return x[0] + x[1] * r.normal() + r.exponential() / x[2]; }},
  {"skew_double_exponential_rng", 3, kSkewDoubleExponential, skew_double_exponential},
  {"von_mises_rng", 2, kVonMises, von_mises},
  {"bernoulli_rng", 1, kProbability, [](Rng& r, X x) { return r.uniform() < x[0] ? 1.0 : 0.0; }, true},
  {"bernoulli_logit_rng", 1, kLogit, [](Rng& r, X x) { return r.uniform() < scalar::inv_logit(x[0]) ? 1.0 : 0.0; }, true},
  {"binomial_rng", 2, kBinomial, [](Rng& r, X x) { return draw_binomial(r, x[0], x[1]); }, true},
  {"beta_binomial_rng", 3, kBetaBinomial, [](Rng& r, X x) { return draw_binomial(r, x[0], draw_beta(r, x[1], x[2])); }, true},
  {"beta_neg_binomial_rng", 3, kBetaNegBinomial, beta_neg_binomial, true},
  {"poisson_rng", 1, kPoisson, [](Rng& r, X x) { return draw_poisson(r, x[0]); }, true},
  {"poisson_log_rng", 1, kPoissonLog, [](Rng& r, X x) { return draw_poisson(r, std::exp(x[0])); }, true},
  {"neg_binomial_rng", 2, kShapeRate, [](Rng& r, X x) { return poisson_checked(r, "neg_binomial_rng", draw_gamma(r, x[0]) / x[1]); }, true},
  {"neg_binomial_2_rng", 2, kLocationPrecision, [](Rng& r, X x) { return poisson_checked(r, "neg_binomial_2_rng", scaled(draw_gamma(r, x[1]), x[0], x[1])); }, true},
  {"neg_binomial_2_log_rng", 2, kLogLocationPrecision, [](Rng& r, X x) { return poisson_checked(r, "neg_binomial_2_log_rng", scaled(draw_gamma(r, x[1]), std::exp(x[0]), x[1])); }, true},
  {"discrete_range_rng", 2, kDiscreteRange, discrete_range, true},
  {"hypergeometric_rng", 3, kHypergeometric, hypergeometric, true},
  {"yule_simon_rng", 1, kRate, yule_simon, true},
};
// clang-format on

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
