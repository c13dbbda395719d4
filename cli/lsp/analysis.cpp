#include "cli/lsp/analysis.h"

#include <algorithm>

#include "frontend/check/check.h"
#include "mir/lower/lower.h"
#include "mir/warnings/warnings.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {
namespace {

void add_warnings(Analysis& analysis, const AnalysisOptions& options) {
  const mir::Program program = mir::lower(*analysis.program, "model", analysis.sources.file(0).name);
  mir::report_uninitialised(program, analysis.sources, analysis.diagnostics);
  if (options.pedantic) mir::report_pedantic(program, analysis.sources, analysis.diagnostics);
}

}  // namespace

ParseOptions parse_options(const std::string& path, const AnalysisOptions& options) {
  return {.include_paths = options.include_paths,
          .functions_only = path.ends_with(".stanfunctions"),
          .all_errors = true,
          .keep_broken = true,
          .tallest = options.tallest};
}

std::shared_ptr<const Analysis> analyse(std::string text, const std::string& path, const AnalysisOptions& options) {
  auto out = std::make_shared<Analysis>();
  const std::uint32_t file = out->sources.add(path, std::move(text));
  out->program = parse_program(out->sources, file, parse_options(path, options), out->diagnostics, &out->stream);
  const bool whole = !out->diagnostics.has_errors();
  Diagnostics spoiled;  // what the checker says of a tree with holes is of no use
  if (out->program)
    out->good = check_program(*out->program, {.all_errors = true, .rewrite_removed = true}, whole ? out->diagnostics : spoiled) && whole;
  if (out->program) out->symbols = symbols_of(*out->program, out->sources);
  if (out->good) add_warnings(*out, options);
  for (std::uint32_t i = 0; i < out->sources.size(); ++i) out->positions.emplace_back(out->sources.file(i).text);
  return out;
}

std::string position_json(Position position) {
  return json_object({{"line", std::to_string(position.line)}, {"character", std::to_string(position.character)}});
}

std::string range_json(Position begin, Position end) {
  return json_object({{"start", position_json(begin)}, {"end", position_json(end)}});
}

std::string Analysis::range(Span span) const {
  const Pos end = span.end.file == span.begin.file ? span.end : span.begin;
  return range_json(position(span.begin), position(end));
}

std::size_t moved_offset(std::string_view from, std::string_view to, std::size_t offset) {
  const std::size_t shorter = std::min(from.size(), to.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && from[head] == to[head]) ++head;
  while (tail < shorter - head && from[from.size() - 1 - tail] == to[to.size() - 1 - tail]) ++tail;
  if (offset <= head) return offset;
  return offset + tail >= from.size() ? offset + to.size() - from.size() : std::min(head, to.size());
}

}  // namespace fermiac::lsp
