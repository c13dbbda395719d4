// The compilation of one program: from text to tokens, syntax tree, checked tree and MIR. Every program that fermiac compiles goes
// through this class (docs/phases/compiler.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/compile_options.h"
#include "frontend/ast/ast.h"
#include "frontend/format/canonical.h"
#include "frontend/lex/token.h"
#include "mir/ir/ir.h"
#include "mir/passes/pass.h"
#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac {

/// Phases run when their product is first asked for, after the phases before them, and at most once: the product, or its absence, is
/// kept until the Compilation is destroyed (tokens and trees only as CompileOptions::keep_tree says). Asking again costs nothing.
///
/// A phase that fails reports into diagnostics(); its product and all later ones are null. The constructor only stores the text.
///
/// Lifetime: pointers and references to products, and views into the text (lex::Token::text, SourceMap::text), are valid as long as
/// the Compilation. The syntax tree and the MIR own their names and hold no such views; a copy of either may outlive it.
///
/// Stack: phases recurse over trees. Call the methods that may run one from within on_large_stack() with its height as
/// CompileOptions::tallest; with the default every stack suffices, and higher trees are an error.
///
/// Threads: none of the methods may run at the same time as one that runs a phase.
class Compilation {
 public:
  /// `sources`: where the files are added, so that spans of several compilations can be compared and rendered together; null: an empty map.
  explicit Compilation(CompileOptions options, std::shared_ptr<SourceMap> sources = nullptr);
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;

  /// `text` of the options has moved to sources().
  const CompileOptions& options() const { return options_; }

  // -------- sources and diagnostics, as of the phases that have run
  const SourceMap& sources() const { return *sources_; }
  const std::shared_ptr<SourceMap>& shared_sources() const { return sources_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// Index in sources() of the main file. Its includes follow it immediately.
  std::uint32_t main_file() const { return main_file_; }
  /// Index after that of the last included file; main_file() + 1 before the program is lexed.
  std::uint32_t end_file() const { return end_file_; }
  const std::string& text() const { return sources_->file(main_file_).text; }
  const std::string& path() const { return sources_->file(main_file_).name; }

  // -------- products of the phases
  /// Tokens, comments and includes. Lexical errors are in the stream and reported by the parser.
  const lex::TokenStream& tokens();
  /// The syntax tree. Null after syntax errors, unless the options keep broken programs. checked_ast() completes the same tree in place.
  const ast::Program* ast();
  /// ast() with types, resolved calls and rewritten removed features. Null if there is any error. If the program was broken, ast() has
  /// what could be resolved, and nothing of that is reported.
  const ast::Program* checked_ast();
  /// The result of mir::lower(). Reports the warnings that the options ask for. Unless they keep the tree, tokens(), ast(), checked_ast()
  /// and info() must not be called after it has returned a program.
  const mir::Program* lowered_mir();
  /// lowered_mir() in the form that the back end of the options takes.
  const mir::Program* backend_mir();
  /// backend_mir() after the passes of the options. Nodes that no pass changed are shared with it.
  const mir::Program* mir();

  /// Rewrites the checked tree in place: ast() and checked_ast() are then the result. Call before lowered_mir(), with a checked_ast()
  /// that is not null.
  void canonicalize(const format::Canonical& canonical);

  // -------- computed from products, not kept
  /// The JSON of `stanc --info`; empty if there is any error. Cost: one walk over the checked tree.
  std::string info();
  /// The report of the memory-pattern pass; empty unless mir() ran it.
  const mir::MemoryReport& memory_report() const { return memory_report_; }

 private:
  std::vector<const mir::Pass*> passes() const;
  void warn();
  void destroy_tree();

  CompileOptions options_;
  std::shared_ptr<SourceMap> sources_;
  std::uint32_t main_file_, end_file_;
  Diagnostics diagnostics_;
  std::optional<lex::TokenStream> tokens_;
  std::optional<ast::Program> ast_;
  std::optional<mir::Program> lowered_, transformed_, optimized_;
  mir::MemoryReport memory_report_;
  bool parsed_ = false, checked_ = false, well_typed_ = false, tree_destroyed_ = false;
};

}  // namespace fermiac
