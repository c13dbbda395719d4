#include "support/base/text_table.h"

#include <algorithm>
#include <utility>

#include "support/base/text.h"

namespace fermiac {
namespace {

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
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], columns_of(row[k]));
  std::string out;
  auto note = notes_.begin();
  for (std::size_t i = 0; i <= rows_.size(); ++i) {
    for (; note != notes_.end() && note->first == i; ++note) out += note->second + "\n";
    if (i == rows_.size()) break;
    std::string line;
    for (std::size_t k = 0; k < rows_[i].size(); ++k) {
      line += (k > 0 ? "  " : "") + padded(rows_[i][k], widths[k], !left_[k]);
    }
    out += trimmed(std::move(line));
  }
  return out;
}

}  // namespace fermiac
