#include "support/base/source.h"

#include <algorithm>

namespace fermiac {
namespace {

/// A newline is `\n`, a lone `\r`, or any run of `\r` followed by `\n`.
std::vector<std::uint32_t> find_line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  if (text.find('\r') == std::string_view::npos) {  // nearly always, and a search is much quicker than a loop
    for (std::size_t i = text.find('\n'); i != std::string_view::npos; i = text.find('\n', i + 1))
      starts.push_back(static_cast<std::uint32_t>(i + 1));
    return starts;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      const std::size_t run = text.find_first_not_of('\r', i);
      if (run != std::string_view::npos && text[run] == '\n') i = run;
      starts.push_back(static_cast<std::uint32_t>(i + 1));
    } else if (text[i] == '\n') {
      starts.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }
  return starts;
}

}  // namespace

std::uint32_t SourceMap::add(std::string name, std::string text, std::optional<Pos> included_from) {
  std::vector<std::uint32_t> starts = find_line_starts(text);
  files_.push_back({std::move(name), std::move(text), included_from, std::move(starts)});
  return static_cast<std::uint32_t>(files_.size() - 1);
}

LineColumn SourceMap::line_column(Pos pos) const {
  const std::vector<std::uint32_t>& starts = files_[pos.file].line_starts;
  const auto after = std::upper_bound(starts.begin(), starts.end(), pos.offset);
  const auto line = static_cast<std::uint32_t>(after - starts.begin());
  return {line, pos.offset - starts[line - 1]};
}

std::uint32_t SourceMap::line_count(std::uint32_t file) const {
  const File& f = files_[file];
  const auto lines = static_cast<std::uint32_t>(f.line_starts.size());
  return f.line_starts.back() == f.text.size() ? lines - 1 : lines;  // text ending in a newline has no last empty line
}

std::string_view SourceMap::line(std::uint32_t file, std::uint32_t line) const {
  const File& f = files_[file];
  if (line == 0 || line > f.line_starts.size()) return {};
  const std::uint32_t begin = f.line_starts[line - 1];
  const std::uint32_t end =
      line < f.line_starts.size() ? f.line_starts[line] : static_cast<std::uint32_t>(f.text.size());
  std::string_view text = std::string_view(f.text).substr(begin, end - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view SourceMap::text(Span span) const {
  if (span.begin.file != span.end.file) return {};
  return std::string_view(files_[span.begin.file].text)
      .substr(span.begin.offset, span.end.offset - span.begin.offset);
}

bool SourceMap::before(Pos a, Pos b) const {
  if (a.file == b.file) return a.offset < b.offset;
  const auto path = [&](Pos pos) {  // from the main file inwards
    std::vector<Pos> steps{pos};
    while (const std::optional<Pos>& from = files_[steps.back().file].included_from) steps.push_back(*from);
    std::reverse(steps.begin(), steps.end());
    return steps;
  };
  const std::vector<Pos> steps_a = path(a), steps_b = path(b);
  const std::size_t shared = std::min(steps_a.size(), steps_b.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (steps_a[i].file != steps_b[i].file) return steps_a[i].file < steps_b[i].file;
    if (steps_a[i].offset != steps_b[i].offset) return steps_a[i].offset < steps_b[i].offset;
  }
  return steps_a.size() < steps_b.size();
}

}  // namespace fermiac
