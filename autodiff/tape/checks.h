// Names that the rewriting passes know (ranges.cpp).
#pragma once

#include <string_view>

namespace fermiac::ad {

/// Kernels that do nothing but throw if an element of the first operand is below (above) the second, its bound.
inline constexpr std::string_view kCheckLower = "check_lower__";
inline constexpr std::string_view kCheckUpper = "check_upper__";

}  // namespace fermiac::ad
