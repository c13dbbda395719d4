// One run of stanc: read, parse, check, then whatever the flags ask for, in the documented order.
#pragma once

#include <string>

#include "cli/stanc/options.h"

namespace fermiac::stanc {

/// The compiler whose place it takes.
inline constexpr char kVersion[] = "stanc3 v2.39.0";

/// Returns the exit status.
int run(const Options& options);

}  // namespace fermiac::stanc
