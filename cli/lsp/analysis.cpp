#include "cli/lsp/analysis.h"

#include <algorithm>
#include <utility>

#include "support/base/json_build.h"

namespace fermiac::lsp {
namespace {

std::shared_ptr<Compilation> compilation_of(std::string text, const std::string& path, CompileOptions options) {
  options.text = std::move(text);
  options.path = path;
  options.functions_only = path.ends_with(".stanfunctions");
  return std::make_shared<Compilation>(std::move(options));
}

}  // namespace

Analysis::Analysis(std::string text, const std::string& path, CompileOptions options)
    : compilation(compilation_of(std::move(text), path, std::move(options))),
      sources(compilation->sources()),
      stream(compilation->tokens()),
      diagnostics(compilation->diagnostics()),
      program(compilation->ast()),
      good(compilation->lowered_mir() != nullptr) {
  if (program) symbols = symbols_of(*program, sources);
  for (std::uint32_t i = 0; i < sources.size(); ++i) positions.emplace_back(sources.file(i).text);
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
