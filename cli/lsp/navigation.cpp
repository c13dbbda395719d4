// From a name to its declaration and to everything that mentions it; other names for it.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "cli/lsp/features.h"
#include "frontend/builtins/builtins.h"
#include "frontend/check/check.h"
#include "frontend/check/scope.h"
#include "frontend/lex/lexer.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {
namespace {

/// The directive under the cursor.
const lex::Include* include_at(const Analysis& state, Pos pos) {
  for (const lex::Include& include : state.stream.includes)
    if (include.file != 0 && include.span.begin.file == 0 && include.span.begin <= pos && pos <= include.span.end) return &include;
  return nullptr;
}

/// Places of a symbol, each once: a file that is included twice is one file.
std::vector<const SymbolUse*> distinct_uses(const Document& document, const Found& found) {
  std::set<std::pair<std::string, std::uint32_t>> seen;
  std::vector<const SymbolUse*> out;
  for (const SymbolUse* use : found.state->symbols.uses_of(found.use->symbol))
    if (seen.emplace(uri_of(document, *found.state, use->span.begin), use->span.begin.offset).second) out.push_back(use);
  return out;
}

bool is_identifier(const std::string& text) {
  SourceMap sources;
  const lex::TokenStream stream = lex::lex(sources, sources.add("name", text), {});
  return stream.errors.empty() && stream.tokens.size() == 2 && stream.tokens[0].kind == lex::Tok::Identifier &&
         stream.tokens[0].text == text && !text.ends_with("__");
}

/// `_lpdf` of `foo_lpdf`; empty for plain names.
std::string ending_of(const std::string& name) { return name.substr(check::stem_of(name).size()); }

[[noreturn]] void refuse(const std::string& why) { throw RpcError(ErrorCode::RequestFailed, why); }

void check_new_name(const Analysis& state, const Symbol& symbol, const std::string& now) {
  const std::string& old = symbol.name.text;
  if (!is_identifier(now)) refuse("'" + now + "' cannot be a name");
  if (is_builtin(now) || std::ranges::count(special_function_names(), now)) refuse("'" + now + "' is a built-in function");
  const bool function = symbol.kind == Symbol::Kind::Function;
  if (function && ending_of(now) != ending_of(old)) refuse("the ending of a function's name says what it is: the new name must end in '" + ending_of(old) + "', too");
  for (const Symbol& other : state.symbols.symbols)
    if (&other != &symbol && other.name.text == now) refuse("'" + now + "' is already in use");
}

/// The new name as this place has to write it: `~ foo`, `foo_lupdf`.
std::string rewritten(const SymbolUse& use, const std::string& now) {
  const std::string stem(check::stem_of(now));
  if (use.kind == SymbolUse::Kind::Distribution) return stem;
  return check::is_unnormalised(use.name) ? stem + use.name.substr(check::stem_of(check::normalised(use.name)).size()) : now;
}

/// What can be renamed at a place; throws RpcError.
Found renamed(Document& document, const JsonValue& params) {
  const Position position = position_of(params);
  const Analysis& state = document.now();
  if (!state.good) refuse("names are changed in programs without errors only");
  const Found found{&state, state.symbols.use_at(state.pos(position))};
  if (!found.use) refuse("there is no name here");
  if (!found.symbol()) refuse("'" + found.use->name + "' is built in");
  return found;
}

}  // namespace

std::string definition(Document& document, const JsonValue& params) {
  const Position position = position_of(params);
  const Analysis& now = document.now();
  if (const lex::Include* include = include_at(now, now.pos(position)))
    return location(document, now, {{include->file, 0}, {include->file, 0}});
  const Found found = find_name(document, position);
  return found.symbol() ? location(document, *found.state, found.symbol()->name.span) : "null";
}

std::string references(Document& document, const JsonValue& params) {
  const Found found = find_name(document, position_of(params));
  if (!found.symbol()) return "[]";
  const bool declarations = json_is_true(json_path(params, {"context", "includeDeclaration"}));
  std::vector<std::string> items;
  for (const SymbolUse* use : distinct_uses(document, found))
    if (declarations || use->kind != SymbolUse::Kind::Declaration) items.push_back(location(document, *found.state, use->span));
  return json_array(items);
}

std::string highlights(Document& document, const JsonValue& params) {
  constexpr int kRead = 2, kWrite = 3;
  const Analysis& state = document.now();
  const Found found{&state, state.symbols.use_at(state.pos(position_of(params)))};
  if (!found.symbol()) return "[]";
  std::vector<std::string> items;
  for (const SymbolUse* use : state.symbols.uses_of(found.use->symbol)) {
    if (use->span.begin.file != 0) continue;
    const bool writes = use->kind == SymbolUse::Kind::Write || use->kind == SymbolUse::Kind::Declaration;
    items.push_back(json_object({{"range", state.range(use->span)}, {"kind", std::to_string(writes ? kWrite : kRead)}}));
  }
  return json_array(items);
}

std::string prepare_rename(Document& document, const JsonValue& params) {
  const Found found = renamed(document, params);
  return json_object({{"range", found.state->range(found.use->span)}, {"placeholder", json_quote(found.symbol()->name.text)}});
}

std::string rename(Document& document, const JsonValue& params) {
  const Found found = renamed(document, params);
  const std::string now = json_string_or(params.find("newName"), "");
  check_new_name(*found.state, *found.symbol(), now);
  std::map<std::string, std::vector<std::string>> edits;
  for (const SymbolUse* use : distinct_uses(document, found))
    edits[uri_of(document, *found.state, use->span.begin)].push_back(
        json_object({{"range", found.state->range(use->span)}, {"newText", json_quote(rewritten(*use, now))}}));
  std::vector<std::pair<std::string_view, std::string>> changes;
  for (const auto& [uri, list] : edits) changes.emplace_back(uri, json_array(list));
  return json_object({{"changes", json_object(changes)}});
}

}  // namespace fermiac::lsp
