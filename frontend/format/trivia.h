// Comments and include directives on their way from the source to the formatted text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/lex/token.h"
#include "support/base/source.h"

namespace fermiac::format {

/// A comment or an include directive.
struct Trivium {
  enum class Kind : std::uint8_t { LineComment, BlockComment, Include } kind;
  Span span;
  std::string_view text;  // comment with its marks, or the name of the include
  bool postponed = false;

  bool ends_line() const { return kind != Kind::BlockComment; }
};

/// The trivia in reading order. The printer takes them slot by slot; a slot takes everything before its end that no
/// earlier slot took.
class TriviaQueue {
 public:
  struct Options {
    bool comments = true;
    bool inline_includes = false;  // comments of included files count, directives do not
  };
  TriviaQueue(const SourceMap& sources, const lex::TokenStream& stream, Options options);

  /// Comments before `end`. An include directive among them makes the program unprintable, see `broken`.
  std::vector<Trivium> take_comments(Pos end);
  /// Comments and includes before `end`, for the places between statements.
  std::vector<Trivium> take_all(Pos end);
  std::vector<Trivium> take_rest();
  /// What is left before `end` waits for the next statement boundary.
  void postpone(Pos end);
  std::vector<Trivium> take_postponed() { return std::exchange(postponed_, {}); }
  /// True if an include directive stands inside a statement.
  bool broken() const { return broken_; }

 private:
  const SourceMap& sources_;
  std::vector<Trivium> items_;
  std::size_t next_ = 0;
  std::vector<Trivium> postponed_;
  bool broken_ = false;
};

}  // namespace fermiac::format
