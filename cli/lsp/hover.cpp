// What a name is: its declaration, sizes and values where there are data, documentation of functions.
#include "cli/lsp/features.h"
#include "frontend/ast/blocks.h"
#include "frontend/check/scope.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {
namespace {

/// `//` lines right above a declaration.
std::string comment_above(const Analysis& state, Span declaration) {
  const std::size_t token = declaration.begin.file == 0 ? token_at(state, declaration.begin.offset) : 0;
  std::string out;
  for (const lex::Comment& comment : state.stream.comments) {
    if (comment.token != token || comment.span.begin.file != declaration.begin.file) continue;
    const bool own_line = state.position(comment.span.begin).line > (token > 0 ? state.position(state.stream.tokens[token - 1].span.end).line : 0) || token == 0;
    if (!own_line || !comment.line) continue;
    std::string_view text = comment.text.substr(2);
    while (text.starts_with('/') || text.starts_with(' ')) text.remove_prefix(1);
    out += std::string(text) + "\n";
  }
  return out;
}

std::string origin(const Symbol& symbol) {
  switch (symbol.kind) {
    case Symbol::Kind::Argument: return "Argument";
    case Symbol::Kind::LoopVariable: return "Loop variable";
    case Symbol::Kind::Function: return "";
    case Symbol::Kind::Variable: break;
  }
  return symbol.top_level ? "Declared in `" + std::string(ast::block_name(symbol.block)) + "`" : "Local variable";
}

std::string of_symbol(Document& document, const Analysis& state, const Symbol& symbol) {
  std::string out = "```stan\n" + declaration_text(state, symbol) + "\n```\n";
  if (const std::string where = origin(symbol); !where.empty()) out += "\n" + where + "\n";
  if (const std::string comment = comment_above(state, symbol.declaration); !comment.empty()) out += "\n" + comment;
  const bool has_value = symbol.top_level && (symbol.block == ast::BlockKind::Data || symbol.block == ast::BlockKind::TransformedData);
  const Values* values = has_value ? document.values() : nullptr;
  if (const std::string shown = values ? values->shown(symbol.name.text) : ""; !shown.empty()) out += "\n```\n" + shown + "\n```\n";
  return out;
}

}  // namespace

std::string hover(Document& document, const JsonValue& params) {
  const Found found = find_name(document, position_of(params));
  if (!found.use) return "null";
  const Symbol* symbol = found.symbol();
  const std::string text = symbol ? of_symbol(document, *found.state, *symbol) : builtin_markdown(check::normalised(found.use->name));
  if (text.empty()) return "null";
  const std::string contents = json_object({{"kind", json_quote("markdown")}, {"value", json_quote(text)}});
  const bool current = found.state == &document.now();
  return json_object({{"contents", contents}, {"range", current ? found.state->range(found.use->span) : ""}});
}

}  // namespace fermiac::lsp
