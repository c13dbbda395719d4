// Tables of text: columns below each other, as wide as what stands in them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fermiac {

class TextTable {
 public:
  /// Columns whose heading begins with `-`, which is not shown, stand on the left, the others on the right.
  explicit TextTable(std::vector<std::string> heading);
  /// As many cells as there are columns, or fewer.
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// A line of its own between the rows.
  void note(std::string text);
  /// Two blanks between columns, none at the ends of lines.
  std::string text() const;

 private:
  std::vector<bool> left_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::pair<std::size_t, std::string>> notes_;  // by the row that they stand before
};

}  // namespace fermiac
