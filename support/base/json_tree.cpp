#include "support/base/json_tree.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "support/base/number_text.h"
#include "support/base/text.h"
#include "support/base/utf8.h"

namespace fermiac {
namespace {

constexpr int kMaxDepth = 200;

bool word_to_number(std::string_view text, double* out) {
  bool negative = false;
  if (text.starts_with('-') || text.starts_with('+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text == "NaN" || text == "nan") {
    *out = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (text != "Inf" && text != "inf" && text != "Infinity" && text != "infinity") return false;
  *out = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  return true;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::string document(JsonValue* out) {
    if (!value(out, 0)) return located();
    skip();
    if (at_ < text_.size()) {
      error_ = "found more text after the end of the value";
      return located();
    }
    return {};
  }

 private:
  std::string located() const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + error_;
  }

  bool fail(std::string why) {
    error_ = std::move(why);
    return false;
  }

  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
  }

  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool value(JsonValue* out, int depth) {
    skip();
    if (at_ >= text_.size()) return fail("expected a value, found the end");
    if (depth > kMaxDepth) return fail("nested too deeply");
    if (text_[at_] == '[') return array(out, depth);
    if (text_[at_] == '{') return object(out, depth);
    if (text_[at_] == '"') {
      out->kind = JsonValue::Kind::String;
      return string(&out->string);
    }
    return word(out);
  }

  bool word(JsonValue* out) {
    std::size_t end = at_;
    while (end < text_.size() && std::string_view(",]} \n\t\r:").find(text_[end]) == std::string_view::npos) ++end;
    const std::string_view token = text_.substr(at_, end - at_);
    const NumberText parsed = read_number(token, &out->number);
    if (token == "true" || token == "false") {
      out->kind = JsonValue::Kind::Bool;
      out->number = token == "true";
    } else if (token == "null") {
      out->kind = JsonValue::Kind::Null;
    } else if (word_to_number(token, &out->number) ||
               parsed == NumberText::Number) {
      out->kind = JsonValue::Kind::Number;
    } else {
      return fail("'" + std::string(token) +
                  (parsed == NumberText::TooLarge ? "' is too large for a number" : "' is not a JSON value"));
    }
    at_ = end;
    return true;
  }

  bool array(JsonValue* out, int depth) {
    out->kind = JsonValue::Kind::Array;
    ++at_;
    if (take(']')) return true;
    do {
      if (!value(&out->items.emplace_back(), depth + 1)) return false;
    } while (take(','));
    return take(']') || fail("expected ',' or ']'");
  }

  bool object(JsonValue* out, int depth) {
    out->kind = JsonValue::Kind::Object;
    ++at_;
    if (take('}')) return true;
    do {
      skip();
      auto& [key, member] = out->members.emplace_back();
      if (at_ >= text_.size() || text_[at_] != '"') return fail("expected a quoted key");
      if (!string(&key)) return false;
      if (!take(':')) return fail("expected ':'");
      if (!value(&member, depth + 1)) return false;
    } while (take(','));
    return take('}') || fail("expected ',' or '}'");
  }

  bool string(std::string* out) {
    static constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return true;
      }
      if (text_[at_] != '\\') {
        *out += text_[at_];
        continue;
      }
      if (++at_ >= text_.size()) break;
      if (text_[at_] == 'u') {
        std::uint32_t code = 0;
        if (!code_point(&code)) return fail("\\u is followed by four hexadecimal digits, and halves of pairs come as pairs");
        append_utf8(code, out);
        continue;
      }
      const std::size_t escape = kFrom.find(text_[at_]);
      if (escape == std::string_view::npos) return fail("this escape is not supported here");
      *out += kTo[escape];
    }
    return fail("the string does not end");
  }

  /// The four digits behind the `u` at at_; at_ is left at the last one.
  bool code_unit(std::uint32_t* out) {
    if (at_ + 4 >= text_.size()) return false;
    const char* const begin = text_.data() + at_ + 1;
    const auto read = std::from_chars(begin, begin + 4, *out, 16);
    at_ += 4;
    return read.ec == std::errc() && read.ptr == begin + 4;
  }

  /// One unit, or the two of a surrogate pair.
  bool code_point(std::uint32_t* out) {
    if (!code_unit(out)) return false;
    if (*out < 0xD800 || *out > 0xDFFF) return true;
    std::uint32_t low = 0;
    if (*out > 0xDBFF || text_.substr(at_ + 1, 2) != "\\u") return false;
    at_ += 2;
    if (!code_unit(&low) || low < 0xDC00 || low > 0xDFFF) return false;
    *out = 0x10000 + ((*out - 0xD800) << 10) + (low - 0xDC00);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

bool collect(const JsonValue& value, std::size_t depth, std::vector<double>* out, std::vector<std::size_t>* shape) {
  double number = value.number;
  const bool is_number = value.kind == JsonValue::Kind::Number ||
                         (value.kind == JsonValue::Kind::String && word_to_number(value.string, &number));
  if (is_number) {
    if (depth != shape->size()) return false;
    out->push_back(number);
    return true;
  }
  if (value.kind != JsonValue::Kind::Array) return false;
  // The first path to a leaf sets the shape; every other array must agree with it.
  if (depth == shape->size() && out->empty()) shape->push_back(value.items.size());
  if (depth >= shape->size() || (*shape)[depth] != value.items.size()) return false;
  return std::all_of(value.items.begin(), value.items.end(),
                     [&](const JsonValue& item) { return collect(item, depth + 1, out, shape); });
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
  for (const auto& [name, value] : members)
    if (name == key) return &value;
  return nullptr;
}

Status parse_json(std::string_view text, JsonValue* out) {
  *out = {};
  const std::string wrong = Parser(text).document(out);
  return wrong.empty() ? Status{} : Status::invalid(wrong);
}

bool json_numbers(const JsonValue& value, std::vector<double>* out, std::vector<std::size_t>* shape) {
  out->clear();
  shape->clear();
  return collect(value, 0, out, shape);
}

}  // namespace fermiac
