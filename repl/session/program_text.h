// Text of Stan as a session sees it before anything is parsed: code between comments and strings, and the blocks of a
// program, which are replaced one by one.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "support/base/text.h"

namespace fermiac::repl {



/// Calls `visit(character, offset)` for the text outside of comments and strings; false if one of these is open.
template <class Visit>
bool each_code_character(std::string_view text, Visit visit) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      if (end == std::string_view::npos) return false;
      i = end + 1;
    } else if (text[i] == '"') {
      visit('"', i);
      i = std::min(text.find_first_of("\"\n", i + 1), text.size());
    } else {
      visit(text[i], i);
    }
  }
  return true;
}

/// Where a block stands in a text.
struct BlockText {
  ast::BlockKind kind = ast::BlockKind::Functions;
  std::size_t begin = 0, end = 0;  // from its name to behind its closing bracket
};
/// The blocks at the head of a text, up to the first code that is none; comments may stand between them, and lines that
/// include files.
std::vector<BlockText> leading_blocks(std::string_view text);
/// They make a program of their own, not parts of another: there is a model, and what it is about.
bool is_whole_program(const std::vector<BlockText>& blocks);
/// `program` with the blocks of `text` in the place of its own, everything else as it was.
std::string with_blocks(std::string program, std::string_view text);

// The syntax tree as indented text, one node a line.

std::string ast_text(const ast::Expr& expr, int indent = 0);
std::string ast_text(const ast::Stmt& stmt, int indent = 0);
std::string ast_text(const ast::FunctionDef& function);
std::string ast_text(const ast::Program& program);

/// Lines of `before` that are gone, marked `-`, and new ones of `after`, marked `+`, each group under the last line without
/// indentation that precedes it. Empty if the texts are the same. Cost: the product of the numbers of lines between the first and
/// the last difference; beyond a limit these lines are all replaced.
std::string line_changes(std::string_view before, std::string_view after);

}  // namespace fermiac::repl
