// Scripts with which shells complete commands, options and their values.
#include <fmt/format.h>

#include "cli/fermiac/spec/program_text.h"
#include "support/base/text.h"

namespace fermiac::cli {
namespace {

using Kind = ValueText::Kind;

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
  return out;
}

std::string flags_of(const CommandText& command) {
  std::vector<std::string> flags;
  for (const OptionText& option : command.options) flags.insert(flags.end(), option.flags.begin(), option.flags.end());
  return joined(flags);
}

std::string names_of(const ProgramText& program) {
  std::vector<std::string> names;
  for (const CommandText& command : program.commands)
    if (!command.name.empty()) names.push_back(command.name);
  return joined(names);
}

std::string function_of(const ProgramText& program) { return "_complete_" + program.name; }

const OptionText* positional(const CommandText& command) {
  for (const OptionText& option : command.options)
    if (option.flags.empty()) return &option;
  return nullptr;
}

}  // namespace

// ---------------------------------------------------------------- bash

namespace {

/// Sets COMPREPLY for a value.
std::string bash_value(const ValueText& value) {
  switch (value.kind) {
    case Kind::Choice: return fmt::format("COMPREPLY=($(compgen -W {} -- \"$cur\"))", shell_quoted(joined(value.choices)));
    case Kind::Folder: return "COMPREPLY=($(compgen -d -- \"$cur\"))";
    case Kind::File: return fmt::format("_complete_files {}", joined(value.endings));
    default: return "COMPREPLY=()";
  }
}

std::string bash_command(const CommandText& command, const char* pattern) {
  std::string out = fmt::format("    {})\n      case $prev in\n", pattern);
  for (const OptionText& option : command.options)
    if (!option.flags.empty() && option.value.kind != Kind::None)
      out += fmt::format("        {}) {}; return ;;\n", joined(option.flags, "|"), bash_value(option.value));
  out += fmt::format("      esac\n      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W {} -- \"$cur\"))\n", shell_quoted(flags_of(command)));
  const OptionText* argument = positional(command);
  out += argument ? "      else " + bash_value(argument->value) + "\n      fi ;;\n" : "      fi ;;\n";
  return out;
}

constexpr char kBashFiles[] = R"(# Files with one of the endings, and folders.
_complete_files() {
  local ending
  COMPREPLY=($(compgen -d -S / -- "$cur"))
  if [[ $# == 0 ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi
  for ending; do COMPREPLY+=($(compgen -f -X "!*.$ending" -- "$cur")); done
}
)";

constexpr char kBashHead[] = R"(  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= word
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
)";

std::string bash_program(const ProgramText& program) {
  std::string out = function_of(program) + "() {\n" + kBashHead;
  const std::string names = names_of(program);
  if (!names.empty())
    out += "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do if [[ $word != -* ]]; then command=$word; break; fi; done\n";
  out += "  case $command in\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty()) out += bash_command(command, command.name.c_str());
  if (names.empty()) out += bash_command(program.commands.front(), "*");
  else out += fmt::format("    *) COMPREPLY=($(compgen -W {} -- \"$cur\")) ;;\n", shell_quoted(names + " " + flags_of(program.commands.front())));
  return out + "  esac\n}\ncomplete -o filenames -F " + function_of(program) + " " + program.name + "\n";
}

}  // namespace

std::string bash_completion(const std::vector<ProgramText>& programs) {
  std::string out = kBashFiles;
  for (const ProgramText& program : programs) out += bash_program(program);
  return out;
}

// ---------------------------------------------------------------- zsh

namespace {

/// Within a specification of _arguments brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_value(const ValueText& value) {
  switch (value.kind) {
    case Kind::Choice: return "(" + joined(value.choices) + ")";
    case Kind::Folder: return "_files -/";
    case Kind::File: return value.endings.empty() ? "_files" : "_files -g \"*.(" + joined(value.endings, "|") + ")\"";
    default: return "";
  }
}

std::string zsh_option(const OptionText& option, const std::string& flag) {
  const bool takes = option.value.kind != Kind::None;
  const std::string value = takes ? ":" + zsh_text(option.value.name) + ":" + zsh_value(option.value) : "";
  const char* between = !takes ? "" : flag.starts_with("--") ? "=" : "+";
  return "    " + shell_quoted((option.repeats ? "*" : "") + flag + between + "[" + zsh_text(option.about) + "]" + value) + " \\\n";
}

std::string zsh_arguments(const CommandText& command) {
  std::string out = "_arguments -s \\\n";
  for (const OptionText& option : command.options)
    for (const std::string& flag : option.flags) out += zsh_option(option, flag);
  for (const OptionText& option : command.options)
    if (option.flags.empty())
      out += "    " + shell_quoted(std::string(option.repeats ? "*:" : ":") + zsh_text(option.value.name) + ":" + zsh_value(option.value)) + " \\\n";
  return out.substr(0, out.size() - 3) + "\n";
}

std::string zsh_program(const ProgramText& program) {
  std::string out = function_of(program) + "() {\n";
  if (names_of(program).empty()) return out + "  " + zsh_arguments(program.commands.front()) + "}\n";
  out += "  local -a commands=(\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty()) out += "    " + shell_quoted(command.name + ":" + zsh_text(command.about)) + "\n";
  out += "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  shift words; (( CURRENT-- ))\n  case $words[1] in\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty()) out += "  " + command.name + ") " + zsh_arguments(command) + "    ;;\n";
  return out + "  esac\n}\n";
}

}  // namespace

std::string zsh_completion(const std::vector<ProgramText>& programs) {
  std::string names, functions, cases;
  for (const ProgramText& program : programs) {
    names += " " + program.name;
    functions += zsh_program(program);
    cases += "  " + program.name + ") " + function_of(program) + " ;;\n";
  }
  return "#compdef" + names + "\n" + functions + "case $service in\n" + cases + "esac\n";
}

// ---------------------------------------------------------------- fish

namespace {

std::string fish_value(const ValueText& value) {
  switch (value.kind) {
    case Kind::Choice: return " -x -a " + shell_quoted(joined(value.choices));
    case Kind::Folder: return " -x -a '(__fish_complete_directories)'";
    case Kind::File: return value.endings.empty() ? " -r -F" : " -x -a '(__fish_complete_suffix ." + value.endings[0] + ")'";
    case Kind::Anything: return " -x";
    default: return "";
  }
}

std::string fish_flag(const std::string& flag) {
  return flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
}

std::string fish_command(const ProgramText& program, const CommandText& command) {
  const std::string where =
      command.name.empty() ? "" : " -n " + shell_quoted("__fish_seen_subcommand_from " + command.name);
  std::string out;
  for (const OptionText& option : command.options) {
    std::string line = "complete -c " + program.name + where;
    for (const std::string& flag : option.flags) line += fish_flag(flag);
    if (!option.flags.empty()) line += " -d " + shell_quoted(option.about);
    out += line + fish_value(option.value) + "\n";
  }
  return out;
}

std::string fish_program(const ProgramText& program) {
  std::string out = "complete -c " + program.name + " -f\n";
  for (const CommandText& command : program.commands) {
    if (!command.name.empty())
      out += fmt::format("complete -c {} -n __fish_use_subcommand -a {} -d {}\n", program.name, command.name, shell_quoted(command.about));
    out += fish_command(program, command);
  }
  return out;
}

}  // namespace

std::string fish_completion(const std::vector<ProgramText>& programs) {
  std::string out;
  for (const ProgramText& program : programs) out += fish_program(program);
  return out;
}

}  // namespace fermiac::cli
