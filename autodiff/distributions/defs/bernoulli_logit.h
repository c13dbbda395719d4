// Bernoulli's distribution by log odds.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBernoulliLogitArguments[] = {
    {"y", "n", Rule::Probability, "i 0 1"},
    LawArgument{"alpha", "Logit transformed probability parameter", Rule::NotNan, "r -1 1"}.in_draws(Rule::Finite),
};
inline constexpr SufficientStatistics kBernoulliLogitStatistics[] = {
    {1, StatisticsScale::Logit, false, [](const double* x) { return StatisticsTerm{x[0], 1 - x[0]}; }},
};
inline constexpr Law kBernoulliLogit{"bernoulli_logit", "p(y) = inv_logit(alpha) if y = 1, inv_logit(-alpha) if y = 0",
                                     kBernoulliLogitArguments, true, kBernoulliLogitStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// -log(1 + exp(-s theta)) with s = ±1.
struct BernoulliLogitLpmf : CheapDensityOf<laws::kBernoulliLogit> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep) {
    const T t = select(x[0] > 0.5, -x[1], x[1]);
    if constexpr (Partials) {
      T slope;
      const T lp = -log1p_exp(t, slope);
      d[0] = splat<T>(0.0);
      d[1] = g * select(x[0] > 0.5, slope, -slope);
      return lp;
    } else {
      return -log1p_exp(t);
    }
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/dual.h"

namespace fermiac::ad::draws {

inline double bernoulli_logit(Rng& r, const double* x) { return r.uniform() < scalar::inv_logit(x[0]) ? 1.0 : 0.0; }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
