// Options whose values are checked: what is wrong is named together with what was expected.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "inference/model/init_problem.h"
#include "inference/model/setting_range.h"

namespace fermiac::cli {

using inference::init_problem;
using inference::is_within;
using inference::kMostCount;
using inference::kNoBound;
using inference::Range;
using inference::range_text;

/// An option of earlier versions that has no effect any more: it is accepted, and not in the help.
inline void add_retired_option(CLI::App& command, const std::string& flag, bool with_value) {
  const auto note = [flag](const std::string&) { fmt::print(stderr, "fermiac: {} has no effect any more\n", flag); };
  if (with_value) command.add_option_function<std::string>(flag, note)->group("");
  else command.add_flag_callback(flag, [note] { note({}); })->group("");
}

/// Throws CLI::ValidationError, which names `what`.
template <class T>
T number_in(const std::string& text, const std::string& what, const Range<std::type_identity_t<T>>& range,
            std::string_view or_else = "") {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && is_within(number, range)) return number;
  throw CLI::ValidationError(fmt::format("{} is '{}', but must be {}{}", what, text, range_text(range), or_else),
                             CLI::ExitCodes::ValidationError);
}

template <class T>
struct Plain {
  using type = T;
};
template <class T>
struct Plain<std::optional<T>> {
  using type = T;
};

/// `value` holds the default, an empty optional none.
template <class Value, class T = typename Plain<Value>::type>
CLI::Option* add_number(CLI::App& command, const std::string& flag, Value& value, const std::string& about,
                        std::type_identity_t<Range<T>> range) {
  const auto read = [&value, flag, range](const std::string& text) { value = number_in<T>(text, flag, range); };
  CLI::Option* option = command.add_option_function<std::string>(flag, read, about);
  option->type_name(std::floating_point<T> ? "FLOAT" : std::signed_integral<T> ? "INT" : "UINT");
  if constexpr (std::same_as<Value, T>)
    if (is_within(value, range)) option->default_str(fmt::format("{}", value));  // an infinite default means none
  return option;
}

template <class Seed>
CLI::Option* add_seed(CLI::App& command, Seed& seed, const std::string& about) {
  return add_number(command, "--seed", seed, about, {0, std::numeric_limits<std::uint64_t>::max()});
}

inline CLI::Option* add_timeout(CLI::App& command, double& seconds, const char* about = "end after so many seconds") {
  return add_number(command, "--timeout", seconds, about, {0, 1e9, true})->type_name("SECONDS");
}

/// One of a few names, the default first.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, Enum& value,
                        const std::vector<std::pair<std::string, Enum>>& names, const std::string& about) {
  std::string list, bars;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + names[i].first;
    bars += (i == 0 ? "" : "|") + names[i].first;
  }
  const auto read = [&value, flag, names, list](const std::string& text) {
    const auto found = std::ranges::find(names, text, &std::pair<std::string, Enum>::first);
    if (found == names.end())
      throw CLI::ValidationError(fmt::format("{} is '{}', but must be {}", flag, text, list), CLI::ExitCodes::ValidationError);
    value = found->second;
  };
  return command.add_option_function<std::string>(flag, read, about)->type_name(bars)->default_str(names[0].first);
}

/// An empty name of a file would be taken for an option that was not given.
inline std::string empty_problem(const std::string& text) {
  return text.empty() ? "the value is '', but must be a name" : "";
}

/// After all options were added: those that take no number want a name.
inline void refuse_empty_names(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    const std::string type = option->get_type_name();
    const bool number = type == "UINT" || type == "INT" || type == "FLOAT" || type == "SECONDS" || type == "N";
    if (!number && option->get_items_expected_max() > 0) option->check(empty_problem, "");
  }
}

}  // namespace fermiac::cli
