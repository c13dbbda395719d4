#include "support/base/json_scan.h"

#include <fmt/format.h>

#include <algorithm>

namespace fermiac {
namespace {

constexpr int kMaxDepth = 500;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

const char* digits(const char* p, const char* end) {
  while (p < end && is_digit(*p)) ++p;
  return p;
}

/// End of the number at p, or null if there is none: -? int fraction? exponent?, without leading zeros.
const char* number_end(const char* p, const char* end) {
  if (p < end && *p == '-') ++p;
  const char* q = digits(p, end);
  if (q == p || (*p == '0' && q > p + 1)) return nullptr;
  if (q < end && *q == '.') {
    const char* fraction = q + 1;
    q = digits(fraction, end);
    if (q == fraction) return nullptr;
  }
  if (q < end && (*q == 'e' || *q == 'E')) {
    const char* exponent = q + 1;
    if (exponent < end && (*exponent == '+' || *exponent == '-')) ++exponent;
    q = digits(exponent, end);
    if (q == exponent) return nullptr;
  }
  return q;
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out;
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte > 0x7e ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return text.size() > kMost ? out + "..." : out;
}

JsonScan::JsonScan(std::string_view text, std::string_view source, std::size_t begin)
    : begin_(text.data()), p_(text.data() + begin), end_(text.data() + text.size()), source_(source) {
  if (begin == 0 && text.starts_with("\xEF\xBB\xBF")) p_ += 3;  // byte order mark
}

void JsonScan::blanks() {
  while (p_ < end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
}

JsonToken JsonScan::peek() {
  blanks();
  if (p_ == end_) return JsonToken::End;
  switch (*p_) {
    case '[': return JsonToken::Array;
    case '{': return JsonToken::Object;
    case '"': return JsonToken::String;
    case '-':
    case '+': return p_ + 1 < end_ && is_letter(p_[1]) ? JsonToken::Word : JsonToken::Number;
    default: break;
  }
  if (is_digit(*p_)) return JsonToken::Number;
  return is_letter(*p_) ? JsonToken::Word : JsonToken::Other;
}

bool JsonScan::accept(char c) {
  blanks();
  if (p_ == end_ || *p_ != c) return false;
  ++p_;
  return true;
}

std::string JsonScan::found() const {
  if (p_ == end_) return "the text ends";
  const auto c = static_cast<unsigned char>(*p_);
  return c < 0x20 || c > 0x7e ? fmt::format("the byte 0x{:02x} stands", c) : fmt::format("'{}' stands", *p_);
}

void JsonScan::expect(char c, std::string_view where) {
  if (!accept(c)) fail(fmt::format("'{}' was expected {}, but {} here", c, where, found()));
}

std::string_view JsonScan::number() {
  blanks();
  const char* last = number_end(p_, end_);
  if (!last || (last < end_ && (is_digit(*last) || is_letter(*last) || *last == '.' || *last == '+' || *last == '-'))) {
    const char* q = p_;
    while (q < end_ && (is_digit(*q) || is_letter(*q) || *q == '.' || *q == '+' || *q == '-')) ++q;
    fail(fmt::format("'{}' is not a number", shown({p_, static_cast<std::size_t>(q - p_)})));
  }
  const std::string_view text(p_, static_cast<std::size_t>(last - p_));
  p_ = last;
  return text;
}

std::string_view JsonScan::word() {
  blanks();
  const char* q = p_;
  if (q < end_ && (*q == '-' || *q == '+')) ++q;
  while (q < end_ && (is_letter(*q) || is_digit(*q) || *q == '_')) ++q;
  const std::string_view text(p_, static_cast<std::size_t>(q - p_));
  p_ = q;
  return text;
}

std::string_view JsonScan::string() {
  blanks();
  const std::size_t start = offset();
  expect('"', "at the start of a string");
  const char* first = p_;
  while (p_ < end_ && *p_ != '"') {
    if (static_cast<unsigned char>(*p_) < 0x20) fail("a string must not contain line breaks or control characters");
    p_ += *p_ == '\\' ? 2 : 1;
  }
  if (p_ >= end_) fail_at(start, "this string is never closed");
  const std::string_view text(first, static_cast<std::size_t>(p_ - first));
  ++p_;
  return text;
}

std::size_t JsonScan::skip_array(int depth) {
  const std::size_t start = offset();
  ++p_;
  if (accept(']')) return 0;
  for (std::size_t count = 0;;) {
    count += skip_value(depth);
    if (accept(']')) return count;
    if (peek() == JsonToken::End) fail_at(start, "this array is never closed: the text ends inside it");
    expect(',', "between the elements of an array");
  }
}

std::size_t JsonScan::skip_object(int depth) {
  const std::size_t start = offset();
  ++p_;
  if (accept('}')) return 0;
  for (std::size_t count = 0;;) {
    string();
    expect(':', "after the name of a member");
    count += skip_value(depth);
    if (accept('}')) return count;
    if (peek() == JsonToken::End) fail_at(start, "this object is never closed: the text ends inside it");
    expect(',', "between the members of an object");
  }
}

std::size_t JsonScan::skip_value(int depth) {
  if (depth > kMaxDepth) fail(fmt::format("values are nested more than {} deep", kMaxDepth));
  switch (peek()) {
    case JsonToken::Number: return number(), 1;
    case JsonToken::Word: return word(), 1;
    case JsonToken::String: return string(), 1;
    case JsonToken::Array: return skip_array(depth + 1);
    case JsonToken::Object: return skip_object(depth + 1);
    case JsonToken::End: fail("a value was expected, but the text ends here");
    case JsonToken::Other: break;
  }
  fail(fmt::format("a value was expected, but {} here", found()));
}

void JsonScan::expect_end() {
  if (peek() != JsonToken::End) fail(fmt::format("nothing may follow the closing brace, but {} here", found()));
}

void JsonScan::fail_at(std::size_t offset, std::string_view message) const {
  const char* at = begin_ + std::min(offset, static_cast<std::size_t>(end_ - begin_));
  throw InputError(fmt::format("{}{}: {}", source_, placed_ ? place_of(at) : "", message));
}

/// `, line 3, column 7`; of a text that was made from another one `, line 12`, or nothing.
std::string JsonScan::place_of(const char* at) const {
  const auto line = static_cast<std::size_t>(std::count(begin_, at, '\n'));
  if (lines_) {
    const std::size_t theirs = (*lines_)[line % lines_->size()];
    return theirs > 0 ? fmt::format(", line {}", theirs) : "";
  }
  const char* start = at;
  while (start > begin_ && start[-1] != '\n') --start;
  return fmt::format(", line {}, column {}", line + 1, at - start + 1);
}

std::vector<std::string_view> json_elements(std::string_view text, std::string_view source) {
  JsonScan scan(text, source);
  std::vector<std::string_view> out;
  scan.expect('[', "at the beginning of an array");
  while (!scan.accept(']')) {
    if (!out.empty()) scan.expect(',', "between the elements of an array");
    scan.peek();
    const std::size_t begin = scan.offset();
    scan.skip_value();
    out.push_back(text.substr(begin, scan.offset() - begin));
  }
  scan.expect_end();
  return out;
}

}  // namespace fermiac
