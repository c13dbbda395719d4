#include "support/base/render.h"

#include <algorithm>

namespace fermiac {
namespace {

constexpr std::uint32_t kContextLines = 2;
constexpr std::string_view kBar = "   -------------------------------------------------\n";

std::string place(const SourceMap& sources, Pos pos) {
  const LineColumn at = sources.line_column(pos);
  return fmt::format("'{}', line {}, column {}", sources.file(pos.file).name, at.line, at.column);
}

std::string include_chain(const SourceMap& sources, Pos pos) {
  std::string text;
  for (auto from = sources.file(pos.file).included_from; from; from = sources.file(from->file).included_from)
    text += ", included from\n" + place(sources, *from);
  return text;
}

std::string headline(const Report& report, const std::string& where) {
  switch (report.kind) {
    case DiagKind::Lexing: return "Syntax error in " + where + ", lexing error:";
    case DiagKind::Including: return "Syntax error in " + where + ", include error:";
    case DiagKind::Parsing: return "Syntax error in " + where + ", parsing error:";
    case DiagKind::Semantic: return "Semantic error in " + where + ":";
    case DiagKind::Warning: return "Warning in " + where + ":";
    case DiagKind::Error: break;
  }
  return "Error in " + where + ":";
}

std::string paint(std::string_view text, std::string_view code, const RenderOptions& options) {
  return options.color ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

}  // namespace

std::string location_text(const SourceMap& sources, Span span) {
  std::string text = place(sources, span.begin);
  if (sources.file(span.begin.file).included_from) return text + include_chain(sources, span.begin);
  if (span.begin == span.end) return text;
  const LineColumn begin = sources.line_column(span.begin), end = sources.line_column(span.end);
  if (span.begin.file != span.end.file)
    return text + fmt::format(" to {}", place(sources, span.end)) + include_chain(sources, span.end);
  if (begin.line != end.line) return text + fmt::format(" to line {}, column {}", end.line, end.column);
  return text + fmt::format(" to column {}", end.column);
}

std::string source_box(const SourceMap& sources, Pos pos) {
  const LineColumn at = sources.line_column(pos);
  const std::uint32_t lines = sources.line_count(pos.file);
  const bool at_end = at.line > lines;
  std::string box(kBar);
  const std::uint32_t first = at.line > kContextLines ? at.line - kContextLines : 1;
  const std::uint32_t last = std::max(at.line, std::min(at.line + kContextLines, lines));
  for (std::uint32_t number = first; number <= last; ++number) {
    const std::string_view line = sources.line(pos.file, number);
    box += fmt::format("{:6}:  {}\n", number, line);
    if (number != at.line) continue;
    std::string before(line.substr(0, std::min<std::size_t>(at.column, line.size())));
    std::replace_if(before.begin(), before.end(), [](char c) { return c != '\t'; }, ' ');
    box += fmt::format("{:9}{}^{}\n", "", before, at_end ? " (error at end of file)" : "");
  }
  return box + std::string(kBar);
}

std::string fill(std::string_view text, std::size_t indent, std::size_t width) {
  const std::string margin(indent, ' ');
  std::string result;
  while (true) {
    const std::size_t newline = std::min(text.find('\n'), text.size());
    std::string_view paragraph = text.substr(0, newline);
    std::size_t column = 0;  // 0: no word on this line yet
    while (true) {
      paragraph.remove_prefix(std::min(paragraph.find_first_not_of(' '), paragraph.size()));
      if (paragraph.empty()) break;
      const std::string_view word = paragraph.substr(0, paragraph.find(' '));
      if (column > 0 && column + 1 + word.size() > width) {
        result += '\n';
        column = 0;
      }
      result += column == 0 ? margin : " ";
      column += (column == 0 ? indent : 1) + word.size();
      result += word;
      paragraph.remove_prefix(word.size());
    }
    result += '\n';
    if (newline == text.size()) return result;
    text.remove_prefix(newline + 1);
  }
}

std::string render(const SourceMap& sources, const Report& report, const RenderOptions& options) {
  const std::string head = headline(report, location_text(sources, report.span));
  if (report.kind == DiagKind::Warning) return paint(head, "1;35", options) + "\n" + fill(report.message, 4);
  return paint(head, "1;31", options) + "\n" + source_box(sources, report.span.begin) + "\n" + report.message + "\n";
}

std::string render_errors(const SourceMap& sources, const Diagnostics& diagnostics, const RenderOptions& options) {
  std::string text;
  for (const Report& report : diagnostics.reports())
    if (report.kind != DiagKind::Warning) text += render(sources, report, options);
  return text;
}

std::string render_warnings(const SourceMap& sources, const Diagnostics& diagnostics, WarningGroup group,
                            const RenderOptions& options) {
  std::string text;
  for (const Report& report : diagnostics.reports())
    if (report.kind == DiagKind::Warning && report.group == group) text += render(sources, report, options);
  return text.empty() ? text : text + "\n";
}

}  // namespace fermiac
