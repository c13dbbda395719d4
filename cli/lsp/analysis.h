// What is known of one state of a text: tokens, tree, names, everything that is wrong with it.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "cli/lsp/positions.h"
#include "compiler/compilation.h"
#include "frontend/ast/ast.h"
#include "frontend/lex/token.h"
#include "frontend/symbols/symbols.h"
#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac::lsp {

struct Analysis {
  /// Compiles the text up to the warnings. `options`: for every text of this document.
  Analysis(std::string text, const std::string& path, CompileOptions options);

  std::shared_ptr<Compilation> compilation;  // owns what the next four refer to
  const SourceMap& sources;                  // file 0 is the text
  const lex::TokenStream& stream;
  const Diagnostics& diagnostics;            // of lexer, parser and checker, and warnings about values that are never set
  const ast::Program* program;               // what could be read of it; null where that was not even begun
  bool good;                                 // there is no error: the tree is whole and checked
  SymbolTable symbols;
  std::deque<Positions> positions;           // by file

  std::string_view text() const { return compilation->text(); }
  /// The places of a span as `{"start": …, "end": …}`; both in the file of its beginning.
  std::string range(Span span) const;
  Position position(Pos pos) const { return positions[pos.file].position(pos.offset); }
  Pos pos(Position position) const { return {0, static_cast<std::uint32_t>(positions[0].offset(position))}; }
};

/// `{"start": …, "end": …}`
std::string range_json(Position begin, Position end);
std::string position_json(Position position);

/// Where the place of one text is in another one, if all that was changed lies between what both begin and end with.
std::size_t moved_offset(std::string_view from, std::string_view to, std::size_t offset);

}  // namespace fermiac::lsp
