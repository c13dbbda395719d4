#include "cli/lsp/positions.h"

#include <algorithm>
#include <iterator>

#include "support/base/utf8.h"

namespace fermiac::lsp {
namespace {

constexpr std::size_t kBetweenMarks = 1024;  // bytes

}  // namespace

Positions::Positions(std::string_view text) : text_(text), starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool pair = text[i] == '\r' && text.substr(i + 1, 1) == "\n";
    if (text[i] == '\n' || (text[i] == '\r' && !pair)) starts_.push_back(i + 1);
  }
  for (std::size_t line = 0; line < starts_.size(); ++line) mark_line(line);
}

void Positions::mark_line(std::size_t line) {
  marks_.push_back({starts_[line], {line, 0}});
  const std::size_t end = end_of(line);
  if (end - starts_[line] <= kBetweenMarks) return;
  Mark at = marks_.back();
  while (at.offset < end) {
    if (at.offset - marks_.back().offset >= kBetweenMarks) marks_.push_back(at);
    const Utf16Step next = utf16_step(text_, at.offset);
    at.offset += next.bytes;
    at.position.character += next.units;
  }
}

std::size_t Positions::end_of(std::size_t line) const {
  if (line + 1 >= starts_.size()) return text_.size();
  std::size_t end = starts_[line + 1] - 1;
  if (text_[end] == '\n' && end > starts_[line] && text_[end - 1] == '\r') --end;
  return end;
}

std::size_t Positions::offset(Position position) const {
  if (position.line >= starts_.size()) return text_.size();
  const Mark& mark = *std::prev(std::ranges::upper_bound(marks_, position, {}, &Mark::position));
  const std::string_view rest = text_.substr(mark.offset, end_of(position.line) - mark.offset);
  return mark.offset + bytes_of_utf16(rest, position.character - mark.position.character);
}

Position Positions::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  Mark at = *std::prev(std::ranges::upper_bound(marks_, offset, {}, &Mark::offset));
  const std::size_t end = std::min(offset, end_of(at.position.line));
  while (at.offset < end) {
    const Utf16Step next = utf16_step(text_, at.offset);
    if (at.offset + next.bytes > end) break;
    at.offset += next.bytes;
    at.position.character += next.units;
  }
  return at.position;
}

}  // namespace fermiac::lsp
