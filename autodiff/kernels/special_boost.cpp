// Special functions taken from Boost.Math, kept in one file because its templates are slow to compile.
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/lambert_w.hpp>
#include <boost/math/special_functions/owens_t.hpp>
#include <cmath>

#include "autodiff/kernels/special_scalar.h"

namespace fermiac::ad::scalar {
namespace {

namespace bm = boost::math;
using Policy = bm::policies::policy<bm::policies::domain_error<bm::policies::ignore_error>,
                                    bm::policies::pole_error<bm::policies::ignore_error>,
                                    bm::policies::overflow_error<bm::policies::ignore_error>,
                                    bm::policies::evaluation_error<bm::policies::ignore_error>,
                                    bm::policies::promote_double<false>>;
constexpr Policy kQuiet{};

}  // namespace

double owens_t(double h, double a) { return bm::owens_t(h, a, kQuiet); }
double lambert_w0(double x) { return bm::lambert_w0(x, kQuiet); }
double lambert_wm1(double x) { return bm::lambert_wm1(x, kQuiet); }
double bessel_first_kind(double order, double x) { return bm::cyl_bessel_j(static_cast<int>(order), x, kQuiet); }
double bessel_second_kind(double order, double x) { return bm::cyl_neumann(static_cast<int>(order), x, kQuiet); }
double modified_bessel_first_kind(double order, double x) { return bm::cyl_bessel_i(static_cast<int>(order), x, kQuiet); }
double modified_bessel_second_kind(double order, double x) { return bm::cyl_bessel_k(static_cast<int>(order), x, kQuiet); }
double inv_inc_beta(double a, double b, double p) { return bm::ibeta_inv(a, b, p, kQuiet); }

double inv_erfc(double p) {
  if (std::isnan(p)) return p;
  return bm::erfc_inv(p, kQuiet);
}

double inv_Phi(double p) { return -M_SQRT2 * inv_erfc(2 * p); }

double std_normal_log_qf(double log_p) {
  if (log_p == -HUGE_VAL) return log_p;
  const double complement = -std::expm1(log_p);
  if (complement < 0.5) return M_SQRT2 * inv_erfc(2 * complement);
  double x = log_p > -700 ? inv_Phi(std::exp(log_p)) : -std::sqrt(-2 * log_p);
  for (int i = 0; i < 5; ++i) x -= (log_Phi(x) - log_p) / log_Phi_slope(x);
  return x;
}

}  // namespace fermiac::ad::scalar
