// `--include-paths`, `--include-confined` and `--no-include`: options of every command that reads a program.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "frontend/lex/includes.h"

namespace fermiac::cli {

inline void add_include_rules(CLI::App& app, IncludeRule& rule) {
  auto* none = app.add_flag_callback(
      "--no-include", [&rule] { rule = IncludeRule::None; }, "Reject every #include");
  app.add_flag_callback(
         "--include-confined", [&rule] { rule = IncludeRule::Confined; },
         "Reject #include of files outside the include paths")
      ->excludes(none);
}

inline void add_include_options(CLI::App& app, std::vector<std::string>& paths, IncludeRule& rule) {
  app.add_option("--include-paths", paths, "Folders to search for #include files, separated by commas")->delimiter(',')->type_name("DIRS");
  add_include_rules(app, rule);
}

// `--data`: of every command that binds a program.

inline void add_data_option(CLI::App& command, std::vector<std::string>& files) {
  command.add_option("--data", files, "Data file: JSON, table (.csv, .tsv) or R dump (.R); may be repeated to merge several")
      ->type_name("D.json")
      ->allow_extra_args(false);  // what comes next may be the program
}

}  // namespace fermiac::cli
