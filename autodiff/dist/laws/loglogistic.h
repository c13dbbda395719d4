// The log-logistic distribution.
#pragma once

#include "autodiff/dist/parts/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kLoglogisticArguments[] = {
    LawArgument{"y", "Random variable", Rule::PositiveFinite, "r 0.4 2"}.in_tails(Rule::NonNegative),
    {"alpha", "Scale parameter", Rule::PositiveFinite, "r 0.4 2"},
    {"beta", "Shape parameter", Rule::PositiveFinite, "r 0.4 2"},
};
inline constexpr Law kLoglogistic{
    "loglogistic", "p(y) = (beta/alpha) (y/alpha)^(beta - 1) / (1 + (y/alpha)^beta)^2, y > 0", kLoglogisticArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/dist/parts/closed_tails.h"
#include "autodiff/dist/parts/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log beta - log y + t - 2 log(1 + exp t), t = beta (log y - log alpha).
struct LoglogisticLpdf : DensityOf<laws::kLoglogistic> {
  static constexpr unsigned kPre[] = {0b001, 0b010};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) { return log(x[I]); }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep k) {
    const T r = p[0] - p[1];
    T share;
    T lp = -2.0 * log1p_exp(x[2] * r, share) + (x[2] - 1.0) * p[0];
    if (k.has(0b110)) lp = lp - x[2] * p[1] + log(x[2]);
    if constexpr (Partials) {
      const T t = g * (1.0 - 2.0 * share);
      d[0] = (t * x[2] - g) / x[0];
      d[1] = -t * x[2] / x[1];
      d[2] = t * r + g / x[2];
    }
    return lp;
  }
};

struct LoglogisticTails : PositiveClosedTailsOf<laws::kLoglogistic> {
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T l = log(x[0]) - log(x[1]), t = x[2] * l;
    T slope;
    const T v = -log1p_exp(S == Side::Upper ? t : -t, slope);
    if constexpr (S == Side::Upper) slope = -slope;
    d[0] = slope * x[2] / x[0];
    d[1] = -slope * x[2] / x[1];
    d[2] = slope * l;
    return v;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/dist/parts/rng.h"

namespace fermiac::ad::draws {

inline double loglogistic(Rng& r, const double* x) {
  const double u = r.uniform();
  return x[0] * std::exp((std::log(u) - std::log1p(-u)) / x[1]);
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
