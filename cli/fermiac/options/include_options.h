// `--include-paths`, `--include-confined` and `--no-include`: options of every command that reads a program.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "frontend/lex/includes.h"

namespace fermiac::cli {

inline void add_include_rules(CLI::App& app, IncludeRule& rule) {
  auto* none = app.add_flag_callback(
      "--no-include", [&rule] { rule = IncludeRule::None; }, "#include is an error");
  app.add_flag_callback(
         "--include-confined", [&rule] { rule = IncludeRule::Confined; },
         "refuse includes that lead out of the include paths")
      ->excludes(none);
}

inline void add_include_options(CLI::App& app, std::vector<std::string>& paths, IncludeRule& rule) {
  app.add_option("--include-paths", paths, "folders searched by #include")->delimiter(',')->type_name("DIRS");
  add_include_rules(app, rule);
}

// `--data`: of every command that binds a program.

inline void add_data_option(CLI::App& command, std::vector<std::string>& files) {
  command.add_option("--data", files, "file with the data: JSON, a table (.csv, .tsv) or R's dump (.R); several, with --data before each, are joined")
      ->type_name("D.json")
      ->allow_extra_args(false);  // what comes next may be the program
}

}  // namespace fermiac::cli
