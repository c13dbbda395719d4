#include "repl/shell/highlight.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "frontend/lex/token.h"
#include "support/base/text.h"

namespace fermiac::repl {
namespace {

using lex::Tok;

struct Word {
  std::string_view text;
  Tok kind;
};
constexpr Word kWords[] = {
#define KEYWORD(id, text) {text, Tok::id},
#define SYMBOL(id, text)
#define NAMED(id, text)
#include "frontend/lex/tokens.def"
#undef KEYWORD
#undef SYMBOL
#undef NAMED
    {"transformed", Tok::TransformedData},
    {"generated", Tok::GeneratedQuantities},
    {"quantities", Tok::GeneratedQuantities},
};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Painter {
 public:
  Painter(std::string_view text, const std::function<bool(std::string_view)>& is_function)
      : text_(text), is_function_(is_function), inks_(text.size(), Ink::Plain) {}

  std::vector<Ink> run() {
    command();
    while (at_ < text_.size()) step();
    return std::move(inks_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (starts("//") || starts("/*")) return comment();
    if (c == '"') return string();
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
    if (is_word(c)) return word();
    bracket(c);
    ++at_;
  }

  bool starts(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void paint_to(std::size_t end, Ink ink) {
    end = std::min(end, text_.size());
    for (; at_ < end; ++at_) inks_[at_] = ink;
  }

  /// `:plot` at the start; what follows is Stan.
  void command() {
    at_ = std::min(text_.find_first_not_of(" \t\n"), text_.size());
    if (at_ == text_.size() || text_[at_] != ':') return;
    paint_to(std::min(text_.find_first_of(" \t\n", at_), text_.size()), Ink::Command);
  }

  void comment() {
    const bool line = starts("//");
    const std::size_t end = line ? text_.find('\n', at_) : text_.find("*/", at_ + 2);
    paint_to(end == std::string_view::npos ? text_.size() : end + (line ? 0 : 2), Ink::Comment);
  }

  void string() {
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    const bool broken = end != std::string_view::npos && text_[end] == '\n';
    paint_to(end == std::string_view::npos ? text_.size() : end + (broken ? 0 : 1), broken ? Ink::Wrong : Ink::String);
  }

  void number() {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '_')) ++end;
    };
    digits();
    const bool element_wise =
        end + 1 < text_.size() && (text_[end + 1] == '*' || text_[end + 1] == '/' || text_[end + 1] == '^');
    if (end < text_.size() && text_[end] == '.' && !element_wise) ++end, digits();
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      const std::size_t sign = end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
      if (end + 1 + sign < text_.size() && is_digit(text_[end + 1 + sign])) end += 1 + sign, digits();
    }
    if (end < text_.size() && text_[end] == 'i') ++end;
    const bool name = end < text_.size() && is_word(text_[end]);  // `2x` is neither
    while (end < text_.size() && is_word(text_[end])) ++end;
    paint_to(end, name ? Ink::Wrong : Ink::Number);
  }

  void word() {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    paint_to(end, ink_of_word(text_.substr(at_, end - at_), end));
  }

  Ink ink_of_word(std::string_view name, std::size_t end) const {
    const std::size_t before =
        end - name.size() > 0 ? text_.find_last_not_of(" \t\n", end - name.size() - 1) : text_.npos;
    const bool behind_call = before != text_.npos && text_[before] == ')';  // only there is `T` no name
    const auto* known = std::ranges::find(kWords, name, &Word::text);
    if (known != std::end(kWords) && (known->kind != Tok::Truncate || behind_call)) {
      const bool type = known->kind >= Tok::Void && known->kind <= Tok::RowStochasticMatrix;
      return type ? Ink::Type : Ink::Keyword;
    }
    return is_function_ && is_function_(name) ? Ink::Function : Ink::Plain;
  }

  void bracket(char c) {
    static constexpr std::string_view kOpen = "([{", kClose = ")]}";
    if (kOpen.find(c) != std::string_view::npos) open_ += c;
    const std::size_t kind = kClose.find(c);
    if (kind == std::string_view::npos) return;
    if (!open_.empty() && open_.back() == kOpen[kind])
      open_.pop_back();
    else
      inks_[at_] = Ink::Wrong;
  }

  std::string_view text_;
  const std::function<bool(std::string_view)>& is_function_;
  std::vector<Ink> inks_;
  std::string open_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Ink> inks_of(std::string_view text, const std::function<bool(std::string_view)>& is_function) {
  return Painter(text, is_function).run();
}

std::string_view ink_code(Ink ink) {
  static constexpr std::array<std::string_view, 9> kCodes{
      "\x1b[0m",     // Plain
      "\x1b[0;35m",  // Keyword: magenta
      "\x1b[0;36m",  // Type: cyan
      "\x1b[0;33m",  // Number: yellow
      "\x1b[0;32m",  // String: green
      "\x1b[0;34m",  // Function: blue
      "\x1b[0;2m",   // Comment: faint
      "\x1b[0;1m",   // Command: bold
      "\x1b[0;41m",  // Wrong: red background, so that a lone bracket is seen
  };
  return kCodes[static_cast<std::size_t>(ink)];
}

}  // namespace fermiac::repl
