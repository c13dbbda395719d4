// The beta distribution by mean and precision.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBetaProportionArguments[] = {
    {"theta", "Random variable", Rule::Probability, "r 0.2 0.8"},
    {"mu", "Location parameter", Rule::Bounded01Open, "r 0.2 0.8"},
    {"kappa", "Precision parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kBetaProportion{
    "beta_proportion", "p(theta) = theta^(mu kappa - 1) (1 - theta)^((1 - mu) kappa - 1) / B(mu kappa, (1 - mu) kappa)",
    kBetaProportionArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// Beta with shapes a = mu kappa and b = (1 - mu) kappa.
struct BetaProportionLpdf : DensityOf<laws::kBetaProportion> {
  static constexpr unsigned kPre[] = {0b110, 0b110, 0b110, 0b100};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) {
    const T a = x[1] * x[2];
    const T b = (1.0 - x[1]) * x[2];
    const bool wanted = Partials && (k.wants(1) || k.wants(2));
    if constexpr (I == 0) return k.has(0b110) ? normaliser(a, b, k) : T{};
    else if constexpr (I == 1) return wanted ? digamma(a) : T{};
    else if constexpr (I == 2) return wanted ? digamma(b) : T{};
    else return Partials && k.wants(2) ? digamma(x[2]) : T{};
  }
  template <class T>
  FERMIAC_INLINE T normaliser(T a, T b, Keep k) {
    if (k.has(0b100)) return -lanewise([](auto s, auto t) { return scalar::lbeta(s, t); }, a, b);
    return -lgamma(a) - lgamma(b);
  }
  template <class T>
  FERMIAC_INLINE Mask<T> large(const T* x) { return x[2] > scalar::kLargeConcentration; }
  template <bool Partials, class T>
  FERMIAC_INLINE T plain(const T* x, const T* p, T g, T* d, Keep) {
    const T a = x[1] * x[2];
    const T b = (1.0 - x[1]) * x[2];
    const T log_y = log(x[0]);
    const T log_rest = log1p(-x[0]);
    if constexpr (Partials) {
      const T da = g * (log_y - p[1]);
      const T db = g * (log_rest - p[2]);
      d[0] = g * (power(a - 1.0, 1.0 / x[0]) - power(b - 1.0, 1.0 / (1.0 - x[0])));
      d[1] = x[2] * (da - db);
      d[2] = x[1] * da + (1.0 - x[1]) * db + g * p[3];
    }
    return p[0] + power(a - 1.0, log_y) + power(b - 1.0, log_rest);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T anywhere(const T* x, const T* p, T g, T* d, Keep k) {
    T lp = plain<Partials>(x, p, g, d, k);
    const T a = x[1] * x[2], b = (1.0 - x[1]) * x[2];
    in_large_range<Partials, 3>(large(x), [&] { return (a > 0.0) & (b > 0.0) & (x[0] > 0.0) & (x[0] < 1.0); }, k.has(0b100),
                                scalar::large_beta_proportion, x, g, lp, d);
    return lp;
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    return plain_or_large<BetaProportionLpdf, Partials, 4>(x, p, g, d, k);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_SCALARS
#include "autodiff/distributions/detail/scalar_laws.h"

namespace fermiac::ad::scalar {
namespace {

struct BetaProportionTails : TailsOf<laws::kBetaProportion> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    const T &y = x[0], &mu = x[1], &kappa = x[2];
    constexpr double kSmall = 0.01;
    if (val(kappa) < kSmall && std::min(val(mu), 1 - val(mu)) > kSmall && val(y) > 0 && val(y) < 1)
      return val(y) < 0.5 ? from_lower(log_tail_of_small(y, T(1.0 - y), mu, T(1.0 - mu), kappa))
                          : from_upper(log_tail_of_small(T(1.0 - y), y, T(1.0 - mu), mu, kappa));
    return log_beta_tails(mu * kappa, (1.0 - mu) * kappa, y, 1.0 - y);
  }
  /// The lower tail for small kappa: log(1 - mu), which is nearly all of it, does not depend on kappa, and its terms by both shapes
  /// would cancel. With a = mu kappa and b = kappa - a it is
  /// (1 - mu) y^a Gamma(1 + kappa) / (Gamma(1 + a) Gamma(1 + b)) (1 + a Σ (1 - b) ... (n - b) / n! y^n / (a + n)).
  template <class T>
  static T log_tail_of_small(const T& y, const T& rest, const T& mu, const T& nu, const T& kappa) {
    const T a = mu * kappa, b = nu * kappa;
    T sum = 0, factor = 1;
    for (double n = 1; n < 200; ++n) {
      factor *= (n - b) / n * y;
      const T term = factor / (a + n);
      sum += term;
      if (negligible(term, sum)) break;
    }
    const T power = a * (val(y) < 0.25 ? log(y) : log1p(-rest));
    return log(nu) + power + lgamma_near_one(kappa) - lgamma_near_one(a) - lgamma_near_one(b) + log1p(a * sum);
  }
  /// lgamma(1 + x) for small x.
  template <class T>
  static T lgamma_near_one(const T& x) {
    static constexpr double kZetas[] = {-0.57721566490153286061, 0.82246703342411321824, -0.40068563438653142847,
                                        0.27058080842778454788,  -0.20738555102867398527, 0.16955717699740818995,
                                        -0.14404989676884611812, 0.12550966952474304242};
    T sum = 0;
    for (int k = 7; k >= 0; --k) sum = kZetas[k] + x * sum;
    return x * sum;
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double beta_proportion(Rng& r, const double* x) { return draw_beta(r, x[0] * x[1], (1 - x[0]) * x[1]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
