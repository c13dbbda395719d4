// The settings of a method (inference/methods/settings.h) as options of a command.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cli/fermiac/options/checked_option.h"
#include "cli/fermiac/options/threads.h"
#include "inference/model/options.h"

namespace fermiac::cli {

class SettingOptions {
 public:
  explicit SettingOptions(CLI::App& command) : command_(command) {}

  template <class Value, class T = typename Plain<Value>::type>
  void number(const char* name, Value& value, const char* about, std::type_identity_t<Range<T>> range) {
    add_number(command_, flag_of(name), value, about, range);
  }
  template <class T>
  void number_or(const char* name, T& value, const char* word, bool& chosen, const char* about, std::type_identity_t<Range<T>> range) {
    const auto read = [&value, &chosen, flag = flag_of(name), word = std::string(word), range](const std::string& text) {
      chosen = text == word;
      if (!chosen) value = number_in<T>(text, flag, range, ", or " + word);
    };
    command_.add_option_function<std::string>(flag_of(name), read, about)->type_name(std::string("UINT|") + word)->default_str(fmt::format("{}", value));
  }
  template <class Seed>
  void seed(const char*, Seed& value, const char* about) {
    add_seed(command_, value, about)->type_name("N");
  }
  void threads(const char*, unsigned& value) { add_threads_option(command_, value); }
  void init(const char* name, inference::CommonOptions& options) {
    const bool searches = options.default_init == inference::kSearchedInit;
    command_
        .add_option(flag_of(name), options.init,
                    std::string("initial values: ") + (searches ? "pathfinder (looked for), " : "") +
                        "a radius, 0, or a JSON file")
        ->check(init_problem, "")
        ->capture_default_str();
  }
  void mode(const char* name, inference::LaplaceOptions& options) {
    command_.add_option(flag_of(name), options.mode, "CSV of optimize --jacobian, or JSON of the parameters (default: found from the starting values)");
  }
  void text(const char* name, std::string& value, const char* about, const char* kind) {
    command_.add_option(flag_of(name), value, about)->type_name(kind);
  }
  void texts(const char* name, std::vector<std::string>& values, const char* about, const char* kind) {
    command_.add_option(flag_of(name), values, about)->required()->type_name(kind);
  }
  void flag(const char* name, bool& value, const char* about) { command_.add_flag(flag_of(name), value, about); }
  void unset(const char* name, bool& value, const char* about) { command_.add_flag(flag_of(name) + "{false}", value, about); }
  template <class Enum>
  void choice(const char* name, Enum& value, const std::vector<std::pair<std::string, Enum>>& words, const char* about) {
    add_choice<Enum>(command_, flag_of(name), value, words, about);
  }
  template <class Enum>
  void mark(const char* name, Enum& value, Enum meaning, const char* about) {
    command_.add_flag(
        flag_of(name), [&value, meaning](std::int64_t) { value = meaning; }, about);
  }
  void retired(const char* name) { add_retired_option(command_, flag_of(name), true); }

 private:
  static std::string flag_of(const char* name) { return std::string("--") + name; }

  CLI::App& command_;
};

/// Behind the settings: how the folder is named that is made where --output does not name it.
inline void add_timestamp(CLI::App& command, inference::CommonOptions& options) {
  command.add_flag("--timestamp", options.timestamp, "name the new folder beside the model by date and time")->excludes(command.get_option("--output"));
}

}  // namespace fermiac::cli
