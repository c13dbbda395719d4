// What a user's header in C++ finds of Stan Math: the number that carries derivatives (`var`), functions of scalars, types of
// results, checks of arguments. Names and behaviour are those of Stan Math; docs/user/user-headers.md lists them, and what is
// not there. Containers are std::vector and, where Eigen is there, its matrices.
//
// An evaluation with derivatives writes down its steps, each with its partials by at most two earlier ones; external.h goes
// through them backwards.
#pragma once

#include <stdint.h>

#include <boost/math/tools/promotion.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fermiac::external {

inline constexpr uint32_t kNoStep = 0xffffffff;

struct Step {
  uint32_t a, b;  // earlier ones, or kNoStep
  double da, db;
};

/// The program's generator, in functions `_rng`. The host draws, so that numbers are those of the same functions in the program.
class Generator {
 public:
  using result_type = uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  using Bits = uint64_t (*)(void* host);
  using Draw = const char* (*)(void* host, const char* function, const double* x, uint64_t n, double* out);
  Generator(void* host, Bits bits, Draw draw) : host_(host), bits_(bits), draw_(draw) {}

  result_type operator()() { return bits_(host_); }
  /// Of the library's function `normal_rng` and so on.
  template <class... X>
  double draw(const char* function, const X&... x) {
    const double operands[] = {static_cast<double>(x)..., 0};
    double out = 0;
    if (const char* const problem = draw_(host_, function, operands, sizeof...(x), &out)) throw std::domain_error(problem);
    return out;
  }

 private:
  void* host_;
  Bits bits_;
  Draw draw_;
};

/// Of the evaluation with derivatives that is under way on this thread, or null. A pointer has no destructor that the end of a
/// thread would have to find, so the code can be unloaded before.
static thread_local std::vector<Step>* steps_under_way = nullptr;
inline std::vector<Step>& steps() { return *steps_under_way; }

}  // namespace fermiac::external

// ---------------------------------------------------------------- numbers with derivatives

namespace stan::math {

class var {
 public:
  var() {}
  template <class T, std::enable_if_t<std::is_arithmetic_v<T>>* = nullptr>
  var(T value) : value_(static_cast<double>(value)) {}  // NOLINT: numbers are operands as they are
  /// With its partials.
  static var result(double value, const var& a, double da, const var& b, double db) {
    var out(value);
    if (a.step_ == fermiac::external::kNoStep && b.step_ == fermiac::external::kNoStep) return out;
    out.step_ = static_cast<uint32_t>(fermiac::external::steps().size());
    fermiac::external::steps().push_back({a.step_, b.step_, da, db});
    return out;
  }
  static var result(double value, const var& a, double da) { return result(value, a, da, var(0), 0); }
  static var operand(double value) {
    var out(value);
    out.step_ = static_cast<uint32_t>(fermiac::external::steps().size());
    fermiac::external::steps().push_back({fermiac::external::kNoStep, fermiac::external::kNoStep, 0, 0});
    return out;
  }

  double val() const { return value_; }
  uint32_t step() const { return step_; }

  var& operator+=(const var& x) { return *this = *this + x; }
  var& operator-=(const var& x) { return *this = *this - x; }
  var& operator*=(const var& x) { return *this = *this * x; }
  var& operator/=(const var& x) { return *this = *this / x; }
  var& operator++() { return *this += 1; }
  var& operator--() { return *this -= 1; }

  friend var operator+(const var& a) { return a; }
  friend var operator-(const var& a) { return result(-a.value_, a, -1); }
  friend var operator+(const var& a, const var& b) { return result(a.value_ + b.value_, a, 1, b, 1); }
  friend var operator-(const var& a, const var& b) { return result(a.value_ - b.value_, a, 1, b, -1); }
  friend var operator*(const var& a, const var& b) { return result(a.value_ * b.value_, a, b.value_, b, a.value_); }
  friend var operator/(const var& a, const var& b) {
    const double q = a.value_ / b.value_;
    return result(q, a, 1 / b.value_, b, -q / b.value_);
  }
  friend bool operator==(const var& a, const var& b) { return a.value_ == b.value_; }
  friend bool operator!=(const var& a, const var& b) { return a.value_ != b.value_; }
  friend bool operator<(const var& a, const var& b) { return a.value_ < b.value_; }
  friend bool operator<=(const var& a, const var& b) { return a.value_ <= b.value_; }
  friend bool operator>(const var& a, const var& b) { return a.value_ > b.value_; }
  friend bool operator>=(const var& a, const var& b) { return a.value_ >= b.value_; }
  friend bool operator!(const var& a) { return a.value_ == 0; }
  friend std::ostream& operator<<(std::ostream& out, const var& a) { return out << a.value_; }

 private:
  double value_ = 0;
  uint32_t step_ = fermiac::external::kNoStep;
};

inline double value_of(double x) { return x; }
inline double value_of(const var& x) { return x.val(); }
template <class T>
std::vector<double> value_of(const std::vector<T>& x) {
  std::vector<double> out;
  for (const T& element : x) out.push_back(value_of(element));
  return out;
}

// ---------------------------------------------------------------- functions of one number

inline double digamma(double x) {
  if (x <= 0 && std::floor(x) == x) return std::numeric_limits<double>::quiet_NaN();
  const double pi = 3.14159265358979323846;
  if (x < 0) return digamma(1 - x) - pi / std::tan(pi * x);
  double sum = 0;
  for (; x < 10; ++x) sum -= 1 / x;
  const double s = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - s * (1. / 12 - s * (1. / 120 - s * (1. / 252 - s * (1. / 240 - s * (1. / 132)))));
}

// name, value at x where C++ has no such function, derivative at x where the value is y
#define FERMIAC_FUNCTIONS_OF_CPP(F)               \
  F(exp, y)                                       \
  F(exp2, y * 0.69314718055994530942)             \
  F(expm1, y + 1)                                 \
  F(log, 1 / x)                                   \
  F(log2, 1 / (x * 0.69314718055994530942))       \
  F(log10, 1 / (x * 2.30258509299404568402))      \
  F(log1p, 1 / (1 + x))                           \
  F(sqrt, y == 0 ? 0 : 0.5 / y)                   \
  F(cbrt, x == 0 ? 0 : y / (3 * x))               \
  F(sin, std::cos(x))                             \
  F(cos, -std::sin(x))                            \
  F(tan, 1 + y * y)                               \
  F(asin, x * x == 1 ? 0 : 1 / std::sqrt(1 - x * x))  \
  F(acos, x * x == 1 ? 0 : -1 / std::sqrt(1 - x * x)) \
  F(atan, 1 / (1 + x * x))                        \
  F(sinh, std::cosh(x))                           \
  F(cosh, std::sinh(x))                           \
  F(tanh, 1 - y * y)                              \
  F(asinh, 1 / std::sqrt(x * x + 1))              \
  F(acosh, x == 1 ? 0 : 1 / std::sqrt(x * x - 1))     \
  F(atanh, 1 / (1 - x * x))                       \
  F(erf, 1.12837916709551257390 * std::exp(-x * x))   \
  F(erfc, -1.12837916709551257390 * std::exp(-x * x)) \
  F(lgamma, digamma(x))                           \
  F(tgamma, y * digamma(x))                       \
  F(abs, x < 0 ? -1 : 1)                          \
  F(fabs, x < 0 ? -1 : 1)                         \
  F(floor, 0)                                     \
  F(ceil, 0)                                      \
  F(round, 0)                                     \
  F(trunc, 0)
#define FERMIAC_FUNCTIONS_OF_STAN(F)                                                               \
  F(square, x* x, 2 * x)                                                                           \
  F(inv, 1 / x, -y * y)                                                                            \
  F(inv_sqrt, 1 / std::sqrt(x), -0.5 * y / x)                                                      \
  F(inv_square, 1 / (x * x), -2 * y / x)                                                           \
  F(inv_logit, x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)), y * (1 - y))      \
  F(logit, std::log(x / (1 - x)), 1 / (x * (1 - x)))                                               \
  F(log1m, std::log1p(-x), -1 / (1 - x))                                                           \
  F(log1p_exp, (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x))), inv_logit(x))                \
  F(log1m_exp, x > -0.693147 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x)), -1 / std::expm1(-x)) \
  F(log_inv_logit, -log1p_exp(-x), inv_logit(-x))                                                  \
  F(log1m_inv_logit, -log1p_exp(x), -inv_logit(x))                                                 \
  F(inv_cloglog, -std::expm1(-std::exp(x)), std::exp(x - std::exp(x)))                             \
  F(cloglog, std::log(-std::log1p(-x)), -1 / (std::log1p(-x) * (1 - x)))                           \
  F(Phi, 0.5 * std::erfc(-x * 0.70710678118654752440), 0.39894228040143267794 * std::exp(-0.5 * x * x))

#define FERMIAC_OF_CPP(name, partial)            \
  using std::name;                               \
  inline var name(const var& a) {                \
    const double x = a.val(), y = std::name(x);  \
    static_cast<void>(y);                        \
    return var::result(y, a, partial);           \
  }
#define FERMIAC_OF_STAN(name, value, partial)    \
  inline double name(double x) { return value; } \
  inline var name(const var& a) {                \
    const double x = a.val(), y = name(x);       \
    static_cast<void>(y);                        \
    return var::result(y, a, partial);           \
  }
FERMIAC_FUNCTIONS_OF_CPP(FERMIAC_OF_CPP)
FERMIAC_FUNCTIONS_OF_STAN(FERMIAC_OF_STAN)
#undef FERMIAC_OF_CPP
#undef FERMIAC_OF_STAN
#undef FERMIAC_FUNCTIONS_OF_CPP
#undef FERMIAC_FUNCTIONS_OF_STAN

// ---------------------------------------------------------------- functions of two and three

inline double log_sum_exp(double x, double y) {
  const double larger = std::fmax(x, y);
  return std::isinf(larger) ? larger : larger + std::log1p(std::exp(-std::fabs(x - y)));
}
inline double log_diff_exp(double x, double y) { return x + log1m_exp(y - x); }
inline double multiply_log(double x, double y) { return x == 0 && y == 0 ? 0 : x * std::log(y); }

// name, value of x and y, derivatives where the value is z
#define FERMIAC_FUNCTIONS_OF_TWO(F)                                                              \
  F(pow, std::pow(x, y), y == 0 || (x == 0 && y < 1) ? 0 : y * std::pow(x, y - 1), z == 0 ? 0 : z * std::log(x)) \
  F(hypot, std::hypot(x, y), z == 0 ? 0 : x / z, z == 0 ? 0 : y / z)                             \
  F(atan2, std::atan2(x, y), x == 0 && y == 0 ? 0 : y / (x * x + y * y), x == 0 && y == 0 ? 0 : -x / (x * x + y * y)) \
  F(fmod, std::fmod(x, y), 1, -std::trunc(x / y))                                                \
  F(fmax, std::fmax(x, y), x >= y ? 1 : 0, x >= y ? 0 : 1)                                       \
  F(fmin, std::fmin(x, y), x <= y ? 1 : 0, x <= y ? 0 : 1)                                       \
  F(fdim, std::fdim(x, y), x > y ? 1 : 0, x > y ? -1 : 0)                                        \
  F(log_sum_exp, log_sum_exp(x, y), inv_logit(x - y), inv_logit(y - x))                          \
  F(log_diff_exp, log_diff_exp(x, y), -1 / std::expm1(y - x), -1 / std::expm1(x - y))            \
  F(multiply_log, multiply_log(x, y), x == 0 && y == 0 ? 0 : std::log(y), x == 0 && y == 0 ? 0 : x / y)
#define FERMIAC_OF_TWO(name, value, by_x, by_y)                                    \
  inline var name(const var& a, const var& b) {                                    \
    const double x = a.val(), y = b.val(), z = value;                              \
    static_cast<void>(z);                                                          \
    return var::result(z, a, by_x, b, b.step() == fermiac::external::kNoStep ? 0 : by_y); \
  }
FERMIAC_FUNCTIONS_OF_TWO(FERMIAC_OF_TWO)
#undef FERMIAC_OF_TWO
#undef FERMIAC_FUNCTIONS_OF_TWO
using std::atan2, std::fdim, std::fma, std::fmax, std::fmin, std::fmod, std::hypot, std::pow;
inline var fma(const var& a, const var& b, const var& c) { return a * b + c; }

using std::isfinite, std::isinf, std::isnan;
inline bool isnan(const var& x) { return std::isnan(x.val()); }
inline bool isinf(const var& x) { return std::isinf(x.val()); }
inline bool isfinite(const var& x) { return std::isfinite(x.val()); }
template <class T>
bool is_nan(const T& x) {
  return isnan(x);
}
template <class T>
bool is_inf(const T& x) {
  return isinf(x);
}

// Of complex numbers; what the C++ library has for all kinds of number (operators of two of a kind, norm, conj) is not repeated.
inline var abs(const std::complex<var>& z) { return hypot(z.real(), z.imag()); }
inline var arg(const std::complex<var>& z) { return atan2(z.imag(), z.real()); }
inline std::complex<var> polar(const var& r, const var& theta) { return {r * cos(theta), r * sin(theta)}; }
inline std::complex<var> exp(const std::complex<var>& z) { return polar(exp(z.real()), z.imag()); }
inline std::complex<var> log(const std::complex<var>& z) { return {log(abs(z)), arg(z)}; }
inline std::complex<var> sqrt(const std::complex<var>& z) { return polar(sqrt(abs(z)), arg(z) / 2); }
inline std::complex<var> promoted(const var& x) { return {x, 0}; }
inline std::complex<var> promoted(const std::complex<double>& z) { return {z.real(), z.imag()}; }
#define FERMIAC_OF_TWO_KINDS(op, Other)                                                                               \
  inline std::complex<var> operator op(const std::complex<var>& a, const Other& b) { return a op promoted(b); }       \
  inline std::complex<var> operator op(const Other& a, const std::complex<var>& b) { return promoted(a) op b; }
#define FERMIAC_OF_COMPLEX(op) FERMIAC_OF_TWO_KINDS(op, var) FERMIAC_OF_TWO_KINDS(op, std::complex<double>)
FERMIAC_OF_COMPLEX(+) FERMIAC_OF_COMPLEX(-) FERMIAC_OF_COMPLEX(*) FERMIAC_OF_COMPLEX(/)
#undef FERMIAC_OF_COMPLEX
#undef FERMIAC_OF_TWO_KINDS

/// A number whose derivatives the header computes itself.
inline var precomputed_gradients(double value, const std::vector<var>& operands, const std::vector<double>& gradients) {
  if (operands.size() != gradients.size()) throw std::invalid_argument("precomputed_gradients: as many gradients as operands must be given");
  var out(value);
  for (std::size_t i = 0; i < operands.size(); ++i) out = var::result(value, out, 1, operands[i], gradients[i]);
  return out;
}

}  // namespace stan::math

template <>
class std::numeric_limits<stan::math::var> : public std::numeric_limits<double> {};

// ---------------------------------------------------------------- types

namespace stan {

template <class T, class = void>
struct scalar_type {
  using type = std::decay_t<T>;
};
template <class T>
struct scalar_type<T, std::void_t<typename std::decay_t<T>::value_type>> : scalar_type<typename std::decay_t<T>::value_type> {};
template <class T>
using scalar_type_t = typename scalar_type<T>::type;
template <class T>
using base_type_t = scalar_type_t<T>;
template <class T>
using value_type_t = typename std::decay_t<T>::value_type;

template <class T>
struct is_var : std::is_same<std::decay_t<T>, math::var> {};
template <class T>
struct is_tuple : std::false_type {};
template <class... T>
struct is_tuple<std::tuple<T...>> : std::true_type {};
template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<std::complex<T>> : std::true_type {};
template <class T>
struct is_stan_scalar : std::bool_constant<std::is_arithmetic_v<std::decay_t<T>> || is_var<T>::value> {};
template <class T>
struct is_std_vector : std::false_type {};
template <class T, class A>
struct is_std_vector<std::vector<T, A>> : std::true_type {};
template <class T>
struct is_vt_not_complex : std::true_type {};
template <class T>
struct is_autodiff : is_var<T> {};
/// Of a tuple: whether one of its slots has derivatives.
template <class T>
struct has_var : is_var<scalar_type_t<T>> {};
template <class... T>
struct has_var<std::tuple<T...>> : std::bool_constant<(has_var<std::decay_t<T>>::value || ...)> {};
template <class... T>
struct is_constant : std::bool_constant<!(has_var<std::decay_t<T>>::value || ...)> {};
template <class... T>
using is_constant_all = is_constant<T...>;

/// real, or what carries derivatives where an operand does.
template <class... T>
struct return_type {
  using type = std::conditional_t<is_constant<T...>::value, double, math::var>;
};
template <class... T>
using return_type_t = typename return_type<T...>::type;
template <class... T>
using promote_args_t = return_type_t<T...>;

template <class Check>
using require_t = std::enable_if_t<Check::value>;
template <class Check>
using require_not_t = std::enable_if_t<!Check::value>;
template <class... Checks>
using require_all_t = std::enable_if_t<(Checks::value && ...)>;
template <class... Checks>
using require_any_t = std::enable_if_t<(Checks::value || ...)>;
template <class T>
using require_stan_scalar_t = require_t<is_stan_scalar<T>>;
template <class... T>
using require_all_stan_scalar_t = require_all_t<is_stan_scalar<T>...>;
template <class T>
using require_var_t = require_t<is_var<T>>;
template <class T>
using require_arithmetic_t = require_t<std::is_arithmetic<std::decay_t<T>>>;

}  // namespace stan

// ---------------------------------------------------------------- checks of arguments

namespace stan::math {

/// Of a number or of each element; `rule` is what the message says.
template <class T, class Holds>
void check_each(const char* function, const char* name, const T& x, const char* rule, const Holds& holds) {
  if constexpr (is_stan_scalar<T>::value) {
    if (holds(static_cast<double>(value_of(x)))) return;
    std::ostringstream text;
    text << function << ": " << name << " is " << x << ", but must be " << rule << "!";
    throw std::domain_error(text.str());
  } else {
    for (decltype(x.size()) i = 0; i < x.size(); ++i) check_each(function, name, x[i], rule, holds);
  }
}
#define FERMIAC_CHECK_OF(what, rule, condition)                              \
  template <class T>                                                         \
  void check_##what(const char* function, const char* name, const T& y) {    \
    check_each(function, name, y, rule, [](double x) { return condition; }); \
  }
FERMIAC_CHECK_OF(not_nan, "not nan", !std::isnan(x))
FERMIAC_CHECK_OF(finite, "finite", std::isfinite(x))
FERMIAC_CHECK_OF(positive, "positive", x > 0)
FERMIAC_CHECK_OF(nonnegative, "nonnegative", x >= 0)
FERMIAC_CHECK_OF(positive_finite, "positive finite", x > 0 && std::isfinite(x))
#undef FERMIAC_CHECK_OF
template <class T, class L, class H>
void check_bounded(const char* function, const char* name, const T& y, const L& low, const H& high) {
  std::ostringstream rule;
  rule << "in the interval [" << low << ", " << high << "]";
  check_each(function, name, y, rule.str().c_str(), [&](double x) { return x >= value_of(low) && x <= value_of(high); });
}

}  // namespace stan::math

// ---------------------------------------------------------------- target

namespace stan::math {

/// A sum. That which functions `_lp` and `_jacobian` get has what is in target already: `sum` knows it, `added` leaves it out.
template <class T>
class accumulator {
 public:
  accumulator() = default;
  accumulator(const T& before, std::function<void()> asked) : before_(before), asked_(std::move(asked)) {}
  /// A number, or all numbers of a container.
  template <class X>
  void add(const X& x) {
    if constexpr (is_stan_scalar<X>::value) added_ += x;
    else if constexpr (requires { x.rows(); }) added_ += x.sum();
    else for (const auto& element : x) add(element);
  }
  T sum() const {
    if (asked_) asked_();
    return before_ + added_;
  }
  const T& added() const { return added_; }

 private:
  T before_ = 0, added_ = 0;
  std::function<void()> asked_;
};

/// What `target()` is in the language.
template <class T>
T get_lp(const T& lp, const accumulator<T>& lp_accum) {
  return lp + lp_accum.sum();
}

}  // namespace stan::math

// ---------------------------------------------------------------- random numbers

namespace stan {
using rng_t = fermiac::external::Generator;
}

namespace stan::math {

#define FERMIAC_DRAWS(F1, F2, F3)                                                                                     \
  F1(int, bernoulli) F1(int, bernoulli_logit) F1(int, poisson) F1(int, poisson_log) F1(int, yule_simon)               \
  F2(int, binomial) F2(int, discrete_range) F2(int, neg_binomial) F2(int, neg_binomial_2) F2(int, neg_binomial_2_log) \
  F3(int, beta_binomial) F3(int, beta_neg_binomial) F3(int, hypergeometric)                                           \
  F1(double, chi_square) F1(double, exponential) F1(double, inv_chi_square) F1(double, rayleigh)                      \
  F2(double, beta) F2(double, beta_proportion) F2(double, cauchy) F2(double, double_exponential) F2(double, frechet)  \
  F2(double, gamma) F2(double, gumbel) F2(double, inv_gamma) F2(double, logistic) F2(double, loglogistic)             \
  F2(double, lognormal) F2(double, normal) F2(double, pareto) F2(double, scaled_inv_chi_square) F2(double, uniform)   \
  F2(double, von_mises) F2(double, weibull)                                                                           \
  F3(double, exp_mod_normal) F3(double, pareto_type_2) F3(double, skew_double_exponential) F3(double, skew_normal)    \
  F3(double, student_t)
#define FERMIAC_DRAW_1(T, name) \
  inline T name##_rng(double a, rng_t& rng) { return static_cast<T>(rng.draw(#name "_rng", a)); }
#define FERMIAC_DRAW_2(T, name) \
  inline T name##_rng(double a, double b, rng_t& rng) { return static_cast<T>(rng.draw(#name "_rng", a, b)); }
#define FERMIAC_DRAW_3(T, name) \
  inline T name##_rng(double a, double b, double c, rng_t& rng) { return static_cast<T>(rng.draw(#name "_rng", a, b, c)); }
FERMIAC_DRAWS(FERMIAC_DRAW_1, FERMIAC_DRAW_2, FERMIAC_DRAW_3)
inline double std_normal_rng(rng_t& rng) { return rng.draw("std_normal_rng"); }
#undef FERMIAC_DRAWS
#undef FERMIAC_DRAW_1
#undef FERMIAC_DRAW_2
#undef FERMIAC_DRAW_3

}  // namespace stan::math

// ---------------------------------------------------------------- vectors and matrices

#ifdef FERMIAC_MATRICES
#if !__has_include(<Eigen/Dense>)
#error "vectors and matrices in functions of a user's header are those of Eigen, and there is no <Eigen/Dense>; CXX='c++ -I FOLDER' says where it is"
#else
#include <Eigen/Dense>
namespace Eigen {
template <>
struct NumTraits<stan::math::var> : GenericNumTraits<stan::math::var> {
  using Real = stan::math::var;
  using NonInteger = stan::math::var;
  using Nested = stan::math::var;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1, ReadCost = 1, AddCost = 3, MulCost = 3 };
  static Real dummy_precision() { return NumTraits<double>::dummy_precision(); }
};
template <class Operation>
struct ScalarBinaryOpTraits<stan::math::var, double, Operation> {
  using ReturnType = stan::math::var;
};
template <class Operation>
struct ScalarBinaryOpTraits<double, stan::math::var, Operation> {
  using ReturnType = stan::math::var;
};
}  // namespace Eigen
namespace stan {
template <class T>
struct is_col_vector : std::bool_constant<std::decay_t<T>::ColsAtCompileTime == 1> {};
template <class T>
struct is_row_vector : std::bool_constant<std::decay_t<T>::RowsAtCompileTime == 1> {};
template <class T>
struct is_eigen_matrix_dynamic : std::bool_constant<std::decay_t<T>::RowsAtCompileTime == -1 && std::decay_t<T>::ColsAtCompileTime == -1> {};
template <class T>
using plain_type_t = typename std::decay_t<T>::PlainObject;
}  // namespace stan
#endif
#endif
