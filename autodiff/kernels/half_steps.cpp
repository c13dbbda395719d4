#include "autodiff/kernels/half_steps.h"

#include <algorithm>
#include <cmath>

#include "autodiff/kernels/quadrature.h"
#include "autodiff/kernels/dual.h"

namespace fermiac::ad::scalar {
namespace {

struct Lgamma {
  static double value(double x) { return lgamma(x); }
  static double slope(double x) { return digamma(x); }
  /// f(y) = reflection(y) + kMirrored f(1 - y).
  static constexpr double kMirrored = -1;
  static double reflection(double y) { return kLogPi - std::log(std::fabs(std::sin(kPi * (y - std::round(y))))); }
};
struct Digamma {
  static double value(double x) { return digamma(x); }
  static double slope(double x) { return trigamma(x); }
  static constexpr double kMirrored = 1;
  static double reflection(double y) { return -kPi / std::tan(kPi * (y - std::round(y))); }
};

/// Σ f(low + j/2), j = 0 … n-1, low > 0: small arguments one by one, the others by the midpoint rule, whose error the next
/// term of Euler's and Maclaurin's formula mends.
template <class F>
double rising_steps(double low, double n) {
  constexpr double kSmooth = 100;
  double sum = 0;
  for (; n > 0 && low < kSmooth; low += 0.5, --n) sum += F::value(low);
  if (n <= 0) return sum;
  const double from = low - 0.25, to = from + 0.5 * n;
  if (to == from) return sum + n * F::value(low);
  double integral = 0;
  for (double a = from; a < to; a *= 2) integral += integrate(a, std::min(2 * a, to), 1, F::value);
  return sum + 2 * integral - (F::slope(to) - F::slope(from)) / 48;
}

constexpr double kMost = 1e300;        // beyond, nothing but the first term's size is known
constexpr double kHalvesEnd = 0x1p51;  // from here on numbers have no halves to step by

template <class F>
double half_steps(double x, double n) {
  if (!(std::fabs(x) < kMost && n < kMost)) return F::value(x) * n;
  const double positive = std::clamp(std::ceil(2 * x), 0.0, n), others = n - positive;
  const double least = x < kHalvesEnd ? x - 0.5 * (positive - 1) : std::fmax(0.5, x - 0.5 * (positive - 1));
  double sum = positive > 0 ? rising_steps<F>(least, positive) : 0;
  if (others == 0) return sum;
  const double first = x - 0.5 * positive;  // the largest that is not positive
  const double even = std::ceil(0.5 * others);
  sum += F::kMirrored * rising_steps<F>(1 - first, others) + even * F::reflection(first);
  return others == even ? sum : sum + (others - even) * F::reflection(first - 0.5);
}

}  // namespace

double lgamma_half_steps(double x, double n) { return half_steps<Lgamma>(x, n); }
double digamma_half_steps(double x, double n) { return half_steps<Digamma>(x, n); }

}  // namespace fermiac::ad::scalar
