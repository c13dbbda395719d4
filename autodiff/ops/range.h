// The functions of scalar.h over intervals, which gives the values that can result (support/base/interval.h).
#pragma once

#include "support/base/interval.h"

namespace fermiac::ad {

/// An interval, and NaN if may_be_nan. By default any value.
struct Range : Interval {
  bool may_be_nan = true;

  constexpr Range() = default;
  constexpr Range(Interval ends, bool nan) : Interval(ends), may_be_nan(nan) {}
  constexpr Range(double low, double high, bool nan) : Interval{low, high}, may_be_nan(nan) {}
  constexpr Range(double x) : Range(x, x, x != x) {}  // NOLINT: numbers mix freely
  constexpr const Interval& ends() const { return *this; }
};

inline Range operator+(const Range& x, const Range& y) {
  const bool opposite = (x.hi == Range::kInf && y.lo == -Range::kInf) || (x.lo == -Range::kInf && y.hi == Range::kInf);
  return {x.ends() + y.ends(), x.may_be_nan || y.may_be_nan || opposite};
}
inline Range operator-(const Range& x) { return {-x.ends(), x.may_be_nan}; }
inline Range operator-(const Range& x, const Range& y) { return x + -y; }
inline Range operator*(const Range& x, const Range& y) {
  const bool zero_times_infinity = (x.has_zero() && y.has_infinity()) || (y.has_zero() && x.has_infinity());
  return {x.ends() * y.ends(), x.may_be_nan || y.may_be_nan || zero_times_infinity};
}
inline Range operator/(const Range& x, const Range& y) { return x * Range(reciprocal(y.ends()), y.may_be_nan); }
inline Range exp(const Range& x) { return {0, x.hi > 709 ? Range::kInf : std::exp(x.hi) * 1.000001, x.may_be_nan}; }
inline Range log(const Range&) { return {}; }
inline Range square(const Range& x) { return {square(x.ends()), x.may_be_nan}; }
inline Range sqrt(const Range& x) {
  if (!(x.lo >= 0)) return {};
  return {0, std::sqrt(x.hi), x.may_be_nan};
}

}  // namespace fermiac::ad
