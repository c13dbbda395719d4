// What must hold between the values of a command line, beyond what each may be by itself.
#pragma once

#include <string>

#include "cli/cmdstan/argument.h"
#include "cli/cmdstan/setting.h"

namespace fermiac::cmdstan {

/// The rule that is violated, in words; empty if none is.
std::string broken_rule(const Setting& settings, const Build& build);

}  // namespace fermiac::cmdstan
