// Incomplete gamma and beta functions on the log scale, both tails, with derivatives in every argument; sums over numbers that
// may carry derivatives.
#pragma once

#include "autodiff/kernels/dual.h"
#include "autodiff/kernels/large_order.h"

namespace fermiac::ad::scalar {

/// Logs of a distribution function and of its complement. A tail that was not computed follows from the other when it is asked for.
template <class T>
class LogTails {
 public:
  LogTails() = default;
  LogTails(const T& lower, const T& upper) : lower_(lower), upper_(upper), has_lower_(true), has_upper_(true) {}
  static LogTails from_lower(const T& v) { return {v, T(0), true, false}; }
  static LogTails from_upper(const T& v) { return {T(0), v, false, true}; }

  T lower() const { return has_lower_ ? lower_ : complement(upper_); }
  T upper() const { return has_upper_ ? upper_ : complement(lower_); }
  /// The distribution function itself; its slope is 0 where it is.
  T probability() const {
    if (has_lower_ ? std::exp(val(lower_)) == 0 : val(upper_) == 0) return T(0);
    return has_lower_ ? exp(lower_) : one_minus_exp(upper_);
  }
  LogTails swapped() const { return {upper_, lower_, has_upper_, has_lower_}; }

 private:
  /// Where it is 0 or -inf to rounding it is flat.
  static T complement(const T& log_tail) {
    const double v = scalar::log1m_exp(val(log_tail));
    return v > -1e-300 || v == -kInf ? T(v) : log1m_exp(log_tail);
  }
  LogTails(const T& lower, const T& upper, bool has_lower, bool has_upper)
      : lower_(lower), upper_(upper), has_lower_(has_lower), has_upper_(has_upper) {}
  T lower_{}, upper_{};
  bool has_lower_ = false, has_upper_ = false;
};

template <class T>
LogTails<T> from_upper(const T& upper) { return LogTails<T>::from_upper(upper); }
template <class T>
LogTails<T> from_lower(const T& lower) { return LogTails<T>::from_lower(lower); }
template <class T>
LogTails<T> swapped(const LogTails<T>& t) { return t.swapped(); }

/// So is NaN: no further term mends the sum.
inline bool negligible(double term, double sum) { return !(std::fabs(term) > 1e-17 * std::fabs(sum)); }
template <int N>
bool negligible(const Dual<N>& term, const Dual<N>& sum) {
  for (int i = 0; i < N; ++i)
    if (std::fabs(term.d[i]) > 1e-17 * (std::fabs(sum.d[i]) + std::fabs(sum.v))) return false;
  return negligible(term.v, sum.v);
}

inline constexpr int kMaxTerms = 2'000'000;

/// The log of one tail, and its slopes by the shapes and by the argument.
struct Tail {
  bool upper = false;
  double log = 0, by_a = 0, by_b = 0, by_x = 0;
};
/// Of P(a, x) and Q(a, x), 0 < x < inf; `slopes`: by_a is wanted.
Tail gamma_tail(double a, double x, bool slopes);
/// Of I_x(a, b), y = 1 - x, both positive; `slopes`: by_a and by_b are wanted.
Tail beta_tail(double a, double b, double x, double y, bool slopes);
/// log of x^a exp(-x) / Gamma(a + 1), a Poisson probability for a whole number a, with the slope by a alone.
Tail gamma_kernel(double a, double x, bool slopes);
/// The same for a caller that knows u = (x - a) / a with more digits than x has.
Tail gamma_kernel(double a, double x, double u, bool slopes);
/// log of x^a y^b / B(a, b), y = 1 - x, with the slopes by the shapes alone.
Tail beta_kernel(double a, double b, double x, double y, bool slopes);
/// The same for a caller that knows gap = x b - y a with more digits than x and y have.
Tail beta_kernel(double a, double b, double x, double y, double gap, bool slopes);
inline double log_beta_kernel(double a, double b, double x, double y) { return beta_kernel(a, b, x, y, false).log; }

template <class T>
LogTails<T> one_tail(bool upper, const T& log) { return upper ? from_upper(log) : from_lower(log); }

/// Regularised incomplete gamma functions P(a, x) and Q(a, x), logs.
template <class T>
LogTails<T> log_gamma_tails(const T& a, const T& x) {
  if (val(x) <= 0) return {T(-kInf), val(a) == 1 ? -x : T(0)};
  if (val(x) == kInf) return {T(0), T(-kInf)};
  const Tail t = gamma_tail(val(a), val(x), active(a));
  if constexpr (sizeof(T) == sizeof(double)) return one_tail<T>(t.upper, t.log);
  else return one_tail<T>(t.upper, chain(t.log, a, t.by_a, x, t.by_x));
}

/// Regularised incomplete beta function I_x(a, b) and 1 - I_x(a, b), logs; y = 1 - x.
template <class T>
LogTails<T> log_beta_tails(const T& a, const T& b, const T& x, const T& y) {
  if (val(x) <= 0) return {T(-kInf), val(a) == 1 ? -val(b) * x : T(0)};  // the slope is the density at the end
  if (val(y) <= 0) return {val(b) == 1 ? -val(a) * y : T(0), T(-kInf)};
  const Tail t = beta_tail(val(a), val(b), val(x), val(y), active(a) || active(b));
  if constexpr (sizeof(T) == sizeof(double)) return one_tail<T>(t.upper, t.log);
  else if (val(x) < 0.5) return one_tail<T>(t.upper, chain(t.log, a, t.by_a, b, t.by_b) + chain(0, x, t.by_x));
  else return one_tail<T>(t.upper, chain(t.log, a, t.by_a, b, t.by_b) + chain(0, y, -t.by_x));
}

/// log I_v(x), the modified Bessel function of the first kind: power series, or Hankel's expansion for large x, or the
/// uniform one where x and v are large.
template <class T>
T log_bessel_i(const T& v, const T& x) {
  const double xv = val(x), vv = val(v);
  if (!(xv >= 0) || std::isnan(vv)) return T(kNan);
  if (xv == 0) return T(vv == 0 ? 0 : vv < 0 && vv != std::floor(vv) ? kInf : -kInf);
  T sum = 1;
  T term = 1;
  if (xv > 40 && xv > 2 * vv * vv) {
    const T mu = 4.0 * v * v;
    for (int k = 1; k < 200; ++k) {
      const T next = -(mu - square(2.0 * k - 1)) / (8.0 * k * x) * term;
      if (std::fabs(val(next)) > std::fabs(val(term)) || negligible(next, sum)) break;
      sum += term = next;
    }
    return x - 0.5 * log(x) - kLogSqrtTwoPi + log(sum);
  }
  if (xv > 1e6) return ModifiedExpansion<T>(v, x).log_i();  // the series has more terms than are worth adding
  const T quarter = 0.25 * x * x;
  double shift = 0;
  for (int k = 1; k < kMaxTerms; ++k) {
    term = term * quarter / (k * (v + k));
    sum += term;
    if (negligible(term, sum)) break;
    if (val(sum) > 1e250) term *= 1e-250, sum *= 1e-250, shift += 250 * 2.30258509299404568402;
  }
  return lmultiply(v, log(0.5 * x)) - lgamma(v + 1.0) + log(sum) + shift;
}

}  // namespace fermiac::ad::scalar
