// The standard normal distribution.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kStdNormalArguments[] = {
    {"y", "Random variable", Rule::NotNan},
};
inline constexpr Law kStdNormal{"std_normal", "p(y) = exp(-y^2 / 2) / sqrt(2 pi)", kStdNormalArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/cdf_forms.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

struct StdNormalLpdf : CheapDensityOf<laws::kStdNormal> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep k) {
    const T lp = -0.5 * x[0] * x[0];
    if constexpr (Partials) d[0] = -g * x[0];
    return k.constants() ? lp - kLogSqrtTwoPi : lp;
  }
};

template <Side S>
struct StdNormalTail : TailOf<laws::kStdNormal> {
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, T g, T* d, Keep) {
    T slope;
    const T lp = log_Phi(S == Side::Lower ? x[0] : -x[0], slope);
    if constexpr (Partials) d[0] = S == Side::Lower ? g * slope : -g * slope;
    return lp;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double std_normal(Rng& r, const double*) { return r.normal(); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
