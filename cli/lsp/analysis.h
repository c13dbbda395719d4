// What is known of one state of a text: tokens, tree, names, everything that is wrong with it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/lsp/positions.h"
#include "frontend/ast/ast.h"
#include "frontend/lex/token.h"
#include "frontend/parse/parse.h"
#include "frontend/symbols/symbols.h"
#include "support/base/diagnostics.h"
#include "support/base/source.h"

namespace fermiac::lsp {

struct AnalysisOptions {
  std::vector<std::string> include_paths;
  bool pedantic = false;           // with the warnings of pedantic mode
  int tallest = kPlainTreeHeight;  // height of the trees that the caller's stack suffices for
};

struct Analysis {
  SourceMap sources;               // file 0 is the text
  lex::TokenStream stream;
  Diagnostics diagnostics;         // of lexer, parser and checker, and warnings about values that are never set
  std::optional<ast::Program> program;  // what could be read of it; nothing where that was not even begun
  SymbolTable symbols;
  bool good = false;               // there is no error: the tree is whole and checked
  std::deque<Positions> positions; // by file

  std::string_view text() const { return sources.file(0).text; }
  /// The places of a span as `{"start": …, "end": …}`; both in the file of its beginning.
  std::string range(Span span) const;
  Position position(Pos pos) const { return positions[pos.file].position(pos.offset); }
  Pos pos(Position position) const { return {0, static_cast<std::uint32_t>(positions[0].offset(position))}; }
};

ParseOptions parse_options(const std::string& path, const AnalysisOptions& options);
std::shared_ptr<const Analysis> analyse(std::string text, const std::string& path, const AnalysisOptions& options);

/// `{"start": …, "end": …}`
std::string range_json(Position begin, Position end);
std::string position_json(Position position);

/// Where the place of one text is in another one, if all that was changed lies between what both begin and end with.
std::size_t moved_offset(std::string_view from, std::string_view to, std::size_t offset);

}  // namespace fermiac::lsp
