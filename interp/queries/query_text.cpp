#include "interp/queries/query_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "interp/conditioning/conditioning.h"
#include "support/base/text.h"

namespace fermiac::interp {
namespace {

struct Operator {
  std::string_view text;
  Relation relation;
};
/// Longer ones come first.
constexpr std::array kOperators = {Operator{"<=", Relation::AtMost}, Operator{">=", Relation::AtLeast}, Operator{"==", Relation::Same},
                                   Operator{"!=", Relation::Differs}, Operator{"<", Relation::Less},    Operator{">", Relation::Above},
                                   Operator{"=", Relation::Equal}};

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

/// A name with indexes and slots, as patterns have it.
bool names_elements(std::string_view text) {
  const std::string_view name = text.substr(0, text.find_first_of("[."));
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) || !std::ranges::all_of(trimmed(name), is_word)) return false;
  try {
    return read_pattern(text).kind == Pattern::Kind::Name;
  } catch (const InputError&) {
    return false;
  }
}

class QueryReader {
 public:
  QueryReader(std::string_view text, bool over_draws) : text_(text), over_draws_(over_draws) {}

  Query read() {
    Query out;
    out.exponential = exponential();
    compares_ = out.exponential || over_draws_;
    do out.events.push_back(item());
    while (accept(','));
    if (accept('|')) do out.given.push_back(item());
      while (accept(','));
    if (at_ < text_.size()) expected("',' or '|' or the end");
    return out;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool accept(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void expected(std::string_view what) {
    blanks();
    const std::string found = at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : "the end";
    throw InputError(fmt::format("query, column {}: expected {}, found {}", at_, what, found));
  }

  bool exponential() {
    blanks();
    std::size_t end = at_;
    while (end < text_.size() && std::isalpha(static_cast<unsigned char>(text_[end]))) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word != "logprob" && word != "prob") expected("'logprob' or 'prob'");
    at_ = end;
    return word == "prob";
  }

  /// Where an item stands, and its operators outside of brackets.
  struct Extent {
    std::size_t begin = 0, end = 0, at = 0;      // `at`: of the first operator
    std::size_t operators = 0;
    std::size_t chained = 0;                     // most comparisons without a logical operator between them
    bool logical = false;                        // && or ||
    std::optional<Operator> first;
  };

  Extent extent() {
    blanks();
    Extent out{.begin = at_, .first = {}};
    std::string open;
    std::size_t comparisons = 0;
    for (; at_ < text_.size(); ++at_) {
      const std::string_view rest = text_.substr(at_);
      const char c = rest[0];
      if (c == '[' || c == '(' || c == '{') open += c == '[' ? ']' : c == '(' ? ')' : '}';
      if (!open.empty()) {
        if (c == open.back()) open.pop_back();
        continue;
      }
      if (rest.starts_with("&&") || rest.starts_with("||")) {
        out.logical = true;
        comparisons = 0;
        ++at_;
      } else if (c == ',' || c == '|') {
        break;
      } else if (const Operator* found = operator_at(rest)) {
        if (out.operators++ == 0) out.at = at_, out.first = *found;
        if (found->relation != Relation::Equal) out.chained = std::max(out.chained, ++comparisons);
        at_ += found->text.size() - 1;
      }
    }
    if (!open.empty()) expected(fmt::format("'{}'", open.back()));
    out.end = at_;
    return out;
  }

  const Operator* operator_at(std::string_view rest) {
    const auto found = std::ranges::find_if(kOperators, [&](const Operator& o) { return rest.starts_with(o.text); });
    if (found == kOperators.end()) return nullptr;
    if (compares_ || (found->relation != Relation::Same && found->relation != Relation::Differs)) return &*found;
    ++at_;
    expected("a value");
  }

  QueryItem item() {
    const Extent e = extent();
    const auto text = [&](std::size_t begin, std::size_t end) { return std::string(trimmed(text_.substr(begin, end - begin))); };
    const std::string whole = text(e.begin, e.end);
    QueryItem out;
    if (whole.empty()) expected("a name");
    if (e.operators == 1 && !e.logical) {
      out.relation = e.first->relation;
      out.name = text(e.begin, e.at);
      out.value = text(e.at + e.first->text.size(), e.end);
      if (out.name.empty()) at_ = e.begin, expected("a name");
      if (out.value.empty()) at_ = e.end, expected("a value");
    } else if (e.first && e.first->relation == Relation::Equal) {
      second_operator(e);
    } else if (e.chained > 1) {
      throw InputError(fmt::format("query, column {}: '{}' compares the truth value of its first comparison with a number; write 'a < b && b < c' in place of "
                                  "'a < b < c', or parentheses", e.begin, whole));
    } else {
      out.name = whole;
      if (!names_elements(whole)) out.relation = Relation::Holds;
    }
    out.is_element = out.relation != Relation::Holds && names_elements(out.name);
    return out;
  }

  /// `mu = < 4`, `mu = 4 = 5`: what follows `=` is not a value.
  [[noreturn]] void second_operator(const Extent& e) {
    for (at_ = e.at + 1; at_ < e.end && is_blank(text_[at_]); ++at_) {}
    if (at_ < e.end && std::string_view("=<>!&|").find(text_[at_]) != std::string_view::npos) expected("a value");
    while (at_ < e.end && std::string_view("=<>!&|").find(text_[at_]) == std::string_view::npos) ++at_;
    expected("',' or '|' or the end");
  }

  std::string_view text_;
  bool over_draws_;
  bool compares_ = false;  // == and != are operators
  std::size_t at_ = 0;
};

}  // namespace

Query read_query(std::string_view text, bool over_draws) {
  return QueryReader(text, over_draws).read();
}

std::string text_of(const QueryItem& item) {
  const auto found = std::ranges::find(kOperators, item.relation, &Operator::relation);
  return item.value.empty() || found == kOperators.end() ? item.name : fmt::format("{} {} {}", item.name, found->text, item.value);
}

}  // namespace fermiac::interp
