// Names of earlier versions. Command lines, JSON options, run records and sessions accept them silently; help and lists have the present
// names only.
#pragma once

#include <span>
#include <string_view>

namespace fermiac::inference {

struct Renamed {
  std::string_view former, present;
};
/// The present name by a table; names that no row has as the former one are returned as they are.
std::string_view present_name(std::span<const Renamed> table, std::string_view name);

/// The present name of an option, with hyphens and without leading dashes: `target-ess` for `until-ess`. Other names are returned as
/// they are.
std::string_view present_option_name(std::string_view name);

}  // namespace fermiac::inference
