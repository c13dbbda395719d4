// C++ text on its way to the printer: lines that know where they may be broken, and their indentation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fermiac::codegen {

/// The text of one line. Between open() and close() it may be broken at br(), where there is a blank otherwise.
class Code {
 public:
  Code() = default;
  Code(std::string_view text) : text_(text) {}    // NOLINT: text mixes freely
  Code(const char* text) : text_(text) {}         // NOLINT
  Code(const std::string& text) : text_(text) {}  // NOLINT

  Code& operator<<(std::string_view text) { return text_ += text, *this; }
  Code& operator<<(const char* text) { return text_ += text, *this; }
  Code& operator<<(const std::string& text) { return text_ += text, *this; }
  Code& operator<<(const Code& code) { return text_ += code.text_, *this; }
  Code& operator<<(std::size_t number) { return text_ += std::to_string(number), *this; }
  Code& open() { return text_ += kOpen, *this; }
  Code& close() { return text_ += kClose, *this; }
  Code& br() { return text_ += kBreak, *this; }
  bool empty() const { return text_.empty(); }

  /// On one line.
  std::string flat() const;
  /// Broken where it is longer than the margin, every line behind `indent` blanks; ends with a newline.
  std::string wrapped(int indent) const;

 private:
  // Marks within the text: emitted text is printable, so they cannot be taken for a part of it.
  static constexpr char kOpen = '\1', kClose = '\2', kBreak = '\3';
  std::string text_;
};

/// Lines of a file.
class Lines {
 public:
  Lines& operator<<(const Code& line);
  /// Lines that are finished, as they are but for the indentation.
  Lines& text(std::string_view lines);
  /// `head {`, and what follows is indented until close().
  Lines& open(Code head);
  Lines& close(std::string_view tail = "}");
  /// Changes the indentation of what follows.
  Lines& indent(int levels) { return depth_ += levels, *this; }
  Lines& append(const Lines& other) { return text(other.text_); }
  bool empty() const { return text_.empty(); }
  std::string take() && { return std::move(text_); }

 private:
  std::string text_;
  int depth_ = 0;
};

/// A string literal with these bytes: quotes, backslashes and control characters by escapes, all that is not plain
/// printable text by three octal digits, so that nothing in it can end the literal, begin a trigraph or depend on the
/// encoding.
std::string string_literal(std::string_view bytes);
/// The same for text that stands in a comment up to the line's end.
std::string comment_text(std::string_view bytes);

}  // namespace fermiac::codegen
