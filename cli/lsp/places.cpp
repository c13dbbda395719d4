// Places in parameters and answers, and the names that stand there.
#include <algorithm>

#include "cli/lsp/features.h"
#include "cli/lsp/uri.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {

Position position_in(const JsonValue* position) {
  const auto read = [&](std::string_view key) {
    const double number = position ? json_number_or(position->find(key), -1) : -1;
    if (!(number >= 0)) throw RpcError(ErrorCode::InvalidParams, "a position needs line and character, integers from 0");
    return static_cast<std::size_t>(std::min(number, 4e9));
  };
  return {read("line"), read("character")};
}

Position position_of(const JsonValue& params) { return position_in(params.find("position")); }

Found find_name(Document& document, Position position) {
  for (const View& view : document.views(position))
    if (const SymbolUse* use = view.state.symbols.use_at(view.pos)) return {&view.state, use};
  return {};
}

std::string uri_of(const Document& document, const Analysis& state, Pos pos) {
  return pos.file == 0 ? document.uri() : uri_of_path(state.sources.file(pos.file).name);
}

std::string location(const Document& document, const Analysis& state, Span span) {
  return json_object({{"uri", json_quote(uri_of(document, state, span.begin))}, {"range", state.range(span)}});
}

std::string declaration_text(const Analysis& state, const Symbol& symbol) {
  const std::string type = symbol.type_text == Span{} ? symbol.kind == Symbol::Kind::Function ? "void" : symbol.type.str()
                                                      : std::string(state.sources.text(symbol.type_text));
  std::string out = (symbol.data_only ? "data " : "") + type + " " + symbol.name.text;
  if (symbol.kind != Symbol::Kind::Function) return out;
  const ast::FunctionDef& function = state.program->functions[static_cast<std::size_t>(symbol.function)];
  out += "(";
  for (const ast::FunctionArgument& argument : function.args) {
    if (!out.ends_with('(')) out += ", ";
    out += (argument.data_only ? "data " : "") + argument.type.type().str() + " " + argument.name.text;
  }
  return out + ")";
}

std::size_t token_at(const Analysis& state, std::uint32_t offset) {
  const std::vector<lex::Token>& tokens = state.stream.tokens;
  const auto before = [&](const lex::Token& token) { return state.sources.before(token.span.begin, {0, offset}); };
  return static_cast<std::size_t>(std::ranges::partition_point(tokens, before) - tokens.begin());
}

bool in_comment_or_string(const Analysis& state, std::uint32_t offset) {
  const auto inside = [&](Span span, bool open_end) {
    return span.begin.file == 0 && span.begin.offset < offset && (offset < span.end.offset || (open_end && offset == span.end.offset));
  };
  for (const lex::Comment& comment : state.stream.comments)
    if (inside(comment.span, comment.line)) return true;
  const std::size_t next = token_at(state, offset);
  if (next == 0) return false;
  const lex::Token& token = state.stream.tokens[next - 1];
  return token.kind == lex::Tok::StringLit && inside(token.span, false);
}

}  // namespace fermiac::lsp
