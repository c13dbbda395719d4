// :type, :ast, :mir, :time, :doc, :apropos.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>

#include "autodiff/distributions/detail/law.h"
#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "frontend/check/check.h"
#include "mir/ir/build.h"
#include "mir/lower/lower.h"
#include "mir/passes/pass.h"
#include "mir/text/text.h"
#include "repl/session/commands.h"
#include "repl/session/gradient.h"
#include "repl/session/program_text.h"
#include "repl/session/session.h"
#include "repl/session/show.h"
#include "support/base/text.h"

namespace fermiac::repl {
namespace {

void type(Session& session, std::string_view arguments) {
  Evaluator& e = session.evaluator();
  const std::string name(arguments);
  std::string functions;
  for (const mir::Function& f : e.functions())
    if (f.name == name) functions += function_text(f) + "\n";
  if (functions.empty())
    for (const Signature& s : signatures(name)) functions += signature_text(s) + "\n";
  if (const LanguageRow* row = functions.empty() ? find_language_row(name) : nullptr) functions = std::string(row->form) + "\n";
  if (!functions.empty()) return session.print(functions);
  ast::ExprPtr expr = e.parse_expression(arguments);
  session.print(e.check(*expr).str() + "\n");
}

void ast_command(Session& session, std::string_view arguments) {
  Evaluator& e = session.evaluator();
  std::string out;
  if (arguments.empty()) return session.print(ast_text(*session.model().compilation().ast()));
  Input input = e.parse(arguments);
  if (const auto* expr = std::get_if<ast::ExprPtr>(&input.piece)) {
    e.check(**expr);
    out = ast_text(**expr);
  } else if (const auto* stmts = std::get_if<std::vector<ast::StmtPtr>>(&input.piece)) {
    for (const ast::StmtPtr& s : *stmts) out += ast_text(*s);
  } else {
    for (const ast::FunctionDef& f : std::get<std::vector<ast::FunctionDef>>(input.piece)) out += ast_text(f);
  }
  session.print(out);
}

void mir_command(Session& session, std::string_view arguments) {
  session.print(mir_text(session, arguments));
}

std::string duration_text(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3g} ms", seconds * 1e3) : fmt::format("{:.3g} s", seconds);
}

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Timing {
  double best = INFINITY;  // seconds
  std::size_t evaluations = 0;
};

/// The least of batches that together take a fifth of a second.
Timing timing_of(const Evaluator& e, const std::function<void()>& evaluate) {
  Timing out;
  double total = 0;
  for (std::size_t batch = 1; total < 0.2;) {
    e.poll();
    const auto begin = Clock::now();
    for (std::size_t i = 0; i < batch; ++i) evaluate();
    const double took = since(begin);
    out.best = std::min(out.best, took / static_cast<double>(batch));
    total += took;
    out.evaluations += batch;
    if (took < 0.01) batch *= 2;
  }
  return out;
}

void time_model(Session& session) {
  const ModelTarget target(session.model(), session.evaluator());
  session.tell_older_data();
  const Timing value = timing_of(session.evaluator(), [&] { target.value(target.point()); });
  const Timing gradient = timing_of(session.evaluator(), [&] { target.gradient(target.point()); });
  session.print(fmt::format("{} per gradient, {} per value (best of {})\n", duration_text(gradient.best), duration_text(value.best),
                            gradient.evaluations));
}

void time_command(Session& session, std::string_view arguments) {
  if (arguments.empty()) return time_model(session);
  Evaluator& e = session.evaluator();
  const auto start = Clock::now();
  ast::ExprPtr expr = e.parse_expression(arguments);
  const Type type = e.check(*expr);
  if (type.is(BaseType::Void)) throw InputError("this call has no value");
  const Evaluator::Prepared prepared = e.prepare(e.lower(std::move(expr)));
  const double preparing = since(start);
  const auto [best, evaluations] = timing_of(e, [&] { e.run(prepared); });
  session.print(fmt::format("{} per evaluation (best of {}), {} to read and prepare\n", duration_text(best), evaluations,
                            duration_text(preparing)));
}

// ---------------------------------------------------------------- :doc, :apropos

std::string overloads(std::string_view name, std::size_t most) {
  const auto all = signatures(name);
  std::string out;
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) out += "  " + signature_text(all[i]) + "\n";
  if (all.size() > most) out += fmt::format("  … {} overloads in all; :type {} lists them\n", all.size(), name);
  return out;
}

/// The overload on single numbers, real where it can be.
std::string plainest(std::string_view name) {
  const std::vector<const Signature*> all = plainest_first(name);
  if (all.empty()) return {};
  const std::size_t more = all.size() - 1;
  return fmt::format("  {}{}\n", signature_text(*all.front()), more > 0 ? fmt::format("  and {} more overloads", more) : "");
}

/// Lines under each other; the first stands behind the word alone if it is the only one.
std::string example_text(std::string_view rest) {
  if (rest.empty()) return {};
  if (rest.find('\n') == std::string_view::npos) return fmt::format("  Example: {}\n", rest);
  std::string out = "  Example:\n";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    out += fmt::format("    {}\n", rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

void family_doc(const BuiltinRow& row, std::string& out) {
  out += fmt::format("{}: {}{}\n", row.name, row.doc, row.doc.find(' ') == std::string_view::npos ? " distribution" : "");
  if (const ad::Law* law = ad::find_law(row.name)) out += fmt::format("  {}\n", law->formula);
  const std::vector<ArgumentDoc> arguments = argument_docs(row);
  for (const ArgumentDoc& a : arguments) {
    std::string line = fmt::format("  {}", a.name);
    if (!a.role.empty()) line += fmt::format(", {}", a.role);
    else if (&a == &arguments.front()) line += ", the variate";
    if (!a.domain.empty()) line += fmt::format(": {}", domain_text(a.domain));
    out += line + "\n";
  }
  const std::vector<std::string> members = members_of(row);
  for (const std::string& name : members) out += plainest(name);
  if (!members.empty()) out += example_text(example_call(members.front()));
}

std::string language_doc(const LanguageRow& row, std::size_t width) {
  const std::string kind = row.kind == LanguageRow::Kind::TakesFunction ? "" : fmt::format("{}; ", kind_text(row.kind));
  const std::string head = fmt::format("{}: {}{}", row.name, kind, row.summary);
  return hanging(head, width, 2) + "\n  " + hanging(row.form, width, 2) + "\n" + example_text(row.example);
}

void doc(Session& session, std::string_view arguments) {
  const std::string name(arguments);
  std::string out;
  if (const BuiltinRow* family = find_distribution(name)) {
    family_doc(*family, out);
  } else if (const BuiltinRow* row = find_builtin(name)) {
    out = fmt::format("{}: {}\n", name, row->doc);
    if (row->is_family()) out += fmt::format("  of the distribution {}; see :doc {}\n", row->name, row->name);
    out += overloads(name, 8);
    const LanguageRow* language = find_language_row(name);
    out += example_text(language ? language->example : example_call(name));
  }
  if (const LanguageRow* language = out.empty() ? find_language_row(name) : nullptr) out = language_doc(*language, session.columns());
  if (const auto names = special_function_names(); out.empty() && std::ranges::find(names, name) != names.end())
    out = fmt::format("{}: embedded Laplace approximation; takes functions, as the page on solvers describes\n", name);
  for (const mir::Function& f : session.evaluator().functions())
    if (f.name == name) out += function_text(f) + "\n";
  if (const Typed* variable = session.evaluator().find(name)) out += show(name, variable->type, variable->value) + "\n";
  if (const LanguageRow* annotation = out.empty() ? find_language_row("@" + name) : nullptr) out = language_doc(*annotation, session.columns());
  if (const Command* command = out.empty() ? find_command(name) : nullptr)
    out = fmt::format(":{} is a command: {}\n", command->name, command->summary);
  if (out.empty()) throw InputError(fmt::format("nothing is known of '{}'; :apropos {} searches", name, name));
  session.print(out);
}

void apropos(Session& session, std::string_view arguments) {
  const std::string word = lower_case(arguments);
  const auto has = [&](std::string_view text) { return lower_case(text).find(word) != std::string::npos; };
  std::string out;
  std::size_t found = 0;
  constexpr std::size_t kMost = 40;
  for (const std::string& name : builtin_names()) {
    const BuiltinRow* row = find_builtin(name);
    if (!has(name) && !(row && has(row->doc))) continue;
    if (++found <= kMost) out += fmt::format("  {:<34} {}\n", name, row ? row->doc : "");
  }
  for (const LanguageRow& row : language_rows()) {
    if (!has(row.name) && !has(row.summary)) continue;
    if (++found <= kMost) out += fmt::format("  {:<34} {}\n", row.name, row.summary);
  }
  if (found > kMost) out += fmt::format("  … and {} more\n", found - kMost);
  for (const Command& c : commands())
    if (has(c.name) || has(c.summary)) out += fmt::format("  :{:<33} {}\n", c.name, c.summary);
  if (out.empty()) throw InputError(fmt::format("no function, no word of the language and no command speaks of '{}'", arguments));
  session.print(out);
}

constexpr Command kTable[] = {
    {"type", "EXPR | FUNCTION", "Print the type of an expression, or the overloads of a function", ":type [1, 2]'", type},
    {"ast", "[TEXT]", "Print the syntax tree of the text, or of the model with types", ":ast 1 + 2 * 3", ast_command},
    {"mir", "[PASS…] [--O1] [--changes] [--memory-patterns] [--pedantic] [EXPR]",
     "Print the MIR of the text or the model, changes by passes, memory patterns or pedantic warnings",
     ":mir 1 + 2 * 3", mir_command},
    {"time", "[EXPR]", "Measure the time of an evaluation, or of the model's gradient", ":time exp(1.0)", time_command},
    {"doc", "NAME", "Describe a function, distribution, keyword, type, operator or block", ":doc normal", doc},
    {"apropos", "WORD", "Search functions, keywords and commands by topic", ":apropos gamma", apropos},
};

}  // namespace

std::span<const Command> look_commands() {
  return kTable;
}

}  // namespace fermiac::repl
