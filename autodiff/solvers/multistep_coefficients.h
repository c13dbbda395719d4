// Coefficients of multistep methods of variable step and order on Nordsieck's arrays: G. D. Byrne and A. C. Hindmarsh, "A
// polyalgorithm for the numerical solution of ordinary differential equations", 1975; K. R. Jackson and R. Sacks-Davis, "An
// alternative implementation of variable step-size multistep formulas for stiff ODEs", 1980.
//
// Times are measured in steps h backward from the new time t_n: past[i] = (t_n - t_{n-i}) / h, so that past[0] = 0 and
// past[1] = 1. The history is a polynomial p of degree q in x = (t - t_n) / h, kept as its coefficients; its prediction at x = 0 is
// corrected by `delta`: p + delta L(x) with L(0) = 1.
//
//   Adams: L(-1) = 0 and L' = 0 at the times behind, which leaves what p says of the derivative there.
//   BDF:   L = 0 at the q - 1 times behind, and L'(0) = 1 + 1/2 + ... + 1/q, the coefficient of constant steps, so that the
//          matrix of Newton's method changes with the step alone.
#pragma once

#include <array>
#include <cstdint>

namespace fermiac::ad {

enum class MultistepFamily : std::uint8_t { Adams, Bdf };

inline constexpr int kMaxMultistepOrder = 12;  // of Adams' methods; 5 of BDF
int max_order(MultistepFamily family);

/// past[0..q+2] are needed at order q. Times before the first are the first.
using PastTimes = std::array<double, kMaxMultistepOrder + 3>;
/// The coefficient of x^j at [j].
using StepPolynomial = std::array<double, kMaxMultistepOrder + 2>;

/// L, of degree q.
StepPolynomial correction(MultistepFamily family, int q, const PastTimes& past);

/// x^m + ... which changes nothing of what a history of order m - 1 keeps: value and derivative at x = 0, and what lies behind (values for
/// BDF, derivatives for Adams). A multiple of it is added where the order rises to m, and taken away where it falls to m - 1. m >= 2.
StepPolynomial order_change(MultistepFamily family, int m, const PastTimes& past);

/// The coefficient of x^{q+1} of the solution is leading() times the correction: a divided difference of the newest values.
double leading(MultistepFamily family, int q, const PastTimes& past);
/// The error of one step of order q is this times the coefficient of x^{q+1} of the solution: what the formula leaves of the
/// polynomial that vanishes at all its times.
double error_of_leading(MultistepFamily family, int q, const PastTimes& past);
/// The coefficient of x^{q+2} is this times the difference of those of x^{q+1} now and a step before.
double next_leading(MultistepFamily family, int q, const PastTimes& past);

}  // namespace fermiac::ad
