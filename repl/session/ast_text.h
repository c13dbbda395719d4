// The syntax tree as indented text, one node a line.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace fermiac::repl {

std::string ast_text(const ast::Expr& expr, int indent = 0);
std::string ast_text(const ast::Stmt& stmt, int indent = 0);
std::string ast_text(const ast::FunctionDef& function);
std::string ast_text(const ast::Program& program);

}  // namespace fermiac::repl
