// Commands about the session itself: help, variables, files of inputs, random numbers, history.
#include <fmt/format.h>

#include <algorithm>

#include "repl/session/commands.h"
#include "repl/session/session.h"
#include "repl/session/show.h"
#include "support/base/text.h"

namespace fermiac::repl {
namespace {

constexpr std::size_t kUsageWidth = 38;

void help(Session& session, std::string_view arguments) {
  if (!arguments.empty()) {
    if (arguments.front() == ':') arguments.remove_prefix(1);
    const Command* c = find_command(arguments);
    if (!c) throw InputError(no_command(arguments));
    return session.print(fmt::format(":{}{}{}\n  {}.\n  Example: {}\n", c->name, c->arguments.empty() ? "" : " ", c->arguments,
                                     c->summary, c->example));
  }
  std::string out = "Type Stan: a declaration, statement, expression, function definition, or blocks of a model.\n"
                    "`x = …` makes a variable of any type. Commands may be shortened.\n";
  for (const Command& c : commands()) {
    const std::string usage = fmt::format("  :{}{}{}", c.name, c.arguments.empty() ? "" : " ", c.arguments);
    out += padded(usage, kUsageWidth) + (columns_of(usage) >= kUsageWidth ? "\n" + std::string(kUsageWidth, ' ') : "") +
           hanging(c.summary, session.columns(), kUsageWidth) + "\n";
  }
  session.print(out);
}

void vars(Session& session, std::string_view) {
  std::string out;
  for (const auto& [name, value] : session.evaluator().variables()) {
    if (name.ends_with("__")) continue;
    out += one_line(show(name, value.type, value.value), 100) + "\n";
  }
  for (const mir::Function& f : session.evaluator().functions()) out += function_text(f) + "\n";
  session.print(out.empty() ? "nothing is defined yet\n" : out);
}

void forget(Session& session, std::string_view arguments) {
  const std::vector<std::string> names = split_arguments(arguments, " ,");
  for (const std::string& name : names)
    if (!session.evaluator().forget(name)) throw InputError(fmt::format("'{}' is not defined", name));
}

void load(Session& session, std::string_view arguments) {
  session.run_file(one_file(arguments, ":load runs the lines of"));
}

void seed(Session& session, std::string_view arguments) {
  const Typed value = session.evaluator().evaluate(arguments);
  if (!value.type.is(BaseType::Int) || value.value.as_int() < 0) throw InputError("a seed is an int that is not negative");
  session.evaluator().seed(static_cast<std::uint64_t>(value.value.as_int()));
}

void history(Session& session, std::string_view arguments) {
  std::string out;
  const std::vector<std::string>& inputs = session.inputs();
  for (std::size_t i = 0; i + 1 < inputs.size(); ++i)  // but for this one
    if (inputs[i].find(arguments) != std::string::npos) out += fmt::format("{:>5}  {}\n", i + 1, one_line(inputs[i], session.columns() - 7));
  if (out.empty()) throw InputError(fmt::format("no input of this session has '{}' in it", arguments));
  session.print(out);
}

void quit(Session& session, std::string_view) {
  session.quit();
}

constexpr Command kTable[] = {
    {"help", "[COMMAND]", "Show help on all commands, or on one", ":help plot", help},
    {"vars", "", "List the variables and functions of the session", ":vars", vars},
    {"rm", "NAME…", "Remove variables or functions", ":rm x", forget},
    {"load", "FILE", "Run the lines of a file", ":load script.txt", load},
    {"seed", "N", "Set the random seed", ":seed 42", seed},
    {"history", "[TEXT]", "List the inputs of this session, or those that contain TEXT", ":history", history},
    {"quit", "", "End the session (Ctrl-D)", ":quit", quit},
};

}  // namespace

std::span<const Command> session_commands() {
  return kTable;
}

}  // namespace fermiac::repl
