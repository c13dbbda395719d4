// The formatter: a syntax tree and the comments of its source, printed in the one layout.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/ast/ast.h"
#include "frontend/lex/token.h"
#include "support/base/source.h"

namespace fermiac::format {

struct Options {
  int margin = 78;
  bool inline_includes = false;  // print what included files hold, and no directives
  bool strip_comments = false;
};

/// The formatted program. Nothing if an include directive stands inside a statement and is not to be inlined: then
/// there is no line of its own to print it on.
std::optional<std::string> format_program(const SourceMap& sources, const lex::TokenStream& stream,
                                          const ast::Program& program, const Options& options = {});

/// An s-expression of one line, broken to fit the margin.
std::string wrap_sexp(std::string_view sexp, int margin = 90);

/// One expression or declared type on one line, for messages and the REPL; comments are left out.
std::string expression_text(const ast::Expr& expr);

}  // namespace fermiac::format
