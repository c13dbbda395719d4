// Incomplete gamma and beta functions: power series and continued fractions, summed together with their derivatives by
// the shapes.
#include "autodiff/kernels/incomplete.h"

#include <algorithm>

#include "autodiff/kernels/quadrature.h"
#include "autodiff/kernels/uniform_tail.h"

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

/// The same with the logarithm no greater than 0, where rounding left it there.
Tail bounded(Tail t) {
  t.log = std::min(t.log, 0.0);
  return t;
}

/// log(1 + u), u = ratio - 1: where u has lost the ratio, from that.
double log_ratio(double u, double ratio) {
  return u < -0.5 ? std::log(ratio) : std::log1p(u);
}
/// x / y as e^(log x - log y) where the quotient is no normal number.
double log_quotient(double x, double y) {
  const double q = x / y;
  return q > 1e-290 && q < 1e290 ? std::log(q) : std::log(x) - std::log(y);
}

/// ζ with its slopes by the shapes: -log(1 + u) / ζ, and where ζ is 0 their limits.
struct Zeta {
  double value, by_a, by_b = 0;
};
inline double zeta_of(const Zeta& z, double, double) { return z.value; }
inline Dual<2> zeta_of(const Zeta& z, const Dual<2>& a, const Dual<2>& b) { return chain(z.value, a, z.by_a, b, z.by_b); }

Factor factor_of(double v) { return {v}; }
Factor factor_of(const Dual<2>& v) { return {v.v, v.d[0] / v.v, v.d[1] / v.v}; }

/// Reciprocals of smaller ones overflow.
constexpr double kLeastShape = 1e-300;

struct Shapes {
  Dual<2> a, b;
  Shapes(double va, double vb) : a(va), b(vb) { a.d[0] = b.d[1] = 1; }
};

// ---- gamma

}  // namespace

Tail gamma_kernel(double a, double x, bool slopes) { return gamma_kernel(a, x, (x - a) / a, slopes); }
Tail gamma_kernel(double a, double x, double u, bool slopes) {
  Tail t;
  if (a < 100) {
    t.log = a * std::log(x) - x - lgamma(a + 1);
    if (slopes) t.by_a = std::log(x) - digamma(a + 1);
    return t;
  }
  const double ratio = u < -0.5 ? log_quotient(x, a) : std::log1p(u);
  t.log = a * (u < -0.5 ? ratio - u : log1pmx(u)) - 0.5 * std::log(a) - kLogSqrtTwoPi - stirling_correction(a);
  if (slopes) t.by_a = ratio - 0.5 / a - stirling_slope(a);
  return t;
}

namespace {

/// Large a, x near a.
bool uniform_gamma(double a, double x) { return a >= kUniformShape && std::fabs(x - a) < 0.2 * a; }
template <class T>
Factor uniform_gamma_factor(const T& a, const Zeta& zeta) {
  return factor_of(uniform_tail<T>({a, T(1), T(0), zeta_of(zeta, a, T(0))}) * exp(stirling_correction(a)));
}
Tail uniform_gamma_tail(double a, double x, const Tail& kernel, bool slopes) {
  const double u = (x - a) / a;
  Zeta zeta{std::copysign(std::sqrt(a) * std::sqrt(-2 * log1pmx(u)), u), 0};
  zeta.by_a = u == 0 ? -1 / std::sqrt(a) : -std::log1p(u) / zeta.value;
  const Factor f = slopes ? uniform_gamma_factor<Dual<2>>(Shapes(a, 0).a, zeta) : uniform_gamma_factor<double>(a, zeta);
  const bool upper = !(zeta.value < 0);
  Tail t = joined(upper, kernel, f);
  t.by_x = (upper ? -1 : 1) * (a / x) / f.value;
  return t;
}

/// lgamma(1 + a), 0 <= a <= 1, without the rounding of 1 + a.
double lgamma1p(double a) {
  if (a > 0.01) return lgamma(1 + a);
  static constexpr double kZetas[] = {-0.57721566490153286061, 0.82246703342411321824, -0.40068563438653142847,
                                      0.27058080842778454788,  -0.20738555102867398527, 0.16955717699740818995,
                                      -0.14404989676884611812, 0.12550966952474304242};
  double sum = 0;
  for (int k = 7; k >= 0; --k) sum = kZetas[k] + a * sum;
  return a * sum;
}
/// Q(a, x) = 1 - x^a / Gamma(1 + a) (1 + a S), S = Σ_{n>0} (-x)^n / ((a + n) n!), for small a and x < 1.5, where P is nearly 1.
Tail small_gamma_tail(double a, double x) {
  const double log_w = a * std::log(x) - lgamma1p(a), w = std::exp(log_w), w_slope = std::log(x) - digamma(1 + a);
  double sum = 0, slope = 0, term = 1;
  for (int n = 1; n < 40; ++n) {
    term *= -x / n;
    sum += term / (a + n);
    slope -= term / ((a + n) * (a + n));
  }
  const double q = -std::expm1(log_w) - w * a * sum;
  Tail t{.upper = true, .log = std::log(q)};
  t.by_a = -w * (w_slope * (1 + a * sum) + sum + a * slope) / q;
  t.by_x = -std::exp(log_w - x) * (a / x) / q;
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
  if (x > 1e60) return {1 / b, 1 / b};  // what follows is less than rounding
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

/// x b - y a with one rounding, y the double next to 1 - x.
double beyond_mean(double a, double b, double x, double y) {
  const double w = y * a, lost = std::fma(-y, a, w), rest = (1 - y) - x;
  return (std::fma(x, b, -w) + lost) - rest * a;
}
/// u = (x - x0) / x0 and v = (y - y0) / y0 with x0 = a / n the mean, y0 = b / n, and the logarithms of x / x0 and y / y0.
struct FromMean {
  double u, v, log_x, log_y;
  FromMean(double a, double b, double x, double y) : FromMean(a, b, x, y, beyond_mean(a, b, x, y)) {}
  FromMean(double a, double b, double x, double y, double gap) {
    const double n = a + b;
    u = gap / a;
    v = -gap / b;
    log_x = log_ratio(u, x * (n / a));
    log_y = log_ratio(v, y * (n / b));
  }
  /// a log(x / x0) + b log(y / y0), as a u + b v = 0.
  double log_height(double a, double b) const {
    if (u < -0.5 || v < -0.5) return a * log_x + b * log_y;
    return a * log1pmx(u) + b * log1pmx(v);
  }
};

}  // namespace

Tail beta_kernel(double a, double b, double x, double y, bool slopes) {
  return beta_kernel(a, b, x, y, beyond_mean(a, b, x, y), slopes);
}
Tail beta_kernel(double a, double b, double x, double y, double gap, bool slopes) {
  Tail t;
  const double n = a + b;
  if (a < 10 || b < 10) {
    const double log_x = log_complement(x, y), log_y = log_complement(y, x);
    t.log = a * log_x + b * log_y - lbeta(a, b);
    if (slopes) t.by_a = log_x + digamma_difference(a, b), t.by_b = log_y + digamma_difference(b, a);
    return t;
  }
  const FromMean from(a, b, x, y, gap);
  t.log = from.log_height(a, b) + 0.5 * std::log(a / n * b) - kLogSqrtTwoPi + stirling_correction(n) -
          stirling_correction(a) - stirling_correction(b);
  if (!slopes) return t;
  const double whole = stirling_slope(n) - 0.5 / n;
  t.by_a = from.log_x + whole + 0.5 / a - stirling_slope(a);
  t.by_b = from.log_y + whole + 0.5 / b - stirling_slope(b);
  return t;
}

namespace {

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

/// The upper tail over its kernel by quadrature, 1 / (x y) ∫ (t / x)^(a-1) ((1 - t) / y)^(b-1) dt from x to 1: for shapes so
/// different or large that the fraction would take long. Panels are as wide as the integrand is smooth.
class BetaIntegral {
 public:
  BetaIntegral(double a, double b, double x, double y) : a_(a), b_(b), x_(x), y_(y), rest_(y) {}

  Factor run() {
    for (int panels = 0; panels < 3000 && rest_ > 1e-18 * y_; ++panels) {
      const double before = sum_;
      add_panel(width());
      if (!(sum_ - before > 1e-17 * sum_) && slope() <= 0) return result();
    }
    add_end();
    return result();
  }

 private:
  double slope() const { return (a_ - 1) / (x_ + at_) - (b_ - 1) / rest_; }
  double width() const {
    const double t = x_ + at_, curvature = std::sqrt(std::fabs(a_ - 1)) / t + std::sqrt(std::fabs(b_ - 1)) / rest_;
    return std::min({3 / std::fabs(slope()), 2 / curvature, 2 * t, 0.5 * rest_});
  }
  void add_panel(double h) {
    for (int i = 0; i < 16; ++i) {
      const double node = i < 8 ? 0.5 - 0.5 * kGaussNode[7 - i] : 0.5 + 0.5 * kGaussNode[i - 8];
      const double s = at_ + node * h, rest = rest_ - node * h;
      add(s / x_, rest < 0.5 * y_ ? std::log(rest / y_) : std::log1p(-s / y_), kGaussWeight[i < 8 ? 7 - i : i - 8] * 0.5 * h);
    }
    at_ += h;
    rest_ -= h;
  }
  /// At the end the integrand is a power of the distance to it.
  void add_end() {
    const double f = rest_ / b_ * std::exp((a_ - 1) * std::log1p(at_ / x_) + (b_ - 1) * std::log(rest_ / y_));
    sum_ += f;
    by_a_ += f * std::log1p(at_ / x_);
    by_b_ += f * (std::log(rest_ / y_) - 1 / b_);
  }
  void add(double s_over_x, double log_rest, double weight) {
    const double log_t = std::log1p(s_over_x), f = weight * std::exp((a_ - 1) * log_t + (b_ - 1) * log_rest);
    if (f == 0) return;
    sum_ += f;
    by_a_ += f * log_t;
    by_b_ += f * log_rest;
  }
  Factor result() const {
    if (sum_ == 0) return {1e-300};  // too narrow for doubles, and its kernel is 0
    return {sum_ / y_ / x_, by_a_ / sum_, by_b_ / sum_};
  }

  double a_, b_, x_, y_, at_ = 0, rest_, sum_ = 0, by_a_ = 0, by_b_ = 0;
};

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

Factor exchanged(const Factor& f) { return {f.value, f.by_b, f.by_a}; }
constexpr double kSmall = 1e-3;
/// For x below the mean, or small b.
Factor tail_factor(double a, double b, double x, double y) {
  constexpr double kLongFraction = 1e5;
  const bool fraction = std::min(a, b) >= kSmall && std::max(a, b) <= kLongFraction;
  return fraction ? beta_fraction(a, b, x) : exchanged(BetaIntegral(b, a, y, x).run());
}

/// Large a and b, x near the mean: ν = a b / n and |ζ| <= kUniformReach sqrt(ν).
template <class T>
Factor uniform_beta_factor(const T& a, const T& b, const Zeta& zeta) {
  const T n = a + b, nu = a / n * b;
  const T tail = uniform_tail<T>({nu, (b - a) / n, nu / n, zeta_of(zeta, a, b)});
  return factor_of(T(tail / nu * exp(stirling_correction(a) + stirling_correction(b) - stirling_correction(n))));
}
bool uniform_beta(double a, double b, double x, double y, Zeta& zeta) {
  const double n = a + b, nu = a / n * b;
  if (!(nu >= kUniformShape && n < kInf)) return false;
  const FromMean from(a, b, x, y);
  const double half_square = -from.log_height(a, b);
  if (!(2 * half_square < kUniformReach * kUniformReach * nu)) return false;
  zeta.value = std::copysign(std::sqrt(2 * half_square), from.u);
  const bool centre = zeta.value == 0;
  zeta.by_a = centre ? -std::sqrt(b / n / a) : -from.log_x / zeta.value;
  zeta.by_b = centre ? std::sqrt(a / n / b) : -from.log_y / zeta.value;
  return true;
}
Tail uniform_beta_tail(double a, double b, double x, double y, const Tail& kernel, const Zeta& zeta, bool slopes) {
  const Shapes shapes(a, b);
  const Factor f =
      slopes ? uniform_beta_factor<Dual<2>>(shapes.a, shapes.b, zeta) : uniform_beta_factor<double>(a, b, zeta);
  const bool upper = !(zeta.value < 0);
  Tail t = joined(upper, kernel, f);
  t.by_x = (upper ? -1 : 1) / (f.value * x * y);
  return t;
}

}  // namespace

Tail gamma_tail(double a, double x, bool slopes) {
  a = std::max(a, kLeastShape);
  const Tail kernel = gamma_kernel(a, x, slopes);
  if (uniform_gamma(a, x)) return bounded(uniform_gamma_tail(a, x, kernel, slopes));
  if (x < a + 1) {
    const Factor sum = slopes ? gamma_series<true>(a, x) : gamma_series<false>(a, x);
    Tail t = joined(false, kernel, sum);
    if (t.log > -0.2 && x < 1.5) return bounded(small_gamma_tail(a, x));
    t.by_x = a / x / sum.value;
    return bounded(t);
  }
  if (!slopes && a <= 1000 && a == std::floor(a)) {
    const Factor sum = counted_tail(a, x);
    Tail t = joined(true, kernel, sum);
    t.by_x = -a / x / sum.value;
    return bounded(t);
  }
  const Factor fraction = gamma_fraction(a, x);
  Tail t = joined(true, kernel, {a * fraction.value, fraction.by_a + 1 / a});
  t.by_x = -1 / (x * fraction.value);
  return bounded(t);
}

Tail beta_tail(double a, double b, double x, double y, bool slopes) {
  a = std::max(a, kLeastShape), b = std::max(b, kLeastShape);
  if (!(a + b < kInf)) a *= 0.5, b *= 0.5;  // the law is one point to rounding, and stays it
  const double ab = a + b;
  const auto prefers_series = [&](double z) { return z < 0.3 && ab * z < 60; };
  const double kNearlyAll = -1e-4;  // then the complement would be cancellation
  const Tail kernel = beta_kernel(a, b, x, y, slopes);
  if (Zeta zeta{}; uniform_beta(a, b, x, y, zeta)) return bounded(uniform_beta_tail(a, b, x, y, kernel, zeta, slopes));
  if (prefers_series(x)) {
    const Tail t = lower_beta(kernel, beta_series(a, b, x), x, y);
    if (t.log < kNearlyAll) return t;
  } else if (prefers_series(y)) {
    const Tail t = upper_beta(kernel, beta_series(b, a, y), x, y);
    if (t.log < kNearlyAll) return t;
  }
  // A small shape has nearly all on its side, unless the other one is smaller.
  const bool lower = std::min(a, b) < kSmall ? a >= b : x * (ab + 2) < a + 1;
  if (lower) return bounded(lower_beta(kernel, tail_factor(a, b, x, y), x, y));
  return bounded(upper_beta(kernel, tail_factor(b, a, y, x), x, y));
}

}  // namespace fermiac::ad::scalar
