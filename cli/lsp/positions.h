// Places as editors name them: lines from 0, columns in units of UTF-16. Lines end in "\n", "\r\n" or "\r".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fermiac::lsp {

struct Position {
  std::size_t line = 0, character = 0;
  friend auto operator<=>(const Position&, const Position&) = default;
};

/// Of one text, which outlives this.
class Positions {
 public:
  explicit Positions(std::string_view text);

  /// A place behind the end of a line is its end; one behind the last line the end of the text.
  std::size_t offset(Position position) const;
  /// An offset inside a character or a line's end counts as that of its beginning.
  Position position(std::size_t offset) const;
  std::size_t lines() const { return starts_.size(); }

 private:
  /// A place that is known: the beginning of a line, and one at least every so many bytes of a long one.
  struct Mark {
    std::size_t offset = 0;
    Position position;
  };
  std::size_t end_of(std::size_t line) const;  // without what ends it
  void mark_line(std::size_t line);

  std::string_view text_;
  std::vector<std::size_t> starts_;
  std::vector<Mark> marks_;
};

}  // namespace fermiac::lsp
