#include "cli/fermiac/options/arguments.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "inference/model/former_names.h"

namespace fermiac::cli {
const CLI::Option* option_named(const CLI::App& command, const std::string& argument) {
  return argument.starts_with('-') ? command.get_option_no_throw(argument.substr(0, argument.find('='))) : nullptr;
}

const CLI::App* command_named(CLI::App& app, const std::string& name) {
  const auto found = app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

bool takes_next(const CLI::Option* option, const std::string& argument) {
  return option && option->get_items_expected_max() > 0 && argument.find('=') == std::string::npos;
}

namespace {

/// `--sed`: rather an option with a mistake than a number with two signs.
bool looks_like_an_option(std::string_view argument) {
  constexpr std::size_t kShortest = 5;
  argument = argument.substr(0, argument.find('='));
  return argument.size() >= kShortest && argument.starts_with("--") &&
         std::ranges::all_of(argument, [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); });
}

bool is_negative(const std::string& text) {
  return text.size() > 1 && text[0] == '-' &&
         (std::isdigit(static_cast<unsigned char>(text[1])) || text[1] == '.' || text == "-inf" || text == "-nan");
}

std::vector<std::string> with_texts_aside(const CLI::App& command, const std::vector<std::string>& given,
                                          std::vector<std::string>* texts) {
  std::vector<std::string> out{given[0]};
  bool only_texts = false;
  for (std::size_t i = 1; i < given.size(); ++i) {
    const CLI::Option* option = option_named(command, given[i]);
    if (!only_texts && given[i] == "--") {
      only_texts = true;
    } else if (!only_texts && (option || looks_like_an_option(given[i]))) {
      out.push_back(given[i]);
      if (takes_next(option, given[i]) && i + 1 < given.size()) out.back() += "=" + given[++i];
    } else {
      out.push_back(std::to_string(texts->size()));
      texts->push_back(given[i]);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> prepared_arguments(CLI::App& app, const std::vector<std::string>& given,
                                            std::vector<std::string>* texts) {
  const CLI::App* command = given.empty() ? nullptr : command_named(app, given[0]);
  if (!command) return given;
  if (given[0] == "eval") return with_texts_aside(*command, given, texts);
  std::vector<std::string> out{given[0]};
  for (std::size_t i = 1; i < given.size(); ++i) {
    const std::string& argument = given[i];
    const bool tie = takes_next(option_named(*command, argument), argument) && i + 1 < given.size() && is_negative(given[i + 1]);
    out.push_back(argument.starts_with('[') ? "./" + argument : argument);
    if (tie) out.back() += "=" + given[++i];
  }
  return out;
}

namespace {

using inference::Renamed;

constexpr Renamed kCommands[] = {{"trace", "terms"},        {"replay", "inspect-draw"},           {"check", "check-draws"}, {"generate", "generate-quantities"},
                                 {"build", "bundle"},       {"marginals", "discrete-marginals"}};

constexpr Renamed kMissingOutput[] = {{"whole", "all"}, {"only", "missing"}};

std::string present_value(std::string_view option, const std::string& value) {
  return option == "--missing-output" ? std::string(inference::present_name(kMissingOutput, value)) : value;
}

/// The argument itself if the command has an option of that name, or none of the present name.
std::string present_option(const CLI::App& command, const std::string& argument) {
  if (!argument.starts_with("--") || option_named(command, argument)) return argument;
  const std::size_t end = std::min(argument.find('='), argument.size());
  const std::string present = "--" + std::string(inference::present_option_name(argument.substr(2, end - 2)));
  return option_named(command, present) ? present + argument.substr(end) : argument;
}

}  // namespace

std::string present_command_name(const std::string& name) {
  return std::string(inference::present_name(kCommands, name));
}

std::vector<std::string> with_present_names(CLI::App& app, std::vector<std::string> given) {
  const CLI::App* const command = given.empty() ? nullptr : command_named(app, given[0]);
  if (!command || given[0] == "eval") return given;
  for (std::size_t i = 1; i < given.size() && given[i] != "--"; ++i) {
    given[i] = present_option(*command, given[i]);
    const std::size_t sign = given[i].find('=');
    if (sign != std::string::npos) given[i] = given[i].substr(0, sign + 1) + present_value(given[i].substr(0, sign), given[i].substr(sign + 1));
    else if (i + 1 < given.size() && takes_next(option_named(*command, given[i]), given[i])) ++i, given[i] = present_value(given[i - 1], given[i]);
  }
  return given;
}

std::vector<std::string> names_between_commas(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    int depth = 0;
    out.emplace_back();
    for (const char c : text) {
      depth += (c == '[') - (c == ']');
      if (c == ',' && depth == 0) out.emplace_back();
      else if (c != ' ') out.back() += c;
    }
  }
  std::erase(out, "");
  return out;
}

}  // namespace fermiac::cli
