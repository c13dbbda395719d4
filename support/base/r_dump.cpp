#include "support/base/r_dump.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "support/base/errors.h"
#include "support/base/json.h"
#include "support/base/text_file.h"

namespace fermiac {
namespace {

// A few bytes of text ask for so many values, or arrays within arrays.
constexpr std::size_t kMostValues = std::size_t{1} << 26, kMostDims = 64;

struct Values {
  std::vector<std::string> numbers;  // as JSON has them
  std::vector<std::size_t> dims;     // empty: one number
};

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// The arrays of these sizes hold so many numbers, and there are not too many of them.
bool fit(const std::vector<std::size_t>& dims, std::size_t numbers) {
  std::size_t arrays = 1;
  bool none = false;
  for (const std::size_t d : dims) {
    none = none || d == 0;
    arrays *= std::max<std::size_t>(d, 1);
    if (arrays > kMostValues) return false;
  }
  return dims.size() <= kMostDims && (none ? 0 : arrays) == numbers;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::string json() {
    std::string out;
    JsonGroup object(out, JsonGroup::Kind::Object, kJsonTight);
    for (skip(); at_ < text_.size(); skip()) {
      std::string& member = object.member(name());
      if (!accept("<-") && !accept("=")) fail("expected '<-'");
      skip();
      const std::size_t start = at_;
      try {
        write(value(), 0, 0, 1, member);
      } catch (const InputError&) {
        at_ = start;
        if (!is_foreign()) throw;
        member += json_quote(shown(text_.substr(start, at_ - start)));
      }
    }
    object.end();
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    throw InputError("line " + std::to_string(line + 1) + ": " + what);
  }

  void skip() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c != '#' && c != ';' && std::isspace(static_cast<unsigned char>(c)) == 0) return;
      at_ = c == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
    }
  }
  bool accept(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail("expected '" + std::string(token) + "'");
  }
  std::string_view word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  std::string_view name() {
    const char quote = text_[at_];
    const bool quoted = quote == '"' || quote == '`' || quote == '\'';
    at_ += quoted;
    const std::string_view found = word();
    if (found.empty()) fail("expected the name of a variable");
    if (quoted) expect(std::string_view(&quote, 1));
    return found;
  }

  /// Passes over a value of R that is not numbers alone: text, logicals, NULL, names, factors, lists. A program that declares the
  /// variable gets its text, which is an error with the name of the variable. False: it is not such a value.
  bool is_foreign() {
    foreign_ = false;
    return pass_value() && foreign_;
  }
  bool pass_value() {
    skip();
    if (at_ >= text_.size()) return false;
    if (text_[at_] == '"' || text_[at_] == '\'') return foreign_ = true, pass_quoted(text_[at_]);
    const std::size_t start = at_;
    const std::string_view found = word();
    const auto is_found = [&](std::string_view known) { return found == known; };
    if (!found.empty() && accept("(")) {
      foreign_ = foreign_ || std::ranges::none_of(kNumberCalls, is_found);
      return pass_arguments();
    }
    at_ = start + found.size();
    if (std::ranges::any_of(kConstants, is_found)) return foreign_ = true;
    at_ = start;
    try {
      std::vector<std::string> ignored;
      number_or_range(ignored);
      return true;
    } catch (const InputError&) {
      return false;
    }
  }
  bool pass_arguments() {
    while (!accept(")")) {
      pass_name();
      if (!pass_value()) return false;
      if (!accept(",")) return accept(")");
    }
    return true;
  }
  /// `name =`, if one is there.
  void pass_name() {
    skip();
    const std::size_t start = at_;
    std::string_view found;
    if (at_ < text_.size() && std::string_view("\"'`").find(text_[at_]) != std::string_view::npos) pass_quoted(text_[at_]);
    else found = word();
    if (at_ == start || !accept("=")) return void(at_ = start);
    foreign_ = foreign_ || (found != ".Dim" && found != "dim");
  }
  bool pass_quoted(char quote) {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') ++at_;
      else if (text_[at_] == quote) return ++at_, true;
    }
    return false;
  }
  static std::string shown(std::string_view text) {
    constexpr std::size_t kMost = 40;
    return text.size() > kMost ? std::string(text.substr(0, kMost)) + "…" : std::string(text);
  }
  static constexpr std::string_view kNumberCalls[] = {"c", "structure", "integer", "double", "numeric"};
  static constexpr std::string_view kConstants[] = {"TRUE", "FALSE", "T", "F", "NULL", "NA_character_", "NA_integer_", "NA_real_"};

  Values value() { return accept("structure") ? structure() : plain_value(); }

  Values plain_value() {
    if (accept("c(")) return list();
    for (const char* empty : {"integer(", "double(", "numeric("})
      if (accept(empty)) return zeros();
    Values out;
    const bool range = number_or_range(out.numbers);
    if (range) out.dims = {out.numbers.size()};
    return out;
  }

  Values list() {
    Values out;
    while (!accept(")")) {
      number_or_range(out.numbers);
      if (!accept(",")) {
        expect(")");
        break;
      }
    }
    out.dims = {out.numbers.size()};
    return out;
  }

  Values zeros() {
    if (accept(")")) return {{}, {0}};
    const std::size_t n = checked(whole());
    expect(")");
    return {std::vector<std::string>(n, "0"), {n}};
  }

  Values structure() {
    expect("(");
    Values out = plain_value();
    expect(",");
    if (!accept(".Dim") && !accept("dim")) fail("expected '.Dim'");
    expect("=");
    out.dims.clear();
    for (const std::string& d : plain_value().numbers)
      out.dims.push_back(checked(std::strtoll(d.c_str(), nullptr, 10)));
    expect(")");
    if (!fit(out.dims, out.numbers.size()))
      fail(std::to_string(out.numbers.size()) + " numbers do not fill the dimensions");
    return out;
  }

  std::size_t checked(long long n) const {
    if (n < 0 || static_cast<unsigned long long>(n) > kMostValues) fail("a size out of range");
    return static_cast<std::size_t>(n);
  }

  /// A number, or both ends of a range and what is between them. True for a range.
  bool number_or_range(std::vector<std::string>& out) {
    const std::string first = number();
    if (!accept(":")) return out.push_back(first), false;
    const long long from = std::strtoll(first.c_str(), nullptr, 10), to = whole();
    checked(std::max(from, to) - std::min(from, to));
    for (long long i = from; i != to; i += from < to ? 1 : -1) out.push_back(std::to_string(i));
    out.push_back(std::to_string(to));
    return true;
  }

  long long whole() { return std::strtoll(number().c_str(), nullptr, 10); }

  std::string number() {
    skip();
    const std::string rest(text_.substr(at_, 64));
    char* end = nullptr;
    const double x = std::strtod(rest.c_str(), &end);
    const std::size_t used = static_cast<std::size_t>(end - rest.c_str());
    if (used == 0) fail("expected a number");
    at_ += used;
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    const bool integer = rest.find_first_not_of("+-0123456789") >= used;
    return integer ? std::to_string(std::strtoll(rest.c_str(), nullptr, 10)) : json_number(x);
  }

  /// The nested arrays below `depth`; `offset` is the first of their numbers, `stride` how far the next along this
  /// dimension is.
  void write(const Values& values, std::size_t depth, std::size_t offset, std::size_t stride, std::string& out) const {
    if (depth == values.dims.size()) {
      out += values.numbers[offset];
      return;
    }
    JsonGroup array(out, JsonGroup::Kind::Array, kJsonTight);
    for (std::size_t i = 0; i < values.dims[depth]; ++i)
      write(values, depth + 1, offset + i * stride, stride * values.dims[depth], array.item());
    array.end();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool foreign_ = false;  // the value that is passed over is not numbers alone
};

}  // namespace

Status r_dump_to_json(std::string_view text, std::string* json) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  try {
    *json = Reader(text).json();
    return {};
  } catch (const InputError& e) {
    return Status::invalid(e.what());
  }
}

}  // namespace fermiac
