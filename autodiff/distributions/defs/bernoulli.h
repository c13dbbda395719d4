// Bernoulli's distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kBernoulliArguments[] = {
    {"y", "n", Rule::Probability, "i 0 1"},
    {"theta", "Probability parameter", Rule::Probability, "r 0.2 0.8 | i 0 1"},
};
inline constexpr SufficientStatistics kBernoulliStatistics[] = {
    {1, StatisticsScale::Logit, true, [](const double* x) { return StatisticsTerm{x[0], 1 - x[0]}; }},
};
inline constexpr Law kBernoulli{"bernoulli", "p(y) = theta if y = 1, 1 - theta if y = 0", kBernoulliArguments, true,
                                kBernoulliStatistics};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

struct BernoulliLpmf : DensityOf<laws::kBernoulli> {
  static constexpr unsigned kPre[] = {0b10, 0b10};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep) {
    if constexpr (I == 0) return log(x[1]);
    else return log1p(-x[1]);
  }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    const auto success = x[0] > 0.5;
    if constexpr (Partials) {
      d[0] = splat<T>(0.0);
      d[1] = g * select(success, 1.0 / x[1], 1.0 / (x[1] - 1.0));
    }
    return select(success, p[0], p[1]);
  }
};

struct BernoulliTails : ClosedTailsOf<laws::kBernoulli> {
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] < 0.0, x[0] >= 1.0}; }
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    d[1] = S == Side::Upper ? 1.0 / x[1] : -1.0 / (1.0 - x[1]);
    return S == Side::Upper ? log(x[1]) : log1p(-x[1]);
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double bernoulli(Rng& r, const double* x) { return r.uniform() < x[0] ? 1.0 : 0.0; }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
