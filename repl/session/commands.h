// The `:commands`. Each is a row of one of the tables; `:help`, completion and the reference page are made from them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::repl {

class Session;

struct Command {
  std::string_view name;       // without the colon
  std::string_view arguments;  // as help shows them
  std::string_view summary;    // one line
  std::string_view example;    // an input that works in a fresh session, or after the one that `:help` shows
  void (*run)(Session& session, std::string_view arguments);  // throws InputError
};

/// All rows, in the order of the help.
const std::vector<Command>& commands();
/// By name or by an unambiguous beginning; null if there is none.
const Command* find_command(std::string_view name);
/// The message for an unknown or ambiguous `name`, with the nearest commands.
std::string no_command(std::string_view name);
/// `input` without the colon. Throws InputError.
void run_command(Session& session, std::string_view input);

// The tables, by subject.
std::span<const Command> session_commands();
std::span<const Command> picture_commands();
std::span<const Command> draws_commands();
std::span<const Command> gradient_commands();
std::span<const Command> model_commands();
std::span<const Command> look_commands();
std::span<const Command> conditioning_commands();

/// :sample without a distribution: draws from the session's model.
void sample_model(Session& session, std::string_view arguments);
/// Advice that names options of `fermiac sample`, with those of :sample in their place: `--adapt-delta` is `adapt_delta=`.
std::string with_options_of_session(const std::string& advice);

/// `real f(vector x, int n)`.
std::string function_text(const mir::Function& function);
/// Stems of all distributions.
std::vector<std::string> distribution_names();

/// Takes the word `flag` out of the arguments.
bool take_flag(std::string_view& arguments, std::string_view flag);
/// `name=value` pairs and words, split at commas and blanks outside of brackets.
std::vector<std::string> split_arguments(std::string_view arguments, std::string_view separators);
/// Names of files: the arguments are one that there is, or several with blanks between them; quotes hold one together.
std::vector<std::string> file_list(std::string_view arguments);
/// The one file of a command, or a failure that says what the command does (":load runs the lines of").
std::string one_file(std::string_view arguments, std::string_view does);

class Session;

/// The intermediate form of the model, or of an expression, as the arguments of `:mir` ask for it: as lowered, optimized, the
/// changes of passes, memory patterns, pedantic warnings. Throws InputError.
std::string mir_text(Session& session, std::string_view arguments);

}  // namespace fermiac::repl
