// JSON as text: strings, numbers, and what stands between the parts of objects and arrays.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace fermiac {

/// `text` in quotes: control characters, quotes and backslashes escaped.
std::string json_quote(std::string_view text);
/// 17 significant digits, so that reading gives the same number; "NaN", "Infinity", "-Infinity" in quotes.
std::string json_number(double x);

/// The same JSON without the character `<`, so that it may stand in a script element of HTML.
std::string json_in_html(std::string json);

/// What stands between the members of an object or the items of an array, and after a key.
struct JsonStyle {
  std::string_view comma = ", ", colon = ": ";
};
inline constexpr JsonStyle kJsonTight{",", ":"};

/// One object or array at the end of a text: brackets, commas and keys. Values are appended to the text after each call of
/// `item` or `member`.
class JsonGroup {
 public:
  enum class Kind : bool { Array, Object };
  JsonGroup(std::string& out, Kind kind, JsonStyle style = {});

  std::string& item();
  std::string& member(std::string_view key);
  void end();

 private:
  std::string& out_;
  Kind kind_;
  JsonStyle style_;
  bool empty_ = true;
};

/// An array of texts, reals or integers.
template <class Values>
std::string json_list(const Values& values) {
  std::string out;
  JsonGroup list(out, JsonGroup::Kind::Array);
  for (const auto& x : values) {
    using Item = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_integral_v<Item>) list.item() += std::to_string(x);
    else if constexpr (std::is_floating_point_v<Item>) list.item() += json_number(x);
    else list.item() += json_quote(x);
  }
  list.end();
  return out;
}

}  // namespace fermiac
