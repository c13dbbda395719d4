// Errors and warnings for editors, as JSON.
#include <fmt/format.h>

#include "cli/stanc/driver.h"
#include "support/base/json.h"

namespace fermiac::stanc {
namespace {

std::string item(const std::string& file, LineColumn begin, LineColumn end, bool warning, const std::string& message) {
  return fmt::format(
      "  {{\"file\": {}, \"line\": {}, \"column\": {}, \"end_line\": {}, \"end_column\": {}, \"severity\": \"{}\", \"message\": {}}}",
      json_quote(file), begin.line, begin.column, end.line, end.column, warning ? "warning" : "error", json_quote(message));
}

std::string list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& text : items) out += (out.size() > 1 ? ",\n" : "\n") + text;
  return out + (items.empty() ? "]\n" : "\n]\n");
}

}  // namespace

std::string diagnostics_json(const Diagnostics& diagnostics, const SourceMap& sources) {
  std::vector<std::string> items;
  for (const Report& report : diagnostics.reports())
    items.push_back(item(sources.file(report.span.begin.file).name, sources.line_column(report.span.begin),
                         sources.line_column(report.span.end), report.kind == DiagKind::Warning, report.message));
  return list(items);
}

std::string unreadable_json(const std::string& file, const std::string& problem) {
  return list({item(file, {1, 0}, {1, 0}, false, problem)});
}

}  // namespace fermiac::stanc
