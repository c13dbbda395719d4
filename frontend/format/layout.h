// A pretty printer with nested boxes (D. Oppen, "Prettyprinting", TOPLAS 2(4), 1980). Text, breaks and boxes are fed in
// order; a break becomes blanks or a new line depending on its box and on what fits up to the margin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac::format {

enum class Box : std::uint8_t {
  H,     // breaks are blanks
  V,     // every break is a new line
  HV,    // all breaks or none
  Hov,   // packing: a break is a new line only if what follows it does not fit
  Pack,  // like Hov, and also where a new line would lie left of the current line's indentation
};

class Layout {
 public:
  explicit Layout(int margin);

  void text(std::string_view text);
  /// `blanks` on the line, or a new line at the box's indentation plus `offset`.
  void brk(int blanks = 1, int offset = 0);
  void cut(int offset = 0) { brk(0, offset); }
  void newline();
  void open(Box kind, int indent = 0);
  void close();
  std::string finish();

 private:
  enum class Kind : std::uint8_t { Text, Break, Newline, Open, Close };
  struct Token {
    Kind kind;
    long size;    // negative: minus the position where it starts, as long as the end is not known
    long length;  // columns it takes when nothing breaks, which are the bytes of a text
    Box box = Box::H;
    int blanks = 0;
    int offset = 0;
  };
  struct Scan {  // an open box or a break whose size is not known yet
    long total;
    std::size_t token;
  };
  struct Frame {
    Box kind;
    bool fits;
    long width;  // columns from the box's indentation to the margin
  };

  void enqueue(const Token& token, bool advancing);
  void scan(const Token& token, bool ends_break);
  void settle(bool breaks);
  void advance();
  void print(const Token& token, long size);
  void forget_printed();
  void print_break(const Token& token, long size);
  void print_open(const Token& token, long size);
  void start_line(long width, int offset);
  Token& token(std::size_t index) { return queue_[index - first_ + head_]; }

  const long margin_;
  const long max_indent_;
  // What is not printed yet: tokens from `head_` on, and from `text_head_` on the bytes of all texts among them. What
  // was printed is dropped from the vectors now and then.
  std::vector<Token> queue_;
  std::string texts_;
  std::size_t head_ = 0, text_head_ = 0;
  std::size_t first_ = 0;  // index of the queue's front among all tokens ever
  std::vector<Scan> scan_;
  std::vector<Frame> frames_;
  int depth_ = 0;
  long left_total_ = 1, right_total_ = 1;
  long space_left_;
  long indent_ = 0;
  bool at_line_start_ = true;
  std::string out_;
};

}  // namespace fermiac::format
