#include "repl/session/input_lines.h"

#include "frontend/ast/blocks.h"
#include "repl/session/program_text.h"

namespace fermiac::repl {

void OpenText::add(std::string_view lines) {
  text_ += lines;
  if (comment_) {
    const std::size_t end = lines.find("*/");
    if (end == std::string_view::npos) return;
    lines.remove_prefix(end + 2);
  }
  comment_ = !each_code_character(lines, [&](char c, std::size_t) {
    if (!std::isspace(static_cast<unsigned char>(c))) last_ = c;
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') --depth_;
  });
}

bool OpenText::incomplete() const {
  const std::string_view text = trimmed(text_);
  if (text.starts_with(':')) return false;
  if (std::ranges::find(ast::kBlocks, text, &ast::BlockRow::name) != ast::kBlocks.end()) return true;  // its bracket is on the next line
  return (comment_ || depth_ > 0 || last_ == '=' || last_ == ',');
}

namespace {

/// The line may be the head of a block.
bool begins_block(std::string_view line) {
  line = trimmed(line);
  const std::size_t end = static_cast<std::size_t>(std::ranges::find_if_not(line, is_word) - line.begin());
  const std::string_view word = line.substr(0, end);
  return !word.empty() && std::ranges::any_of(ast::kBlocks, [&](const ast::BlockRow& row) { return row.name.substr(0, row.name.find(' ')) == word; });
}

/// Nothing but blanks and comments.
bool has_no_code(std::string_view text) {
  bool code = false;
  const bool closed = each_code_character(text, [&](char c, std::size_t) { code = code || !std::isspace(static_cast<unsigned char>(c)); });
  return closed && !code;
}

}  // namespace

void InputLines::add(std::string_view line, const Run& run) {
  if (!is_open() && !blocks_.empty()) {
    if (has_no_code(line)) {
      blocks_ += std::string(line) + "\n";
      return;
    }
    if (!begins_block(line)) pause(run);
  }
  pending_.add(std::string(line) + "\n");
  if (!pending_.incomplete()) complete(run);
}

void InputLines::complete(const Run& run) {
  const std::string text = pending_.text();
  pending_ = {};
  if (leading_blocks(text).empty()) {
    run(text);
    return;
  }
  blocks_ += text;
}

void InputLines::pause(const Run& run) {
  if (blocks_.empty()) return;
  const std::string text = std::move(blocks_);
  blocks_.clear();
  run(text);
}

void InputLines::end(const Run& run) {
  const std::string rest = pending_.text();
  pending_ = {};
  if (rest.empty()) return pause(run);
  const std::string text = blocks_ + rest;
  blocks_.clear();
  run(text);
}

void each_input(std::string_view text, const InputLines::Run& run) {
  const bool statements = leading_blocks(text).empty() && (text.ends_with(';') || text.ends_with('}'));
  if (statements || text.find('\n') == std::string_view::npos) {
    run(std::string(text));
    return;
  }
  InputLines lines;
  bool on = true;
  const InputLines::Run run_next = [&](const std::string& input) { return on = on && run(input); };
  for (std::size_t at = 0; on && at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.add(text.substr(at, end - at), run_next);
    at = end + 1;
  }
  if (on) lines.end(run_next);
}

}  // namespace fermiac::repl
