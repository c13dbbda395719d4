// The whole text in the formatter's layout.
#include <optional>

#include "cli/lsp/features.h"
#include "frontend/format/format.h"
#include "frontend/format/reads_back.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {

std::string formatting(Document& document, const JsonValue&) {
  const Analysis& state = document.now();
  if (!state.good) return "null";  // editors ask at each save; the errors are told already
  const ParseOptions parsing = parse_options(document.path(), document.options());
  const std::optional<std::string> text = format::format_until_stable(state.sources, state.stream, *state.program, {}, parsing);
  if (!text) throw RpcError(ErrorCode::RequestFailed, "a program with an #include inside a statement cannot be formatted");
  if (!format::reads_back(state.sources, state.stream, *state.program, *text, parsing, false).same)
    throw RpcError(ErrorCode::InternalError, "the formatted program does not read back as the same program");
  if (*text == document.text()) return "[]";
  const Positions positions(document.text());
  const std::string whole = range_json({0, 0}, positions.position(document.text().size()));
  return json_array({json_object({{"range", whole}, {"newText", json_quote(*text)}})});
}

}  // namespace fermiac::lsp
