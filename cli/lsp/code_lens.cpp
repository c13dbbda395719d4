// Above each statement what it adds to the target, where data lie beside the model or none are needed.
#include <fmt/format.h>

#include <filesystem>

#include "cli/lsp/features.h"
#include "repl/session/show.h"
#include "support/base/json.h"
#include "support/base/json_build.h"

namespace fermiac::lsp {
namespace {

/// A lens has to be a command; an empty one does nothing.
std::string lens(std::size_t line, const std::string& title) {
  const std::string command = json_object({{"title", json_quote(title)}, {"command", "\"\""}});
  return json_object({{"range", range_json({line, 0}, {line, 0})}, {"command", command}});
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

/// What a function adds is told where it does, all its calls together.
std::string title(const Analysis& state, const repl::Contribution& part) {
  const std::optional<ast::ProgramBlock>& functions = state.program->functions_block;
  const bool inside = functions && functions->span.begin <= part.span.begin && part.span.begin < functions->span.end;
  return "target += " + repl::number_text(part.value) + (inside ? " in all calls" : "");
}

std::string summary(const Values& values) {
  const repl::Breakdown& all = values.breakdown();
  const std::string with = values.data().empty() ? "" : " with " + file_name(values.data());
  if (!all.error.empty()) return "target: " + all.error + with;
  return fmt::format("target = {}{}, every parameter at 0 on the unconstrained scale", repl::number_text(all.lp), with);
}

}  // namespace

std::string code_lenses(Document& document, const JsonValue&) {
  const Values* values = document.values();
  const Analysis& state = document.now();
  if (!values || !state.program->model || state.program->model->span.begin.file != 0) return "[]";
  const std::size_t head = state.position(state.program->model->span.begin).line;
  if (!values->problem().empty()) return json_array({lens(head, "no values: " + values->problem())});
  const repl::Breakdown& all = values->breakdown();
  if (all.parts.empty() && all.error.empty()) return "[]";
  std::vector<std::string> out{lens(head, summary(*values))};
  for (const repl::Contribution& part : all.parts)
    if (part.span.begin.file == 0) out.push_back(lens(state.position(part.span.begin).line, title(state, part)));
  return json_array(out);
}

}  // namespace fermiac::lsp
