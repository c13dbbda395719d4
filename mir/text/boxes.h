// A pretty-printing engine with nested boxes: break hints become blanks where a box fits on the line, new lines where
// it does not. Four kinds of box (Oppen, "Prettyprinting", ACM TOPLAS 2(4), 1980, in the variant with packing boxes):
//   Horizontal  never breaks            Vertical  breaks at every hint
//   Pack        breaks only at the hints where the next piece would not fit
//   All         breaks at every hint if the box does not fit
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac::mir {

class Boxes {
 public:
  enum class Kind : std::uint8_t { Horizontal, Vertical, Pack, All };

  Boxes(int margin, int max_indent) : margin_(margin), max_indent_(max_indent) {}

  Boxes& text(std::string_view text);
  Boxes& open(Kind kind, int indent = 0);
  Boxes& close();
  /// A hint: `blanks` if it stays on the line, else a new line indented by `offset` more than the box.
  Boxes& hint(int blanks, int offset = 0);
  Boxes& space() { return hint(1); }
  Boxes& cut() { return hint(0); }
  /// A new line whatever fits, at the box's own indentation.
  Boxes& newline();
  std::string render();

 private:
  enum class TokenKind : std::uint8_t { Text, Open, Close, Hint, Newline };
  struct Token {
    TokenKind kind;
    Kind box = Kind::Horizontal;
    int blanks = 0, offset = 0;
    long size = 0;  // of an Open: its whole box; of a Hint: up to the next hint of the same box
    std::string text{};
  };
  struct Frame {
    Kind kind;
    bool fits;
    int width;  // columns from the box's indentation to the margin
  };

  void measure();
  void start_box(const Token& token);
  void take_hint(const Token& token);
  void break_line(int width, int offset);
  void force_break();

  int margin_, max_indent_;
  std::vector<Token> tokens_;
  std::string out_;
  int left_ = 0;  // columns left on the line
  std::vector<Frame> frames_;
};

}  // namespace fermiac::mir
