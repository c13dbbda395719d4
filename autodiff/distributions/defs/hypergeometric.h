// Marked ones among draws without replacement.
#pragma once

#include "autodiff/distributions/detail/law.h"

namespace fermiac::ad::laws {

inline constexpr LawArgument kHypergeometricArguments[] = {
    {"n", "Successes variable", Rule::NonNegative, "i 1 2"},
    {"N", "Draws parameter", Rule::NonNegative, "i 3 4"},
    {"a", "Successes in population parameter", Rule::NonNegative, "i 5 6"},
    {"b", "Failures in population parameter", Rule::NonNegative, "i 4 5"},
};
inline constexpr Law kHypergeometric{"hypergeometric", "p(n) = choose(a, n) choose(b, N - n) / choose(a + b, N)",
                                     kHypergeometricArguments, true};

}  // namespace fermiac::ad::laws

#ifdef FERMIAC_LAW_SCALARS
#include <fmt/format.h>

#include <cmath>

#include "autodiff/distributions/detail/scalar_laws.h"
#include "autodiff/kernels/large_densities.h"
#include "support/base/errors.h"

namespace fermiac::ad::scalar {
namespace {

/// n of N draws are marked, from a marked and b others.
struct HypergeometricLpmf : ScalarDensityOf<laws::kHypergeometric> {
  template <class T>
  static T eval(const T* x, Keep) {
    const double n = val(x[0]), draws = val(x[1]), a = val(x[2]), b = val(x[3]);
    const auto require = [](bool holds, const char* label, double v, double low, double high) {
      if (!holds) throw DomainError(fmt::format("hypergeometric_lpmf: {} is {}, but must be in the interval [{}, {}]!", label, v, low, high));
    };
    require(draws <= a + b, "Draws parameter", draws, 0, a + b);
    require(n <= a && n <= draws && draws - n <= b, "Successes variable", n, std::fmax(0, draws - b), std::fmin(a, draws));
    if (a + b > kLargeShape) {
      const double at[] = {n, draws, a, b};
      return T(large_hypergeometric(at, nullptr));
    }
    return T(log_choose(a, n) + log_choose(b, draws - n) - log_choose(a + b, draws));
  }
};

}  // namespace
}  // namespace fermiac::ad::scalar
#endif  // FERMIAC_LAW_SCALARS

#ifdef FERMIAC_LAW_DRAWS
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autodiff/distributions/detail/rng.h"
#include "autodiff/kernels/dual.h"
#include "support/base/errors.h"

namespace fermiac::ad::draws {

/// A walk from the mode to both sides, as far as there is mass that a double can hold.
inline double hypergeometric(Rng& rng, const double* x) {
  const double draws = x[0], a = x[1], b = x[2];
  if (draws > a + b)
    throw DomainError(fmt::format("hypergeometric_rng: Draws parameter is {}, but must be in the interval [0, {}]!", draws, a + b));
  const double low = std::fmax(0, draws - b), high = std::fmin(draws, a);
  const double mode = std::clamp(std::floor((draws + 1) * (a + 1) / (a + b + 2)), low, high);
  const double at_mode = std::exp(scalar::log_choose(a, mode) + scalar::log_choose(b, draws - mode) -
                                  scalar::log_choose(a + b, draws));
  for (;;) {
    double u = rng.uniform() - at_mode;
    double up = at_mode, down = at_mode;
    double i = mode, j = mode;
    if (u <= 0) return mode;
    while ((i < high && up > 0) || (j > low && down > 0)) {
      if (i < high) {
        up *= (a - i) * (draws - i) / ((i + 1) * (b - draws + i + 1));
        ++i;
        if ((u -= up) <= 0) return i;
      }
      if (j > low) {
        down *= j * (b - draws + j) / ((a - j + 1) * (draws - j + 1));
        --j;
        if ((u -= down) <= 0) return j;
      }
    }
  }
}

}  // namespace fermiac::ad::draws
#endif  // FERMIAC_LAW_DRAWS
