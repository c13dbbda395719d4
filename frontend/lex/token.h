// Tokens of a program with all its includes spliced in, and the trivia between them: comments and include directives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/base/source.h"

namespace fermiac::lex {

enum class Tok : std::uint8_t {
#define KEYWORD(id, text) id,
#define SYMBOL(id, text) id,
#define NAMED(id, text) id,
#include "frontend/lex/tokens.def"
#undef KEYWORD
#undef SYMBOL
#undef NAMED
};

/// How messages speak of a token kind: quoted spelling, or a description.
std::string_view describe(Tok kind);
/// True for words that can never be a name. `T` is not one of them.
bool is_keyword(Tok kind);

struct Token {
  Tok kind = Tok::Eof;
  Span span;
  std::string_view text;  // of the source; empty at the end of input
};

/// `text` has the comment marks. `token` is the index of the token that follows.
struct Comment {
  bool line = false;  // `//` (or the old `#`), else `/* */`
  Span span;
  std::string_view text;
  std::uint32_t token = 0;
};

/// An `#include` that was followed, or (`file` 0) that was replaced by nothing because it had been included before.
struct Include {
  std::string_view name;    // as written, without quotes or brackets
  Span span;                // of the directive
  std::uint32_t file = 0;   // instance in the SourceMap
  std::uint32_t token = 0;  // index of the first token after the directive
};

/// What stopped the lexer, or what it left out. A token of kind Error stands there, and the parser reports this when it
/// gets there.
struct LexError {
  enum class Kind : std::uint8_t { InvalidCharacter, UnterminatedComment, IncludeNotFound, IncludeRecursion, IncludeRefused };
  Kind kind = Kind::InvalidCharacter;
  Span span;
  std::string detail;       // the include's name, or why it was refused
  std::uint32_t token = 0;  // index of the Error
};

struct TokenStream {
  std::vector<Token> tokens;  // ends with Eof or Error
  std::vector<Comment> comments;
  std::vector<Include> includes;
  std::vector<LexError> errors;  // in reading order
};

}  // namespace fermiac::lex
