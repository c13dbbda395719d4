// Special functions taken from Boost.Math, kept in one file because its templates are slow to compile.

// Its assertions become exceptions here, and those NaN: no argument ends the program.
#define BOOST_ENABLE_ASSERT_HANDLER

#include <boost/math/special_functions/airy.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <boost/math/special_functions/owens_t.hpp>
#include <climits>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "autodiff/kernels/large_order.h"
#include "autodiff/kernels/special_scalar.h"
#include "autodiff/kernels/to_int.h"

namespace boost {

void assertion_failed(const char* expression, const char*, const char*, long) { throw std::logic_error(expression); }
void assertion_failed_msg(const char* expression, const char*, const char*, const char*, long) {
  throw std::logic_error(expression);
}

}  // namespace boost

namespace fermiac::ad::scalar {
namespace {

namespace bm = boost::math;
namespace policies = bm::policies;
constexpr auto kIgnore = policies::ignore_error;
using Policy = policies::policy<policies::domain_error<kIgnore>, policies::pole_error<kIgnore>,
                                policies::overflow_error<kIgnore>, policies::underflow_error<kIgnore>,
                                policies::denorm_error<kIgnore>, policies::rounding_error<kIgnore>,
                                policies::evaluation_error<kIgnore>, policies::indeterminate_result_error<kIgnore>,
                                policies::promote_double<false>>;
constexpr Policy kQuiet{};
constexpr double kLargeShape = 1e15;

/// NaN where the library gives up.
template <class F>
double total(F f) {
  try {
    return f();
  } catch (const std::exception&) {
    return kNan;
  }
}

/// What a Bessel function is made of. `sign` is that of the function of order -n over that of order n, `mirror` that of the
/// function at -x over that at x, where it is real: 1 or, for odd orders alone, -1.
struct BesselForms {
  double (*moderate)(int, double);
  double (*large)(double, double);
  bool oscillates, order_alternates, argument_alternates;
  double at_zero, at_infinity;  // limits for large order and for large x
};

/// f of any order and argument. `order` is a whole number.
double bessel(const BesselForms& f, double order, double x) {
  if (std::isnan(order) || std::isnan(x)) return kNan;
  const double n = std::fabs(order);
  const bool odd = std::fmod(n, 2) != 0;
  const double sign = odd && ((f.order_alternates && order < 0) != (f.argument_alternates && x < 0)) ? -1 : 1;
  const double t = f.argument_alternates ? std::fabs(x) : x;
  if (t < 0) return kNan;
  if (std::isinf(t)) return sign * f.at_infinity;
  if (n >= kLargeOrder && t < 1e100) return sign * (t == 0 ? f.at_zero : f.large(n, t));
  if (n >= kLargeOrder && !f.oscillates) return sign * f.at_infinity;
  const double v = total([&] { return f.moderate(to_int(order, -INT_MAX, INT_MAX), x); });
  return std::isnan(v) ? sign * (t < n + 1 ? f.at_zero : f.at_infinity) : v;  // a recurrence has overflown
}

constexpr BesselForms kJ = {[](int n, double x) -> double { return bm::cyl_bessel_j(n, x, kQuiet); },
                            bessel_j_large_order, true, true, true, 0, kNan};
constexpr BesselForms kY = {[](int n, double x) -> double { return bm::cyl_neumann(n, x, kQuiet); },
                            bessel_y_large_order, true, true, false, -kInf, kNan};
constexpr BesselForms kI = {[](int n, double x) -> double { return bm::cyl_bessel_i(n, x, kQuiet); },
                            bessel_i_large_order, false, false, true, 0, kInf};
constexpr BesselForms kK = {[](int n, double x) -> double { return bm::cyl_bessel_k(n, x, kQuiet); },
                            bessel_k_large_order, false, false, false, kInf, 0};

}  // namespace

double owens_t(double h, double a) {
  return total([=] { return bm::owens_t(h, a, kQuiet); });
}
double lambert_w0(double x) {
  return total([=] { return bm::lambert_w0(x, kQuiet); });
}
/// The library has no branch for subnormal numbers: there w + log(-w) = log(-x) by Newton's method.
double lambert_wm1(double x) {
  if (!(x < 0 && x > -std::numeric_limits<double>::min())) return total([=] { return bm::lambert_wm1(x, kQuiet); });
  const double l = std::log(-x);
  double w = l - std::log(-l);
  for (int k = 0; k < 4; ++k) w -= (w + std::log(-w) - l) * w / (w + 1);
  return w;
}
double bessel_first_kind(double order, double x) { return bessel(kJ, order, x); }
double bessel_second_kind(double order, double x) { return bessel(kY, order, x); }
double modified_bessel_first_kind(double order, double x) { return bessel(kI, order, x); }
double modified_bessel_second_kind(double order, double x) { return bessel(kK, order, x); }
Airy airy(double x) {
  if (x > 1e3) return {0, 0, kInf, kInf};  // the library would add up what under- or overflows from 110 on
  return {total([=] { return bm::airy_ai(x, kQuiet); }), total([=] { return bm::airy_ai_prime(x, kQuiet); }),
          total([=] { return bm::airy_bi(x, kQuiet); }), total([=] { return bm::airy_bi_prime(x, kQuiet); })};
}
/// The law of a beta variate one of whose shapes is so large that rounding leaves its limit alone: normal, or for the other
/// shape `small` a gamma variate over `large`. (The library's search need not end there.) The quantile of what is near 0.
static double quantile_near_limit(double small, double large, double p) {
  if (small < kLargeShape) return std::fmin(1, bm::gamma_p_inv(small, p, kQuiet) / large);
  const double mean = 1 / (1 + large / small);
  return mean + std::sqrt(mean * (1 - mean) / (small + large)) * inv_Phi(p);
}
double inv_inc_beta(double a, double b, double p) {
  if (!(a > 0 && b > 0 && p >= 0 && p <= 1) || std::isinf(a) || std::isinf(b)) return kNan;
  if (p == 0 || p == 1) return p;
  if (b > a && b > kLargeShape) return total([=] { return quantile_near_limit(a, b, p); });
  if (a > kLargeShape) return total([=] { return 1 - quantile_near_limit(b, a, 1 - p); });
  return total([=] { return bm::ibeta_inv(a, b, p, kQuiet); });
}

double inv_erfc(double p) {
  if (std::isnan(p)) return p;
  return total([=] { return bm::erfc_inv(p, kQuiet); });
}

double inv_Phi(double p) { return -M_SQRT2 * inv_erfc(2 * p); }

double std_normal_log_qf(double log_p) {
  if (log_p == -HUGE_VAL) return log_p;
  const double complement = -std::expm1(log_p);
  if (complement < 0.5) return M_SQRT2 * inv_erfc(2 * complement);
  if (log_p < -1e20) return -M_SQRT2 * std::sqrt(-log_p);  // what is left out is less than rounding
  double x = log_p > -700 ? inv_Phi(std::exp(log_p)) : -std::sqrt(-2 * log_p);
  for (int i = 0; i < 5; ++i) x -= (log_Phi(x) - log_p) / log_Phi_slope(x);
  return x;
}

}  // namespace fermiac::ad::scalar
