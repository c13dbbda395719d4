// Special functions without a vector form.
#include <fmt/format.h>
#include <math.h>

#include "autodiff/kernels/families.h"
#include "autodiff/kernels/half_steps.h"
#include "autodiff/kernels/incomplete.h"
#include "autodiff/kernels/scalar_driver.h"
#include "autodiff/kernels/to_int.h"
#include "support/base/errors.h"

namespace fermiac::ad::scalar {
namespace {

template <int Arity>
struct Function {
  static constexpr int kArity = Arity;
  static constexpr bool kDensity = false;
};

/// f(x) from functions of doubles: `value`, and `slope` in terms of x and the value y.
inline double lift(double x, double (*value)(double), double (*)(double, double)) { return value(x); }
template <int N>
Dual<N> lift(const Dual<N>& x, double (*value)(double), double (*slope)(double, double)) {
  const double y = value(x.v);
  return chain(y, x, x.active() ? slope(x.v, y) : 0);
}

/// A value with slopes by two numbers.
inline double both(double v, double, double, double, double) { return v; }
template <int N>
Dual<N> both(double v, const Dual<N>& x, double sx, const Dual<N>& y, double sy) { return chain(v, x, sx, y, sy); }

double tetragamma(double x) {  // derivative of trigamma
  if (std::isnan(x)) return x;
  if (!(x > 0)) {
    if (x == std::floor(x)) return 0;
    const double c = 1 / std::tan(kPi * (x - std::round(x)));
    return tetragamma(1 - x) - 2 * kPi * kPi * kPi * c * (1 + c * c);
  }
  double shift = 0;
  for (; x < 15; ++x) shift -= 2 / (x * x * x);
  const double w = 1 / (x * x);
  return shift - w * (1 + 1 / x + w * (0.5 + w * (-1.0 / 6 + w * (1.0 / 6 + w * (-0.3 + w * (5.0 / 6 + w * (-691.0 / 210)))))));
}

/// The derivative of a branch of Lambert's function with value y; it is infinite at the branch point, where 0 is the partial.
double lambert_slope(double y) { return y == -1 ? 0 : 1 / (std::exp(y) * (1 + y)); }

#define FERMIAC_ROW(Name, value, slope)                                                                    \
  struct Name : Function<1> {                                                                              \
    template <class T>                                                                                     \
    static T eval(const T* p, Keep) {                                                                      \
      return lift(p[0], [](double x) { return value; }, slope_at);                                         \
    }                                                                                                      \
    static double slope_at(double x, double y) { (void)x, (void)y; return slope; }                         \
    static void slopes(const double* x, double y, double* d) { d[0] = slope_at(x[0], y); }                 \
  };
FERMIAC_ROW(Trigamma, trigamma(x), tetragamma(x))
FERMIAC_ROW(TgammaFree, tgamma(x), y* digamma(x))
FERMIAC_ROW(InvPhiFree, inv_Phi(x), 1 / std_normal_density(y))
FERMIAC_ROW(LogQfFree, std_normal_log_qf(x), 1 / log_Phi_slope(y))
FERMIAC_ROW(InvErfcFree, inv_erfc(x), -0.88622692545275801365 * std::exp(y* y))
FERMIAC_ROW(LambertWm1Free, lambert_wm1(x), lambert_slope(y))
#undef FERMIAC_ROW

struct InvPhi : InvPhiFree {
  static constexpr DomainRule kRules[] = {{0, Rule::Probability, "Probability variable"}};
};
struct LogQf : LogQfFree {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "Log probability variable"},
                                          {.operand = 0, .rule = Rule::NotAbove, .label = "Log probability variable"}};
};
struct InvErfc : InvErfcFree {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "x"},
                                          {.operand = 0, .rule = Rule::NotAbove, .label = "x", .bound = 2}};
};
struct LambertWm1 : LambertWm1Free {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "x"},
                                          {.operand = 0, .rule = Rule::NotBelow, .label = "x", .bound = -0.36787944117144233},
                                          {.operand = 0, .rule = Rule::NotAbove, .label = "x", .bound = 0}};
};
struct Tgamma : TgammaFree {
  template <class T>
  static T eval(const T* p, Keep k) {
    const double x = val(p[0]);
    if (x < 0 && x == std::floor(x)) throw DomainError(fmt::format("tgamma: x is {}, but must not be a pole!", x));
    return TgammaFree::eval<T>(p, k);
  }
};

struct LambertW0 : Function<1> {
  template <class T>
  static T eval(const T* p, Keep) {
    const double x = val(p[0]);
    if (std::isnan(x)) throw DomainError("lambert_w0: x is nan, but must not be nan!");
    if (std::isinf(x)) return T(kInf);
    if (x < -0.36787944117144233)
      throw DomainError(fmt::format("lambert_w0: x is {}, but must be greater than or equal to -1/e!", x));
    return lift(p[0], [](double t) { return lambert_w0(t); }, [](double, double y) { return lambert_slope(y); });
  }
};

struct Lbeta : Function<2> {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotBelow, .label = "first argument"},
                                          {.operand = 1, .rule = Rule::NotBelow, .label = "second argument"}};
  template <class T>
  static T eval(const T* p, Keep) { return lbeta(p[0], p[1]); }
  static void slopes(const double* x, double, double* d) {
    const bool large = x[0] >= 10 || x[1] >= 10;
    const double both = large ? 0 : digamma(x[0] + x[1]);
    d[0] = large ? -digamma_difference(x[0], x[1]) : digamma(x[0]) - both;
    d[1] = large ? -digamma_difference(x[1], x[0]) : digamma(x[1]) - both;
  }
};
/// B(a, b) = Γ(a) Γ(b) / Γ(a + b) for all numbers at which Γ(a) and Γ(b) are; a negative one may make it negative.
struct Beta : Function<2> {
  static bool whole(double x) { return x <= 0 && x == std::floor(x); }
  static double continued(double a, double b) {
    for (const double x : {a, b})
      if (x < 0 && whole(x)) throw DomainError(fmt::format("beta: an argument is {}, but must not be a pole!", x));
    if (whole(a + b)) return 0;
    int sign_a = 1, sign_b = 1, sign_sum = 1;
    const double log_value = lgamma_r(a, &sign_a) + lgamma_r(b, &sign_b) - lgamma_r(a + b, &sign_sum);
    return sign_a * sign_b * sign_sum * std::exp(log_value);
  }
  static void slopes(const double* x, double y, double* d) {
    const double a = x[0], b = x[1], sum = a + b;
    if ((a < 0 || b < 0) && whole(sum)) {  // a zero of 1 / Γ, whose slope there is (-1)^n n!, n = -(a + b)
      d[0] = d[1] = tgamma(a) * tgamma(b) * tgamma(1 - sum) * (std::fmod(sum, 2) == 0 ? 1 : -1);
      return;
    }
    Lbeta::slopes(x, y, d);
    d[0] *= y, d[1] *= y;
  }
  template <class T>
  static T eval(const T* p, Keep) {
    const double x[] = {val(p[0]), val(p[1])};
    if (!std::isfinite(x[0]) || !std::isfinite(x[1])) return T(kNan);
    if (x[0] >= 0 && x[1] >= 0) return exp(lbeta(p[0], p[1]));
    const double y = continued(x[0], x[1]);
    if constexpr (sizeof(T) == sizeof(double)) return y;
    double d[2];
    slopes(x, y, d);
    return both(y, p[0], d[0], p[1], d[1]);
  }
};

template <class T>
T log_choose_real(const T& n, const T& k) {
  if (val(k) == 0 && !active(n) && !active(k)) return T(0);
  if (val(n) < 10) return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
  return -lbeta(n - k + 1.0, k + 1.0) - log1p(n);
}
struct Lchoose : Function<2> {
  template <class T>
  static T eval(const T* p, Keep) {
    const double n = val(p[0]), k = val(p[1]);
    if (n < -1 || k < -1 || k > n + 1)
      throw DomainError(fmt::format("lchoose: second argument is {}, but must be in the interval [-1, {}]!", k, n + 1));
    if (std::isnan(n) || std::isnan(k)) return T(kNan);
    return log_choose_real(p[0], p[1]);
  }
};
struct Choose : Function<2> {
  static constexpr bool kFlat = true;
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "n"}, {1, Rule::NonNegative, "k"}};
  template <class T>
  static T eval(const T* p, Keep) {
    const double n = val(p[0]), k = val(p[1]);
    if (k > n) return T(0);
    double r = 1;
    for (double i = 1; i <= std::fmin(k, n - k) && r < 1e10; ++i) r = std::round(r * (n - i + 1) / i);
    if (r > 2147483647.0) throw DomainError(fmt::format("choose: choose({}, {}) does not fit an int!", n, k));
    return T(r);
  }
};
/// NaN is let through: these functions propagate it.
inline void require_positive(const char* function, const char* argument, double x) {
  if (x <= 0) throw DomainError(fmt::format("{}: {} is {}, but must be positive!", function, argument, x));
}
struct LogRisingFactorial : Function<2> {
  template <class T>
  static T eval(const T* p, Keep) {
    require_positive("log_rising_factorial", "first argument", val(p[0]));
    return lgamma_difference(p[0], p[1]);
  }
  static void slopes(const double* x, double, double* d) {
    d[1] = digamma(x[0] + x[1]);
    d[0] = x[0] < 10 ? d[1] - digamma(x[0]) : digamma_difference(x[0], x[1]);
  }
};
struct LogFallingFactorial : Function<2> {
  template <class T>
  static T eval(const T* p, Keep) { return lgamma_difference(p[0] - p[1] + 1.0, p[1]); }
};
/// The sign of the product of those factors x + i step, i = first … n - 1, that are not 0; step is 1 or -1.
inline double sign_of_rest(double x, double first, double n, double step) {
  const double negative = step > 0 ? std::fmin(n, std::ceil(-x)) - first : n - std::fmax(first, std::floor(x) + 1);
  return negative > 0 && std::fmod(negative, 2) != 0 ? -1 : 1;
}
/// x (x + step) (x + 2 step) ...: n factors; `slope` gets the derivative. Multiplied until it overflows, which is soon: the
/// factors grow as those of one or two factorials do. The rest gives the sign, or a factor 0.
inline double stepped_product(double x, double n, double step, double* slope) {
  double r = 1, by_x = 0, i = 0;
  for (; i < n && std::isfinite(r) && (r != 0 || std::isfinite(by_x)); ++i) {
    by_x = by_x * (x + i * step) + r;
    r *= x + i * step;
  }
  *slope = by_x;
  if (i == n || std::isnan(r)) return r;
  const double sign = sign_of_rest(x, i, n, step), zero_at = -x * step;
  *slope = std::copysign(kInf, by_x) * sign;
  return zero_at >= i && zero_at < n && zero_at == std::floor(zero_at) ? 0 : r * sign;
}
inline double lift(double v, double, double) { return v; }
template <int N>
Dual<N> lift(double v, const Dual<N>& x, double slope) { return chain(v, x, slope); }
struct FactorialRules : Function<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::NotNan, "x"}, {1, Rule::NonNegative, "n"}};
};
struct RisingFactorial : FactorialRules {
  template <class T>
  static T eval(const T* p, Keep) {
    double slope = 0;
    const double v = stepped_product(val(p[0]), val(p[1]), 1, &slope);
    return lift(v, p[0], slope);
  }
  static void slopes(const double* x, double, double* d) {
    stepped_product(x[0], x[1], 1, &d[0]);
    d[1] = 0;
  }
};
struct FallingFactorial : FactorialRules {
  template <class T>
  static T eval(const T* p, Keep) {
    double slope = 0;
    const double v = stepped_product(val(p[0]), val(p[1]), -1, &slope);
    return lift(v, p[0], slope);
  }
  static void slopes(const double* x, double, double* d) {
    stepped_product(x[0], x[1], -1, &d[0]);
    d[1] = 0;
  }
};

struct GammaRules : Function<2> {
  static constexpr DomainRule kRules[] = {{.operand = 1, .rule = Rule::NotBelow, .label = "second argument (z)"}};
};
struct GammaP : GammaRules {
  template <class T>
  static T eval(const T* p, Keep) {
    require_positive("gamma_p", "first argument (a)", val(p[0]));
    if (std::isnan(val(p[0])) || std::isnan(val(p[1]))) return T(kNan);
    return log_gamma_tails(p[0], p[1]).probability();
  }
};
struct GammaQ : GammaRules {
  template <class T>
  static T eval(const T* p, Keep) {
    require_positive("gamma_q", "first argument (a)", val(p[0]));
    if (std::isnan(val(p[0])) || std::isnan(val(p[1]))) return T(kNan);
    return log_gamma_tails(p[0], p[1]).swapped().probability();
  }
};

struct BetaRules : Function<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::Positive, "first argument (a)"},
                                          {1, Rule::Positive, "second argument (b)"},
                                          {2, Rule::Probability, "third argument"}};
};
struct IncBeta : Function<3> {
  static constexpr DomainRule kRules[] = {{0, Rule::NonNegative, "first argument (a)"},
                                          {1, Rule::Positive, "second argument (b)"},
                                          {2, Rule::Probability, "third argument"}};
  template <class T>
  static T eval(const T* p, Keep) {
    const double a = val(p[0]), b = val(p[1]), x = val(p[2]);
    if (a == 0) return T(1);
    if (x == 0 && a == 1) return b * p[2];  // the slope at the ends is finite
    if (x == 1 && b == 1) return 1.0 + a * (p[2] - 1.0);
    return log_beta_tails(p[0], p[1], p[2], T(1.0 - p[2])).probability();
  }
};

/// The root x of F(x, parameters) = p: dx = (dp - dF/dparameters) / (dF/dx), `f` being F at x with x held fixed.
inline double implicit_root(double x, double, double, double) { return x; }
template <int N>
Dual<N> implicit_root(double x, const Dual<N>& f, const Dual<N>& p, double density) {
  Dual<N> r(x);
  for (int i = 0; i < N; ++i) r.d[i] = p.d[i] == 0 && f.d[i] == 0 ? 0 : (p.d[i] - f.d[i]) / density;
  return r;
}
struct InvIncBeta : BetaRules {
  /// At an end whose shape is 1 the density is the other shape; elsewhere it is infinite, or 0, where 0 is the partial.
  static double at_end(double, double, double x, double) { return x; }
  template <int N>
  static Dual<N> at_end(double shape, double other, double x, const Dual<N>& p) {
    return chain(x, p, shape == 1 ? 1 / other : 0.0);
  }
  template <class T>
  static T eval(const T* p, Keep) {
    const double a = val(p[0]), b = val(p[1]), x = inv_inc_beta(a, b, val(p[2]));
    if (x == 0 || x == 1) return at_end(x == 0 ? a : b, x == 0 ? b : a, x, p[2]);
    const double density = std::exp(log_beta_kernel(a, b, x, 1 - x)) / (x * (1 - x));
    return implicit_root(x, log_beta_tails(p[0], p[1], T(x), T(1 - x)).probability(), p[2], density);
  }
};

/// Distribution function of Student's t with nu degrees of freedom at -|t|.
template <class T>
T student_tail(const T& nu, const T& t) {
  const T s = nu + t * t;
  return 0.5 * log_beta_tails(T(0.5 * nu), T(0.5), T(nu / s), T(t * t / s)).probability();
}
struct StudentTQf : Function<4> {
  static constexpr DomainRule kRules[] = {{0, Rule::Probability, "Probability parameter"},
                                          {1, Rule::PositiveFinite, "Degrees of freedom parameter"},
                                          {2, Rule::Finite, "Location parameter"},
                                          {3, Rule::PositiveFinite, "Scale parameter"}};
  template <class T>
  static T eval(const T* p, Keep) {
    const double prob = val(p[0]), nu = val(p[1]);
    if (prob == 0 || prob == 1) return T(prob == 0 ? -kInf : kInf);
    const double tail = std::fmin(prob, 1 - prob);
    double t = 0;  // the quantile of `tail` is -t
    if (nu > 1e15) {
      t = -inv_Phi(tail);  // the normal law up to rounding
    } else if (tail > 0.25) {  // 1 - I_x(nu/2, 1/2) = I_(1-x)(1/2, nu/2), with 1 - x small
      const double w = inv_inc_beta(0.5, 0.5 * nu, 1 - 2 * tail);
      t = std::sqrt(nu * w / (1 - w));
    } else {
      const double x = inv_inc_beta(0.5 * nu, 0.5, 2 * tail);
      t = std::sqrt(nu * (1 - x) / x);
    }
    const double side = prob < 0.5 ? -1 : 1;
    const T lower = student_tail(p[1], T(t));
    const double density = std::exp(lgamma_difference(0.5 * nu, 0.5) - 0.5 * std::log(nu * kPi) -
                                    0.5 * (nu + 1) * std::log1p(t * t / nu));
    const T f = side < 0 ? lower : 1.0 - lower;
    return p[2] + p[3] * implicit_root(side * t, f, p[0], density);
  }
};

struct OwensT : Function<2> {
  static void partials(double h, double a, double& dh, double& da) {
    dh = -0.5 * std_normal_density(h) * std::erf(a * h / kSqrtTwo);
    da = std::isinf(a * a) ? 0 : std::exp(-0.5 * h * h * (1 + a * a)) / (2 * kPi * (1 + a * a));
  }
  static void slopes(const double* x, double, double* d) {
    d[0] = d[1] = 0;
    if (!std::isnan(x[0]) && !std::isnan(x[1])) partials(x[0], x[1], d[0], d[1]);
  }
  template <class T>
  static T eval(const T* p, Keep) {
    double dh = 0, da = 0;
    if (std::isnan(val(p[0])) || std::isnan(val(p[1]))) return T(0);
    const double v = owens_t(val(p[0]), val(p[1]));
    if constexpr (sizeof(T) == sizeof(double)) return v;
    partials(val(p[0]), val(p[1]), dh, da);
    return both(v, p[0], dh, p[1], da);
  }
};

/// A Bessel function of integer order, and its derivative (s B(n-1) + t B(n+1)) / 2.
template <const char* Name, double (*B)(double, double), int S, int U>
struct Bessel : Function<2> {
  static constexpr const char* kName = Name;
  static double checked(double n, double x) {
    if (std::isnan(x)) throw DomainError(fmt::format("{}: x is nan, but must not be nan!", Name));
    return B(n, x);
  }
  template <class T>
  static T eval(const T* p, Keep) {
    const double n = val(p[0]), x = val(p[1]);
    const double v = checked(n, x);
    if constexpr (sizeof(T) == sizeof(double)) return v;
    else return chain(v, p[1], 0.5 * (S * B(n - 1, x) + U * B(n + 1, x)));
  }
};
/// The same where x = 0 is a pole; NaN is let through.
template <class Base>
struct PositiveBessel : Base {
  template <class T>
  static T eval(const T* p, Keep k) {
    require_positive(Base::kName, "x", val(p[1]));
    if (std::isnan(val(p[1]))) return T(kNan);
    return Base::template eval<T>(p, k);
  }
};
constexpr char kNameJ[] = "bessel_first_kind", kNameY[] = "bessel_second_kind", kNameI[] = "modified_bessel_first_kind",
               kNameK[] = "modified_bessel_second_kind";
using BesselJ = Bessel<kNameJ, bessel_first_kind, 1, -1>;
using BesselY = PositiveBessel<Bessel<kNameY, bessel_second_kind, 1, -1>>;
using BesselI = Bessel<kNameI, modified_bessel_first_kind, 1, 1>;
using BesselK = PositiveBessel<Bessel<kNameK, modified_bessel_second_kind, -1, -1>>;

struct LogBesselI : Function<2> {
  static constexpr DomainRule kRules[] = {{.operand = 0, .rule = Rule::NotNan, .label = "first argument (order)"},
                                          {.operand = 0, .rule = Rule::NotBelow, .label = "first argument (order)", .bound = -1},
                                          {1, Rule::NonNegative, "second argument (variable)"}};
  template <class T>
  static T eval(const T* p, Keep) {
    if (val(p[0]) != -1) return log_bessel_i(p[0], p[1]);
    // I_(-1) = I_1, but the derivative with respect to the order gains 2 K_1 from the reflection formula.
    const double x = val(p[1]);
    const T r = log_bessel_i(-p[0], p[1]);
    const double ratio = x < 300 ? modified_bessel_second_kind(1, x) / std::exp(val(r)) : 0;
    return r + 2 * ratio * (p[0] + 1.0);
  }
};

struct Ldexp : Function<2> {
  template <class T>
  static T eval(const T* p, Keep) { return p[0] * std::ldexp(1.0, to_int(val(p[1]), -5000, 5000)); }
};

struct Lmgamma : Function<2> {
  template <class T>
  static T eval(const T* p, Keep) {
    const double k = val(p[0]);
    T r = 0.25 * k * (k - 1) * kLogPi;
    if (k > kFewHalfSteps) return r + sum_lgamma(k, p[1]);
    for (double j = 1; j <= k; ++j) r = r + lgamma(p[1] + 0.5 * (1 - j));
    return r;
  }
  static void slopes(const double* x, double, double* d) {
    d[0] = d[1] = 0;
    if (x[0] > kFewHalfSteps) d[1] = digamma_half_steps(x[1], x[0]);
    else
      for (double j = 1; j <= x[0]; ++j) d[1] += digamma(x[1] + 0.5 * (1 - j));
  }

 private:
  static double sum_lgamma(double k, double x) { return lgamma_half_steps(x, k); }
  template <int N>
  static Dual<N> sum_lgamma(double k, const Dual<N>& x) {
    return chain(lgamma_half_steps(x.v, k), x, active(x) ? digamma_half_steps(x.v, k) : 0);
  }
};

struct Hypergeometric1F0 : Function<2> {
  static constexpr DomainRule kRules[] = {{0, Rule::Finite, "a"}, {.operand = 1, .rule = Rule::NotAbove, .label = "z", .bound = 1}};
  template <class T>
  static T eval(const T* p, Keep) { return exp(-p[0] * log1p(-p[1])); }
};

struct Hypergeometric2F1 : Function<4> {
  static constexpr DomainRule kRules[] = {{0, Rule::Finite, "a1"}, {1, Rule::Finite, "a2"}, {2, Rule::Finite, "b"},
                                          {3, Rule::Finite, "z"}};
  template <class T>
  static T series(const T& a, const T& b, const T& c, const T& z) {
    T sum = 1;
    T term = 1;
    for (int n = 0; n < kMaxTerms; ++n) {
      const T ratio = (a + n) * (b + n) / ((c + n) * (n + 1.0)) * z;
      term = term * ratio;
      sum = sum + term;
      if (!std::isfinite(val(sum))) break;
      // Terms grow again where c + n is small, and as long as the ratio is above 1.
      if (negligible(term, sum) && n > 2 && n > -val(c) && std::fabs(val(ratio)) < 1) break;
    }
    return sum;
  }
  template <class T>
  static T eval(const T* p, Keep) {
    const double a = val(p[0]), b = val(p[1]), c = val(p[2]), z = val(p[3]);
    const bool pole = c <= 0 && c == std::floor(c);
    const bool finite = (a <= 0 && a == std::floor(a)) || (b <= 0 && b == std::floor(b));
    if (pole || (!finite && (z > 1 || (z == 1 && c - a - b <= 0))))
      throw DomainError(fmt::format("hypergeometric_2F1: does not converge for a1 = {}, a2 = {}, b = {}, z = {}!", a, b, c, z));
    if (z == 1 && !finite)
      return exp(lgamma(p[2]) + lgamma(p[2] - p[0] - p[1]) - lgamma(p[2] - p[0]) - lgamma(p[2] - p[1]));
    if (z < 0 && !finite)
      return exp(-p[0] * log1p(-p[3])) * series(p[0], p[2] - p[1], p[2], p[3] / (p[3] - 1.0));
    return series(p[0], p[1], p[2], p[3]);
  }
};

}  // namespace

double log_bessel_i0(double x) { return log_bessel_i(0.0, x); }
double bessel_ratio(double x) { return x == 0 ? 0 : std::exp(log_bessel_i(1.0, x) - log_bessel_i(0.0, x)); }

FERMIAC_EXPORT_FAMILY(
    special_functions, make_scalar_map<Trigamma>("trigamma"), make_scalar_map<Tgamma>("tgamma"),
    make_scalar_map<InvPhi>("inv_Phi"), make_scalar_map<InvPhi>("std_normal_qf"),
    make_scalar_map<LogQf>("std_normal_log_qf"), make_scalar_map<InvErfc>("inv_erfc"),
    make_scalar_map<LambertW0>("lambert_w0"), make_scalar_map<LambertWm1>("lambert_wm1"),
    make_scalar_map<Lbeta>("lbeta"), make_scalar_map<Beta>("beta"), make_scalar_map<Lchoose>("lchoose"),
    make_scalar_map<Choose>("choose"), make_scalar_map<LogRisingFactorial>("log_rising_factorial"),
    make_scalar_map<LogFallingFactorial>("log_falling_factorial"), make_scalar_map<RisingFactorial>("rising_factorial"),
    make_scalar_map<FallingFactorial>("falling_factorial"), make_scalar_map<GammaP>("gamma_p"),
    make_scalar_map<GammaQ>("gamma_q"), make_scalar_map<IncBeta>("inc_beta"),
    make_scalar_map<InvIncBeta>("inv_inc_beta"), make_scalar_map<StudentTQf>("student_t_qf"),
    make_scalar_map<OwensT>("owens_t"), make_scalar_map<BesselJ>("bessel_first_kind"),
    make_scalar_map<BesselY>("bessel_second_kind"), make_scalar_map<BesselI>("modified_bessel_first_kind"),
    make_scalar_map<BesselK>("modified_bessel_second_kind"),
    make_scalar_map<LogBesselI>("log_modified_bessel_first_kind"), make_scalar_map<Ldexp>("ldexp"),
    make_scalar_map<Lmgamma>("lmgamma"),
    make_scalar_map<Hypergeometric1F0>("hypergeometric_1F0"), make_scalar_map<Hypergeometric2F1>("hypergeometric_2F1"))

}  // namespace fermiac::ad::scalar
