// The uniform distribution on an interval.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kUniformArguments[] = {
    {"y", "Random variable", Rule::NotNan, "r 0.3 0.7"},
    {"alpha", "Lower bound parameter", Rule::Finite, "r -1 0 | i -1 0"},
    {"beta", "Upper bound parameter", {Rule::Finite, {Rule::Greater, 1}}, "r 1 2 | i 1 2"},
};
inline constexpr Law kUniform{"uniform", "p(y) = 1 / (beta - alpha), alpha <= y <= beta", kUniformArguments};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_LANES
#include "autodiff/distributions/detail/closed_tails.h"
#include "autodiff/distributions/detail/density_rows.h"

namespace fermiac::ad {
namespace FERMIAC_ISA_NAMESPACE {
namespace {

/// -log(b - a) on [a, b].
struct UniformLpdf : DensityOf<laws::kUniform> {
  static constexpr unsigned kPre[] = {0b110};
  template <int I, bool Partials, class T>
  FERMIAC_INLINE T pre(const T* x, Keep k) { return k.has(0b110) ? log(x[2] - x[1]) : T{}; }
  template <bool Partials, class T>
  FERMIAC_INLINE T eval(const T* x, const T* p, T g, T* d, Keep) {
    if constexpr (Partials) {
      const T q = g / (x[2] - x[1]);
      d[0] = splat<T>(0.0);
      d[1] = q;
      d[2] = -q;
    }
    return inside<Partials, 3>((x[0] >= x[1]) & (x[0] <= x[2]), -p[0], d);
  }
};

struct UniformTails : ClosedTailsOf<laws::kUniform> {
  template <class T>
  FERMIAC_INLINE Outside<T> outside(const T* x) { return {x[0] < x[1], x[0] > x[2]}; }
  /// `part` of the width is this tail, `rest` the other.
  template <Side S, class T>
  FERMIAC_INLINE T log_side(const T* x, T* d) {
    const T width = x[2] - x[1], part = S == Side::Upper ? x[2] - x[0] : x[0] - x[1];
    const T rest = S == Side::Upper ? x[0] - x[1] : x[2] - x[0];
    const T by_width = 1.0 / width, by_part = 1.0 / part, by_far_end = rest * by_width * by_part;
    d[0] = S == Side::Upper ? -by_part : by_part;
    d[1] = S == Side::Upper ? by_width : -by_far_end;
    d[2] = S == Side::Upper ? by_far_end : -by_width;
    return log_share(part, rest, width, by_part);
  }
  /// log(part / width); where `rest` is small, log(1 - rest / width) with the rounding of the difference added. One logarithm serves both.
  template <class T>
  FERMIAC_INLINE T log_share(T part, T rest, T width, T by_part) {
    const auto large = rest < 0.5 * width;
    const T share = select(large, rest, part) / width, of_part = select(large, 1.0 - share, share);
    const T lost = select(large, ((1.0 - of_part) - share) * (width * by_part), splat<T>(0.0));
    const T v = log(of_part) + lost;
    const auto tiny = (share >= 0.0) & (share < 1e-290) & negate(large);  // where the quotient may lose digits
    return any(tiny) ? select(tiny, log(part) - log(width), v) : v;
  }
};

}  // namespace
}  // namespace FERMIAC_ISA_NAMESPACE
}  // namespace fermiac::ad
#endif  // FERMIAC_LAW_LANES

#ifdef FERMIAC_LAW_DRAWS
#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double uniform(Rng& r, const double* x) { return x[0] + (x[1] - x[0]) * r.uniform(); }

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
