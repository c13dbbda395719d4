// Options as a caller writes them: one JSON object, every member of which must be known.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/c/failure.h"
#include "inference/model/setting_range.h"
#include "support/base/json_tree.h"

namespace fermiac::capi {

class OptionReader {
 public:
  /// `what` has these options, for messages. Throws Failure, as everything here, where the text is no object.
  OptionReader(const char* json, std::string what);

  /// The text of an option, which the object then no longer has; nothing where it was not given. Hyphens in `name` stand for
  /// underscores too.
  std::optional<std::string_view> take(std::string_view name);
  /// The same, and the object keeps it.
  std::optional<std::string_view> peek(std::string_view name);
  bool has(std::string_view name) { return peek(name).has_value(); }
  /// Drops an option that has no effect any more.
  void ignore(std::string_view name) { members_.erase(std::string(name)); }
  /// What is left has a name that nobody knows.
  void refuse_rest() const;

  /// Each sets the value where the option was given.
  void text(std::string_view name, std::string& value);
  void texts(std::string_view name, std::vector<std::string>& values);
  void flag(std::string_view name, bool& value);
  /// A number of threads, 0 for -1: one for each core.
  void threads(std::string_view name, unsigned& value);
  template <class T>
  void number(std::string_view name, T& value, const inference::Range<T>& range);
  template <class Enum>
  void choice(std::string_view name, Enum& value, const std::vector<std::pair<std::string, Enum>>& words);

  [[noreturn]] static void refuse(std::string_view name, std::string_view found, std::string_view expected);

 private:
  void know(std::string_view name);
  JsonValue tree(std::string_view text) const;
  std::string string_of(std::string_view name, std::string_view text) const;

  std::string text_, what_;
  std::map<std::string, std::string_view, std::less<>> members_;
  std::vector<std::string> known_;  // names that were asked for
};

/// A whole number may be written 1e3 or 1000.0, as other languages do.
template <class T>
bool read_number_option(std::string_view text, T* out) {
  const char* const last = text.data() + text.size();
  if (const auto [end, error] = std::from_chars(text.data(), last, *out); error == std::errc() && end == last) return true;
  if constexpr (std::integral<T>) {
    constexpr double kExact = 9007199254740992;  // above, doubles skip whole numbers
    double x = 0;
    const auto [end, error] = std::from_chars(text.data(), last, x);
    if (error != std::errc() || end != last || x != std::floor(x) || std::fabs(x) > kExact) return false;
    if (x < static_cast<double>(std::numeric_limits<T>::min()) || x > static_cast<double>(std::numeric_limits<T>::max()))
      return false;
    *out = static_cast<T>(x);
    return true;
  }
  return false;
}

template <class T>
void OptionReader::number(std::string_view name, T& value, const inference::Range<T>& range) {
  const auto given = take(name);
  if (!given) return;
  T number{};
  if (!read_number_option(*given, &number) || !inference::is_within(number, range))
    refuse(name, *given, inference::range_text(range));
  value = number;
}

template <class Enum>
void OptionReader::choice(std::string_view name, Enum& value, const std::vector<std::pair<std::string, Enum>>& words) {
  const auto given = take(name);
  if (!given) return;
  const std::string word = string_of(name, *given);
  std::string all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].first == word) return void(value = words[i].second);
    all += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i].first;
  }
  refuse(name, *given, all);
}

}  // namespace fermiac::capi
