// Source text and places in it. Every included file is an instance of its own, so that a place knows its chain of
// includes. Lexer, parser, checker and lowering carry Spans; only diagnostics turn them into lines and columns.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac {

/// One byte position: `file` is an index into the SourceMap, `offset` counts bytes from 0.
struct Pos {
  std::uint32_t file = 0;
  std::uint32_t offset = 0;
  friend auto operator<=>(const Pos&, const Pos&) = default;
};

/// A half-open range of source text. The two ends may lie in different files (includes).
struct Span {
  Pos begin;
  Pos end;
  friend bool operator==(const Span&, const Span&) = default;
};

/// Line from 1, column from 0 in bytes, as diagnostics print them.
struct LineColumn {
  std::uint32_t line = 1;
  std::uint32_t column = 0;
};

/// Owns the text of the main program (file 0) and of every include, in order of opening.
class SourceMap {
 public:
  struct File {
    std::string name;                  // as messages print it
    std::string text;
    std::optional<Pos> included_from;  // position of the `#` of the directive; none for the main file
    std::vector<std::uint32_t> line_starts;
  };

  /// Adds a file and returns its index.
  std::uint32_t add(std::string name, std::string text, std::optional<Pos> included_from = std::nullopt);

  const File& file(std::uint32_t index) const { return files_[index]; }
  std::size_t size() const { return files_.size(); }
  LineColumn line_column(Pos pos) const;
  /// Text of a line without its newline; empty when there is no such line.
  std::string_view line(std::uint32_t file, std::uint32_t line) const;
  std::uint32_t line_count(std::uint32_t file) const;
  std::string_view text(Span span) const;
  /// True if `a` is read before `b`, includes counting as text in the place of their directive.
  bool before(Pos a, Pos b) const;

 private:
  std::deque<File> files_;  // a deque: views of a text stay valid while files are added
};

}  // namespace fermiac
