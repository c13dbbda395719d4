// The binomial distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBinomialArguments[] = {
    {"n", "Successes variable", {Rule::NonNegative, {Rule::LessOrEqual, 1}}, "i 0 2"},
    {"N", "Population size parameter", Rule::NonNegative, "i 3 5"},
    {"theta", "Probability parameter", Rule::Probability, "r 0.2 0.8 | i 0 1"},
};
inline constexpr SufficientStatistics kBinomialStatistics[] = {
    {2, StatisticsScale::Logit, true, [](const double* x) { return StatisticsTerm{x[0], x[1] - x[0]}; }},
};
inline constexpr Law kBinomial{"binomial", "p(n) = choose(N, n) theta^n (1 - theta)^(N - n), n = 0 … N",
                               kBinomialArguments, true, kBinomialStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/count_parts.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

struct BinomialLpmf : DensityOf<laws::kBinomial> {
  static constexpr unsigned kPre[] = {0b100, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) {
    if constexpr (I == 0) return log(x[2]);
    else return log1p(-x[2]);
  }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[1] > scalar::kLargeShape; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep k) {
    const T n = x[0];
    const T m = x[1] - x[0];
    T lp = lmultiply(n, p[0]) + lmultiply(m, p[1]);
    if (k.constants()) lp = lp + log_choose(x[1], n);
    if constexpr (Partials) {
      d[0] = d[1] = splat<T>(0.0);
      d[2] = g * (select(n == 0.0, splat<T>(0.0), n / x[2]) - select(m == 0.0, splat<T>(0.0), m / (1.0 - x[2])));
    }
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = plain<Partials>(x, p, g, d, k);
    if (k.constants())
      in_large_range<Partials, 3>(large(x), [&] { return (x[2] > 0.0) & (x[2] < 1.0); }, true, scalar::large_binomial, x, g, lp, d);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<BinomialLpmf, Partials, 2>(x, p, g, d, k);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include <cmath>

#include "autodiff/distributions/detail/scalar_laws.h"

namespace fermiac::ad::scalar {
namespace {

struct BinomialTails : TailsOf<laws::kBinomial> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    const double n = val(x[0]), total = val(x[1]);
    if (n < 0) return below<T>();
    if (n >= total) return above<T>();
    const double p = val(x[2]);
    if (total > kFewTrials || !(p > 0 && p < 1)) return log_beta_tails(T(total - n), T(n + 1), T(1.0 - x[2]), x[2]);
    return by_sum(n, total, x[2]);
  }

 private:
  static constexpr double kFewTrials = 100;
  /// The tail away from the mean, relative to its largest mass; the slope telescopes to one mass.
  template <class T>
  static LogTails<T> by_sum(double n, double total, const T& theta) {
    const double p = val(theta), q = 1 - p;
    const bool upper = n > total * p;
    const double first = upper ? n + 1 : n, odds = upper ? p / q : q / p;
    double sum = 1, term = 1;
    for (double k = upper ? n + 1 : total - n; k < total && term > 1e-17 * sum; ++k) sum += term *= (total - k) / (k + 1) * odds;
    const double log_mass = log_choose(total, first) + first * std::log(p) + (total - first) * std::log1p(-p);
    const double slope = upper ? first / (p * sum) : -(total - n) / (q * sum);
    return one_tail<T>(upper, lift(log_mass + std::log(sum), theta, slope));
  }
  static double lift(double v, double, double) { return v; }
  template <int N>
  static Dual<N> lift(double v, const Dual<N>& x, double slope) { return chain(v, x, slope); }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/dual.h"

namespace fermiac::ad {

namespace {

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

double draw_binomial(Rng& rng, double n, double p) {
  if (std::isnan(n) || std::isnan(p)) return scalar::kNan;
  if (p > 0.5) return n - draw_binomial(rng, n, 1 - p);
  if (p == 0 || n == 0) return 0;
  return n * p < 10 ? binomial_by_inversion(rng, n, p) : binomial_by_rejection(rng, n, p);
}

}  // namespace fermiac::ad

namespace fermiac::ad::draws {

inline double binomial(Rng& r, const double* x) { return draw_binomial(r, x[0], x[1]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
