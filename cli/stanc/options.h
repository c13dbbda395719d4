// The command line of stanc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/format/canonical.h"

namespace fermiac::stanc {

/// Exit codes.
inline constexpr int kOk = 0, kUserError = 1, kUsageError = 124, kInternalError = 125;

struct Options {
  std::optional<std::string> model;
  std::string command_line;        // the arguments that say how the model was compiled
  std::vector<std::string> flags;  // long names of the flags given, without dashes
  std::vector<std::string> include_paths;
  std::optional<std::string> name, output, filename_in_msg, debug_data_file, force_soa;
  format::Canonical canonical;
  int max_line_length = 78;
  std::vector<std::string> passes;      // of the optimiser, instead of a level's
  std::vector<std::string> dump_after;  // names of passes, or all
  bool pedantic_json = false;
  std::string color = "auto";
  bool help = false;
  std::string warnings;  // about the command line itself

  bool has(std::string_view flag) const;
};

struct ParsedCommandLine {
  Options options;
  std::string error;  // reason of a usage error; empty if there is none
};

ParsedCommandLine parse_command_line(const std::vector<std::string>& args);

/// What `--help` prints.
std::string help_text();
/// The same as data: the flags ("-o", "--output"), what they take as help names it (empty: nothing), and what they do.
struct OptionLine {
  std::vector<std::string> flags;
  std::string value, help;
};
std::vector<OptionLine> option_lines();

}  // namespace fermiac::stanc
