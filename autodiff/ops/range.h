// Interval arithmetic (Moore, Interval Analysis, 1966): the functions of scalar.h over intervals say what values come out.
// Rounding is monotone, so the ends of the intervals are safe in double arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace fermiac::ad {

/// All values lo <= x <= hi, and NaN if may_be_nan. Anything at all unless told otherwise.
struct Range {
  static constexpr double kInf = std::numeric_limits<double>::infinity();
  double lo = -kInf, hi = kInf;
  bool may_be_nan = true;

  constexpr Range() = default;
  constexpr Range(double low, double high, bool nan) : lo(low), hi(high), may_be_nan(nan) {}
  constexpr Range(double x) : Range(x, x, x != x) {}  // NOLINT: numbers mix freely
  constexpr bool has_zero() const { return lo <= 0 && hi >= 0; }
  constexpr bool has_infinity() const { return lo == -kInf || hi == kInf; }
};

inline Range operator+(const Range& x, const Range& y) {
  const bool opposite = (x.hi == Range::kInf && y.lo == -Range::kInf) || (x.lo == -Range::kInf && y.hi == Range::kInf);
  if (opposite) return {};
  return {x.lo + y.lo, x.hi + y.hi, x.may_be_nan || y.may_be_nan};
}
inline Range operator-(const Range& x) { return {-x.hi, -x.lo, x.may_be_nan}; }
inline Range operator-(const Range& x, const Range& y) { return x + -y; }
inline Range operator*(const Range& x, const Range& y) {
  if ((x.has_zero() && y.has_infinity()) || (y.has_zero() && x.has_infinity())) {
    // 0 * inf; the sign is known still if both are nonnegative
    return x.lo >= 0 && y.lo >= 0 ? Range(0, Range::kInf, true) : Range();
  }
  const double ends[] = {x.lo * y.lo, x.lo * y.hi, x.hi * y.lo, x.hi * y.hi};
  return {*std::min_element(ends, ends + 4), *std::max_element(ends, ends + 4), x.may_be_nan || y.may_be_nan};
}
inline Range operator/(const Range& x, const Range& y) {
  if (!(y.lo >= 0)) return x * Range();
  return x * Range(1 / y.hi, y.lo == 0 ? Range::kInf : 1 / y.lo, y.may_be_nan);
}
inline Range exp(const Range& x) { return {0, x.hi > 709 ? Range::kInf : std::exp(x.hi) * 1.000001, x.may_be_nan}; }
inline Range log(const Range&) { return {}; }
inline Range square(const Range& x) { return {0, Range::kInf, x.may_be_nan}; }
inline Range sqrt(const Range& x) {
  if (!(x.lo >= 0)) return {};
  return {0, std::sqrt(x.hi), x.may_be_nan};
}

}  // namespace fermiac::ad
