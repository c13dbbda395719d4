// Options of commands, made of rows (inference/model/option_rows.h): what is wrong is named together with what was expected.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "inference/model/option_rows.h"

namespace fermiac::cli {

using inference::kMostCount;
using inference::kNoBound;
using inference::OptionRow;
using inference::OptionRows;
using inference::Range;

/// An option of earlier versions that has no effect any more: it is accepted, and not in the help.
inline CLI::Option* add_retired_option(CLI::App& command, const std::string& flag, bool with_value) {
  const auto note = [flag](const std::string&) { fmt::print(stderr, "fermiac: {} has no effect any more\n", flag); };
  if (with_value) return command.add_option_function<std::string>(flag, note)->group("");
  return command.add_flag_callback(flag, [note] { note({}); })->group("");
}

/// Adds the option --NAME. A wrong value is a CLI::ValidationError that names the option, the value and the valid values.
/// A number of threads that is not given comes from STAN_NUM_THREADS.
CLI::Option* add_option(CLI::App& command, const OptionRow& row);
void add_options(CLI::App& command, const OptionRows& rows);

/// `value` holds the default, an empty optional none.
template <class Value, class T = typename inference::WithoutOptional<Value>::type>
CLI::Option* add_number(CLI::App& command, const char* name, Value& value, const char* about, std::type_identity_t<Range<T>> range) {
  OptionRows rows;
  rows.number(name, value, about, range);
  return add_option(command, rows.last());
}

template <class Seed>
CLI::Option* add_seed(CLI::App& command, Seed& seed, const char* about) {
  return add_number(command, "seed", seed, about, {0, std::numeric_limits<std::uint64_t>::max()});
}

inline CLI::Option* add_timeout(CLI::App& command, double& seconds, const char* about = "Time limit in seconds") {
  return add_number(command, "timeout", seconds, about, {0, 1e9, true})->type_name("SECONDS");
}

/// One of a few names, the default first.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Enum& value, const std::vector<std::pair<std::string, Enum>>& names,
                        const std::string& about) {
  OptionRows rows;
  rows.choice(name, value, names, about);
  return add_option(command, rows.last());
}

/// Follows the option for the folder: how the folder is named that is made if --output does not name one.
void add_timestamp(CLI::App& command, inference::CommonOptions& options);

/// After all options were added: those that take no number want a name.
void refuse_empty_names(CLI::App& command);

}  // namespace fermiac::cli
