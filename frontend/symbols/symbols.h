// Names of a program: where each is declared, where it can be seen, and every place that mentions it. For editors.
//
// Works on trees as the checker leaves them, of programs with errors too: what was not resolved is looked up by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "support/base/source.h"

namespace fermiac {

struct Symbol {
  enum class Kind : std::uint8_t { Function, Argument, Variable, LoopVariable };

  Kind kind = Kind::Variable;
  ast::Name name;
  Span declaration;                // of the whole statement, argument or definition
  Span type_text;                  // empty for loop variables, and for functions that return nothing
  Type type;                       // of a variable
  ast::BlockKind block = ast::BlockKind::Model;
  bool top_level = false;          // declared right in a block: an input, a parameter, an output
  bool data_only = false;          // of an argument
  int function = -1;               // index in Program::functions: of a function; of the one an argument belongs to
  Pos visible_from, visible_to;    // between these the name means this
};

/// A place that mentions a name.
struct SymbolUse {
  enum class Kind : std::uint8_t { Declaration, Read, Write, Call, Distribution /* behind `~`, without its ending */ };

  Kind kind = Kind::Read;
  Span span;
  std::string name;                // as it is written
  int symbol = -1;                 // index in SymbolTable::symbols; -1: built in, or unknown
};

struct SymbolTable {
  std::vector<Symbol> symbols;     // functions first, in their order; the others as they are declared
  std::vector<SymbolUse> uses;     // declarations among them

  /// The use whose text holds the place, its end counted in; null if there is none.
  const SymbolUse* use_at(Pos pos) const;
  /// Indexes of the symbols that can be seen at a place.
  std::vector<std::size_t> visible_at(const SourceMap& sources, Pos pos) const;
  /// All uses of one symbol.
  std::vector<const SymbolUse*> uses_of(int symbol) const;
};

SymbolTable symbols_of(const ast::Program& program, const SourceMap& sources);

}  // namespace fermiac
