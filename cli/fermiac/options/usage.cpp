// What is wrong with a command line, in the words of who typed it: near misses with a guess, choices as a plain list.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <string_view>

#include "cli/fermiac/options/arguments.h"
#include "inference/model/option_rows.h"
#include "support/base/text.h"

namespace fermiac::cli {
namespace {

using inference::alternatives;

constexpr std::size_t kTelling = 4;  // letters

/// `--num-samples` has `--samples` in it.
bool is_within(const std::string& known, const std::string& typed) {
  const std::string_view stem = std::string_view(known).substr(known.find_first_not_of('-'));
  return stem.size() >= kTelling && typed.find(stem) != std::string::npos;
}

/// The same word but for dashes and underscores, the beginning of it, a part of it, or a few letters away.
bool is_near(std::string typed, const std::string& known) {
  std::ranges::replace(typed, '_', '-');
  const std::size_t letters = typed.size() - std::min(typed.find_first_not_of('-'), typed.size());
  if (letters >= 2 && known.starts_with(typed)) return true;
  if (is_within(known, typed)) return true;
  return edit_distance(typed, known) <= 1 + letters / kTelling;
}

/// The nearest first.
std::vector<std::string> near_words(const std::string& typed, const std::vector<std::string>& known) {
  std::vector<std::string> out;
  for (const std::string& word : known)
    if (is_near(typed, word)) out.push_back(word);
  const auto begins = [&](const std::string& word) { return word.starts_with(typed); };
  if (std::ranges::any_of(out, begins)) std::erase_if(out, [&](const std::string& word) { return !begins(word); });
  const auto within = [&](const std::string& word) { return is_within(word, typed); };
  if (std::ranges::any_of(out, within)) std::erase_if(out, [&](const std::string& word) { return !within(word); });
  std::ranges::stable_sort(out, {}, [&](const std::string& word) { return edit_distance(typed, word); });
  constexpr std::size_t kMost = 3;
  if (out.size() > kMost) out.resize(kMost);
  return out;
}

std::string guess(const std::string& typed, const std::vector<std::string>& known) {
  const std::vector<std::string> near = near_words(typed, known);
  return near.empty() ? "" : "; did you mean " + alternatives(near) + "?";
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> out;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  return out;
}

std::string name_of(const std::string& argument) {
  return argument.substr(0, argument.find('='));
}

bool looks_like_an_option(const std::string& argument) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (argument == "-inf" || argument == "-nan") return false;
  return (argument.size() > 2 && argument.starts_with("--") && letter(argument[2])) ||
         (argument.size() == 2 && argument[0] == '-' && letter(argument[1]));
}

struct ForeignOption {
  std::string_view typed, hint;
};
/// Of CmdStan's clients and rstan, where no name is near.
constexpr ForeignOption kForeignOptions[] = {
    {"--iter", "--warmup and --samples"}, {"--iterations", "--warmup and --samples"}, {"--cores", "--threads"}, {"--parallel-chains", "--threads"},
    {"--jobs", "--threads"},              {"-j", "--threads"},                        {"-d", "--data"},         {"-o", "--output"},
    {"-c", "--chains"},                   {"-s", "--seed"},                           {"-n", "--samples"},
    {"--max-depth", "--max-treedepth"},   {"--max_depth", "--max-treedepth"}};

std::string foreign_guess(const std::string& typed, const std::vector<std::string>& known) {
  const auto* const row = std::ranges::find(kForeignOptions, typed, &ForeignOption::typed);
  if (row == std::end(kForeignOptions)) return guess(typed, known);
  const std::string last(row->hint.substr(row->hint.rfind("--")));
  return std::ranges::find(known, last) != known.end() ? "; did you mean " + std::string(row->hint) + "?" : guess(typed, known);
}

std::string unknown_options(const CLI::App& command, const std::vector<std::string>& given) {
  std::string out;
  for (std::size_t i = 1; i < given.size() && given[i] != "--"; ++i) {
    if (!looks_like_an_option(given[i])) continue;
    const CLI::Option* option = option_named(command, given[i]);
    if (takes_next(option, given[i])) ++i;
    if (option) continue;
    out += (out.empty() ? "" : "\n") +
           fmt::format("{} has no option {}{}", command.get_name(), name_of(given[i]), foreign_guess(name_of(given[i]), flags_of(command)));
  }
  return out;
}

/// `D.json` of an option or of an argument without one.
std::string value_name(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (const std::size_t at = type.find(":{"); at != std::string::npos) return type.substr(at + 2, type.size() - at - 3);  // its choices
  return type.empty() ? option.get_name() : type;
}

std::string missing_argument(const CLI::App& command, const std::string& name) {
  const CLI::Option* option = command.get_option_no_throw(name);
  if (!option) return "";
  if (!option->get_positional()) return fmt::format("{} needs {} {}", command.get_name(), option->get_name(), value_name(*option));
  return fmt::format("{0} needs {1} {2}: fermiac {0} {3}", command.get_name(), std::string_view("aeiou").find(name[0]) == std::string_view::npos ? "a" : "an",
                     name.ends_with('s') ? name.substr(0, name.size() - 1) : name, value_name(*option));
}

/// No value, or an option that is there more than once.
std::string wrong_number(const CLI::App& command, const std::string& name, const std::vector<std::string>& given) {
  const CLI::Option* option = command.get_option_no_throw(name);
  if (!option) return "";
  const auto times = std::ranges::count_if(given, [&](const std::string& argument) { return name_of(argument) == name; });
  if (times > 1) return fmt::format("{} is given {} times, but only one value counts", name, times);
  return fmt::format("{} needs a value: {} {}", name, name, value_name(*option));
}

/// `num_samples=500` as an option of ours.
std::string cmdstan_argument(const CLI::App& command, const std::string& arguments) {
  const std::string argument = arguments.substr(0, arguments.find(' '));
  const std::size_t sign = argument.find('=');
  if (sign == std::string::npos || sign == 0) return "";
  const std::vector<std::string> near = near_words("--" + argument.substr(0, sign), flags_of(command));
  if (near.empty()) return "";
  return fmt::format("; did you mean {} {}? CmdStan's command line is fermiac cmdstan-run", near[0], argument.substr(sign + 1));
}

/// As they were typed: the parser has them the other way round.
std::string in_order(const std::string& words, const std::vector<std::string>& given) {
  std::string out;
  for (const std::string& word : given)
    if ((" " + words + " ").find(" " + word + " ") != std::string::npos) out += (out.empty() ? "" : " ") + word;
  return out.empty() ? words : out;
}

/// Data that are given as CmdStan has them, or alone.
std::string superfluous(const CLI::App& command, const std::string& arguments) {
  if (const std::string guess = cmdstan_argument(command, arguments); !guess.empty()) return command.get_name() + " takes no further argument: " + arguments + guess;
  const bool data = arguments.find("data") != std::string::npos || arguments.ends_with(".json") || arguments.ends_with(".csv") || arguments.ends_with(".R");
  return command.get_name() + " takes no further argument: " + arguments +
         (data && command.get_option_no_throw("--data") ? "; data are given with --data FILE" : "");
}

/// `--a excludes --b` as `--a and --b are not given together`.
std::string excluded(const std::string& text) {
  constexpr std::string_view kVerb = " excludes ";
  const std::size_t at = text.find(kVerb);
  return at == std::string::npos ? "" : text.substr(0, at) + " and " + text.substr(at + kVerb.size()) + " are not given together";
}

/// `shell: foo not in {bash,zsh}` as `shell is 'foo', but must be bash or zsh`.
std::string refused_choice(const std::string& text) {
  static const std::regex form("(.*): (.*) not in \\{(.*)\\}");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) return "";
  std::vector<std::string> choices;
  const std::string list = parts[3];
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    choices.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return fmt::format("{} is '{}', but must be {}", parts[1].str(), parts[2].str(), alternatives(choices));
}

std::vector<std::string> command_names(CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::App* command : app.get_subcommands({})) out.push_back(command->get_name());
  return out;
}

}  // namespace

std::string unknown_words(CLI::App& app, const std::vector<std::string>& given) {
  if (given.empty()) return "a command is needed: " + alternatives(command_names(app));
  if (given[0].starts_with('-')) return "";
  const CLI::App* command = command_named(app, given[0]);
  if (!command && given[0].ends_with(".stan")) return fmt::format("there is no command '{0}'; did you mean fermiac sample {0}?", given[0]);
  if (!command) {
    const std::string near = guess(given[0], command_names(app));
    return fmt::format("there is no command '{}'{}", given[0], near.empty() ? "; there are " + alternatives(command_names(app)) : near);
  }
  return given[0] == "eval" ? "" : unknown_options(*command, given);
}

std::string usage_problem(const CLI::App& command, const CLI::ParseError& error, const std::vector<std::string>& given) {
  const std::string text = error.what();
  const std::string kind = error.get_name();
  std::string better;
  if (kind == "RequiredError") better = missing_argument(command, text.substr(0, text.find(' ')));
  if (kind == "ArgumentMismatch") better = wrong_number(command, text.substr(0, text.find(':')), given);
  if (kind == "ValidationError") better = refused_choice(text);
  if (kind == "ExcludesError") better = excluded(text);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) better = superfluous(command, in_order(text.substr(text.find(": ") + 2), given));
  return better.empty() ? text : better;
}

}  // namespace fermiac::cli
