#include "interp/conditioning/conditioning.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "support/base/json_scan.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::interp {
namespace {

double weight_number(std::string_view text, std::string_view pattern) {
  double value = 0;
  const bool number = read_number(text, &value) == NumberText::Number;
  if (!number || !(value >= 0) || !std::isfinite(value))
    throw InputError(fmt::format("a weight must be a number that is not negative, but that of '{}' is {}", pattern, text));
  return value;
}

// ---------------------------------------------------------------- JSON

/// Calls visit(name, scan) for each member.
template <class Visit>
void members(JsonScan& scan, Visit visit) {
  scan.expect('{', "at the beginning of an object");
  for (bool first = true; !scan.accept('}'); first = false) {
    if (!first) scan.expect(',', "between two members");
    if (scan.peek() != JsonToken::String) scan.fail("a name was expected, in double quotes");
    const std::string name(scan.string());
    scan.expect(':', "after a name");
    visit(name);
  }
}

std::string text_of_value(JsonScan& scan, std::string_view json) {
  scan.peek();
  const std::size_t begin = scan.offset();
  scan.skip_value();
  return std::string(trimmed(json.substr(begin, scan.offset() - begin)));
}

Conditioning::Weight weight_of(std::string pattern, const std::string& text, std::string_view source) {
  if (!text.starts_with('[')) return {pattern, {weight_number(text, pattern)}, false};
  Conditioning::Weight out{pattern, {}, true};
  for (const std::string_view item : json_elements(text, source)) out.values.push_back(weight_number(trimmed(item), pattern));
  return out;
}

}  // namespace

bool Conditioning::empty() const {
  return context == ContextKind::Joint && weights.empty() && fix.empty() && condition.empty() && missing.empty() && roles.empty() && !nan_is_missing;
}

std::vector<std::pair<std::string, std::string>> Conditioning::comments() const {
  std::vector<std::pair<std::string, std::string>> out;
  if (context != ContextKind::Joint) out.emplace_back("context", context_name(context));
  for (const Weight& w : weights) {
    const std::string values = fmt::format("{}", fmt::join(w.values, ","));
    out.emplace_back("weight", w.pattern + "=" + (w.list ? "[" + values + "]" : values));
  }
  for (const Given& g : fix) out.emplace_back("fix", g.name + "=" + g.value);
  for (const Given& g : condition) out.emplace_back("condition", g.name + "=" + g.value);
  for (const std::string& m : missing) out.emplace_back("missing", m);
  for (const auto& [place, role] : roles) out.emplace_back("role", place + "=" + role);
  if (nan_is_missing) out.emplace_back("nan_is_missing", "true");
  return out;
}

std::string_view context_name(ContextKind kind) {
  return kind == ContextKind::Prior ? "prior" : kind == ContextKind::Likelihood ? "likelihood" : "joint";
}

ContextKind read_context(std::string_view text) {
  for (const ContextKind kind : {ContextKind::Joint, ContextKind::Prior, ContextKind::Likelihood})
    if (text == context_name(kind)) return kind;
  throw InputError(fmt::format("'{}' is no context; there are joint, prior, likelihood", text));
}

void read_conditioning(std::string_view json, std::string_view source, Conditioning& out) {
  JsonScan scan(json, source);
  const auto pairs = [&](auto add) { members(scan, [&](const std::string& name) { add(name, text_of_value(scan, json)); }); };
  members(scan, [&](const std::string& member) {
    if (member == "context") {
      out.context = read_context(scan.peek() == JsonToken::String ? scan.string() : "");
    } else if (member == "weights") {
      pairs([&](const std::string& name, const std::string& text) { out.weights.push_back(weight_of(name, text, source)); });
    } else if (member == "fix") {
      pairs([&](const std::string& name, const std::string& text) { out.fix.push_back({name, text}); });
    } else if (member == "condition") {
      pairs([&](const std::string& name, const std::string& text) { out.condition.push_back({name, text}); });
    } else if (member == "roles") {
      members(scan, [&](const std::string& name) { out.roles.emplace_back(name, scan.peek() == JsonToken::String ? std::string(scan.string()) : ""); });
    } else if (member == "missing") {
      const std::string text = text_of_value(scan, json);
      for (const std::string_view item : json_elements(text, source)) {
        JsonScan one(item, source);
        if (one.peek() != JsonToken::String) one.fail("a pattern was expected, in double quotes");
        out.missing.emplace_back(one.string());
      }
    } else if (member == "nan_is_missing") {
      out.nan_is_missing = scan.peek() == JsonToken::Word && scan.word() == "true";
    } else {
      scan.fail(fmt::format("'{}' is nothing that conditions a program; there are context, weights, fix, condition, missing, roles, nan_is_missing", shown(member)));
    }
  });
  scan.expect_end();
}

std::pair<std::string, std::string> split_assignment(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ']' || text[i] == '}') --depth;
    if (text[i] == '=' && depth == 0) return {std::string(trimmed(text.substr(0, i))), std::string(trimmed(text.substr(i + 1)))};
  }
  throw InputError(fmt::format("'{}' should be NAME=VALUE", text));
}

Conditioning::Weight read_weight(std::string_view text) {
  auto [pattern, value] = split_assignment(text);
  return weight_of(std::move(pattern), value, "--weight");
}

// ---------------------------------------------------------------- patterns

namespace {

class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : text_(text) {}

  Pattern read() {
    Pattern out;
    if (text_ == "*") return out.kind = Pattern::Kind::All, out;
    if (text_ == "prior" || text_ == "likelihood") return out.kind = Pattern::Kind::Role, out.prior = text_ == "prior", out;
    if (accept('@')) return place();
    while (at_ < text_.size() && text_[at_] != '[' && text_[at_] != '.') ++at_;
    out.name = trimmed(text_.substr(0, at_));
    if (out.name.empty()) refuse();
    out.steps.push_back({0, indexes()});
    while (accept('.')) {
      const std::int32_t slot = number();
      out.steps.push_back({static_cast<std::uint32_t>(slot), indexes()});
    }
    if (at_ != text_.size()) refuse();
    return out;
  }

 private:
  [[noreturn]] void refuse() const { throw InputError(fmt::format("'{}' is no pattern: there are *, prior, likelihood, @LINE, @LINE:COLUMN, NAME, NAME[I,…], NAME.SLOT", text_)); }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool accept(char c) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    blanks();
    return true;
  }
  std::vector<PatternIndex> indexes() {
    std::vector<PatternIndex> out;
    if (!accept('[')) return out;
    do out.push_back(index());
    while (accept(','));
    if (!accept(']')) refuse();
    return out;
  }
  bool peek(char c) const { return at_ < text_.size() && text_[at_] == c; }
  std::int32_t number() {
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) refuse();
    at_ = static_cast<std::size_t>(end - text_.data());
    blanks();
    return value;
  }
  Pattern place() {
    Pattern out;
    out.kind = Pattern::Kind::Place;
    out.line = static_cast<std::uint32_t>(number());
    if ((out.has_column = accept(':'))) out.column = static_cast<std::uint32_t>(number());
    if (at_ != text_.size()) refuse();
    return out;
  }
  PatternIndex index() {
    PatternIndex out;
    blanks();
    if (accept('{')) {
      do out.list.push_back(number());
      while (accept(','));
      if (!accept('}')) refuse();
      return out;
    }
    if (peek(',') || peek(']')) return out.all = true, out;
    if (accept(':')) return out.all = true, out;
    out.low = number();
    if (accept(':')) return out.high = number(), out;
    out.single = true;
    out.list = {out.low};
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Pattern read_pattern(std::string_view text) {
  const std::string whole(trimmed(text));
  return PatternReader(whole).read();
}

}  // namespace fermiac::interp
