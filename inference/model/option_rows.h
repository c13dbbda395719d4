// Options by name. A row has the texts of one option and sets the member of an options struct that holds its value. Command
// lines, JSON options, CmdStan's arguments, documentation and shell completions all iterate over rows.
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "inference/model/options.h"
#include "inference/model/setting_range.h"

namespace fermiac::inference {

struct OptionRow {
  enum class Kind : unsigned char { Flag, Whole, Real, Choice, Text, File, Files, Threads, Init, Mode, Retired };

  Kind kind = Kind::Flag;
  std::string name;                  // words joined by hyphens
  std::string about;                 // help text
  std::string value;                 // name of the value in help: "UINT", "DIR", "a|b"; empty for flags
  std::string standard;              // default; empty if there is none, or if `about` or `otherwise` states it
  std::string otherwise;             // default of a command line, where it is not that of the library: where results go
  bool required = false;
  std::vector<std::string> choices;  // words that are valid values
  std::string expected;              // valid values, for messages: "a whole number from 1 to 50"
  /// Sets the value. False, without a change, if the text is not a valid value.
  std::function<bool(const std::string& text)> set;
  /// Sets the value of a flag or number without a check.
  std::function<void(double x)> assign;
  /// Files: sets the paths. Init, Mode: sets values as JSON, one text for all chains or one per chain.
  std::function<void(std::vector<std::string> texts)> set_all;

  /// Message about a text that is not a valid value: `what` is the option as the user wrote it.
  std::string refusal(std::string_view what, std::string_view text) const;
};

/// `a, b or c`.
std::string alternatives(const std::vector<std::string>& words);

/// Reads the whole text as a number within the range. False, without a change, if it is not one.
template <class T>
bool read_number(std::string_view text, const Range<T>& range, T* out) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !is_within(number, range)) return false;
  *out = number;
  return true;
}

template <class T>
struct WithoutOptional {
  using type = T;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
  using type = T;
};

/// Rows in the order of help. The structs whose members they set must outlive them.
class OptionRows {
 public:
  /// A number. The value holds the default; an empty optional has none.
  template <class Value, class T = typename WithoutOptional<Value>::type>
  OptionRow& number(std::string name, Value& value, std::string about, std::type_identity_t<Range<T>> range) {
    constexpr bool kReal = std::floating_point<T>;
    OptionRow& row = add(kReal ? OptionRow::Kind::Real : OptionRow::Kind::Whole, std::move(name), std::move(about),
                         kReal ? "FLOAT" : std::signed_integral<T> ? "INT" : "UINT");
    row.expected = range_text(range);
    row.set = [&value, range](const std::string& text) {
      T number{};
      const bool valid = read_number(text, range, &number);
      if (valid) value = number;
      return valid;
    };
    row.assign = [&value](double x) { value = static_cast<T>(x); };
    if constexpr (std::same_as<Value, T>)
      if (is_within(value, range)) row.standard = fmt::format("{}", value);  // an infinite default means none
    return row;
  }
  /// A number, or a word that sets `chosen` instead.
  template <class T>
  void number_or(std::string name, T& value, std::string word, bool& chosen, std::string about, std::type_identity_t<Range<T>> range) {
    OptionRow& row = number(std::move(name), value, std::move(about), range);
    row.value += "|" + word;
    row.expected += ", or " + word;
    row.choices = {word};
    if (chosen) row.standard = word;
    row.set = [&chosen, word, set_number = row.set](const std::string& text) { return (chosen = text == word) || set_number(text); };
    row.assign = [&chosen, assign_number = row.assign](double x) { chosen = false, assign_number(x); };
  }
  template <class Seed>
  void seed(Seed& value, std::string about = "Random seed (default: from the clock)") {
    number("seed", value, std::move(about), {0, std::numeric_limits<std::uint64_t>::max()}).value = "N";
  }
  /// A number of threads; -1, which is stored as 0, stands for all cores.
  void threads(unsigned& value);
  void init(CommonOptions& options);
  void mode(LaplaceOptions& options);
  /// Any text; `kind` is the name of the value in help. A name with a period, or DIR, is a path.
  OptionRow& text(std::string name, std::string& value, std::string about, std::string kind);
  /// The folder for the results of a method.
  void folder(std::string& value, std::string about);
  /// One or more paths.
  void files(std::string name, std::vector<std::string>& values, std::string about, bool required = false);
  /// Sets the value if it is given.
  void flag(std::string name, bool& value, std::string about);
  /// Clears the value if it is given.
  void unset(std::string name, bool& value, std::string about);
  /// Gives the value this meaning if it is given.
  template <class Enum>
  void mark(std::string name, Enum& value, Enum meaning, std::string about) {
    add_flag(std::move(name), std::move(about), [&value, meaning](bool given) {
      if (given) value = meaning;
    });
  }
  /// An option of earlier versions: its value is taken and ignored, and help does not list it.
  void retired(std::string name);
  /// One of a few words, the default first.
  template <class Enum>
  void choice(std::string name, Enum& value, const std::vector<std::pair<std::string, Enum>>& words, std::string about) {
    OptionRow& row = add_choice(std::move(name), std::move(about));
    for (const auto& [word, meaning] : words) row.choices.push_back(word);
    describe_choices(row);
    row.set = [&value, words](const std::string& text) {
      for (const auto& [word, meaning] : words)
        if (word == text) return value = meaning, true;
      return false;
    };
  }

  /// The row of that name, or null.
  const OptionRow* find(std::string_view name) const;
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  const OptionRow& last() const { return rows_.back(); }

 private:
  OptionRow& add(OptionRow::Kind kind, std::string name, std::string about, std::string value);
  void add_flag(std::string name, std::string about, std::function<void(bool)> apply);
  OptionRow& add_choice(std::string name, std::string about);
  static void describe_choices(OptionRow& row);

  std::vector<OptionRow> rows_;
};

}  // namespace fermiac::inference
