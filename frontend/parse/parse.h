// Text to syntax tree. A syntax error ends the parse, unless `all_errors` is set; the functions then return nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/lex/includes.h"
#include "frontend/lex/token.h"
#include "support/base/diagnostics.h"
#include "support/base/source.h"
#include "support/platform/stack.h"

namespace fermiac {

struct ParseOptions {
  std::vector<std::string> include_paths;
  IncludeRule include_rule = IncludeRule::Anywhere;
  const CarriedFiles* carried_includes = nullptr;  // stand for the files
  bool functions_only = false;  // a `.stanfunctions` file: function definitions without a block around them
  bool strict = false;          // features that were removed from the language are errors; else they are rewritten
  bool all_errors = false;      // go on after a syntax error
  bool ends_at_arrow = false;   // a lone expression ends before `<-`, the removed assignment: `p <- 4` is a statement
  bool keep_broken = false;     // with `all_errors`: a program with errors is what could be read of it, without what they spoil
  int tallest = kPlainTreeHeight;  // height of the trees that the caller's stack suffices for
  std::string* trace = nullptr;  // receives a line per rule that was matched
};

/// The tokens of a program. `file` is its index in `sources`; includes are added there. Views in the result live as long as `sources`.
lex::TokenStream lex_program(SourceMap& sources, std::uint32_t file, const ParseOptions& options);

/// A whole program from the result of lex_program() with the same options.
std::optional<ast::Program> parse_program(const SourceMap& sources, const lex::TokenStream& stream, const ParseOptions& options,
                                          Diagnostics& diagnostics);

/// lex_program() and parse_program(). `keep`, if given, receives the tokens, comments and includes.
std::optional<ast::Program> parse_program(SourceMap& sources, std::uint32_t file, const ParseOptions& options,
                                          Diagnostics& diagnostics, lex::TokenStream* keep = nullptr);

/// One expression and nothing after it.
ast::ExprPtr parse_expression(SourceMap& sources, std::uint32_t file, const ParseOptions& options,
                              Diagnostics& diagnostics);

/// Statements and declarations as in a block. `top_level` allows constrained types.
std::optional<std::vector<ast::StmtPtr>> parse_statements(SourceMap& sources, std::uint32_t file,
                                                          const ParseOptions& options, Diagnostics& diagnostics,
                                                          bool top_level);

/// Function definitions, as between the braces of a functions block.
std::optional<std::vector<ast::FunctionDef>> parse_functions(SourceMap& sources, std::uint32_t file,
                                                             const ParseOptions& options, Diagnostics& diagnostics);

}  // namespace fermiac

// Features that the language no longer has: they are recognized, reported with what replaced them, and rewritten.

namespace fermiac::parse {

/// The text says what was found and what to write instead.
inline constexpr Diagnostic<std::string> kRemovedFeature{DiagId::W2021, DiagKind::Warning, "{}",
                                                         WarningGroup::Deprecation};

/// Replaces calls of functions that were removed or renamed. Names that the program defines itself are left alone.
/// `stream` is what the program was parsed from: without a word that may need it no tree is walked.
void replace_removed_functions(ast::Program& program, const lex::TokenStream& stream, Diagnostics& diagnostics);

/// The same for pieces of a session; names in `own` belong to functions that earlier pieces defined.
void replace_removed_functions(ast::Program& pieces, const std::vector<std::string>& own, Diagnostics& diagnostics);

}  // namespace fermiac::parse
