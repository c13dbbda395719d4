#include "cli/stanc/warnings_json.h"

#include <fmt/format.h>

#include "support/json.h"

namespace fermiac::stanc {
std::string warnings_json(const std::vector<mir::Warning>& warnings, const SourceMap& sources) {
  std::string out = "[";
  for (const mir::Warning& warning : warnings) {
    const LineColumn begin = sources.line_column(warning.span.begin), end = sources.line_column(warning.span.end);
    out += fmt::format(
        "{}\n  {{\"file\": {}, \"line\": {}, \"column\": {}, \"end_line\": {}, \"end_column\": {}, \"severity\": "
        "\"warning\", "
        "\"message\": {}}}",
        out.size() > 1 ? "," : "", json_quote(sources.file(warning.span.begin.file).name), begin.line, begin.column,
        end.line, end.column, json_quote(warning.text));
  }
  return out + (warnings.empty() ? "]\n" : "\n]\n");
}

}  // namespace fermiac::stanc
