// What must happen to the arguments before the command line library sees them: it has ideas of its own about brackets and
// signs.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace fermiac::cli {

/// The arguments (without the program's name) for `app`.
/// - Texts of `eval` are replaced by their numbers in `texts`: they are anything that is no option, and all that stands
///   behind `--`.
/// - The negative value of an option is tied to it: `--seed -1` becomes `--seed=-1`.
/// - A file named `[a]` is not taken for a list.
std::vector<std::string> prepared_arguments(CLI::App& app, const std::vector<std::string>& given,
                                            std::vector<std::string>* texts);

/// The arguments with the present names of commands, options and their values in place of those of earlier versions and of CmdStan's
/// clients (inference/model/former_names.h). The options of the command must have been added to `app`.
std::vector<std::string> with_present_names(CLI::App& app, std::vector<std::string> given);
/// The present name of a command; other words are returned as they are.
std::string present_command_name(const std::string& name);

/// The option that an argument names, with or without `=value`; null if there is none.
const CLI::Option* option_named(const CLI::App& command, const std::string& argument);
/// The command of this name; null if there is none.
const CLI::App* command_named(CLI::App& app, const std::string& name);
/// The value of the option is the next argument.
bool takes_next(const CLI::Option* option, const std::string& argument);

/// `mu,x[1,2]` names two.
std::vector<std::string> names_between_commas(const std::vector<std::string>& given);

// Errors of a command line, quoted as typed: misspellings with a suggestion, choices as a plain list.

/// Unknown commands and options, in the order given; empty if there are none. `given` excludes the program's name.
std::string unknown_words(CLI::App& app, const std::vector<std::string>& given);

/// What the library found, said plainly; `given` as before.
std::string usage_problem(const CLI::App& command, const CLI::ParseError& error, const std::vector<std::string>& given);

}  // namespace fermiac::cli
