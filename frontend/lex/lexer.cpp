#include "frontend/lex/lexer.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace fermiac::lex {
namespace {

struct Word {
  std::string_view text;
  Tok kind;
};

/// Words by first character, and of those with the same one the longer first.
template <std::size_t N>
constexpr std::array<Word, N> by_first_character(std::array<Word, N> words) {
  std::sort(words.begin(), words.end(), [](const Word& a, const Word& b) {
    return a.text[0] != b.text[0] ? a.text[0] < b.text[0] : a.text.size() > b.text.size();
  });
  return words;
}

constexpr auto kKeywords = by_first_character(std::array{
#define KEYWORD(id, text) Word{text, Tok::id},
#define SYMBOL(id, text)
#define NAMED(id, text)
#include "frontend/lex/tokens.def"
#undef KEYWORD
#undef SYMBOL
#undef NAMED
});

constexpr auto kSymbols = by_first_character(std::array{
#define KEYWORD(id, text)
#define SYMBOL(id, text) Word{text, Tok::id},
#define NAMED(id, text)
#include "frontend/lex/tokens.def"
#undef KEYWORD
#undef SYMBOL
#undef NAMED
});

/// Where the words that begin with character `i` start in `words`; one entry more than there are characters.
template <std::size_t N>
constexpr std::array<std::uint8_t, 129> first_character_index(const std::array<Word, N>& words) {
  std::array<std::uint8_t, 129> index{};
  for (const Word& word : words) ++index[static_cast<std::size_t>(word.text[0]) + 1];
  for (std::size_t i = 1; i < index.size(); ++i) index[i] = static_cast<std::uint8_t>(index[i] + index[i - 1]);
  return index;
}
constexpr auto kKeywordIndex = first_character_index(kKeywords);
constexpr auto kSymbolIndex = first_character_index(kSymbols);

/// The second words that may follow on the same line to make one token.
struct Header {
  std::string_view first, second;
  Tok kind;
};
constexpr Header kHeaders[] = {
    {"transformed", "data", Tok::TransformedData},
    {"transformed", "parameters", Tok::TransformedParameters},
    {"generated", "quantities", Tok::GeneratedQuantities},
};
constexpr std::size_t kBytesPerToken = 3;   // of usual programs
constexpr std::size_t kShortestHeader = 9;  // of the first words

enum Class : std::uint8_t { kLetter = 1, kDigit = 2, kUnderscore = 4, kBlank = 8, kNewline = 16 };
constexpr auto kClasses = [] {
  std::array<std::uint8_t, 256> classes{};
  for (std::size_t c = 'a'; c <= 'z'; ++c) classes[c] = kLetter;
  for (std::size_t c = 'A'; c <= 'Z'; ++c) classes[c] = kLetter;
  for (std::size_t c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (const char c : {' ', '\t', '\f'}) classes[static_cast<std::size_t>(c)] = kBlank;
  for (const char c : {'\n', '\r'}) classes[static_cast<std::size_t>(c)] = kNewline;
  classes['_'] = kUnderscore;
  return classes;
}();

bool is(char c, int classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}
bool is_letter(char c) {
  return is(c, kLetter);
}
bool is_digit(char c) {
  return is(c, kDigit);
}
bool is_word(char c) {
  return is(c, kLetter | kDigit | kUnderscore);
}
bool is_blank(char c) {
  return is(c, kBlank);
}
bool is_newline(char c) {
  return is(c, kNewline);
}
bool is_gap(char c) {
  return is(c, kBlank | kNewline);
}

/// The words of a table that begin with `c`.
template <std::size_t N>
std::span<const Word> words_at(const std::array<Word, N>& words, const std::array<std::uint8_t, 129>& index, char c) {
  const auto at = static_cast<unsigned char>(c);
  if (at >= 128) return {};
  return std::span<const Word>(words).subspan(index[at], static_cast<std::size_t>(index[at + 1] - index[at]));
}

Tok word_kind(std::string_view text) {
  for (const Word& word : words_at(kKeywords, kKeywordIndex, text[0]))
    if (word.text == text) return word.kind;
  return Tok::Identifier;
}

class Lexer {
 public:
  Lexer(SourceMap& sources, IncludeFinder finder, bool hash_comments, bool all_errors)
      : sources_(sources), finder_(std::move(finder)), hash_comments_(hash_comments), all_errors_(all_errors) {}

  TokenStream run(std::uint32_t file) {
    open_.push_back({file, 0, sources_.file(file).name});
    enter();
    out_.tokens.reserve(text_.size() / kBytesPerToken + 1);
    while (step()) {
    }
    return std::move(out_);
  }

 private:
  struct Open {
    std::uint32_t file;
    std::size_t resume;  // where to go on once the include ends
    std::string path;
  };

  /// Lexes one token or piece of trivia. False at the end of input and at an error.
  bool step() {
    while (at_ < text_.size() && is_gap(text_[at_])) ++at_;
    if (at_ == text_.size()) return leave();
    const char c = text_[at_];
    if (is_letter(c)) return word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
    if (c == '/' && peek(1) == '/') return line_comment();
    if (c == '/' && peek(1) == '*') return block_comment();
    if (c == '"') return string();
    if (c == '@' && is_letter(peek(1))) return annotation();
    if (c == '#') return include();
    return symbol();
  }

  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  Pos pos(std::size_t offset) const { return {open_.back().file, static_cast<std::uint32_t>(offset)}; }
  Span span(std::size_t begin, std::size_t end) const { return {pos(begin), pos(end)}; }

  bool push(Tok kind, std::size_t end) {
    out_.tokens.push_back({kind, span(at_, end), text_.substr(at_, end - at_)});
    at_ = end;
    return true;
  }

  /// `resume`: where the text goes on behind the error.
  bool fail(LexError::Kind kind, Span where, std::size_t resume, std::string detail = {}) {
    out_.errors.push_back({kind, where, std::move(detail), next_token()});
    out_.tokens.push_back({Tok::Error, where, {}});
    at_ = resume;
    return all_errors_ && kind != LexError::Kind::UnterminatedComment;
  }
  /// What follows in the same vein is the same mistake: the rest of a string or comment, of a character, of `$$$`.
  bool invalid() {
    const char c = text_[at_];
    std::size_t end = at_ + 1;
    while (end < text_.size() && (c == '"' || c == '#' ? !is_newline(text_[end]) : c == text_[end] || static_cast<unsigned char>(text_[end]) >= 0x80))
      ++end;
    return fail(LexError::Kind::InvalidCharacter, span(at_, at_ + 1), end);
  }

  bool word() {
    std::size_t end = at_;
    while (end < text_.size() && is_word(text_[end])) ++end;
    const std::string_view text = text_.substr(at_, end - at_);
    if (text.size() >= kShortestHeader)
      for (const Header& header : kHeaders)
        if (text == header.first)
          if (const std::size_t stop = second_word(end, header.second)) return push(header.kind, stop);
    return push(word_kind(text), end);
  }

  /// End of `second` if it follows position `from` after blanks, else 0.
  std::size_t second_word(std::size_t from, std::string_view second) const {
    std::size_t i = from;
    while (i < text_.size() && is_blank(text_[i])) ++i;
    return i > from && text_.substr(i, second.size()) == second ? i + second.size() : 0;
  }

  /// End of `[0-9]+(_[0-9]+)*` at `from`; `from` itself if there is no digit.
  std::size_t digits(std::size_t from) const {
    std::size_t i = from;
    for (;;) {
      while (i < text_.size() && is_digit(text_[i])) ++i;
      if (i == from || i + 1 >= text_.size() || text_[i] != '_' || !is_digit(text_[i + 1])) return i;
      ++i;
    }
  }
  /// End of an exponent at `from`, or `from`.
  std::size_t exponent(std::size_t from) const {
    if (from >= text_.size() || (text_[from] != 'e' && text_[from] != 'E')) return from;
    std::size_t i = from + 1;
    if (i < text_.size() && (text_[i] == '+' || text_[i] == '-')) ++i;
    const std::size_t end = digits(i);
    return end > i ? end : from;
  }

  bool number() {
    Tok kind = Tok::IntLit;
    std::size_t end = digits(at_);
    if (end == at_) {
      end = digits(at_ + 1);
      kind = Tok::DotNumber;
    } else if (end < text_.size() && text_[end] == '.') {
      end = digits(end + 1);
      kind = Tok::RealLit;
    }
    if (const std::size_t stop = exponent(end); stop > end) {
      end = stop;
      kind = Tok::RealLit;
    }
    if (end < text_.size() && text_[end] == 'i') return push(Tok::ImagLit, end + 1);
    return push(kind, end);
  }

  bool string() {
    const std::size_t end = text_.find_first_of("\"\r\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] != '"') return invalid();
    return push(Tok::StringLit, end + 1);
  }

  /// `@` and everything up to the first blank outside parentheses.
  bool annotation() {
    std::size_t end = at_ + 1;
    for (int depth = 0; end < text_.size(); ++end) {
      const char c = text_[end];
      if (depth == 0 && (is_blank(c) || is_newline(c))) break;
      depth += c == '(' ? 1 : c == ')' && depth > 0 ? -1 : 0;
    }
    return push(Tok::Annotation, end);
  }

  bool symbol() {
    for (const Word& symbol : words_at(kSymbols, kSymbolIndex, text_[at_]))  // the longest comes first
      if (text_.substr(at_).starts_with(symbol.text)) return push(symbol.kind, at_ + symbol.text.size());
    return invalid();
  }

  bool comment(bool line, std::size_t end) {
    out_.comments.push_back({line, span(at_, end), text_.substr(at_, end - at_), next_token()});
    at_ = end;
    return true;
  }
  bool line_comment() { return comment(true, std::min(text_.find_first_of("\r\n", at_), text_.size())); }
  bool block_comment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end != std::string_view::npos) return comment(false, end + 2);
    return fail(LexError::Kind::UnterminatedComment, span(text_.size(), text_.size()), text_.size());
  }

  bool include() {
    constexpr std::string_view kDirective = "#include";
    std::size_t i = at_ + kDirective.size();
    const auto gap = [&] { return i < text_.size() && is_gap(text_[i]); };
    if (text_.substr(at_, kDirective.size()) != kDirective || !gap())
      return hash_comments_ ? line_comment() : invalid();
    while (gap()) ++i;
    const char open = i < text_.size() ? text_[i] : '\0';
    if (open == '"' || open == '<') {
      const std::size_t end = text_.find_first_of(open == '"' ? "\"\r\n" : ">\r\n", i + 1);
      if (end == std::string_view::npos || is_newline(text_[end])) return invalid();
      return follow(text_.substr(i + 1, end - i - 1), end + 1);
    }
    const std::size_t start = i;
    while (i < text_.size() && !is_gap(text_[i])) ++i;
    return i == start ? invalid() : follow(text_.substr(start, i - start), i);
  }

  bool follow(std::string_view name, std::size_t end) {
    const Span directive = span(at_, end);
    IncludeFinder::Found found = finder_.find(name);
    switch (found.state) {
      case TextFile::State::Read: return splice(name, directive, std::move(found.path), std::move(found.text));
      case TextFile::State::Refused:
        return fail(LexError::Kind::IncludeRefused, directive, end, std::move(found.problem));
      case TextFile::State::Missing: break;
    }
    return fail(LexError::Kind::IncludeNotFound, directive, end, std::string(name));
  }

  bool splice(std::string_view name, Span directive, std::string path, std::string text) {
    const bool recursive = std::any_of(open_.begin(), open_.end(), [&](const Open& open) { return open.path == path; });
    const bool once = name.ends_with(".stanfunctions");
    if (!recursive && once && !finder_.first_time(path)) {  // functions may be included by several libraries
      out_.includes.push_back({name, directive, 0, next_token()});
      at_ = directive.end.offset;
      return true;
    }
    if (Status bad = finder_.count(text); !bad)
      return fail(LexError::Kind::IncludeRefused, directive, directive.end.offset, std::move(bad.message));
    const std::uint32_t file = sources_.add(path, std::move(text), directive.begin);
    if (recursive)
      return fail(LexError::Kind::IncludeRecursion, {{file, 0}, {file, 0}}, directive.end.offset, std::string(name));
    out_.includes.push_back({name, directive, file, next_token()});
    open_.back().resume = directive.end.offset;
    open_.push_back({file, 0, std::move(path)});
    enter();
    return true;
  }

  std::uint32_t next_token() const { return static_cast<std::uint32_t>(out_.tokens.size()); }
  void enter() {
    text_ = sources_.file(open_.back().file).text;
    at_ = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  }
  /// The end of a file: back to its includer, or the end of input.
  bool leave() {
    if (open_.size() == 1) {
      push(Tok::Eof, at_);
      return false;
    }
    open_.pop_back();
    enter();
    at_ = open_.back().resume;
    return true;
  }

  SourceMap& sources_;
  IncludeFinder finder_;
  const bool hash_comments_, all_errors_;
  std::vector<Open> open_;
  std::string_view text_;
  std::size_t at_ = 0;
  TokenStream out_;
};

}  // namespace

TokenStream lex(SourceMap& sources, std::uint32_t file, const std::vector<std::string>& include_paths,
                bool hash_comments, bool all_errors, IncludeRule rule, const CarriedFiles* carried) {
  return Lexer(sources, IncludeFinder(include_paths, rule, carried), hash_comments, all_errors).run(file);
}

}  // namespace fermiac::lex
