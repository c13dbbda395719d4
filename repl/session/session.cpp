#include "repl/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "frontend/builtins/builtins.h"
#include "frontend/builtins/language.h"
#include "frontend/parse/parse.h"
#include "interp/io/print.h"
#include "repl/session/commands.h"
#include "repl/session/program_text.h"
#include "repl/session/show.h"
#include "support/base/interrupted.h"
#include "support/base/memory.h"
#include "support/base/stop.h"
#include "support/base/text_file.h"
#include "support/platform/output.h"
#include "support/platform/stack.h"

namespace fermiac::repl {
namespace {

/// Where the text behind the last `;` outside of brackets begins; the end if there is none, or no code behind it.
std::size_t last_statement(std::string_view text) {
  int depth = 0;
  std::size_t at = text.size();
  bool code = false;
  each_code_character(text, [&](char c, std::size_t i) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ';' && depth == 0) at = i + 1, code = false;
    else code = code || !std::isspace(static_cast<unsigned char>(c));
  });
  return code ? at : text.size();
}

/// What users of other prompts type, as a command of ours.
std::string habit(std::string_view input) {
  constexpr std::string_view kHelp = "help(";
  if (input == "help" || input == "help()") return "help";
  if (input.starts_with(kHelp) && input.ends_with(')'))
    return "doc " + std::string(input.substr(kHelp.size(), input.size() - kHelp.size() - 1));
  return input == "exit" || input == "quit" || input == "exit()" || input == "quit()" || input == "q()" ? "quit" : "";
}

constexpr std::size_t kLargestFile = std::size_t{4} << 30;  // models and data

}  // namespace

std::string read_file(const std::string& path) {
  TextFile file = read_text_file(path, true, kLargestFile);
  if (file.state == TextFile::State::Missing) file.problem += similar_file(path);
  if (file.state != TextFile::State::Read) throw InputError(file.problem);
  return std::move(file.text);
}

Session::Session(SessionOptions options)
    : options_(std::move(options)),
      stop_(options_.stop ? *options_.stop : own_stop_),
      evaluator_(options_.seed, &stop_),
      seed_(options_.seed) {
  options_.stop = &stop_;
  evaluator_.set_print([this](std::string_view text) { print(text); });
  evaluator_.set_warn([this](std::string_view text) { complain(text); });
}

void Session::print(std::string_view text) const {
  if (options_.breaks_lines) return put(lines_that_fit(text, options_.columns));
  put(text);
}

void Session::put(std::string_view text) const {
  if (options_.out) options_.out(text);
  else if (!write_output(text)) output_lost_ = stop_ = true;  // nobody will see what comes
}

void Session::complain(std::string_view text) const {
  const std::string fitting = options_.breaks_lines ? lines_that_fit(text, options_.columns) : std::string(text);
  if (options_.err) options_.err(fitting);
  else std::fwrite(fitting.data(), 1, fitting.size(), stderr);
}

void Session::display(const Display& what) const {
  if (options_.display) options_.display(what);
  else print(what.text);
}

bool Session::incomplete(std::string_view text) {
  OpenText open;
  open.add(text);
  return open.incomplete();
}

// ---------------------------------------------------------------- running one input

bool Session::interrupted() const {
  return stop_.load(std::memory_order_relaxed);
}

std::string Session::reason() const {
  if (output_lost_) return {};  // who lost it tells
  for (const inference::TimeLimit* limit : {limit_, options_.limit})
    if (limit && limit->reached()) return "T" + limit->text().substr(1) + ".\n";
  return "Interrupted.\n";
}

Session::Outcome Session::run(std::string_view input) {
  if (limit_) return run_part(input);  // of a file
  if (!trimmed(input).empty()) inputs_.emplace_back(trimmed(input));
  inference::TimeLimit limit(options_.timeout, stop_);
  limit_ = &limit;
  Outcome outcome = run_part(input);
  if (limit.end()) {
    if (outcome == Outcome::Ok) complain(reason());  // it kept what it had
    outcome = Outcome::Failed;
    stop_ = false;
  }
  limit_ = nullptr;
  return outcome;
}

Session::Outcome Session::run_part(std::string_view input) {
  failed_in_file_ = false;
  try {
    on_large_stack([&, most = ad::memory_limit()](int height) {  // on a thread of its own
      const ad::StopScope stoppable(&stop_);
      const ad::MemoryScope limited(most);
      evaluator_.set_tallest(height);
      dispatch(trimmed(input));
    });
  } catch (const std::bad_alloc&) {
    complain("Error: there is not enough memory for this\n");
    return Outcome::Failed;
  } catch (const std::exception& e) {
    complain(interrupted() ? reason() : error_lines(e));
    return Outcome::Failed;
  }
  if (quit_) return Outcome::Quit;
  return failed_in_file_ ? Outcome::Failed : Outcome::Ok;
}

void Session::dispatch(std::string_view input) {
  if (input.empty()) return;
  if (input.front() == ':') return run_command(*this, input.substr(1));
  if (input.front() == '?') return run_command(*this, input.size() > 1 ? "doc " + std::string(trimmed(input.substr(1))) : "help");
  const std::string first(input.substr(0, input.find('(')));
  if (const std::string command = habit(input); !command.empty() && !evaluator_.find(first) && !is_own_function(first))
    return run_command(*this, command);
  if (const std::vector<BlockText> blocks = leading_blocks(input); !blocks.empty()) {
    program(input.substr(0, blocks.back().end));
    return dispatch(trimmed(input.substr(blocks.back().end)));
  }
  bool code = false;
  each_code_character(input, [&](char c, std::size_t) { code = code || !std::isspace(static_cast<unsigned char>(c)); });
  if (!code) return;  // a comment
  // `real x = 3; x + 1`: an expression may follow statements.
  if (const std::size_t rest = last_statement(input); rest < input.size() && !input.ends_with('}')) {
    dispatch(input.substr(0, rest));
    return dispatch(trimmed(input.substr(rest)));
  }
  Input parsed = evaluator_.parse(input);
  if (auto* expr = std::get_if<ast::ExprPtr>(&parsed.piece)) {
    expression(std::move(*expr), input);
  } else if (auto* stmts = std::get_if<std::vector<ast::StmtPtr>>(&parsed.piece)) {
    for (ast::StmtPtr& stmt : *stmts) statement(std::move(stmt), input);
  } else {
    for (const std::string& name : evaluator_.define(std::move(std::get<std::vector<ast::FunctionDef>>(parsed.piece))))
      for (const mir::Function& f : evaluator_.functions())
        if (f.name == name && !options_.bare) print(function_text(f) + "\n");
  }
}

/// Worked out at every draw if it mentions what there are draws of.
void Session::expression(ast::ExprPtr expr, std::string_view text) {
  if (draws_)
    if (DrawScope scope(evaluator_, *draws_, text); scope.mentions_any()) {
      tell_older_draws();
      return print(told_over_draws(evaluator_, *draws_, scope, std::move(expr), text, options_.columns));
    }
  const auto* variable = std::get_if<ast::Variable>(&expr->node);
  const std::string name = variable ? variable->name.text : "";
  const Typed value = evaluator_.evaluate(std::move(expr));
  print((options_.bare ? interp::print_text({}, value.value) : show(name, value.type, value.value)) + "\n");
}

void Session::show_variable(const std::string& name) const {
  const Typed* known = evaluator_.find(name);
  if (known && !options_.bare) print(show(name, known->type, known->value) + "\n");
}

/// What it assigns may be made of draws.
void Session::statement(ast::StmtPtr stmt, std::string_view text) {
  std::optional<AssignedDraws> assigned;
  if (draws_)
    if (DrawScope scope(evaluator_, *draws_, text); scope.mentions_any()) {
      assigned.emplace(evaluator_, *draws_).put_into(scope, *stmt);
      tell_older_draws();
    }
  const Effects effects = evaluator_.execute(std::move(stmt));
  for (const std::string& name : effects.changed) show_variable(name), note_change(name);
  if (effects.target) print((options_.bare ? "" : "target += ") + number_text(*effects.target) + "\n");
}

Session::Outcome Session::run_file(const std::string& path) {
  if (depth_ >= 20) throw InputError(fmt::format("'{}' is loaded by itself, or files are nested too deeply", path));
  const std::string text = read_file(path);
  struct Depth {
    int& depth;
    explicit Depth(int& d) : depth(d) { ++depth; }
    ~Depth() { --depth; }
  } const depth(depth_);
  bool failed = false;
  const auto run_one = [&](const std::string& input) {
    failed |= run(input) == Outcome::Failed;
    if (interrupted()) throw ad::Interrupted();
    return !quit_;
  };
  InputLines lines;
  for (std::size_t at = 0; at < text.size() && !quit_;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.add(text.substr(at, end - at), run_one);
    at = end + 1;
  }
  if (!quit_) lines.end(run_one);
  failed_in_file_ = failed;
  return failed ? Outcome::Failed : Outcome::Ok;
}

bool Session::is_function(std::string_view name) const {
  return is_builtin(name) || find_distribution(name) || is_own_function(name);
}

bool Session::is_own_function(std::string_view name) const {
  return std::ranges::any_of(evaluator_.functions(), [&](const mir::Function& f) { return f.name == name; });
}

}  // namespace fermiac::repl
