// Equally likely whole numbers.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kDiscreteRangeArguments[] = {
    {"y", "Random variable", {}, "i 2 4"},
    {"l", "Lower bound parameter", {}, "i 0 1"},
    {"u", "Upper bound parameter", {{Rule::GreaterOrEqual, 1}}, "i 5 7"},
};
inline constexpr Law kDiscreteRange{"discrete_range", "p(y) = 1 / (u - l + 1), y = l … u", kDiscreteRangeArguments,
                                    true};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_SCALARS
#include <cmath>

#include "autodiff/distributions/detail/scalar_laws.h"

namespace fermiac::ad::scalar {
namespace {

struct DiscreteRangeLpmf : ScalarDensityOf<laws::kDiscreteRange> {
  template <class T>
  static T eval(const T* x, Keep) {
    if (val(x[0]) < val(x[1]) || val(x[0]) > val(x[2])) return T(-kInf);
    return T(-std::log1p(val(x[2]) - val(x[1])));
  }
};

struct DiscreteRangeTails : TailsOf<laws::kDiscreteRange> {
  template <class T>
  static LogTails<T> tails(const T* x) {
    const double n = val(x[0]), low = val(x[1]), high = val(x[2]);
    if (n < low) return below<T>();
    if (n >= high) return above<T>();
    const double width = std::log1p(high - low);
    return {T(std::log(n - low + 1) - width), T(std::log(high - n) - width)};
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <cstdint>

#include "autodiff/distributions/detail/rng.h"

namespace fermiac::ad::draws {

inline double discrete_range(Rng& rng, const double* x) {
  const auto width = static_cast<std::uint64_t>(x[1] - x[0]) + 1;
  const std::uint64_t fair = ~std::uint64_t{0} / width * width;
  std::uint64_t u = rng();
  while (u >= fair) u = rng();
  return x[0] + static_cast<double>(u % width);
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
