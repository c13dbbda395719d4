// JSON as text for the programs of this folder, which share no library.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace json_text {

inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escape[8];
    const unsigned char byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '"' || c == '\\') {
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Reading gives the same number.
inline std::string number(double x) {
  if (std::isnan(x)) return "\"NaN\"";
  if (std::isinf(x)) return x > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

template <class Items, class Format>
std::string list(const Items& items, Format format) {
  std::string out = "[";
  for (std::size_t i = 0; i < static_cast<std::size_t>(items.size()); ++i) out += (i ? "," : "") + format(items[i]);
  return out + "]";
}

template <class Numbers>
std::string numbers(const Numbers& items) {
  return list(items, [](const auto& x) { return number(static_cast<double>(x)); });
}

inline std::string strings(const std::vector<std::string>& items) {
  return list(items, quoted);
}

using Members = std::vector<std::pair<std::string, std::string>>;

/// Values are JSON texts already.
inline std::string object(const Members& members) {
  std::string out = list(members, [](const auto& m) { return quoted(m.first) + ":" + m.second; });
  out.front() = '{';
  out.back() = '}';
  return out;
}

/// One member for each pair of flags: `value(first, second)` under "00", "10", "01", "11".
template <class Value>
std::string by_flags(Value value) {
  Members members;
  for (const bool second : {false, true})
    for (const bool first : {false, true})
      members.emplace_back(std::string(first ? "1" : "0") + (second ? "1" : "0"), value(first, second));
  return object(members);
}

}  // namespace json_text
