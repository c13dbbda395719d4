// What the memory-pattern pass decided, as `stanc --debug-mem-patterns` and the session print it.
#include <set>

#include "mir/passes/pass.h"
#include "mir/text/text.h"
#include "support/base/render.h"

namespace fermiac::mir {
namespace {

constexpr std::size_t kLongestExcerpt = 60;

/// The program's text on one line, shortened.
std::string excerpt(const SourceMap& sources, Span span) {
  if (span.begin.file != span.end.file) return {};
  std::string out;
  for (const char c : sources.text(span)) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  if (out.size() > kLongestExcerpt) out = out.substr(0, kLongestExcerpt) + " …";
  return out;
}

}  // namespace

std::string memory_table(const MemoryReport& report) {
  std::string out;
  for (const MemoryReport::Row& row : report.rows) out += to_pretty(row.type) + " " + row.name + (row.soa ? ": SoA\n" : ": AoS\n");
  return out;
}

std::string memory_hazards(const MemoryReport& report, const SourceMap& sources) {
  std::set<std::string> lines;
  for (const MemoryReport::Warning& warning : report.warnings)
    lines.insert("Optimization hazard warning (Line " + std::to_string(sources.line_column(warning.span.end).line) +
                 "): SoA warning: " + warning.text + "\n");
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

std::string memory_causes(const MemoryReport& report, const SourceMap& sources) {
  std::string out;
  for (const MemoryReport::Row& row : report.rows) {
    if (row.soa || row.why.empty()) continue;
    const bool placed = row.where != Span{};
    out += "'" + row.name + "' is AoS: " + row.why;
    if (placed) out += " (in " + location_text(sources, row.where) + ")";
    const std::string text = placed ? excerpt(sources, row.where) : "";
    out += (text.empty() ? "" : ": " + text) + "\n";
  }
  return out;
}

}  // namespace fermiac::mir
