// What `--debug-lex` prints.
#include <algorithm>
#include <utility>

#include "cli/stanc/driver.h"

namespace fermiac::stanc {
namespace {

using lex::Tok;

class Trace {
 public:
  explicit Trace(const SourceMap& sources) : sources_(sources) {}

  void token(const lex::Token& token) {
    line(name(token));
    if (token.kind == Tok::Identifier) place(token.span.begin);
  }

  /// Blanks and newlines between two tokens.
  void gap(Span gap) {
    if (gap.begin.file != gap.end.file || gap.end.offset <= gap.begin.offset) return;
    const std::string_view text = sources_.text(gap);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') {
        if (!std::exchange(in_line_comment_, false)) line("newline");
        place({gap.begin.file, gap.begin.offset + static_cast<std::uint32_t>(i)});
      } else if (text[i] == ' ' || text[i] == '\t' || text[i] == '\f') {
        line("space");
      }
    }
  }

  void comment(const lex::Comment& comment) {
    line(comment.line ? "single comment" : "multicomment");
    in_line_comment_ = comment.line;
  }
  void include(const lex::Include& include) { line("include " + std::string(include.name)); }

  std::string take() { return std::move(out_); }

 private:
  static std::string name(const lex::Token& token) {
    const std::string text(token.text);
    switch (token.kind) {
      case Tok::Eof: return "eof";
      case Tok::Error: return "error";
      case Tok::Identifier: return "identifier " + text;
      case Tok::IntLit: return "int_constant " + text;
      case Tok::RealLit: return "real_constant " + text;
      case Tok::DotNumber: return "dot_constant " + text;
      case Tok::ImagLit: return "imag_constant " + text;
      case Tok::StringLit: return "string_literal " + text;
      case Tok::Annotation: return "annotation " + text;
      default: return text;
    }
  }
  void line(const std::string& text) { out_ += "Lexer: " + text + "\n"; }
  void place(Pos pos) {
    out_ += "{fname=" + sources_.file(pos.file).name + "; line=" + std::to_string(sources_.line_column(pos).line) + "}\n";
  }

  const SourceMap& sources_;
  std::string out_;
  bool in_line_comment_ = false;  // the newline that ends it is a part of it
};

}  // namespace

std::string lexer_trace(const SourceMap& sources, const lex::TokenStream& stream) {
  Trace trace(sources);
  Pos end;
  std::size_t comment = 0, include = 0;
  const auto reach = [&](Span span) {
    trace.gap({end.file == span.begin.file ? end : Pos{span.begin.file, 0}, span.begin});
    end = span.end;
  };
  for (std::size_t i = 0; i < stream.tokens.size(); ++i) {
    for (;;) {  // what stands before the token, in reading order
      const bool has_comment = comment < stream.comments.size() && stream.comments[comment].token == i;
      const bool has_include = include < stream.includes.size() && stream.includes[include].token == i;
      if (!has_comment && !has_include) break;
      const bool comment_first =
          has_comment && (!has_include || sources.before(stream.comments[comment].span.begin,
                                                         stream.includes[include].span.begin));
      if (comment_first) {
        reach(stream.comments[comment].span);
        trace.comment(stream.comments[comment++]);
      } else {
        reach(stream.includes[include].span);
        trace.include(stream.includes[include++]);
      }
    }
    reach(stream.tokens[i].span);
    trace.token(stream.tokens[i]);
  }
  return trace.take();
}

}  // namespace fermiac::stanc
