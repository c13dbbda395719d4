// Pareto's distribution of type 2.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kParetoType2Arguments[] = {
    {"y", "Random variable", {{Rule::GreaterOrEqual, 1}}, "r 1 2"},
    {"mu", "Location parameter", Rule::Finite, "r 0.2 0.8"},
    {"lambda", "Scale parameter", Rule::PositiveFinite, "r 0.5 2"},
    {"alpha", "Shape parameter", Rule::PositiveFinite, "r 0.5 2"},
};
inline constexpr Law kParetoType2{"pareto_type_2", "p(y) = alpha/lambda (1 + (y - mu) / lambda)^(-alpha - 1), y >= mu",
                                  kParetoType2Arguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// log alpha - log lambda - (alpha + 1) log(1 + (y - mu) / lambda).
struct ParetoType2Lpdf : DensityOf<laws::kParetoType2> {
  // The outcome comes last.
  static constexpr DomainRule kRules[] = {
      {1, Rule::Finite, "Location parameter"},
      {2, Rule::PositiveFinite, "Scale parameter"},
      {3, Rule::PositiveFinite, "Shape parameter"},
      {.operand = 0, .rule = Rule::GreaterOrEqual, .label = "Random variable", .other = 1, .other_label = "Location parameter"}};
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T u = (x[0] - x[1]) / x[2];
    const T l = log1p(u);
    T lp = -(x[3] + 1.0) * l;
    if (k.has(0b1000)) lp = lp + log(x[3]);
    if (k.has(0b0100)) lp = lp - log(x[2]);
    if constexpr (Partials) {
      const T w = g * (x[3] + 1.0) / (x[2] * (1.0 + u));
      d[0] = -w;
      d[1] = w;
      d[2] = w * u - g / x[2];
      d[3] = g * (1.0 / x[3] - l);
    }
    return lp;
  }
};

struct ParetoType2Tails : ClosedTailsOf<laws::kParetoType2> {
  // As the language has it: these are not the rules of the density.
  static constexpr DomainRule kRules[] = {
      {0, Rule::NonNegative, "Random variable"},
      {1, Rule::NotNan, "Location parameter"},
      {2, Rule::PositiveFinite, "Scale parameter"},
      {3, Rule::PositiveFinite, "Shape parameter"},
      {.operand = 0, .rule = Rule::GreaterOrEqual, .label = "Random variable", .other = 1, .other_label = "Location parameter"}};
  template <class T>
  FERMIAC_INLINE T log_tail(const T* x, T* d, Mask<T>& upper) {
    const T inv = 1.0 / x[2], w = (x[0] - x[1]) * inv, l = log1p(w);
    upper = everywhere(l);
    d[0] = -x[3] / (1.0 + w) * inv;
    d[1] = -d[0];
    d[2] = -d[0] * w;
    d[3] = -l;
    return -x[3] * l;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include <cmath>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double pareto_type_2(Rng& r, const double* x) { return x[0] + x[1] * std::expm1(r.exponential() / x[2]); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
