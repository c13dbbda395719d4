// Distribution functions. A distribution gives the logs of both tails; cdf, lcdf and lccdf follow.
#include "autodiff/dist/compound_tails.h"
#include "autodiff/dist/quadrature.h"
#include "autodiff/dist/von_mises_series.h"
#include "autodiff/kernels/families.h"
#include "autodiff/kernels/incomplete.h"
#include "autodiff/kernels/scalar_driver.h"

namespace fermiac::ad::scalar {
namespace {

enum class Form { Cdf, Lcdf, Lccdf };

template <class D, Form F>
struct CdfMap : D {
  static constexpr bool kDensity = true;
  static constexpr bool kProduct = F == Form::Cdf;
  template <class T>
  static T eval(const T* x, Keep) {
    const LogTails<T> tails = tails_for<T>(x);
    if constexpr (F == Form::Lcdf) return tails.lower();
    else if constexpr (F == Form::Lccdf) return tails.upper();
    else return tails.probability();
  }

  /// Laws whose tails are separate computations are asked for one of them.
  template <class T>
  static LogTails<T> tails_for(const T* x) {
    if constexpr (requires { D::template tails<T>(x, true); }) return D::template tails<T>(x, F == Form::Lccdf);
    else return D::template tails<T>(x);
  }
};

template <int Arity>
struct Law {
  static constexpr int kArity = Arity;
};

template <class T>
LogTails<T> below() { return {T(-kInf), T(0)}; }  // all mass is above
template <class T>
LogTails<T> above() { return {T(0), T(-kInf)}; }
/// An infinite outcome, or one on the wrong side of zero.
template <class T>
bool infinite(const T& y, LogTails<T>& t) {
  if (!std::isinf(val(y))) return false;
  t = val(y) > 0 ? above<T>() : below<T>();
  return true;
}

// Domain rules are lists of these.
#define FERMIAC_Y(rule) {0, Rule::rule, "Random variable"}
#define FERMIAC_P(j, rule, label) {j, Rule::rule, label}

struct StudentT : Law<4> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NotNan), FERMIAC_P(1, PositiveFinite, "Degrees of freedom parameter"),
                                          FERMIAC_P(2, Finite, "Location parameter"),
                                          FERMIAC_P(3, PositiveFinite, "Scale parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) {
    LogTails<T> t;
    if (infinite(x[0], t)) return t;
    const T z = (x[0] - x[2]) / x[3];
    if (val(z) == 0) return centre(x[1], z);
    const T s = x[1] + z * z;
    const T tail = log_beta_tails(T(0.5 * x[1]), T(0.5), x[1] / s, z * z / s).lower() - kLogTwo;
    return val(z) < 0 ? from_lower(tail) : from_upper(tail);
  }
  /// At z = 0 the incomplete beta function has an infinite slope in z², the distribution function has not.
  template <class T>
  static LogTails<T> centre(const T& nu, const T& z) {
    const T step = 2.0 * exp(lgamma_difference(T(0.5 * val(nu)), T(0.5)) - 0.5 * std::log(val(nu) * kPi)) * z;
    return {step - kLogTwo, -step - kLogTwo};
  }
};

template <class T>
LogTails<T> gamma_law(const T& y, const T& shape, const T& rate) {
  if (val(y) == 0) return below<T>();
  return log_gamma_tails(shape, y * rate);
}
struct Gamma : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NonNegative), FERMIAC_P(1, PositiveFinite, "Shape parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Inverse scale parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) { return gamma_law<T>(x[0], x[1], x[2]); }
};
struct ChiSquare : Law<2> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NonNegative), FERMIAC_P(1, PositiveFinite, "Degrees of freedom parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) { return gamma_law<T>(x[0], 0.5 * x[1], T(0.5)); }
};

/// 1/y follows a gamma law: tails change places.
template <class T>
LogTails<T> inverse_gamma_tails(const T& y, const T& shape, const T& scale) {
  if (val(y) == 0) return below<T>();
  LogTails<T> t;
  if (infinite(y, t)) return t;
  return swapped(log_gamma_tails(shape, scale / y));
}
struct InvGamma : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NonNegative), FERMIAC_P(1, PositiveFinite, "Shape parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Scale parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) { return inverse_gamma_tails<T>(x[0], x[1], x[2]); }
};
struct InvChiSquare : Law<2> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NonNegative), FERMIAC_P(1, PositiveFinite, "Degrees of freedom parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) { return inverse_gamma_tails<T>(x[0], 0.5 * x[1], T(0.5)); }
};
struct ScaledInvChiSquare : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NonNegative), FERMIAC_P(1, PositiveFinite, "Degrees of freedom parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Scale parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) { return inverse_gamma_tails<T>(x[0], 0.5 * x[1], 0.5 * x[1] * x[2] * x[2]); }
};

struct Beta : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(Probability), FERMIAC_P(1, PositiveFinite, "First shape parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Second shape parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) { return log_beta_tails(x[1], x[2], x[0], 1.0 - x[0]); }
};
struct BetaProportion : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(Probability), FERMIAC_P(1, Bounded01Open, "Location parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Precision parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) {
    const T a = x[1] * x[2];
    return log_beta_tails(a, x[2] - a, x[0], 1.0 - x[0]);
  }
};

/// log F(z) of the skew normal law and its slopes.
struct SkewTail {
  double value, dz, dalpha;
};
double log_skew_integrand(double t, double alpha) { return -0.5 * t * t + log_Phi(alpha * t); }
/// log of 2 ∫_{-inf}^z phi(t) Phi(alpha t) dt, by quadrature around the integrand's maximum.
double log_skew_integral(double z, double alpha) {
  double top = std::fmin(z, 40);  // the maximum is below 1
  for (double step = 1; step > 1e-3;) {  // walk down from z to the maximum
    if (log_skew_integrand(top - step, alpha) > log_skew_integrand(top, alpha)) top -= step;
    else step *= 0.5;
  }
  const double peak = log_skew_integrand(top, alpha);
  double low = top, high = top;
  for (double step = 1e-3; log_skew_integrand(low, alpha) > peak - 40; step *= 1.3) low -= step;
  for (double step = 1e-3; high < z && log_skew_integrand(high, alpha) > peak - 40; step *= 1.3) high += step;
  const auto f = [&](double t) { return std::exp(log_skew_integrand(t, alpha) - peak); };
  const double sum = integrate(low, top, 30, f) + integrate(top, std::fmin(high, z), 30, f);
  return peak + std::log(sum) + kLogTwo - kLogSqrtTwoPi;
}
/// For z < 0 and alpha > 0, without cancellation: F(z) = exp(-z²/2) / pi ∫_alpha^inf exp(-(z x)²/2) / (1 + x²) dx.
SkewTail skew_tail_below(double z, double alpha) {
  const double h = -z, rate = h * h * alpha;  // the exponent falls from alpha on by rate t + (h t)²/2
  const double reach = 80 / (rate + std::sqrt(rate * rate + 80 * h * h)), q = 1 + alpha * alpha;
  const auto f = [&](double t) { return std::exp(-t * (rate + 0.5 * h * h * t)) / (1 + (alpha + t) * (alpha + t)); };
  const double sum = integrate(0.0, reach, reach > 4 ? 8 : 4, f);
  return {std::log(sum) - 0.5 * h * h * q - kLogPi, std::sqrt(0.5 * kPi) * erfcx(alpha * h / kSqrtTwo) / sum, -1 / (q * sum)};
}
SkewTail skew_tail(double z, double alpha) {
  const double direct = Phi(z) - 2 * owens_t(z, alpha);
  const bool positive = z > -37 && z < 0 && alpha <= 0;  // a sum of positive terms
  if (!(direct > 0.01 || positive) && z < -0.5 && alpha > 0.5) return skew_tail_below(z, alpha);
  const double value = direct > 0.01 || positive ? std::log(direct) : log_skew_integral(z, alpha);
  const double log_density = log_skew_integrand(z, alpha) + kLogTwo - kLogSqrtTwoPi;
  const double q = 1 + alpha * alpha;
  return {value, std::exp(log_density - value), -std::exp(-0.5 * z * z * q - value) / (kPi * q)};
}
inline double lift(const SkewTail& s, double, double) { return s.value; }
template <int N>
Dual<N> lift(const SkewTail& s, const Dual<N>& z, const Dual<N>& alpha) { return chain(s.value, z, s.dz, alpha, s.dalpha); }

struct SkewNormal : Law<4> {
  static constexpr DomainRule kRules[] = {FERMIAC_Y(NotNan), FERMIAC_P(1, Finite, "Location parameter"),
                                          FERMIAC_P(2, Positive, "Scale parameter"),
                                          FERMIAC_P(3, Finite, "Shape parameter")};
  template <class T>
  static LogTails<T> tails(const T* x, bool upper) {
    LogTails<T> t;
    if (infinite(x[0], t)) return t;
    const T z = (x[0] - x[1]) / x[2];
    const T& alpha = x[3];
    if (upper) return from_upper<T>(lift(skew_tail(-val(z), -val(alpha)), T(-z), T(-alpha)));
    return from_lower<T>(lift(skew_tail(val(z), val(alpha)), z, alpha));
  }
};

/// Von Mises on [-pi, pi]: a series in the middle, in the tails by quadrature.
struct VonMises : Law<3> {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "Random variable", .bound = -kPi},
                                          {.operand = 0, .rule = Rule::NotAbove, .label = "Random variable", .bound = kPi},
                                          FERMIAC_Y(Finite), FERMIAC_P(1, Finite, "Location parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Scale parameter")};
  /// log ∫ exp(kappa (cos t - 1)) dt from a over `length` within one period around 0; kept to where it matters. The length,
  /// which may be a rounding error of a, comes by itself.
  template <class T>
  static T log_piece(T a, T length, const T& kappa) {
    if (!(val(length) > 0)) return T(-kInf);
    const double b = val(a) + val(length);
    const double nearest = val(a) > 0 ? val(a) : b < 0 ? b : 0;
    const double top = std::cos(nearest);
    const double floor = top - 45 / val(kappa);
    const double reach = floor > -1 ? std::acos(floor) : 4;
    if (val(a) < -reach) {
      length += a + reach;
      a = T(-reach);
    }
    if (b > reach) length = reach - a;
    return kappa * (top - 1) +
           log(integrate_over(a, length, 16, [&](const T& t) { return exp(kappa * (cos(t) - top)); }));
  }
  /// The same for any a and at most one period, cut where a period around 0 begins.
  template <class T>
  static T log_arc(T a, const T& length, const T& kappa) {
    a -= 2 * kPi * std::floor((val(a) + kPi) / (2 * kPi));
    if (val(a) + val(length) <= kPi) return log_piece(a, length, kappa);
    const T before = kPi - a;
    const T first = log_piece(a, before, kappa);
    const T second = log_piece(T(-kPi), T(length - before), kappa);
    return val(second) == -kInf ? first : val(first) == -kInf ? second : log_sum_exp(first, second);
  }
  /// From the end of the period on, which lies between doubles.
  static constexpr double kPiRest = 1.2246467991473532e-16;
  template <class T>
  static T log_lower(const T* x) { return log_arc(T(-kPi - x[1]), T((x[0] + kPi) + kPiRest), x[2]); }
  template <class T>
  static T log_upper(const T* x) { return log_arc(T(x[0] - x[1]), T((kPi - x[0]) + kPiRest), x[2]); }

  template <class T>
  static T series(const T* x) {
    const VonMisesSeries wave(val(x[2]));
    const T here = x[0] - x[1], start = -kPi - x[1];
    return (x[0] + kPi) / (2 * kPi) + lift(wave.at(val(here)), here, x[2]) - lift(wave.at(val(start)), start, x[2]);
  }
  /// One tail needs no other: the integral over a period is known. -log(2 pi I_0(kappa) exp(-kappa)).
  template <class T>
  static T log_scale(const T& kappa) {
    const double k = val(kappa), v = k - log_bessel_i0(k) - std::log(2 * kPi);
    if constexpr (sizeof(T) == sizeof(double)) return v;
    else return chain(v, kappa, 1 - bessel_ratio(k));
  }
  template <class T>
  static LogTails<T> tails(const T* x) {
    if (val(x[0]) == -kPi) return below<T>();
    if (val(x[0]) == kPi) return above<T>();
    if (val(x[2]) > 0 && val(x[2]) <= VonMisesSeries::kLargest) {
      constexpr double kTail = 0.01;
      const T lower = series(x);
      if (val(lower) > kTail && val(lower) < 1 - kTail) return from_lower(T(log(lower)));
      if (val(lower) <= kTail) return from_lower(T(log_lower(x) + log_scale(x[2])));
      return swapped(from_lower(T(log_upper(x) + log_scale(x[2]))));
    }
    const T lower = log_lower(x), upper = log_upper(x);
    return {-log1p_exp(T(upper - lower)), -log1p_exp(T(lower - upper))};
  }
};

// ---- counts

struct Binomial : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_P(1, NonNegative, "Population size parameter"),
                                          FERMIAC_P(2, Probability, "Probability parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) {
    const double n = val(x[0]), total = val(x[1]);
    if (n < 0) return below<T>();
    if (n >= total) return above<T>();
    const double p = val(x[2]);
    if (total > kFewTrials || !(p > 0 && p < 1)) return log_beta_tails(T(total - n), T(n + 1), T(1.0 - x[2]), x[2]);
    return by_sum(n, total, x[2]);
  }

 private:
  static constexpr double kFewTrials = 100;
  /// The tail away from the mean, relative to its largest mass; the slope telescopes to one mass.
  template <class T>
  static LogTails<T> by_sum(double n, double total, const T& theta) {
    const double p = val(theta), q = 1 - p;
    const bool upper = n > total * p;
    const double first = upper ? n + 1 : n, odds = upper ? p / q : q / p;
    double sum = 1, term = 1;
    for (double k = upper ? n + 1 : total - n; k < total && term > 1e-17 * sum; ++k) sum += term *= (total - k) / (k + 1) * odds;
    const double log_mass = log_choose(total, first) + first * std::log(p) + (total - first) * std::log1p(-p);
    const double slope = upper ? first / (p * sum) : -(total - n) / (q * sum);
    return one_tail<T>(upper, lift(log_mass + std::log(sum), theta, slope));
  }
  static double lift(double v, double, double) { return v; }
  template <int N>
  static Dual<N> lift(double v, const Dual<N>& x, double slope) { return chain(v, x, slope); }
};

struct Poisson : Law<2> {
  static constexpr DomainRule kRules[] = {FERMIAC_P(1, NonNegative, "Rate parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) {
    if (val(x[0]) < 0) return below<T>();
    return swapped(log_gamma_tails(T(val(x[0]) + 1), x[1]));
  }
};

struct NegBinomial : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_P(1, PositiveFinite, "Shape parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Inverse scale parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) {
    if (val(x[0]) < 0) return below<T>();
    const T q = 1.0 / (1.0 + x[2]);
    return log_beta_tails(x[1], T(val(x[0]) + 1), x[2] * q, q);
  }
};
struct NegBinomial2 : Law<3> {
  static constexpr DomainRule kRules[] = {FERMIAC_P(1, PositiveFinite, "Location parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Precision parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) {
    if (val(x[0]) < 0) return below<T>();
    const T q = 1.0 / (x[1] + x[2]);
    return log_beta_tails(x[2], T(val(x[0]) + 1), x[2] * q, x[1] * q);
  }
};

struct BetaBinomial : Law<4> {
  static constexpr DomainRule kRules[] = {FERMIAC_P(1, NonNegative, "Population size parameter"),
                                          FERMIAC_P(2, PositiveFinite, "First prior sample size parameter"),
                                          FERMIAC_P(3, PositiveFinite, "Second prior sample size parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) {
    const double n = val(x[0]), total = val(x[1]);
    if (n < 0) return below<T>();
    if (n >= total) return above<T>();
    const T lower = log_up_to<T>(n, total, x[2], x[3]), upper = log_up_to<T>(total - n - 1, total, x[3], x[2]);
    return val(lower) < val(upper) ? from_lower(lower) : from_upper(upper);
  }

 private:
  /// The upper tail is the lower one of the failures.
  template <class T>
  static T log_up_to(double n, double total, const T& a, const T& b) {
    const BetaBinomialMass law{total, val(a), val(b)};
    return log_masses_up_to<T>(
        n, law, active(a) || active(b), [&](double k) { return law.ratio(k, total, a, b); },
        [&](const LogMass& m) { return lift(m, a, b, T(0)); });
  }
};

struct BetaNegBinomial : Law<4> {
  static constexpr DomainRule kRules[] = {FERMIAC_P(1, PositiveFinite, "Number of successes parameter"),
                                          FERMIAC_P(2, PositiveFinite, "Prior success parameter"),
                                          FERMIAC_P(3, PositiveFinite, "Prior failure parameter")};
  template <class T>
  static LogTails<T> tails(const T* x) {
    const double n = val(x[0]);
    const T &r = x[1], &a = x[2], &b = x[3];
    if (n < 0) return below<T>();
    const BetaNegBinomialMass law{val(r), val(a), val(b)};
    const bool slopes = active(r) || active(a) || active(b);
    const auto ratio = [&](double k) { return law.ratio(k, r, a, b); };
    const auto mass = [&](const LogMass& m) { return lift(m, r, a, b); };
    constexpr double kNearlyAll = -1e-4;  // then the complement would be cancellation
    const T lower = log_masses_up_to<T>(n, law, slopes, ratio, mass);
    if (val(lower) < kNearlyAll) return from_lower(lower);
    const T upper = log_masses_beyond<T>(n, law, slopes, ratio, mass);
    return val(upper) < 0 ? from_upper(upper) : from_lower(lower);
  }
};

struct DiscreteRange : Law<3> {
  static constexpr DomainRule kRules[] = {
      {.operand = 2, .rule = Rule::GreaterOrEqual, .label = "Upper bound parameter", .other = 1, .other_label = "Lower bound parameter"}};
  template <class T>
  static LogTails<T> tails(const T* x) {
    const double n = val(x[0]), low = val(x[1]), high = val(x[2]);
    if (n < low) return below<T>();
    if (n >= high) return above<T>();
    const double width = std::log1p(high - low);
    return {T(std::log(n - low + 1) - width), T(std::log(high - n) - width)};
  }
};

}  // namespace

#define FERMIAC_CDFS(D, name)                                                                          \
  make_scalar_map<CdfMap<D, Form::Cdf>>(name "_cdf"), make_scalar_map<CdfMap<D, Form::Lcdf>>(name "_lcdf"), \
      make_scalar_map<CdfMap<D, Form::Lccdf>>(name "_lccdf")

FERMIAC_EXPORT_FAMILY(cdfs, FERMIAC_CDFS(StudentT, "student_t"), FERMIAC_CDFS(Gamma, "gamma"),
                      FERMIAC_CDFS(ChiSquare, "chi_square"), FERMIAC_CDFS(InvGamma, "inv_gamma"),
                      FERMIAC_CDFS(InvChiSquare, "inv_chi_square"),
                      FERMIAC_CDFS(ScaledInvChiSquare, "scaled_inv_chi_square"), FERMIAC_CDFS(Beta, "beta"),
                      FERMIAC_CDFS(BetaProportion, "beta_proportion"), FERMIAC_CDFS(SkewNormal, "skew_normal"),
                      FERMIAC_CDFS(VonMises, "von_mises"), FERMIAC_CDFS(Binomial, "binomial"),
                      FERMIAC_CDFS(Poisson, "poisson"), FERMIAC_CDFS(NegBinomial, "neg_binomial"),
                      FERMIAC_CDFS(NegBinomial2, "neg_binomial_2"), FERMIAC_CDFS(BetaBinomial, "beta_binomial"),
                      FERMIAC_CDFS(BetaNegBinomial, "beta_neg_binomial"), FERMIAC_CDFS(DiscreteRange, "discrete_range"))

}  // namespace fermiac::ad::scalar
