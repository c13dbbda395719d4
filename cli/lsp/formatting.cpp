// The whole text in the formatter's layout.
#include "cli/lsp/features.h"
#include "compiler/formatted.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {

std::string formatting(Document& document, const JsonValue&) {
  const Analysis& state = document.now();
  if (!state.good) return "null";  // editors ask at each save; the errors are told already
  const Formatted result = formatted(*state.compilation);
  if (result.outcome == Formatted::Outcome::IncludeInStatement)
    throw RpcError(ErrorCode::RequestFailed, "a program with an #include inside a statement cannot be formatted");
  if (result.outcome != Formatted::Outcome::Done)
    throw RpcError(ErrorCode::InternalError, "the formatted program does not read back as the same program");
  if (result.text == document.text()) return "[]";
  const Positions positions(document.text());
  const std::string whole = range_json({0, 0}, positions.position(document.text().size()));
  return json_array({json_object({{"range", whole}, {"newText", json_quote(result.text)}})});
}

}  // namespace fermiac::lsp
