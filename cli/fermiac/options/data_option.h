// `--data`: of every command that binds a program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace fermiac::cli {

inline void add_data_option(CLI::App& command, std::vector<std::string>& files) {
  command.add_option("--data", files, "file with the data: JSON, a table (.csv, .tsv) or R's dump (.R); several, with --data before each, are joined")
      ->type_name("D.json")
      ->allow_extra_args(false);  // what comes next may be the program
}

}  // namespace fermiac::cli
