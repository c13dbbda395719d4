// Blocks with what they declare, and functions.
#include <algorithm>

#include "cli/lsp/features.h"
#include "frontend/ast/blocks.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {
namespace {

enum class OutlineKind : int { Namespace = 3, Function = 12, Variable = 13, Constant = 14 };  // the protocol's numbers

std::string entry(const Analysis& state, const std::string& name, OutlineKind kind, Span whole, Span selection, const std::string& detail,
                  const std::vector<std::string>& children) {
  return json_object({{"name", json_quote(name)},
                      {"detail", detail.empty() ? "" : json_quote(detail)},
                      {"kind", std::to_string(static_cast<int>(kind))},
                      {"range", state.range(whole)},
                      {"selectionRange", state.range(selection)},
                      {"children", children.empty() ? "" : json_array(children)}});
}

std::vector<std::string> declared_in(const Analysis& state, ast::BlockKind block) {
  const bool fixed = block == ast::BlockKind::Data || block == ast::BlockKind::TransformedData;
  std::vector<std::string> out;
  for (const Symbol& symbol : state.symbols.symbols) {
    if (symbol.block != block || !symbol.top_level || symbol.declaration.begin.file != 0 || symbol.declaration.end.file != 0) continue;
    const bool function = symbol.kind == Symbol::Kind::Function;
    const std::string detail = function ? declaration_text(state, symbol) : std::string(state.sources.text(symbol.type_text));
    out.push_back(entry(state, symbol.name.text, function ? OutlineKind::Function : fixed ? OutlineKind::Constant : OutlineKind::Variable,
                        symbol.declaration, symbol.name.span, detail, {}));
  }
  return out;
}

}  // namespace

std::string document_symbols(Document& document, const JsonValue&) {
  const Analysis& state = document.now();
  if (!state.program) return "[]";
  const ast::Program& program = *state.program;
  if (program.functions_only) return json_array(declared_in(state, ast::BlockKind::Functions));
  std::vector<std::string> out;
  for (const auto& [kind, name, identifier, mir_name, member] : ast::kBlocks) {
    const std::optional<ast::ProgramBlock>& block = program.*member;
    if (!block || block->span.begin.file != 0 || block->span.end.file != 0) continue;
    const Pos begin = block->span.begin;
    const Span head{begin, {0, std::min(block->span.end.offset, begin.offset + static_cast<std::uint32_t>(name.size()))}};
    out.push_back(entry(state, std::string(name), OutlineKind::Namespace, block->span, head, "", declared_in(state, kind)));
  }
  return json_array(out);
}

}  // namespace fermiac::lsp
