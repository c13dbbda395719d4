// Incomplete gamma and beta functions on the log scale, both tails, over doubles or duals. Series and continued
// fractions are differentiated term by term, which keeps the shape derivatives as accurate as the values.
#pragma once

#include "autodiff/kernels/dual.h"

namespace fermiac::ad::scalar {

/// Logs of a distribution function and of its complement.
template <class T>
struct LogTails {
  T lower;
  T upper;
};

template <class T>
LogTails<T> from_upper(const T& upper) { return {log1m_exp(upper), upper}; }
template <class T>
LogTails<T> from_lower(const T& lower) { return {lower, log1m_exp(lower)}; }
template <class T>
LogTails<T> swapped(const LogTails<T>& t) { return {t.upper, t.lower}; }

inline bool negligible(double term, double sum) { return std::fabs(term) <= 1e-17 * std::fabs(sum); }
template <int N>
bool negligible(const Dual<N>& term, const Dual<N>& sum) {
  for (int i = 0; i < N; ++i)
    if (!(std::fabs(term.d[i]) <= 1e-17 * (std::fabs(sum.d[i]) + std::fabs(sum.v)))) return false;
  return negligible(term.v, sum.v);
}

inline constexpr int kMaxTerms = 2'000'000;

/// a log x - x - lgamma(a + 1): the log Poisson probability, a not necessarily an integer.
template <class T>
T log_poisson(const T& a, const T& x) {
  if (val(a) < 100) return lmultiply(a, log(x)) - x - lgamma(a + 1.0);
  return a * log1pmx((x - a) / a) - 0.5 * log(a) - kLogSqrtTwoPi - stirling_correction(a);
}

/// log x from x and y = 1 - x, whichever is known better.
template <class T>
T log_complement(const T& x, const T& y) { return val(x) < 0.5 ? log(x) : log1p(-y); }

/// x^a y^b / B(a, b) on the log scale, where y = 1 - x.
template <class T>
T log_beta_kernel(const T& a, const T& b, const T& x, const T& y) {
  if (val(a) < 10 || val(b) < 10)
    return lmultiply(a, log_complement(x, y)) + lmultiply(b, log_complement(y, x)) - lbeta(a, b);
  const T n = a + b;
  return a * log1pmx((x * b - y * a) / a) + b * log1pmx((y * a - x * b) / b) + 0.5 * log(a / n * b) - kLogSqrtTwoPi +
         stirling_correction(n) - stirling_correction(a) - stirling_correction(b);
}

/// Modified Lentz evaluation of 1/(b0 + a1/(b1 + ...)): `next(k, a, b)` yields the k-th pair.
template <class T, class Next>
T continued_fraction(T b, Next next) {
  const double kTiny = 1e-300;
  T c = 1 / kTiny;
  T d = 1.0 / b;
  T h = d;
  int settled = 0;  // one factor may happen to be 1
  for (int k = 1; k < kMaxTerms && settled < 3; ++k) {
    T a;
    next(k, a, b);
    d = a * d + b;
    if (std::fabs(val(d)) < kTiny) d = kTiny;
    c = b + a / c;
    if (std::fabs(val(c)) < kTiny) c = kTiny;
    d = 1.0 / d;
    const T step = d * c;
    const T before = h;
    h = h * step;
    settled = std::fabs(val(step) - 1) < 3e-16 && negligible((h - before) * 0.01, h) ? settled + 1 : 0;
  }
  return h;
}

/// Regularised incomplete gamma functions P(a, x) and Q(a, x), logs, differentiated term by term.
template <class T>
LogTails<T> gamma_tails_by_terms(const T& a, const T& x) {
  if (val(x) <= 0) return {T(-kInf), val(a) == 1 ? -x : T(0)};
  if (val(x) == kInf) return {T(0), T(-kInf)};
  if (val(x) < val(a) + 1) {
    T sum = 1;
    T term = 1;
    T denominator = a;
    for (int n = 1; n < kMaxTerms; ++n) {
      denominator += 1.0;
      term = term * x / denominator;
      sum += term;
      if (negligible(term, sum)) break;
    }
    const T lower = log_poisson(a, x) + log(sum);
    return {lower, log1m_exp(lower)};
  }
  const T fraction = continued_fraction(x + 1.0 - a, [&](int k, T& ak, T& bk) {
    ak = -k * (k - a);
    bk = x + (2.0 * k + 1) - a;
  });
  const T upper = log_poisson(a, x) + log(a * fraction);
  return {log1m_exp(upper), upper};
}

/// Log of I_x(a, b), for x below the mean, by its continued fraction.
template <class T>
T log_beta_fraction(const T& a, const T& b, const T& x, const T& y) {
  const T ab = a + b;
  const T fraction = continued_fraction(T(1), [&](int k, T& ak, T& bk) {
    const double m = k / 2;  // NOLINT: integer division
    bk = 1;
    if (k % 2 == 0) ak = m * (b - m) * x / ((a + (2 * m - 1)) * (a + 2 * m));
    else ak = -(a + m) * (ab + m) * x / ((a + 2 * m) * (a + (2 * m + 1)));
  });
  return log_beta_kernel(a, b, x, y) + log(fraction / a);
}

/// Log of I_x(a, b) by a power series of positive terms, for small x (a + b).
template <class T>
T log_beta_series(const T& a, const T& b, const T& x, const T& y) {
  const T ab = a + b;
  T sum = 1;
  T term = 1;
  for (int n = 0; n < kMaxTerms; ++n) {
    term = term * ((ab + n) * x / (a + (n + 1)));
    sum += term;
    if (negligible(term, sum) && n > (val(a) + val(b)) * val(x)) break;
  }
  return log_beta_kernel(a, b, x, y) + log(sum / a);
}

/// Regularised incomplete beta function I_x(a, b) and 1 - I_x(a, b), logs, differentiated term by term; y = 1 - x.
template <class T>
LogTails<T> beta_tails_by_terms(const T& a, const T& b, const T& x, const T& y) {
  if (val(x) <= 0) return {T(-kInf), val(a) == 1 ? -val(b) * x : T(0)};  // the slope is the density at the end
  if (val(y) <= 0) return {val(b) == 1 ? -val(a) * y : T(0), T(-kInf)};
  const double ab = val(a) + val(b);
  const auto prefers_series = [&](double z) { return z < 0.3 && ab * z < 60; };
  const double kNearlyAll = -1e-4;  // then the complement would be cancellation
  if (prefers_series(val(x))) {
    const T lower = log_beta_series(a, b, x, y);
    if (val(lower) < kNearlyAll) return from_lower(lower);
  } else if (prefers_series(val(y))) {
    const T upper = log_beta_series(b, a, y, x);
    if (val(upper) < kNearlyAll) return from_upper(upper);
  }
  if (val(x) * (ab + 2) < val(a) + 1) {
    const T lower = log_beta_fraction(a, b, x, y);
    return {lower, log1m_exp(lower)};
  }
  const T upper = log_beta_fraction(b, a, y, x);
  return {log1m_exp(upper), upper};
}

/// Tails at plain numbers and their slopes by up to two shapes.
struct TailSlopes {
  LogTails<double> tails{};
  double lower[2] = {}, upper[2] = {};
};

/// `by_terms(a, b)` over duals with one direction per shape that is wanted.
template <int M, class F>
TailSlopes slopes_by_shapes(double a, int a_at, double b, int b_at, F by_terms) {
  Dual<M> da = a, db = b;
  if (a_at >= 0) da.d[a_at] = 1;
  if (b_at >= 0) db.d[b_at] = 1;
  const LogTails<Dual<M>> t = by_terms(da, db);
  TailSlopes out{.tails = {t.lower.v, t.upper.v}};
  if (a_at >= 0) out.lower[0] = t.lower.d[a_at], out.upper[0] = t.upper.d[a_at];
  if (b_at >= 0) out.lower[1] = t.lower.d[b_at], out.upper[1] = t.upper.d[b_at];
  return out;
}
template <class F>
TailSlopes slopes_by_shapes(double a, bool by_a, double b, bool by_b, F by_terms) {
  if (by_a && by_b) return slopes_by_shapes<2>(a, 0, b, 1, by_terms);
  if (by_a || by_b) return slopes_by_shapes<1>(a, by_a ? 0 : -1, b, by_b ? 0 : -1, by_terms);
  return {.tails = by_terms(a, b)};
}

/// Only the shapes go through the terms: the slope by the argument is the density.
template <int N>
LogTails<Dual<N>> with_slopes(const TailSlopes& s, const Dual<N>& a, const Dual<N>& b, const Dual<N>& x, double log_density) {
  const auto tail = [&](double v, const double* slopes, double by_x) {
    return chain(v, a, slopes[0], b, slopes[1]) + chain(0, x, by_x);
  };
  return {tail(s.tails.lower, s.lower, std::exp(log_density - s.tails.lower)),
          tail(s.tails.upper, s.upper, -std::exp(log_density - s.tails.upper))};
}

inline LogTails<double> log_gamma_tails(double a, double x) { return gamma_tails_by_terms(a, x); }
template <int N>
LogTails<Dual<N>> log_gamma_tails(const Dual<N>& a, const Dual<N>& x) {
  if (!(x.v > 0) || x.v == kInf) return gamma_tails_by_terms(a, x);
  const TailSlopes s = slopes_by_shapes(a.v, a.active(), 0, false, [&]<class T>(const T& shape, const T&) {
    return gamma_tails_by_terms(shape, T(x.v));
  });
  return with_slopes(s, a, Dual<N>(), x, log_poisson(a.v, x.v) + std::log(a.v / x.v));
}

inline LogTails<double> log_beta_tails(double a, double b, double x, double y) { return beta_tails_by_terms(a, b, x, y); }
template <int N>
LogTails<Dual<N>> log_beta_tails(const Dual<N>& a, const Dual<N>& b, const Dual<N>& x, const Dual<N>& y) {
  if (!(x.v > 0) || !(y.v > 0)) return beta_tails_by_terms(a, b, x, y);
  const TailSlopes s = slopes_by_shapes(a.v, a.active(), b.v, b.active(), [&]<class T>(const T& first, const T& second) {
    return beta_tails_by_terms(first, second, T(x.v), T(y.v));
  });
  const double log_density = log_beta_kernel(a.v, b.v, x.v, y.v) - std::log(x.v) - std::log(y.v);
  return with_slopes(s, a, b, x.v < 0.5 ? x : -y, log_density);
}

/// log I_v(x), the modified Bessel function of the first kind: power series, or Hankel's expansion for large x.
template <class T>
T log_bessel_i(const T& v, const T& x) {
  const double xv = val(x), vv = val(v);
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
