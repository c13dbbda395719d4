// Special functions of doubles, compiled once: what kernels call lane by lane where no vector form pays.
#pragma once

namespace fermiac::ad::scalar {

double lgamma(double x);  // log |Gamma(x)|, thread-safe
double digamma(double x);
double trigamma(double x);
double tgamma(double x);

// lgamma(z + a) - lgamma(z) without cancellation, and the same for digamma: for large z, and for a that is small next to z. Densities
// take differences from here; where several differences cancel in turn, from autodiff/kernels/large_densities.h.
double lgamma_difference(double z, double a);
double digamma_difference(double z, double a);
double lbeta(double a, double b);
double log_factorial(double n);  // n a whole number
double log_choose(double n, double k);  // both whole numbers
/// lgamma(z) - ((z - 1/2) log z - z + log sqrt(2 pi)); for z >= 10.
double stirling_correction(double z);
double stirling_slope(double z);  // its derivative
/// log1p(x) - x without cancellation.
double log1pmx(double x);

double inv_logit(double x);
double log1p_exp(double x);
double log1m_exp(double x);  // log(1 - exp(x)), x <= 0
double log_sum_exp(double x, double y);
double log_diff_exp(double x, double y);  // log(exp(x) - exp(y)), x >= y

/// exp(x^2) erfc(x).
double erfcx(double x);
/// Log of the standard normal distribution function, accurate in both tails, and its derivative phi(z) / Phi(z).
double log_Phi(double z);
double log_Phi_slope(double z);
double Phi(double z);
double std_normal_density(double z);
double inv_Phi(double p);
double std_normal_log_qf(double log_p);
double inv_erfc(double p);

double owens_t(double h, double a);
double lambert_w0(double x);
double lambert_wm1(double x);
double bessel_first_kind(double order, double x);
double bessel_second_kind(double order, double x);
double modified_bessel_first_kind(double order, double x);
double modified_bessel_second_kind(double order, double x);
/// log I_0(x), and I_1(x) / I_0(x).
double log_bessel_i0(double x);
double bessel_ratio(double x);
/// The x with I_x(a, b) = p.
double inv_inc_beta(double a, double b, double p);

}  // namespace fermiac::ad::scalar
