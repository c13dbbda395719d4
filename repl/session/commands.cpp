#include "repl/session/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "frontend/builtins/builtins.h"
#include "inference/model/former_names.h"
#include "repl/session/evaluator.h"
#include "support/base/text.h"

namespace fermiac::repl {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> out;
    for (const auto table : {session_commands(), picture_commands(), draws_commands(), gradient_commands(), model_commands(), conditioning_commands(), look_commands()})
      out.insert(out.end(), table.begin(), table.end());
    return out;
  }();
  return all;
}

namespace {

/// The usual abbreviation of other prompts, and names of earlier versions that are not prefixes of the present ones.
constexpr inference::Renamed kOtherNames[] = {{"q", "quit"}, {"new", "clear-model"}, {"forget", "rm"}, {"context", "density"}, {"marginals", "discrete-marginals"},
                                     {"check", "check-gradient"}};

}  // namespace

const Command* find_command(std::string_view name) {
  name = inference::present_name(kOtherNames, name);
  const Command* found = nullptr;
  for (const Command& command : commands()) {
    if (command.name == name) return &command;
    if (!name.empty() && command.name.starts_with(name)) {
      if (found) return nullptr;
      found = &command;
    }
  }
  return found;
}

std::string no_command(std::string_view name) {
  std::string several, near;
  std::size_t count = 0;
  for (const Command& command : commands())
    if (!name.empty() && command.name.starts_with(name)) several += (count++ ? ", :" : ":") + std::string(command.name);
  if (count > 1) return fmt::format(":{} is short for several commands: {}", name, several);
  for (const Command& command : commands())
    if ((!name.empty() && command.name.starts_with(name)) || edit_distance(name, command.name) <= 1 + (name.size() > 4))
      near += (near.empty() ? " Did you mean :" : ", :") + std::string(command.name);
  return fmt::format("there is no command :{}.", name) + (near.empty() ? std::string(" :help lists all commands.") : near + "?");
}

void run_command(Session& session, std::string_view input) {
  const std::size_t end = std::min(input.find_first_of(" \t\n"), input.size());
  const std::string_view name = input.substr(0, end);
  std::string_view arguments = input.substr(end);
  const std::size_t first = arguments.find_first_not_of(" \t\n");
  arguments = first == std::string_view::npos ? std::string_view() : arguments.substr(first);
  const Command* command = find_command(name);
  if (!command) throw InputError(no_command(name));
  const bool needs_arguments = !command->arguments.empty() && !command->arguments.starts_with('[');
  if (arguments.empty() && needs_arguments)
    throw InputError(fmt::format("expected :{} {}; for example {}", command->name, command->arguments, command->example));
  command->run(session, arguments);
}

std::string function_text(const mir::Function& f) {
  std::string out = (f.result ? f.result->str() : "void") + " " + f.name + "(";
  for (std::size_t i = 0; i < f.args.size(); ++i)
    out += (i ? ", " : "") + std::string(f.args[i].data_only ? "data " : "") + f.args[i].type.str() + " " + f.args[i].name;
  return out + ")";
}

std::vector<std::string> distribution_names() {
  std::vector<std::string> out;
  for (const std::string& name : builtin_names())
    if (const BuiltinRow* row = find_builtin(name); row && row->is_family()) out.emplace_back(row->name);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool take_flag(std::string_view& arguments, std::string_view flag) {
  if (!arguments.starts_with(flag)) return false;
  std::string_view rest = arguments.substr(flag.size());
  if (!rest.empty() && rest.front() != ' ') return false;
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  arguments = rest;
  return true;
}

std::vector<std::string> split_arguments(std::string_view arguments, std::string_view separators) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : arguments) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && separators.find(c) != std::string_view::npos) out.emplace_back();
    else out.back() += c;
  }
  std::erase_if(out, [](const std::string& s) { return s.find_first_not_of(" \t\n") == std::string::npos; });
  return out;
}

std::vector<std::string> file_list(std::string_view arguments) {
  std::error_code ignored;
  if (std::filesystem::exists(std::string(arguments), ignored)) return {std::string(arguments)};
  std::vector<std::string> out;
  bool quoted = false, inside = false;
  for (const char c : arguments) {
    const bool ends = !quoted && (c == ' ' || c == '\t');
    if (c == '"') quoted = !quoted;
    if (!ends && !inside) out.emplace_back();
    inside = !ends;
    if (!ends && c != '"') out.back() += c;
  }
  return out;
}

std::string one_file(std::string_view arguments, std::string_view does) {
  const std::vector<std::string> files = file_list(arguments);
  if (files.size() == 1) return files[0];
  throw InputError(fmt::format("{} one file, not {}; :model FILE loads a program, :data FILE its data, and quotes hold a name with blanks together", does, files.size()));
}

}  // namespace fermiac::repl
