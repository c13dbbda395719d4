// The methods beside `sample`: optimize, pathfinder, laplace, variational, generate, diagnose.
#pragma once

#include "cli/fermiac/shared/invocation.h"

namespace fermiac::cli {

class Commands;

/// Adds their subcommands; the chosen one sets `call`.
void add_methods(Commands& commands, Invocation& call);

}  // namespace fermiac::cli
