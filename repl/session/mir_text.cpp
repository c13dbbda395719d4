// What `:mir` prints.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "mir/ir/build.h"
#include "mir/lower/lower.h"
#include "mir/passes/pass.h"
#include "mir/text/text.h"
#include "mir/warnings/warnings.h"
#include "repl/session/commands.h"
#include "repl/session/program_text.h"
#include "repl/session/session.h"
#include "support/base/render.h"
#include "support/base/text.h"

namespace fermiac::repl {
namespace {

/// The arguments of one `:mir`.
struct Request {
  std::optional<mir::OptLevel> level;
  std::vector<const mir::Pass*> passes;  // instead of those of a level
  bool changes = false;                  // of each pass, not what the program is in the end
  bool memory = false;
  bool pedantic = false;
  std::string_view expression;           // empty: the model

  bool runs_passes() const { return level || !passes.empty() || changes || memory; }
};

std::string pass_names() {
  std::string out;
  for (const mir::Pass* pass : mir::all_passes()) out += (out.empty() ? "" : ", ") + std::string(pass->name);
  return out;
}

const mir::Pass* known_pass(std::string_view name) {
  if (const mir::Pass* pass = mir::find_pass(name)) return pass;
  throw InputError(fmt::format("'{}' is not a pass; passes are {}", name, pass_names()));
}

/// A word that is hardly an expression: a misspelled pass.
void refuse_misspelled_pass(const Session& session, std::string_view word) {
  if (word.find('-') == std::string_view::npos || session.evaluator().find(std::string(word.substr(0, word.find('-'))))) return;
  for (const mir::Pass* pass : mir::all_passes())
    if (edit_distance(word, pass->name) <= 2) throw InputError(fmt::format("'{}' is not a pass; did you mean '{}'?", word, pass->name));
}

class RequestReader {
 public:
  RequestReader(const Session& session, std::string_view arguments) : session_(session), rest_(arguments) {}

  Request read() {
    while (!rest_.empty() && (level() || wish() || passes() || pass())) {
    }
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    if (word.starts_with("--") && word.size() > 2 && std::isalpha(static_cast<unsigned char>(word[2])))
      throw InputError(fmt::format("'{}' is none of --optimized, --O0, --O1, --Oexperimental, --pass, --changes, --memory-patterns, --pedantic", word));
    if (word == rest_) refuse_misspelled_pass(session_, word);
    out_.expression = rest_;
    return std::move(out_);
  }

 private:
  bool level() {
    static constexpr std::pair<std::string_view, mir::OptLevel> kFlags[] = {{"--optimized", mir::OptLevel::O1},
                                                                           {"--O0", mir::OptLevel::O0},
                                                                           {"--O1", mir::OptLevel::O1},
                                                                           {"--Oexperimental", mir::OptLevel::Oexperimental}};
    for (const auto& [flag, asked] : kFlags) {
      if (!take_flag(rest_, flag)) continue;
      if (!out_.level || flag != "--optimized") out_.level = asked;
      return true;
    }
    return false;
  }

  bool wish() {
    for (const auto& [flag, wanted] : {std::pair("--changes", &out_.changes), std::pair("--memory-patterns", &out_.memory), std::pair("--pedantic", &out_.pedantic)})
      if (take_flag(rest_, flag)) return *wanted = true;
    return false;
  }

  std::string_view word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' ', end), rest_.size()));
    return out;
  }

  /// `--pass a,b` or `--pass=a,b`, as stanc has it.
  bool passes() {
    constexpr std::string_view kFlag = "--pass";
    if (rest_.starts_with("--pass=")) rest_.remove_prefix(kFlag.size() + 1);
    else if (!take_flag(rest_, kFlag)) return false;
    for (const std::string& name : split_arguments(word(), ",")) out_.passes.push_back(known_pass(name));
    if (out_.passes.empty()) throw InputError(fmt::format("--pass needs names of passes: {}", pass_names()));
    return true;
  }

  /// The name alone.
  bool pass() {
    const std::string name(rest_.substr(0, rest_.find(' ')));
    const mir::Pass* named = session_.evaluator().find(name) ? nullptr : mir::find_pass(name);
    if (named) out_.passes.push_back(named), word();
    return named != nullptr;
  }

  const Session& session_;
  std::string_view rest_;
  Request out_;
};

/// A program that prints the value of an expression, so that nothing is dead.
mir::Program program_of(Evaluator& evaluator, const mir::ExprPtr& expr) {
  mir::Program program;
  program.functions = evaluator.reachable(mentioned_functions({mir::make_stmt(mir::Return{expr})}));
  program.prepare_data.push_back(mir::internal_stmt(mir::CompilerInternal{.fn = mir::Internal::FnPrint}, {expr}, expr->span));
  return program;
}

/// What such a program prints.
std::string printed_expressions(const mir::Program& program) {
  std::string out;
  for (const mir::StmtPtr& stmt : program.prepare_data) {
    const auto* print = std::get_if<mir::NRFunApp>(&stmt->node);
    out += (print && print->args.size() == 1 ? mir::to_pretty(*print->args[0]) : mir::to_pretty(*stmt)) + "\n";
  }
  return out;
}

std::vector<const mir::Pass*> steps(const Request& request) {
  if (!request.passes.empty()) return request.passes;
  std::vector<const mir::Pass*> out;
  for (const mir::Step& step : mir::pipeline(request.level.value_or(mir::OptLevel::O1))) out.push_back(step.pass);
  if (request.memory && std::ranges::find(out, &mir::kMemoryPatterns) == out.end()) out.push_back(&mir::kMemoryPatterns);
  return out;
}

std::string change(const mir::Pass& pass, std::string_view before, std::string_view after) {
  const std::string lines = line_changes(before, after);
  return fmt::format("// {}: {}\n{}", pass.name, lines.empty() ? "nothing changed" : pass.summary, lines);
}

std::string memory_text(const mir::MemoryReport& report, const SourceMap& sources) {
  const std::string table = mir::memory_table(report);
  return table.empty() ? "no vectors or matrices of autodiff values in the log density\n" : table + mir::memory_causes(report, sources);
}

template <class Shown>
std::string after_passes(const Request& request, mir::Program program, const SourceMap& sources, const Shown& shown) {
  program = mir::transform_for_backend(std::move(program));
  mir::PassContext context;
  std::string out, before = shown(program);
  const bool each = request.changes || !request.passes.empty();
  bool patterns = request.memory;
  for (const mir::Pass* pass : steps(request)) {
    pass->run(program, context);
    if (!each) continue;
    patterns = patterns || (pass == &mir::kMemoryPatterns && !request.passes.empty());
    std::string after = shown(program);
    out += change(*pass, before, after);
    before = std::move(after);
  }
  if (!each && !request.memory) out = shown(program);
  return patterns ? out + memory_text(context.memory_report, sources) : out;
}

std::string pedantic_text(const mir::Program& program, const SourceMap& sources) {
  Diagnostics diagnostics;
  mir::report_pedantic(program, sources, diagnostics);
  std::string out = render_warnings(sources, diagnostics, WarningGroup::Pedantic);
  while (out.ends_with("\n\n")) out.pop_back();
  return out.empty() ? "no pedantic warnings\n" : out;
}

std::string of_model(Session& session, const Request& request) {
  const interp::CompiledModel& compiled = session.model().compiled();
  std::string out;
  if (request.pedantic) out += pedantic_text(compiled.program, compiled.sources());
  const auto shown = [](const mir::Program& program) { return mir::to_pretty(program) + "\n"; };
  if (request.runs_passes()) return out + after_passes(request, compiled.program, compiled.sources(), shown);
  return request.pedantic ? out : shown(compiled.program);
}

std::string of_expression(Session& session, const Request& request) {
  if (request.memory || request.pedantic)
    throw InputError("--memory-patterns and --pedantic are for the model: :mir without an expression");
  Evaluator& e = session.evaluator();
  ast::ExprPtr parsed = e.parse_expression(request.expression);
  e.check(*parsed);
  const mir::ExprPtr expr = e.lower(std::move(parsed));
  if (!request.runs_passes()) return mir::to_pretty(*expr) + "\n";
  return after_passes(request, program_of(e, expr), e.sources(), printed_expressions);
}

}  // namespace

std::string mir_text(Session& session, std::string_view arguments) {
  const Request request = RequestReader(session, arguments).read();
  return request.expression.empty() ? of_model(session, request) : of_expression(session, request);
}

}  // namespace fermiac::repl
