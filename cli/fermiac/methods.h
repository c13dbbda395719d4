// The methods beside `sample`: optimize, pathfinder, laplace, variational, generate, diagnose.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace fermiac::cli {

/// Adds their subcommands; the chosen one sets `run`.
void add_methods(CLI::App& app, std::function<int()>& run);

}  // namespace fermiac::cli
