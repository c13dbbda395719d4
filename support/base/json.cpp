#include "support/base/json.h"

#include <fmt/format.h>

#include <cmath>

namespace fermiac {

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out.append({'\\', c});
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

std::string json_number(double x) {
  if (std::isnan(x)) return "\"NaN\"";
  if (std::isinf(x)) return x > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  return fmt::format("{:.17g}", x);
}

std::string json_in_html(std::string json) {
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos;) json.replace(at, 1, "\\u003c");
  return json;
}

JsonGroup::JsonGroup(std::string& out, Kind kind, JsonStyle style) : out_(out), kind_(kind), style_(style) {
  out_ += kind_ == Kind::Object ? '{' : '[';
}

std::string& JsonGroup::item() {
  if (!empty_) out_ += style_.comma;
  empty_ = false;
  return out_;
}

std::string& JsonGroup::member(std::string_view key) {
  item() += json_quote(key);
  return out_ += style_.colon;
}

void JsonGroup::end() { out_ += kind_ == Kind::Object ? '}' : ']'; }

}  // namespace fermiac
