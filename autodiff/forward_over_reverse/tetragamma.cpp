#include "autodiff/forward_over_reverse/tetragamma.h"

#include <cmath>
#include <limits>

namespace fermiac::ad::scalar {
namespace {

constexpr double kPi = 3.14159265358979323846;

/// psi''(1 - x) - psi''(x) is the second derivative of pi / tan(pi x).
double reflected(double x) {
  const double s = std::sin(kPi * x);
  return tetragamma(1 - x) - 2 * kPi * kPi * kPi * std::cos(kPi * x) / (s * s * s);
}

}  // namespace

/// The recurrence psi''(x) = psi''(x + 1) - 2 / x³ up to 12, then the asymptotic series (Abramowitz & Stegun 6.4.13).
double tetragamma(double x) {
  if (x <= 0 && x == std::floor(x)) return std::numeric_limits<double>::quiet_NaN();
  if (x < 0) return reflected(x);
  double shift = 0;
  for (; x < 12; ++x) shift -= 2 / (x * x * x);
  const double u = 1 / x, w = u * u;
  const double series = 1.0 / 2 + w * (-1.0 / 6 + w * (1.0 / 6 + w * (-3.0 / 10 + w * (5.0 / 6 + w * (-691.0 / 210 + w * (35.0 / 2))))));
  return shift - w * (1 + u * (1 + u * series));
}

}  // namespace fermiac::ad::scalar
