// Option names of earlier versions. Command lines, JSON options and run records accept them silently; help and lists have the
// present names only.
#pragma once

#include <string_view>

namespace fermiac::inference {

/// The present name of an option, with hyphens and without leading dashes: `target-ess` for `until-ess`. Other names are returned as
/// they are.
std::string_view present_option_name(std::string_view name);

}  // namespace fermiac::inference
