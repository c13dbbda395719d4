// `--O0`, `--O1`, `--Oexperimental`: options that every command takes which runs a model.
#pragma once

#include <CLI/CLI.hpp>

#include "mir/passes/pass.h"

namespace fermiac::cli {

inline void add_level_options(CLI::App& app, mir::OptLevel& level) {
  struct Row {
    const char *flag, *help;
    mir::OptLevel level;
  };
  static constexpr Row kRows[] = {{"--O0", "Do not optimize the program before evaluation (default)", mir::OptLevel::O0},
                                  {"--O1", "Optimize the program first", mir::OptLevel::O1},
                                  {"--Oexperimental", "Optimize the program first, with all passes", mir::OptLevel::Oexperimental}};
  for (const Row& row : kRows)
    app.add_flag_callback(
        row.flag, [&level, &row] { level = row.level; }, row.help);
}

}  // namespace fermiac::cli
