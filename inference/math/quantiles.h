// Quantiles of sorted values, and of the standard normal distribution.
#pragma once

#include "inference/math/vectors.h"

namespace fermiac::inference {

/// Quantile by linear interpolation between order statistics (R's type 7) of sorted values.
double quantile_sorted(ConstSpan sorted, double probability);
/// Inverse of the standard normal distribution function (Wichura 1988, AS 241), about 16 digits.
double normal_quantile(double p);

}  // namespace fermiac::inference
