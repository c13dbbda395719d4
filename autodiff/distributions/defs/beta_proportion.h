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
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
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
    T lp = p[0] + power(a - 1.0, log_y) + power(b - 1.0, log_rest);
    in_large_range<Partials, 3>(x[2] > scalar::kLargeConcentration, [&] { return (a > 0.0) & (b > 0.0) & (x[0] > 0.0) & (x[0] < 1.0); },
                                k.has(0b100), scalar::large_beta_proportion, x, g, lp, d);
    return lp;
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
    const T a = x[1] * x[2];
    return log_beta_tails(a, (1.0 - x[1]) * x[2], x[0], 1.0 - x[0]);
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
