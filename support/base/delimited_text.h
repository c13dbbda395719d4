// Tables as text: a line of names, then a line for each row (CSV, or with tabs or semicolons). Cells are texts as they stand,
// without their quotes; what they mean is the reader's business.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace fermiac {

class DelimitedText {
 public:
  /// Keeps the text; `name` stands for it in messages. The first line that is neither empty nor begins with `#` has the names;
  /// the separator is the first of tab, comma and semicolon that stands in it. Lines without any character are no rows.
  /// Throws InputError: a line has another number of cells, a quote is not closed, there is no line of names.
  /// Costs 16 bytes a cell and 8 a row besides the text.
  DelimitedText(std::string text, std::string name);
  DelimitedText(const DelimitedText&) = delete;  // cells point into the text
  DelimitedText& operator=(const DelimitedText&) = delete;

  const std::string& name() const { return name_; }
  const std::vector<std::string_view>& columns() const { return columns_; }
  std::size_t rows() const { return cells_.size() / columns_.size(); }
  /// Of the text, from 1: where the row begins.
  std::size_t line(std::size_t row) const { return lines_[row]; }
  std::string_view cell(std::size_t row, std::size_t column) const { return cells_[row * columns_.size() + column]; }

 private:
  std::vector<std::string_view> read_line();
  std::string_view read_cell();
  std::string_view read_quoted();
  bool skip_empty_lines(bool comments);

  const std::string text_;
  const std::string name_;
  std::size_t at_ = 0, line_ = 1;
  char separator_ = ',';
  std::deque<std::string> unescaped_;  // cells with quotes inside
  std::vector<std::string_view> columns_, cells_;
  std::vector<std::size_t> lines_;  // of the rows
};

}  // namespace fermiac
