// Incomplete gamma and beta functions: power series and continued fractions, summed together with their derivatives by
// the shapes.
#include "autodiff/kernels/incomplete.h"

namespace fermiac::ad::scalar {
namespace {

/// A positive number and its relative slopes: the derivatives of its logarithm.
struct Factor {
  double value, by_a = 0, by_b = 0;
};

/// log(kernel) + log(factor), with the slope by the argument left to the caller.
Tail joined(bool upper, const Tail& kernel, const Factor& f) {
  return {upper, kernel.log + std::log(f.value), kernel.by_a + f.by_a, kernel.by_b + f.by_b, 0};
}

// ---- gamma

/// a log x - x - lgamma(a + 1): the log Poisson probability, a not necessarily an integer.
Tail log_poisson(double a, double x, bool slopes) {
  Tail t;
  const double u = (x - a) / a;
  if (a < 100)
    t.log = a * std::log(x) - x - lgamma(a + 1);
  else
    t.log = a * log1pmx(u) - 0.5 * std::log(a) - kLogSqrtTwoPi - stirling_correction(a);
  if (slopes) t.by_a = a < 100 ? std::log(x) - digamma(a + 1) : std::log1p(u) - 0.5 / a - stirling_slope(a);
  return t;
}

/// Σ x^n / ((a + 1) ... (a + n)); the slope of a term is minus itself times Σ 1 / (a + k).
template <bool Slopes>
Factor gamma_series(double a, double x) {
  double sum = 1, slope = 0, term = 1, harmonic = 0;
  for (int n = 1; n < kMaxTerms; ++n) {
    const double r = 1 / (a + n);
    term *= x * r;
    sum += term;
    if constexpr (Slopes) {
      harmonic += r;
      slope += term * harmonic;
    }
    if (!(term > 1e-17 * sum) && !(term * harmonic > 1e-17 * (slope + sum))) break;
  }
  return {sum, -slope / sum};
}

/// Q(a, x) over the kernel for a whole number a < x: Σ_j a (a - 1) ... (a - j + 1) / x^j, falling positive terms.
Factor counted_tail(double a, double x) {
  const double r = 1 / x;
  double sum = 0, term = 1;
  for (double k = a; k >= 1; --k) {
    term *= k * r;
    sum += term;
    if (!(term > 1e-17 * sum)) break;
  }
  return {sum};
}

/// Numerator and denominator of a convergent with their slopes; one of them two steps back.
struct Convergent {
  double v = 0, by_a = 0, by_b = 0;
  void scale(double s) { v *= s, by_a *= s, by_b *= s; }
};
struct Fraction {
  Convergent a0, a1, b0, b1;  // a: numerators, b: denominators; 0: the one before

  /// c1 <- b c1 + a c0, c0 <- c1 for a coefficient a with slopes, and b with the slope `slope_b` by the first shape.
  static void advance(Convergent& c0, Convergent& c1, const Convergent& a, double b, double slope_b) {
    const Convergent next{b * c1.v + a.v * c0.v, b * c1.by_a + slope_b * c1.v + a.v * c0.by_a + a.by_a * c0.v,
                          b * c1.by_b + a.v * c0.by_b + a.by_b * c0.v};
    c0 = c1;
    c1 = next;
  }
  void advance(const Convergent& a, double b, double slope_b) {
    advance(a0, a1, a, b, slope_b);
    advance(b0, b1, a, b, slope_b);
  }
  /// Divides everything by the last denominator and returns the convergent with its plain slopes.
  Convergent normalise() {
    const double s = 1 / b1.v;
    a0.scale(s), a1.scale(s), b0.scale(s), b1.scale(s);
    return {a1.v, a1.by_a - a1.v * b1.by_a, a1.by_b - a1.v * b1.by_b};
  }
};

bool settled(const Convergent& now, const Convergent& before) {
  const auto close = [&](double x, double y) {
    return !(std::fabs(x - y) > 3e-16 * (std::fabs(x) + std::fabs(now.v)));
  };
  return close(now.v, before.v) && close(now.by_a, before.by_a) && close(now.by_b, before.by_b);
}
Factor relative(const Convergent& c) {
  return {c.v, c.by_a / c.v, c.by_b / c.v};
}

/// Runs step(k), k = 0, 1, ..., until four steps more change nothing.
template <class Step>
Factor run(Fraction& f, Step step) {
  Convergent now{}, before{};
  for (int k = 0; k < kMaxTerms;) {
    for (const int end = k + 4; k < end; ++k) step(k);
    now = f.normalise();
    if (settled(now, before)) break;
    before = now;
  }
  return relative(now);
}

/// 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / ...)), x > a + 1.
Factor gamma_fraction(double a, double x) {
  const double b = x + 1 - a;
  if (x > 1e60) return {1 / b, 1 / b};
  Fraction f{.a0 = {}, .a1 = {1}, .b0 = {1}, .b1 = {b, -1}};
  return run(f, [&](int k) {
    const double j = k + 1;
    f.advance({-j * (j - a), j}, b + 2 * j, -1);
  });
}

// ---- beta

/// log x from x and y = 1 - x, whichever is known better.
double log_complement(double x, double y) {
  return x < 0.5 ? std::log(x) : std::log1p(-y);
}

Tail beta_kernel(double a, double b, double x, double y, bool slopes) {
  Tail t;
  const double n = a + b;
  if (a < 10 || b < 10) {
    const double log_x = log_complement(x, y), log_y = log_complement(y, x);
    t.log = a * log_x + b * log_y - lbeta(a, b);
    if (slopes) t.by_a = log_x + digamma_difference(a, b), t.by_b = log_y + digamma_difference(b, a);
    return t;
  }
  const double u = (x * b - y * a) / a, v = (y * a - x * b) / b;
  t.log = a * log1pmx(u) + b * log1pmx(v) + 0.5 * std::log(a / n * b) - kLogSqrtTwoPi + stirling_correction(n) -
          stirling_correction(a) - stirling_correction(b);
  if (!slopes) return t;
  const double whole = stirling_slope(n) - 0.5 / n;
  t.by_a = std::log1p(u) + whole + 0.5 / a - stirling_slope(a);
  t.by_b = std::log1p(v) + whole + 0.5 / b - stirling_slope(b);
  return t;
}

/// Σ x^n (a + b) ... (a + b + n - 1) / (a (a + 1) ... (a + n)), positive terms, for small x (a + b).
Factor beta_series(double a, double b, double x) {
  const double ab = a + b;
  double sum = 1, slope_a = 0, slope_b = 0, term = 1, by_a = 0, by_b = 0;
  for (int n = 0; n < kMaxTerms; ++n) {
    const double up = ab + n, down = a + (n + 1), r = 1 / (up * down);
    term *= up * up * r * x;
    by_b += down * r;
    by_a += (down - up) * r;
    sum += term;
    slope_a += term * by_a;
    slope_b += term * by_b;
    if (n > ab * x && !(term > 1e-17 * sum) && !(term * by_b > 1e-17 * (slope_b + sum))) break;
  }
  return {sum / a, slope_a / sum - 1 / a, slope_b / sum};
}

/// The continued fraction of I_x(a, b) over its kernel, times a; for x below the mean. Coefficients in pairs.
Factor beta_fraction(double a, double b, double x) {
  const double ab = a + b;
  Fraction f{.a0 = {}, .a1 = {1}, .b0 = {1}, .b1 = {1}};
  double r0 = 0;  // 1 / (a + 2 m)
  const Factor sum = run(f, [&](int m) {
    const double r1 = 1 / (a + (2 * m + 1)), r2 = 1 / (a + (2 * m + 2)), next = m + 1;
    const double w = m == 0 ? 1 : (a + m) * r0, slope_w = m * r0 * r0, xr = x * r1;
    const double odd = -w * (ab + m) * xr;
    f.advance({odd, -xr * (w + (ab + m) * (slope_w - w * r1)), -w * xr}, 1, 0);
    const double even = next * (b - next) * xr * r2;
    f.advance({even, -even * (r1 + r2), next * xr * r2}, 1, 0);
    r0 = r2;
  });
  return {sum.value / a, sum.by_a - 1 / a, sum.by_b};
}

/// The lower tail from its factor; the upper one is the same with the shapes exchanged.
Tail lower_beta(const Tail& kernel, const Factor& f, double x, double y) {
  Tail t = joined(false, kernel, f);
  t.by_x = 1 / (f.value * x * y);
  return t;
}
Tail upper_beta(const Tail& kernel, const Factor& exchanged, double x, double y) {
  Tail t = joined(true, kernel, {exchanged.value, exchanged.by_b, exchanged.by_a});
  t.by_x = -1 / (exchanged.value * x * y);
  return t;
}

}  // namespace

double log_beta_kernel(double a, double b, double x, double y) {
  return beta_kernel(a, b, x, y, false).log;
}

Tail gamma_tail(double a, double x, bool slopes) {
  const Tail kernel = log_poisson(a, x, slopes);
  if (x < a + 1) {
    const Factor sum = slopes ? gamma_series<true>(a, x) : gamma_series<false>(a, x);
    Tail t = joined(false, kernel, sum);
    t.by_x = a / (x * sum.value);
    return t;
  }
  if (!slopes && a <= 1000 && a == std::floor(a)) {
    const Factor sum = counted_tail(a, x);
    Tail t = joined(true, kernel, sum);
    t.by_x = -a / (x * sum.value);
    return t;
  }
  const Factor fraction = gamma_fraction(a, x);
  Tail t = joined(true, kernel, {a * fraction.value, fraction.by_a + 1 / a});
  t.by_x = -1 / (x * fraction.value);
  return t;
}

Tail beta_tail(double a, double b, double x, double y, bool slopes) {
  const double ab = a + b;
  const auto prefers_series = [&](double z) { return z < 0.3 && ab * z < 60; };
  const double kNearlyAll = -1e-4;  // then the complement would be cancellation
  const Tail kernel = beta_kernel(a, b, x, y, slopes);
  if (prefers_series(x)) {
    const Tail t = lower_beta(kernel, beta_series(a, b, x), x, y);
    if (t.log < kNearlyAll) return t;
  } else if (prefers_series(y)) {
    const Tail t = upper_beta(kernel, beta_series(b, a, y), x, y);
    if (t.log < kNearlyAll) return t;
  }
  if (x * (ab + 2) < a + 1) return lower_beta(kernel, beta_fraction(a, b, x), x, y);
  return upper_beta(kernel, beta_fraction(b, a, y), x, y);
}

}  // namespace fermiac::ad::scalar
