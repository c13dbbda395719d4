#include "support/text_table.h"

#include <algorithm>
#include <utility>

namespace fermiac {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t characters(const std::string& text) { return static_cast<std::size_t>(std::ranges::count_if(text, begins_character)); }

std::string trimmed(std::string line) {
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

}  // namespace

TextTable::TextTable(std::vector<std::string> heading) {
  for (std::string& cell : heading) {
    left_.push_back(cell.starts_with('-'));
    if (left_.back()) cell.erase(0, 1);
  }
  rows_.push_back(std::move(heading));
}

void TextTable::note(std::string text) { notes_.emplace_back(rows_.size(), std::move(text)); }

std::string TextTable::text() const {
  std::vector<std::size_t> widths(left_.size());
  for (const auto& row : rows_)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], characters(row[k]));
  std::string out;
  auto note = notes_.begin();
  for (std::size_t i = 0; i <= rows_.size(); ++i) {
    for (; note != notes_.end() && note->first == i; ++note) out += note->second + "\n";
    if (i == rows_.size()) break;
    std::string line;
    for (std::size_t k = 0; k < rows_[i].size(); ++k) {
      const std::string& cell = rows_[i][k];
      const std::string blanks(widths[k] - characters(cell), ' ');
      line += (k > 0 ? "  " : "") + (left_[k] ? cell + blanks : blanks + cell);
    }
    out += trimmed(std::move(line));
  }
  return out;
}

std::string shortened(const std::string& text, std::size_t most) {
  if (characters(text) <= most) return text;
  std::size_t end = 0, n = 0;
  while (end < text.size() && (n + 1 < most || !begins_character(text[end]))) n += begins_character(text[end++]);
  return text.substr(0, end) + "…";
}

}  // namespace fermiac
