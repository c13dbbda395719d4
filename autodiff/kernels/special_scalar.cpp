// The special functions that need nothing but the C library.
#include "autodiff/kernels/special_scalar.h"

#include <math.h>

#include <cmath>
#include <limits>

#include "autodiff/kernels/to_int.h"

namespace fermiac::ad::scalar {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kLogSqrtTwoPi = 0.91893853320467274178;

}  // namespace

double lgamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

double stirling_correction(double z) {
  const double u = 1 / z;
  const double w = u * u;
  return u * (1.0 / 12 + w * (-1.0 / 360 + w * (1.0 / 1260 + w * (-1.0 / 1680 +
             w * (1.0 / 1188 + w * (-691.0 / 360360 + w * (1.0 / 156 + w * (-3617.0 / 122400))))))));
}

double stirling_slope(double z) {
  const double w = 1 / (z * z);
  return -w * (1.0 / 12 + w * (-1.0 / 120 + w * (1.0 / 252 + w * (-1.0 / 240 + w * (1.0 / 132 +
              w * (-691.0 / 32760 + w * (1.0 / 12)))))));
}

namespace {

/// A step so small that the slope at its middle gives the difference to rounding.
bool is_small_step(double z, double a) { return z > 0 && std::fabs(a) < 1e-8 * z; }

}  // namespace

double digamma_difference(double z, double a) {
  if (is_small_step(z, a)) return a * trigamma(z + 0.5 * a);
  if (!(z >= 10 && z + a >= 10)) return digamma(z + a) - digamma(z);
  return std::log1p(a / z) + 0.5 * (a / z) / (z + a) + (stirling_slope(z + a) - stirling_slope(z));
}

double lgamma_difference(double z, double a) {
  if (is_small_step(z, a)) return a * digamma(z + 0.5 * a);
  if (!(z >= 10 && z + a >= 10)) return lgamma(z + a) - lgamma(z);
  return (z - 0.5) * std::log1p(a / z) + a * (std::log(z + a) - 1) + stirling_correction(z + a) - stirling_correction(z);
}

namespace {

class LogFactorials {
 public:
  static constexpr int kSize = 1024;
  LogFactorials() {
    long double sum = 0;
    for (int n = 0; n < kSize; ++n) v_[n] = static_cast<double>(sum += n > 1 ? logl(n) : 0);
  }
  /// Of a whole number below kSize; for any other a number without meaning, but from the table.
  double operator()(double n) const { return v_[to_int(n, 0, kSize - 1)]; }

 private:
  double v_[kSize];
};
const LogFactorials& log_factorials() {
  static const LogFactorials table;
  return table;
}

}  // namespace

double lbeta(double a, double b) {
  const double small = std::fmin(a, b);
  const double large = std::fmax(a, b);
  if (small == 0) return kInf;
  if (large == kInf) return -kInf;
  if (const double n = small + large;
      small >= 1 && n <= LogFactorials::kSize && a == std::floor(a) && b == std::floor(b)) {
    const LogFactorials& v = log_factorials();
    return v(small - 1) + v(large - 1) - v(n - 1);
  }
  if (large < 10) return lgamma(a) + lgamma(b) - lgamma(a + b);
  if (small < 10) return lgamma(small) - lgamma_difference(large, small);
  const double n = small + large;
  return kLogSqrtTwoPi - 0.5 * std::log(large) + (small - 0.5) * std::log(small / n) -
         (large)*std::log1p(small / large) + stirling_correction(small) + stirling_correction(large) -
         stirling_correction(n);
}

double log_factorial(double n) {
  if (!(n >= 0 && n < LogFactorials::kSize)) return lgamma(n + 1);
  return log_factorials()(n);
}

double log_choose(double n, double k) {
  if (k == 0 || k == n) return 0;
  if (k > 0 && k < n && n < LogFactorials::kSize) {
    const LogFactorials& v = log_factorials();
    return v(n) - v(k) - v(n - k);
  }
  return -lbeta(n - k + 1, k + 1) - std::log1p(n);
}

double log1pmx(double x) {
  if (!(std::fabs(x) < 0.4)) return std::log1p(x) - x;
  const double s = x / (2 + x);
  const double z = s * s;
  double sum = 0;
  double power = s * z;
  for (int k = 3; std::fabs(power) > 1e-18 * std::fabs(x * s); k += 2, power *= z) sum += power / k;
  return 2 * sum - x * s;
}

double digamma(double x) {
  if (std::isnan(x) || x == kInf) return x;
  if (x <= 0) {
    if (x == std::floor(x)) return kNan;
    return digamma(1 - x) - M_PI / std::tan(M_PI * (x - std::round(x)));
  }
  double shift = 0;
  for (; x < 10; ++x) shift -= 1 / x;
  const double u = 1 / x;
  const double w = u * u;
  return shift + std::log(x) - 0.5 * u -
         w * (1.0 / 12 + w * (-1.0 / 120 + w * (1.0 / 252 + w * (-1.0 / 240 + w * (1.0 / 132 +
             w * (-691.0 / 32760 + w * (1.0 / 12)))))));
}

double trigamma(double x) {
  if (std::isnan(x)) return kNan;
  if (x <= 0) {
    if (x == std::floor(x)) return kInf;
    const double s = std::sin(M_PI * (x - std::round(x)));
    return -trigamma(1 - x) + M_PI * M_PI / (s * s);
  }
  double shift = 0;
  for (; x < 12; ++x) shift += 1 / (x * x);
  const double u = 1 / x;
  const double w = u * u;
  return shift + u + 0.5 * w +
         u * w * (1.0 / 6 + w * (-1.0 / 30 + w * (1.0 / 42 + w * (-1.0 / 30 + w * (5.0 / 66 +
                 w * (-691.0 / 2730 + w * (7.0 / 6)))))));
}

double tgamma(double x) { return std::tgamma(x); }

double inv_logit(double x) {
  const double e = std::exp(-std::fabs(x));
  return x > 0 ? 1 / (1 + e) : e / (1 + e);
}
double log1p_exp(double x) { return std::fmax(x, 0.0) + std::log1p(std::exp(-std::fabs(x))) + (std::isnan(x) ? x : 0); }
double log1m_exp(double x) {
  if (x > 0) return kNan;
  return x > -0.693147180559945309 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}
double log_sum_exp(double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return kNan;
  if (x == y) return x + 0.693147180559945309;
  return std::fmax(x, y) + std::log1p(std::exp(-std::fabs(x - y)));
}
double log_diff_exp(double x, double y) {
  if (x == y) return x < kInf ? -kInf : kNan;
  if (y == -kInf) return x;
  return x + log1m_exp(y - x);
}

namespace {

/// exp(y^2) erfc(y) for y >= 0.46875: W. J. Cody, Math. Comp. 23 (1969).
double erfcx_cody(double y) {
  static constexpr double kC[] = {2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0,
                                  6.61191906371416295e1,  2.98635138197400131e2,  8.81952221241769090e2,
                                  1.71204761263407058e3,  2.05107837782607147e3,  1.23033935479799725e3};
  static constexpr double kD[] = {1.0,                   1.57449261107098347e1, 1.17693950891312499e2,
                                  5.37181101862009858e2, 1.62138957456669019e3, 3.29079923573345963e3,
                                  4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3};
  static constexpr double kP[] = {1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
                                  1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4};
  static constexpr double kQ[] = {1.0,                    2.56852019228982242e0,  1.87295284992346725e0,
                                  5.27905102951428412e-1, 6.05183413124413191e-2, 2.33520497626869185e-3};
  const auto ratio = [](const auto& num, const auto& den, double t) {
    double a = 0, b = 0;
    for (const double c : num) a = a * t + c;
    for (const double c : den) b = b * t + c;
    return a / b;
  };
  if (y <= 4) return ratio(kC, kD, y);
  const double z = 1 / (y * y);
  return (5.6418958354775628695e-1 - z * ratio(kP, kQ, z)) / y;
}

}  // namespace

double erfcx(double x) {
  if (x >= 0.46875) return erfcx_cody(x);
  return std::exp(x * x) * std::erfc(x);
}

double std_normal_density(double z) { return 0.39894228040143267794 * std::exp(-0.5 * z * z); }
double Phi(double z) { return 0.5 * std::erfc(-z * M_SQRT1_2); }

double log_Phi(double z) {
  if (z > 1) return std::log1p(-0.5 * std::erfc(z * M_SQRT1_2));
  if (z > -1) return std::log(Phi(z));
  if (z == -kInf) return z;
  return -0.5 * z * z + std::log(0.5 * erfcx(-z * M_SQRT1_2));
}

double log_Phi_slope(double z) {
  if (z == -kInf) return kInf;
  if (z > -1) return std_normal_density(z) / Phi(z);
  return 0.79788456080286535588 / erfcx(-z * M_SQRT1_2);
}

}  // namespace fermiac::ad::scalar
