// Quantiles of sorted values, and of the standard normal distribution.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "inference/math/vectors.h"
#include "support/base/status.h"

namespace fermiac::inference {

/// Quantile by linear interpolation between order statistics (R's type 7) of sorted values.
double quantile_sorted(ConstSpan sorted, double probability);
/// Inverse of the standard normal distribution function (Wichura 1988, AS 241), about 16 digits.
double normal_quantile(double p);

/// Numbers between blanks or commas: `5, 50,95`; none for an empty text.
Status parse_percentiles(std::string_view text, std::vector<double>* out);

}  // namespace fermiac::inference
