#include "support/base/delimited_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/base/json_scan.h"
#include "support/base/text_file.h"

namespace fermiac {
namespace {

bool is_end(char c) {
  return c == '\n' || c == '\r';
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

char separator_of(std::string_view line) {
  for (const char c : {'\t', ',', ';'})
    if (line.find(c) != std::string_view::npos) return c;
  return ',';
}

}  // namespace

DelimitedText::DelimitedText(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  if (!skip_empty_lines(true)) throw InputError(fmt::format("{}: there is no line with the names of the columns", name_));
  separator_ = separator_of(std::string_view(text_).substr(at_, text_.find_first_of("\r\n", at_) - at_));
  columns_ = read_line();
  while (skip_empty_lines(false)) {
    const std::size_t line = line_;
    const std::vector<std::string_view> row = read_line();
    if (row.size() != columns_.size())
      throw InputError(fmt::format("{}, line {}: {} cell{}, but the first line names {} column{}", name_, line, row.size(),
                                  row.size() == 1 ? "" : "s", columns_.size(), columns_.size() == 1 ? "" : "s"));
    cells_.insert(cells_.end(), row.begin(), row.end());
    lines_.push_back(line);
  }
}

/// To the next line with something in it; false where there is none.
bool DelimitedText::skip_empty_lines(bool comments) {
  while (at_ < text_.size()) {
    if (is_end(text_[at_])) line_ += text_[at_++] == '\n';
    else if (comments && text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    else return true;
  }
  return false;
}

std::vector<std::string_view> DelimitedText::read_line() {
  std::vector<std::string_view> cells;
  for (bool more = true; more;) {
    cells.push_back(read_cell());
    more = at_ < text_.size() && text_[at_] == separator_;
    if (more) ++at_;
  }
  return cells;
}

std::string_view DelimitedText::read_cell() {
  while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  if (at_ < text_.size() && text_[at_] == '"') return read_quoted();
  const std::size_t begin = at_;
  while (at_ < text_.size() && text_[at_] != separator_ && !is_end(text_[at_])) ++at_;
  return without_blanks(std::string_view(text_).substr(begin, at_ - begin));
}

/// `"a ""quoted"" word"`; ends of lines may stand in it.
std::string_view DelimitedText::read_quoted() {
  const std::size_t begin = ++at_, line = line_;
  bool doubled = false;
  for (;; ++at_) {
    if (at_ == text_.size()) throw InputError(fmt::format("{}, line {}: a quote is not closed", name_, line));
    line_ += text_[at_] == '\n';
    if (text_[at_] != '"') continue;
    if (at_ + 1 == text_.size() || text_[at_ + 1] != '"') break;
    doubled = true, ++at_;
  }
  const std::string_view inside = std::string_view(text_).substr(begin, at_++ - begin);
  while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  if (at_ < text_.size() && text_[at_] != separator_ && !is_end(text_[at_]))
    throw InputError(fmt::format("{}, line {}: '{}' stands behind a closing quote", name_, line_, shown(text_.substr(at_, 1))));
  if (!doubled) return inside;
  std::string& plain = unescaped_.emplace_back();
  for (std::size_t i = 0; i < inside.size(); ++i) plain += inside[i], i += inside[i] == '"';
  return plain;
}

}  // namespace fermiac
