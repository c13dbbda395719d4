#include "cli/stanc/warnings_json.h"

#include <fmt/format.h>

namespace fermiac::stanc {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

std::string warnings_json(const std::vector<mir::Warning>& warnings, const SourceMap& sources) {
  std::string out = "[";
  for (const mir::Warning& warning : warnings) {
    const LineColumn begin = sources.line_column(warning.span.begin), end = sources.line_column(warning.span.end);
    out += fmt::format(
        "{}\n  {{\"file\": {}, \"line\": {}, \"column\": {}, \"end_line\": {}, \"end_column\": {}, \"severity\": "
        "\"warning\", "
        "\"message\": {}}}",
        out.size() > 1 ? "," : "", quoted(sources.file(warning.span.begin.file).name), begin.line, begin.column,
        end.line, end.column, quoted(warning.text));
  }
  return out + (warnings.empty() ? "]\n" : "\n]\n");
}

}  // namespace fermiac::stanc
