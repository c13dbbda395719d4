// One run of stanc: read, parse, check, then whatever the flags ask for, in the documented order.
#pragma once

#include <string>

#include "cli/stanc/options.h"

namespace fermiac::stanc {

/// Returns the exit status.
int run(const Options& options);

}  // namespace fermiac::stanc
