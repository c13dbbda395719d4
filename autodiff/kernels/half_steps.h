// Sums over arguments half a unit apart: the multivariate gamma function of many dimensions.
#pragma once

namespace fermiac::ad::scalar {

/// Up to so many terms are better added one by one.
inline constexpr double kFewHalfSteps = 1000;

// Σ f(x - j/2), j = 0 … n-1, n a whole number; in a time that does not depend on n.
double lgamma_half_steps(double x, double n);
double digamma_half_steps(double x, double n);

}  // namespace fermiac::ad::scalar
