// Points on the unconstrained scale as JSON: an array of arrays of numbers.
#pragma once

#include <string_view>
#include <vector>

namespace fermiac::interp {

/// Throws DataError with line and column. One flat array of numbers is one point.
std::vector<std::vector<double>> parse_points(std::string_view text, std::string_view source);

}  // namespace fermiac::interp
