#include "codegen/code.h"

#include <fmt/format.h>

#include "mir/text/boxes.h"

namespace fermiac::codegen {
namespace {

constexpr int kMargin = 110, kIndent = 2, kMaxIndent = 80, kContinued = 4;

using mir::Boxes;

}  // namespace

std::string Code::flat() const {
  std::string out;
  for (const char c : text_) {
    if (c == kBreak)
      out += ' ';
    else if (c != kOpen && c != kClose)
      out += c;
  }
  return out;
}

std::string Code::wrapped(int indent) const {
  const std::string blanks(static_cast<std::size_t>(indent), ' ');
  if (static_cast<int>(text_.size()) + indent <= kMargin) return blanks + flat() + "\n";
  Boxes boxes(kMargin, kMaxIndent);
  boxes.open(Boxes::Kind::Horizontal).text(blanks).open(Boxes::Kind::Pack, kContinued);
  std::size_t from = 0;
  for (std::size_t i = 0; i <= text_.size(); ++i) {
    if (i < text_.size() && text_[i] > kBreak) continue;
    boxes.text(std::string_view(text_).substr(from, i - from));
    if (i == text_.size()) break;
    if (text_[i] == kOpen)
      boxes.open(Boxes::Kind::Pack);
    else if (text_[i] == kClose)
      boxes.close();
    else
      boxes.space();
    from = i + 1;
  }
  return boxes.close().close().render() + "\n";
}

Lines& Lines::operator<<(const Code& line) {
  text_ += line.empty() ? "\n" : line.wrapped(depth_ * kIndent);
  return *this;
}

Lines& Lines::text(std::string_view lines) {
  const std::string blanks(static_cast<std::size_t>(depth_ * kIndent), ' ');
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    if (!line.empty() && line[0] != '#') text_ += blanks;
    text_.append(line) += '\n';
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return *this;
}

Lines& Lines::open(Code head) {
  *this << (head.empty() ? head << "{" : head << " {");
  return indent(1);
}

Lines& Lines::close(std::string_view tail) {
  indent(-1);
  return *this << Code(tail);
}

std::string string_literal(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\b':
        out += "\\b";
        break;
      case '?':
        out += out.ends_with('?') ? "\\?" : "?";
        break;  // no trigraphs
      case ' ':
        out += out.ends_with("class") ? "\\040" : " ";  // tools look for the first class of a file by pattern
        break;
      default:
        byte >= 0x20 && byte <= 0x7e ? out += c : out += fmt::format("\\{:03o}", byte);
    }
  }
  return out + "\"";
}

std::string comment_text(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += c >= 0x20 && c <= 0x7e && c != '\\' && c != '?' ? c : '.';
  return out;
}

}  // namespace fermiac::codegen
