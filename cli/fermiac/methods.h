// The methods beside `sample`: optimize, pathfinder, laplace, variational, generate, diagnose.
#pragma once

#include "cli/fermiac/invocation.h"

namespace CLI {
class App;
}

namespace fermiac::cli {

/// Adds their subcommands; the chosen one sets `call`.
void add_methods(CLI::App& app, Invocation& call);

}  // namespace fermiac::cli
