// Interval arithmetic (Moore, Interval Analysis, 1966) over the extended reals. Rounding is monotone, so the ends are safe in double
// arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace fermiac {

/// All numbers lo <= x <= hi.
struct Interval {
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  double lo = -kInf, hi = kInf;

  constexpr bool has_zero() const { return lo <= 0 && hi >= 0; }
  constexpr bool has_infinity() const { return lo == -kInf || hi == kInf; }
};

/// Sums and products of numbers: inf - inf and 0 * inf, which are NaN, are not among them.
inline Interval operator+(const Interval& x, const Interval& y) {
  const bool open_below = x.lo == -Interval::kInf || y.lo == -Interval::kInf, open_above = x.hi == Interval::kInf || y.hi == Interval::kInf;
  return {open_below ? -Interval::kInf : x.lo + y.lo, open_above ? Interval::kInf : x.hi + y.hi};
}
inline Interval operator-(const Interval& x) { return {-x.hi, -x.lo}; }
inline Interval operator*(const Interval& x, const Interval& y) {
  const auto product = [](double a, double b) { return a == 0 || b == 0 ? 0 : a * b; };
  const auto [least, most] = std::minmax({product(x.lo, y.lo), product(x.lo, y.hi), product(x.hi, y.lo), product(x.hi, y.hi)});
  return {least, most};
}
/// 1 / x. The sign of a zero at an end is that of the rest of the interval.
inline Interval reciprocal(const Interval& x) {
  if (x.lo < 0 && x.hi > 0) return {};
  if (x.lo < 0) return -reciprocal(-x);
  return {x.hi == 0 ? Interval::kInf : 1 / x.hi, x.lo == 0 ? Interval::kInf : 1 / x.lo};
}
inline Interval abs(const Interval& x) {
  if (x.has_zero()) return {0, std::max(-x.lo, x.hi)};
  return x.lo > 0 ? x : -x;
}
inline Interval square(const Interval& x) {
  const Interval size = abs(x);
  return {size.lo * size.lo, size.hi * size.hi};
}

}  // namespace fermiac
