#include "support/base/text.h"

#include <algorithm>

namespace fermiac {

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width, bool right) {
  const std::size_t n = columns_of(text);
  const std::string blanks(n < width ? width - n : 0, ' ');
  return right ? blanks + std::string(text) : std::string(text) + blanks;
}

std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

std::string one_line(std::string_view text, std::size_t width) {
  std::string out = on_one_line(text);
  while (out.ends_with(' ')) out.pop_back();
  if (columns_of(out) <= width) return out;
  std::size_t end = 0, columns = 0;
  while (end < out.size() && columns + 1 < width) {
    do ++end;
    while (end < out.size() && (static_cast<unsigned char>(out[end]) & 0xc0) == 0x80);
    ++columns;
  }
  return out.substr(0, end) + "…";
}

}  // namespace fermiac
