// Names of columns of draws.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermiac::inference {

/// No column.
inline constexpr std::size_t npos = static_cast<std::size_t>(-1);

/// `theta.1.2` as people write it: `theta[1,2]`; tuple slots `t:1.3` as `t.1[3]`.
std::string pretty_name(std::string_view csv_name);
/// The variable of a column: `theta` of `theta.3`, `t` of `t:1.2`.
std::string_view variable_of(std::string_view column);

}  // namespace fermiac::inference
