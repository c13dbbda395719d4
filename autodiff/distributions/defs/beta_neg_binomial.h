// Negative binomial counts with a beta distribution for their probability.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBetaNegBinomialArguments[] = {
    {"n", "Failures variable", Rule::NonNegative},
    {"r", "Number of successes parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"alpha", "Prior success parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"beta", "Prior failure parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kBetaNegBinomial{
    "beta_neg_binomial", "p(n) = Gamma(n + r) / (n! Gamma(r)) B(alpha + r, beta + n) / B(alpha, beta), n >= 0",
    kBetaNegBinomialArguments, true};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_SCALARS
#include <algorithm>
#include <cmath>

#include "autodiff/distributions/detail/compound_tails.h"
#include "autodiff/distributions/detail/scalar_laws.h"
#include "autodiff/kernels/large_densities.h"

namespace fermiac::ad::scalar {
namespace {

/// Beta-negative-binomial: r successes, prior a and b; mass(n) = Γ(n + r) / (n! Γ(r)) B(a + r, b + n) / B(a, b).
struct BetaNegBinomialMass {
  double r, a, b;

  LogMass mass(double n, bool slopes) const {
    const double x[] = {n, r, a, b};
    double d[4]{};
    const double log = large_beta_neg_binomial(x, slopes ? d : nullptr);
    return {log, {d[1], d[2], d[3]}};
  }
  template <class T>
  static T ratio(double k, const T& r, const T& a, const T& b) {
    return (r + k) / (k + 1) * ((b + k) / (a + b + r + k));
  }
  double step(double k) const { return std::log(ratio(k, r, a, b)); }
  double curvature(double k) const { return 1 / (r + k) + 1 / (b + k) - 1 / (k + 1) - 1 / (a + b + r + k); }
  double room(double k) const { return std::min({k + 1, k + r, k + b}); }
  double mode() const { return (r * (b - 1) - a - b) / (a + 1); }
  /// From here on the masses are a power of the count, to rounding.
  double end() const { return 1e18 * (1 + a + b + r); }
};

struct BetaNegBinomialLpmf : ScalarDensityOf<laws::kBetaNegBinomial> {
  template <class T>
  static T eval(const T* x, Keep k) {
    const T n = val(x[0]);
    if (std::max(std::max(val(n), val(x[1])), std::max(val(x[2]), val(x[3]))) > kLargeShape) [[unlikely]] return large(x, k);
    const T lp = lgamma_difference(x[1], n) + lgamma_difference(x[3], n) + lgamma_difference(x[2], x[1]) -
                 lgamma_difference(x[2] + x[3], n + x[1]);
    return k.constants() ? lp - scalar::lgamma(val(n) + 1) : lp;
  }
  template <class T>
  [[gnu::cold, gnu::noinline]] static T large(const T* x, Keep k) {
    const double at[] = {val(x[0]), val(x[1]), val(x[2]), val(x[3])};
    LogMass m;
    double d[4];
    const bool slopes = active(x[1]) || active(x[2]) || active(x[3]);
    m.log = large_beta_neg_binomial(at, slopes ? d : nullptr) + (k.constants() ? 0 : scalar::lgamma(at[0] + 1));
    if (slopes) m.by = {d[1], d[2], d[3]};
    return lift(m, x[1], x[2], x[3]);
  }
};

struct BetaNegBinomialTails : TailsOf<laws::kBetaNegBinomial> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    const double n = val(x[0]);
    const T &r = x[1], &a = x[2], &b = x[3];
    if (n < 0) return below<T>();
    const BetaNegBinomialMass law{val(r), val(a), val(b)};
    const bool slopes = active(r) || active(a) || active(b);
    const auto ratio = [&](double k) { return law.ratio(k, r, a, b); };
    const auto mass = [&](const LogMass& m) { return lift(m, r, a, b); };
    constexpr double kNearlyAll = -1e-4;  // then the complement would be cancellation
    const T lower = log_masses_up_to<T>(n, law, slopes, ratio, mass);
    if (val(lower) < kNearlyAll) return from_lower(lower);
    const T upper = log_masses_beyond<T>(n, law, slopes, ratio, mass);
    return val(upper) < 0 ? from_upper(upper) : from_lower(lower);
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/defs/poisson.h"
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double beta_neg_binomial(Rng& rng, const double* x) {
  const double log_odds = draw_log_gamma(rng, x[2]) - draw_log_gamma(rng, x[1]);
  return poisson_checked(rng, "beta_neg_binomial_rng", draw_gamma(rng, x[0]) * std::exp(log_odds));
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
