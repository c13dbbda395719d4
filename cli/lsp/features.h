// What the server answers, one function per method. Each gives the result as JSON; `null` where there is nothing to say.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/lsp/document.h"
#include "support/base/json_tree.h"

namespace fermiac::lsp {

/// Codes of JSON-RPC and of the protocol.
enum class ErrorCode : int {
  ParseError = -32700,
  InvalidRequest = -32600,
  MethodNotFound = -32601,
  InvalidParams = -32602,
  InternalError = -32603,
  NotInitialized = -32002,
  RequestFailed = -32803
};

struct RpcError : std::runtime_error {
  RpcError(ErrorCode code_, const std::string& message) : std::runtime_error(message), code(code_) {}
  ErrorCode code;
};

using Feature = std::string (*)(Document&, const JsonValue& params);

std::string hover(Document& document, const JsonValue& params);
std::string completion(Document& document, const JsonValue& params);
std::string signature_help(Document& document, const JsonValue& params);
std::string definition(Document& document, const JsonValue& params);
std::string references(Document& document, const JsonValue& params);
std::string highlights(Document& document, const JsonValue& params);
std::string prepare_rename(Document& document, const JsonValue& params);
std::string rename(Document& document, const JsonValue& params);
std::string document_symbols(Document& document, const JsonValue& params);
std::string formatting(Document& document, const JsonValue& params);
std::string semantic_tokens(Document& document, const JsonValue& params);
std::string code_lenses(Document& document, const JsonValue& params);
std::string code_actions(Document& document, const JsonValue& params);

/// The parameters of textDocument/publishDiagnostics.
std::string diagnostics(Document& document);
/// Names of the types and modifiers that semantic tokens count by, as the server announces them.
std::string semantic_legend();

// ---------------------------------------------------------------- shared

/// Of `params` or of a range in them. Throws RpcError where it is missing or no place.
Position position_in(const JsonValue* position);
Position position_of(const JsonValue& params);
/// The name that stands at a place, and its symbol; `use` is null where there is none.
struct Found {
  const Analysis* state = nullptr;
  const SymbolUse* use = nullptr;
  const Symbol* symbol() const { return use && use->symbol >= 0 ? &state->symbols.symbols[static_cast<std::size_t>(use->symbol)] : nullptr; }
};
Found find_name(Document& document, Position position);
/// The address of the file in which a place lies.
std::string uri_of(const Document& document, const Analysis& state, Pos pos);
/// `{"uri": …, "range": …}`
std::string location(const Document& document, const Analysis& state, Span span);

/// `vector[N] y` of a variable, `real f(vector x)` of a function.
std::string declaration_text(const Analysis& state, const Symbol& symbol);
/// A built-in function or distribution in Markdown; empty for unknown names.
std::string builtin_markdown(const std::string& name);
/// Index of the first token that begins at or behind an offset of the text; includes count as nothing.
std::size_t token_at(const Analysis& state, std::uint32_t offset);
/// The offset lies in a comment or a string.
bool in_comment_or_string(const Analysis& state, std::uint32_t offset);

}  // namespace fermiac::lsp
