// Binomial counts with a beta distribution for their probability.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBetaBinomialArguments[] = {
    {"n", "Successes variable", {}, "i 0 2"},
    {"N", "Population size parameter", Rule::NonNegative, "i 3 5"},
    {"alpha", "First prior sample size parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"beta", "Second prior sample size parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kBetaBinomial{"beta_binomial",
                                   "p(n) = choose(N, n) B(n + alpha, N - n + beta) / B(alpha, beta), n = 0 … N",
                                   kBetaBinomialArguments, true};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// choose(N, n) B(n + alpha, N - n + beta) / B(alpha, beta), zero outside 0..N.
struct BetaBinomialLpmf : DensityOf<laws::kBetaBinomial> {
  static constexpr unsigned kPre[] = {0b0100, 0b1000, 0b1100, 0b0100, 0b1000, 0b1100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    const T shape = I % 3 == 0 ? x[2] : I % 3 == 1 ? x[3] : x[2] + x[3];
    if constexpr (I < 3) return lgamma(shape);
    else if constexpr (Partials) return k.wants(2) || k.wants(3) ? digamma(shape) : T{};
    else return T{};
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const auto support = (x[0] >= 0.0) & (x[0] <= x[1]);
    const T n = select(support, x[0], splat<T>(0.0));
    const T m = x[1] - n;
    const T total = x[2] + x[3];
    T lp = lgamma_difference(x[2], n, p[0]) + lgamma_difference(x[3], m, p[1]) - lgamma_difference(total, x[1], p[2]);
    if (k.constants()) lp = lp + lanewise([](auto a, auto b) { return scalar::log_choose(a, b); }, x[1], n);
    if constexpr (Partials) {
      d[0] = d[1] = d[2] = d[3] = splat<T>(0.0);
      const T common = digamma_difference(total, x[1], p[5]);
      if (k.wants(2)) d[2] = g * (digamma_difference(x[2], n, p[3]) - common);
      if (k.wants(3)) d[3] = g * (digamma_difference(x[3], m, p[4]) - common);
    }
    const auto large = support & (x[1] > scalar::kLargeShape);
    in_large_range<Partials, 4>(large, [&] { return large; }, true, scalar::large_beta_binomial, x, g, lp, d);
    if (!k.constants() && any(large))
      lp = select(large, lp - lanewise([](auto a, auto b) { return scalar::log_choose(a, b); }, x[1], n), lp);
    return inside<Partials, 4>(support, lp, d);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include <algorithm>
#include <cmath>

#include "autodiff/distributions/detail/compound_tails.h"
#include "autodiff/distributions/detail/scalar_laws.h"
#include "autodiff/kernels/large_densities.h"

namespace fermiac::ad::scalar {
namespace {

/// Beta-binomial: total counts, prior a and b; mass(n) = C(N, n) B(a + n, b + N - n) / B(a, b).
struct BetaBinomialMass {
  double total, a, b;

  /// As kernels at the mean of the posterior, which cancels: nothing large is subtracted.
  LogMass mass(double n, bool slopes) const {
    const double x[] = {n, total, a, b};
    double d[4]{};
    const double log = large_beta_binomial(x, slopes ? d : nullptr);
    return {log, {d[2], d[3], 0}};
  }
  /// mass(k + 1) / mass(k), its logarithm's slope by k, and how far the nearest pole is.
  template <class T>
  static T ratio(double k, double total, const T& a, const T& b) {
    return (total - k) * (a + k) / ((k + 1) * (b + (total - k - 1)));
  }
  double step(double k) const { return std::log(ratio(k, total, a, b)); }
  double curvature(double k) const { return 1 / (a + k) - 1 / (total - k) - 1 / (k + 1) + 1 / (b + total - k - 1); }
  double room(double k) const { return std::min({k + 1, k + a, total - k + 1, total - k + b}); }
  double mode() const { return a + b > 2 ? (total * a - b - total + 1) / (a + b - 2) : kInf; }
};

struct BetaBinomialTails : TailsOf<laws::kBetaBinomial> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    const double n = val(x[0]), total = val(x[1]);
    if (n < 0) return below<T>();
    if (n >= total) return above<T>();
    const T lower = log_up_to<T>(n, total, x[2], x[3]), upper = log_up_to<T>(total - n - 1, total, x[3], x[2]);
    return val(lower) < val(upper) ? from_lower(lower) : from_upper(upper);
  }

 private:
  /// The upper tail is the lower one of the failures.
  template <class T>
  static T log_up_to(double n, double total, const T& a, const T& b) {
    const BetaBinomialMass law{total, val(a), val(b)};
    return log_masses_up_to<T>(
        n, law, active(a) || active(b), [&](double k) { return law.ratio(k, total, a, b); },
        [&](const LogMass& m) { return lift(m, a, b, T(0)); });
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double beta_binomial(Rng& r, const double* x) { return draw_binomial(r, x[0], draw_beta(r, x[1], x[2])); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
