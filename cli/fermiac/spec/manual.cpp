// Manual pages, in the macros of man(7).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/fermiac/spec/program_text.h"

namespace fermiac::cli {
namespace {

/// Text as roff takes it: nothing in it is a command or an escape, hyphens stay hyphens where they are copied from.
std::string roff(const std::string& text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '\n') out += ' ';
    else out += c;
  }
  return out;
}

/// The argument of a macro: quotes are doubled.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : roff(text)) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + ".";
}

std::string head(const ProgramText& program, const std::string& page, const std::string& about) {
  return fmt::format(".TH {} 1 \"\" {} \"User Commands\"\n.SH NAME\n{} \\- {}\n", quoted(upper(page)),
                     quoted("fermiac " + program.version), roff(page), roff(about.substr(0, about.find_first_of(";:"))));
}

std::string value_text(const ValueText& value) {
  if (value.kind != ValueText::Kind::Choice) return value.name;
  std::string out;
  for (const std::string& choice : value.choices) out += (out.empty() ? "" : "|") + choice;
  return out;
}

std::string option_head(const OptionText& option) {
  std::string flags;
  for (const std::string& flag : option.flags) flags += (flags.empty() ? "" : ", ") + flag;
  const std::string value = value_text(option.value);
  if (flags.empty()) return fmt::format(".I {}\n", quoted(value + (option.repeats ? " ..." : "")));
  return value.empty() ? fmt::format(".B {}\n", quoted(flags)) : fmt::format(".BI {} {}\n", quoted(flags), quoted(" " + value));
}

std::string option_text(const OptionText& option) {
  std::string out = ".TP\n" + option_head(option) + roff(sentence(option.about)) + "\n";
  if (!option.otherwise.empty()) out += roff("Default: " + option.otherwise + ".") + "\n";
  if (option.required && !option.flags.empty()) out += "Required.\n";
  return out;
}

std::string options_section(const CommandText& command) {
  std::string arguments, options;
  for (const OptionText& option : command.options) (option.flags.empty() ? arguments : options) += option_text(option);
  return (arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments) + (options.empty() ? "" : ".SH OPTIONS\n" + options);
}

std::string synopsis(const std::string& line, const CommandText& command) {
  std::string out = ".SH SYNOPSIS\n.B " + quoted(line) + "\n";
  const bool options = std::ranges::any_of(command.options, [](const OptionText& o) { return !o.flags.empty(); });
  if (options) out += ".RI [ options ]\n";
  for (const OptionText& option : command.options)
    if (option.flags.empty()) out += fmt::format(".I {}\n", quoted(value_text(option.value) + (option.repeats ? " ..." : "")));
  return out;
}

constexpr char kStatus[] =
    ".SH EXIT STATUS\n0 if it did what it was asked to, 1 if it did not, 2 if the command line is wrong.\n";

}  // namespace

std::string command_page(const ProgramText& program, const CommandText& command) {
  const std::string page = program.name + "-" + command.name;
  return head(program, page, command.about) + synopsis(program.name + " " + command.name, command) + ".SH DESCRIPTION\n" +
         roff(sentence(command.about)) + "\n" + options_section(command) + kStatus + ".SH SEE ALSO\n.BR " + roff(program.name) + " (1)\n";
}

std::string program_page(const ProgramText& program) {
  const CommandText& own = program.commands.front();
  std::string out = head(program, program.name, own.about) + synopsis(program.name, own);
  if (program.commands.size() > 1) out += ".I command\n.RI [ options ]\n";
  out += ".SH DESCRIPTION\n" + roff(sentence(own.about)) + "\n";
  if (program.commands.size() > 1) out += ".SH COMMANDS\n";
  for (const CommandText& command : program.commands)
    if (!command.name.empty())
      out += fmt::format(".TP\n.BR {} (1)\n{}\n", quoted(program.name + "-" + command.name), roff(sentence(command.about)));
  return out + options_section(own);
}

}  // namespace fermiac::cli
