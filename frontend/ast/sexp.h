// The tree as an s-expression without places: for `--debug-ast`, and to compare two trees.
#pragma once

#include <string>

#include "frontend/ast/ast.h"

namespace fermiac::ast {

/// One line. `typed` adds what the checker found: types, levels and resolved names.
std::string to_sexp(const Program& program, bool typed = false);
std::string to_sexp(const Stmt& stmt, bool typed = false);
std::string to_sexp(const Expr& expr, bool typed = false);

}  // namespace fermiac::ast
