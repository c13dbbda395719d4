#include "repl/session/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "frontend/check/annotations.h"
#include "frontend/parse/parse.h"
#include "interp/exec/runs/frame.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/lower/lower.h"
#include "repl/session/program_text.h"
#include "repl/session/show.h"
#include "support/base/errors.h"
#include "support/base/interrupted.h"
#include "support/base/json_scan.h"
#include "support/base/memory.h"
#include "support/base/render.h"

namespace fermiac::repl {

using interp::Value;

std::string error_lines(const std::exception& error) {
  const auto* status = dynamic_cast<const StatusError*>(&error);
  const bool complete = status && (status->code == StatusCode::InvalidProgram || status->code == StatusCode::Failed);
  return trimmed_end((complete ? "" : "Error: ") + std::string(error.what()));
}

InputError program_error(const SourceMap& sources, const Diagnostics& diagnostics) {
  const std::string text = render_errors(sources, diagnostics);
  return {StatusCode::InvalidProgram, text.substr(0, text.find_last_not_of('\n') + 1)};
}

Evaluator::Evaluator(std::uint64_t seed, const std::atomic<bool>* stop, std::shared_ptr<SourceMap> sources)
    : sources_(std::move(sources)),
      session_(CheckOptions{.allow_undefined = false, .model_name = {}, .rewrite_removed = true}),
      rng_(seed),
      stop_(stop) {}

// ---------------------------------------------------------------- text

std::uint32_t Evaluator::add_source(std::string name, std::string text) {
  return sources_->add(std::move(name), std::move(text));
}

namespace {

/// Comments become blanks, so that a `;` may follow and places stay the same.
std::string without_comments(std::string_view text) {
  std::string out(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (out[i] != '\n') out[i] = ' ';
  };
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == '"') {
      i = std::min(out.find_first_of("\"\n", i + 1), out.size());
    } else if (out.compare(i, 2, "//") == 0) {
      const std::size_t end = std::min(out.find('\n', i), out.size());
      blank(i, end);
      i = end;
    } else if (out.compare(i, 2, "/*") == 0) {
      const std::size_t end = out.find("*/", i + 2);
      if (end == std::string::npos) return out;  // the parser tells
      blank(i, end + 2);
      i = end + 1;
    }
  }
  return out;
}

/// Where the first error stands: the reading of a text that gets furthest is the one the user meant.
std::uint32_t error_offset(const Diagnostics& diagnostics) {
  return diagnostics.reports().empty() ? 0 : diagnostics.reports().front().span.begin.offset;
}

bool is_statement_name(const ast::Expr& expr) {
  const auto* call = std::get_if<ast::Call>(&expr.node);
  return call && (call->name.text == "print" || call->name.text == "reject" || call->name.text == "fatal_error");
}

}  // namespace

/// Functions that the language no longer has, as in programs: what the session defines keeps its name.
void Evaluator::modernise(ast::Program& pieces, Diagnostics& diagnostics) const {
  std::vector<std::string> own;
  for (const mir::Function& f : functions_) own.push_back(f.name);
  parse::replace_removed_functions(pieces, own, diagnostics);
}

ast::ExprPtr Evaluator::modern(ast::ExprPtr expr, Diagnostics& diagnostics) const {
  ast::Program program;
  auto stmt = std::make_unique<ast::Stmt>();
  stmt->node = ast::Print{ast::Print::Kind::Print, {}};
  std::get<ast::Print>(stmt->node).items.push_back(std::move(expr));
  program.model.emplace().body.push_back(std::move(stmt));
  modernise(program, diagnostics);
  return std::move(std::get<ast::Print>(program.model->body.front()->node).items.front());
}

Input Evaluator::parse(std::string_view text) {
  const std::string code = without_comments(text);
  const std::string_view body = trimmed(code);
  const bool ended = body.ends_with(';');
  std::string as_expression(body);
  while (as_expression.ends_with(';')) as_expression.pop_back();
  Diagnostics as_expr, as_stmts, as_functions;
  const std::uint32_t expr_file = add_source("input", as_expression);
  ParseOptions alone = parsing();
  alone.ends_at_arrow = true;
  ast::ExprPtr expr = fermiac::parse_expression(*sources_, expr_file, alone, as_expr);
  const bool is_expr = expr && !as_expr.has_errors() && !is_statement_name(*expr);
  const auto procedure = [&] {
    const auto* call = std::get_if<ast::Call>(&expr->node);
    return call && std::ranges::any_of(functions_, [&](const mir::Function& f) {
      return f.name == call->name.text && !f.result;
    });
  };
  if (is_expr && !procedure()) {
    expr = modern(std::move(expr), as_expr);
    tell_warnings(as_expr);
    return {expr_file, std::move(expr)};
  }
  const auto statements = [&](std::vector<ast::StmtPtr> stmts, Diagnostics& diagnostics) {
    ast::Program program;
    program.model.emplace().body = std::move(stmts);
    modernise(program, diagnostics);
    tell_warnings(diagnostics);
    return std::move(program.model->body);
  };
  const std::string as_statements = std::string(body) + (ended || body.ends_with('}') ? "" : ";");
  const std::uint32_t file = add_source("input", as_statements);
  if (auto stmts = parse_statements(*sources_, file, parsing(), as_stmts, true); stmts && !as_stmts.has_errors())
    return {file, statements(std::move(*stmts), as_stmts)};
  if (body.ends_with('}')) {  // of an array: `array[2] int n = {1, 2}`
    const std::uint32_t with_end = add_source("input", std::string(body) + ";");
    Diagnostics ignored;
    if (auto stmts = parse_statements(*sources_, with_end, parsing(), ignored, true); stmts && !ignored.has_errors())
      return {with_end, statements(std::move(*stmts), ignored)};
  }
  if (auto functions = parse_functions(*sources_, file, parsing(), as_functions); functions && !as_functions.has_errors()) {
    ast::Program program;
    program.functions = std::move(*functions);
    modernise(program, as_functions);
    tell_warnings(as_functions);
    return {file, std::move(program.functions)};
  }
  const std::uint32_t offsets[] = {error_offset(as_stmts), error_offset(as_expr), error_offset(as_functions)};
  const bool as_far = offsets[1] > offsets[0] || (!ended && offsets[1] == offsets[0]);
  if (as_far && offsets[1] >= offsets[2]) throw program_error(*sources_, as_expr);
  if (offsets[2] > offsets[0]) throw program_error(*sources_, as_functions);
  throw program_error(*sources_, as_stmts);
  return {};
}

ast::ExprPtr Evaluator::parse_expression(std::string_view text) {
  const std::string code = without_comments(text);
  std::string_view body = trimmed(code);
  while (body.ends_with(';')) body.remove_suffix(1);
  if (body.empty()) throw InputError("an expression was expected");
  const std::uint32_t file = add_source("input", std::string(body));
  Diagnostics diagnostics;
  ast::ExprPtr expr = fermiac::parse_expression(*sources_, file, parsing(), diagnostics);
  if (!expr || diagnostics.has_errors()) throw program_error(*sources_, diagnostics);
  expr = modern(std::move(expr), diagnostics);
  tell_warnings(diagnostics);
  return expr;
}

std::string Evaluator::place(Span span) const {
  return span == Span{} ? std::string() : " (in " + location_text(*sources_, span) + ")";
}

// ---------------------------------------------------------------- checking and lowering

Type Evaluator::check(ast::Expr& expr, ast::BlockKind block) {
  Diagnostics diagnostics;
  if (!session_.expression(expr, block, diagnostics)) throw program_error(*sources_, diagnostics);
  tell_warnings(diagnostics);
  return expr.type;
}

namespace {

/// The input with the repairs of all warnings in place; empty if some warning has none, or leaves open what was intended.
std::string repaired(const SourceMap& sources, const Diagnostics& diagnostics) {
  std::vector<Fix> fixes;
  for (const Report& report : diagnostics.reports()) {
    if (report.notes.fixes.size() != 1 || report.id == DiagId::W2010) return {};
    fixes.push_back(report.notes.fixes.front());
  }
  if (fixes.empty()) return {};
  std::ranges::sort(fixes, std::greater<>(), [](const Fix& fix) { return fix.span.begin.offset; });
  std::string text = sources.file(fixes.front().span.begin.file).text;
  for (const Fix& fix : fixes) text.replace(fix.span.begin.offset, fix.span.end.offset - fix.span.begin.offset, fix.text);
  if (text.ends_with(';')) text.pop_back();  // as it may be typed here
  return text;
}

}  // namespace

void Evaluator::tell_warnings(const Diagnostics& diagnostics) const {
  std::string text;
  for (const WarningGroup group : {WarningGroup::Parser, WarningGroup::Types, WarningGroup::Deprecation})
    text += render_warnings(*sources_, diagnostics, group);
  if (const std::string better = repaired(*sources_, diagnostics); !better.empty())
    text = text.substr(0, text.find_last_not_of('\n') + 1) + "\n    Write: " + better + "\n";
  if (!quiet_ && warn_ && !text.empty()) warn_(text.substr(0, text.find_last_not_of('\n') + 1) + "\n");
}

std::vector<mir::StmtPtr> Evaluator::lower_statements(std::vector<ast::StmtPtr>& stmts, ast::BlockKind block) {
  ast::Program program;
  const bool model = block == ast::BlockKind::Model;
  ast::ProgramBlock& body = (model ? program.model : program.transformed_data).emplace();
  std::swap(body.body, stmts);
  mir::Program lowered = mir::lower(program, "input", "input");
  std::swap(body.body, stmts);
  if (!model) return std::move(lowered.prepare_data);
  return lowered.log_prob.empty() ? lowered.log_prob : std::get<mir::Block>(lowered.log_prob.back()->node).body;
}

mir::ExprPtr Evaluator::lower(ast::ExprPtr& expr, ast::BlockKind block) {
  // `print(expr)` is the statement that takes expressions of every type.
  auto stmt = std::make_unique<ast::Stmt>();
  stmt->span = expr->span;
  ast::Print print{ast::Print::Kind::Print, {}};
  print.items.push_back(std::move(expr));
  stmt->node = std::move(print);
  std::vector<ast::StmtPtr> list;
  list.push_back(std::move(stmt));
  const std::vector<mir::StmtPtr> lowered = lower_statements(list, block);
  expr = std::move(std::get<ast::Print>(list[0]->node).items[0]);
  return std::get<mir::NRFunApp>(lowered.at(0)->node).args.at(0);
}

// ---------------------------------------------------------------- names in MIR

namespace {

void each_expr_below(const std::vector<mir::StmtPtr>& body, const mir::ExprVisitor& visit) {
  for (const mir::StmtPtr& stmt : body)
    mir::each_substmt(*stmt, [&](const mir::Stmt& s) {
      mir::each_expr(s, [&](const mir::Expr& e) { mir::each_subexpr(e, visit); });
    });
}

void add_function_name(const mir::Expr& e, std::set<std::string>& out) {
  if (const auto* var = std::get_if<mir::Var>(&e.node); var && e.type.base() == BaseType::Function) out.insert(var->name);
  if (const auto* app = std::get_if<mir::FunApp>(&e.node))
    if (const auto* user = std::get_if<mir::UserDefined>(&app->fn)) out.insert(user->name);
}

/// `f_lupdf` is the same function as `f_lpdf`.
std::string normal_name(std::string name) {
  if (name.ends_with("_lupdf") || name.ends_with("_lupmf")) name.erase(name.size() - 4, 1);
  return name;
}

std::set<std::string> function_names(const mir::StmtPtr& body) {
  return body ? mentioned_functions({body}) : std::set<std::string>{};
}

}  // namespace

std::set<std::string> mentioned_variables(const std::vector<mir::StmtPtr>& body) {
  std::set<std::string> out;
  each_expr_below(body, [&](const mir::Expr& e) {
    if (const auto* var = std::get_if<mir::Var>(&e.node)) out.insert(var->name);
  });
  for (const mir::StmtPtr& stmt : body)
    mir::each_substmt(*stmt, [&](const mir::Stmt& s) {
      if (const auto* a = std::get_if<mir::Assignment>(&s.node)) out.insert(a->left.base_name());
    });
  return out;
}

std::set<std::string> mentioned_functions(const std::vector<mir::StmtPtr>& body) {
  std::set<std::string> out;
  each_expr_below(body, [&](const mir::Expr& e) { add_function_name(e, out); });
  for (const mir::StmtPtr& stmt : body)
    mir::each_substmt(*stmt, [&](const mir::Stmt& s) {
      const auto* app = std::get_if<mir::NRFunApp>(&s.node);
      if (const auto* user = app ? std::get_if<mir::UserDefined>(&app->fn) : nullptr) out.insert(user->name);
    });
  return out;
}

namespace {

/// Whether the function is a derivative of `name`, by @grad_adj_jac: gradients call it.
bool is_adjoint_of(const mir::Function& f, const std::string& name) {
  return std::ranges::any_of(f.annotations, [&](const std::string& annotation) {
    if (check::annotation_name(annotation) != "grad_adj_jac") return false;
    const std::vector<std::string> arguments = check::annotation_arguments(annotation);
    return !arguments.empty() && arguments.front() == name;
  });
}

}  // namespace

std::vector<mir::Function> Evaluator::reachable(std::set<std::string> names) const {
  std::set<std::string> done;
  std::vector<std::string> todo;
  const auto want = [&](const std::string& name) {
    if (done.insert(normal_name(name)).second) todo.push_back(normal_name(name));
  };
  for (const std::string& name : names) want(name);
  while (!todo.empty()) {
    const std::string name = todo.back();
    todo.pop_back();
    for (const mir::Function& f : functions_)
      if (f.name == name)
        for (const std::string& callee : function_names(f.body)) want(callee);
    for (const mir::Function& f : functions_)
      if (is_adjoint_of(f, name)) want(f.name);
  }
  std::vector<mir::Function> out;
  for (const mir::Function& f : functions_)
    if (done.contains(f.name)) out.push_back(f);
  return out;
}

// ---------------------------------------------------------------- running

Evaluator::Prepared Evaluator::prepare(const std::vector<mir::StmtPtr>& body) const {
  Prepared out;
  mir::Program program;
  for (const std::string& name : mentioned_variables(body)) {
    const auto it = variables_.find(name);
    if (it == variables_.end()) continue;
    out.used.push_back(name);
    program.prepare_data.push_back(mir::declare_unsized(name, it->second.type, {}, mir::Decl::Init::Uninit));
  }
  program.prepare_data.insert(program.prepare_data.end(), body.begin(), body.end());
  program.functions = reachable(mentioned_functions(body));
  out.code = prepare(program);
  return out;
}

std::unique_ptr<const interp::Code> Evaluator::prepare(const mir::Program& program) const {
  try {
    return interp::prepare(program);
  } catch (const ProgramError& e) {
    throw InputError(e.what() + place(e.span));
  }
}

Evaluator::Prepared Evaluator::prepare(const mir::ExprPtr& expr) const {
  return prepare(std::vector<mir::StmtPtr>{mir::make_stmt(mir::Return{expr}, expr->span)});
}

void Evaluator::guard(const interp::Machine& machine, const std::vector<Span>& sites,
                      const std::function<void()>& body) const {
  const auto located = [&](const char* what) {
    return InputError(what + (index_of(machine.site) < sites.size() ? place(sites[index_of(machine.site)]) : std::string()));
  };
  try {
    ad::with_memory_errors(body);
  } catch (const ad::Interrupted&) {
    throw;
  } catch (const ad::EvalError& e) {
    throw located(e.what());
  } catch (const ad::FatalError& e) {
    throw located(e.what());
  }
}

void Evaluator::poll() const {
  if (stop_ && stop_->load(std::memory_order_relaxed)) throw ad::Interrupted();
}

Evaluator::Outcome Evaluator::run(const Prepared& prepared) {
  Outcome out;
  out.slots.resize(prepared.code->prepare_data.slots);
  interp::Machine m;
  m.rng = &rng_;
  m.print = &print_;
  m.stop = stop_;
  interp::Frame f{.m = m, .slots = out.slots.data()};
  for (std::size_t i = 0; i < prepared.used.size(); ++i) out.slots[i] = variables_.at(prepared.used[i]).value;
  guard(m, prepared.code->sites, [&] {
    const auto& body = prepared.code->prepare_data.body;
    for (std::size_t i = prepared.used.size(); i < body.size(); ++i)
      if (body[i]->run(f) == interp::Flow::Return) break;
  });
  out.result = std::move(f.result);
  out.target = m.lp;
  return out;
}

Typed Evaluator::evaluate(std::string_view text) {
  return evaluate(parse_expression(text));
}

Typed Evaluator::evaluate(ast::ExprPtr expr) {
  const Type type = check(*expr);
  if (type.is(BaseType::Void)) throw InputError("this call has no value");
  Value value = run(prepare(lower(std::move(expr)))).result;
  if (type.is(BaseType::Real) && value.is_int()) value = static_cast<double>(value.as_int());
  return {type, std::move(value)};
}

// ---------------------------------------------------------------- statements

const Typed* Evaluator::find(const std::string& name) const {
  const auto it = variables_.find(name);
  return it == variables_.end() ? nullptr : &it->second;
}

bool Evaluator::forget_functions(const std::string& name) {
  std::erase_if(declarations_, [&](const ast::FunctionDef& f) { return f.name.text == name; });
  std::erase_if(functions_, [&](const mir::Function& f) { return f.name == name; });
  return session_.forget_functions(name);
}

void Evaluator::declare(const std::string& name, const Type& type) {
  forget_functions(name);
  if (!session_.declare(name, type, ast::BlockKind::TransformedData))
    throw InputError(fmt::format("'{}' is the name of a built-in function", name));
}

void Evaluator::set(const std::string& name, Typed value) {
  const auto it = variables_.find(name);
  if (it == variables_.end()) {
    declare(name, value.type);
    variables_.emplace(name, std::move(value));
  } else {
    if (!(it->second.type == value.type)) {
      session_.forget_variable(name);
      session_.declare(name, value.type, ast::BlockKind::TransformedData);
    }
    it->second = std::move(value);
  }
}

bool Evaluator::forget(const std::string& name) {
  const bool function = forget_functions(name), variable = variables_.erase(name) > 0;
  if (variable) session_.forget_variable(name);
  return function || variable;
}

Evaluator::Reclassified::Reclassified(Evaluator& evaluator, std::vector<std::string> names,
                                      std::optional<ast::BlockKind> block)
    : evaluator_(evaluator) {
  for (std::string& name : names) {
    const Typed* known = evaluator.find(name);
    if (!known) continue;
    evaluator.session_.forget_variable(name);
    if (block) evaluator.session_.declare(name, known->type, *block);
    names_.push_back(std::move(name));
  }
}

Evaluator::Reclassified::~Reclassified() {
  for (const std::string& name : names_) {
    evaluator_.session_.forget_variable(name);
    const Typed* known = evaluator_.find(name);
    if (known) evaluator_.session_.declare(name, known->type, ast::BlockKind::TransformedData);
  }
}

namespace {

/// Numbers widen as in an assignment: int to real to complex, whole containers too.
bool widens(const Type& from, const Type& to) {
  if (from == to) return true;
  if (from.array_dims() != to.array_dims()) return false;
  if (from.base() == BaseType::Int) return to.base() == BaseType::Real || to.base() == BaseType::Complex;
  return (from.base() == BaseType::Real && to.base() == BaseType::Complex) ||
         (from.base() == BaseType::Vector && to.base() == BaseType::ComplexVector) ||
         (from.base() == BaseType::RowVector && to.base() == BaseType::ComplexRowVector) ||
         (from.base() == BaseType::Matrix && to.base() == BaseType::ComplexMatrix);
}

/// `x = …`: the name, or nothing for every other statement.
const std::string* assigned_name(const ast::Stmt& stmt) {
  const auto* assignment = std::get_if<ast::Assignment>(&stmt.node);
  if (!assignment || assignment->op) return nullptr;
  const auto* variable = std::get_if<ast::Variable>(&assignment->left->node);
  return variable ? &variable->name.text : nullptr;
}

bool mentions_target(std::string_view text) {
  return text.find('~') != std::string_view::npos || text.find("target") != std::string_view::npos ||
         text.find("_lp(") != std::string_view::npos;
}

}  // namespace

Effects Evaluator::assign(const std::string& name, ast::ExprPtr right) {
  const Type type = check(*right);
  if (type.is(BaseType::Void) || type.base() == BaseType::Function) throw InputError("the right side has no value");
  mir::ExprPtr lowered = lower(std::move(right));
  const Typed* known = find(name);
  const Type result = known && widens(type, known->type) ? known->type : type;
  Typed value{result, run(prepare(mir::promote(lowered, result, {}))).result};
  if (result.is(BaseType::Real) && value.value.is_int()) value.value = static_cast<double>(value.value.as_int());
  set(name, std::move(value));
  return {{name}, {}};
}

/// Warnings about annotations of statements; what is declared here counts for later inputs.
void Evaluator::check_annotations(std::vector<ast::StmtPtr>& statements, Diagnostics& diagnostics) {
  ast::Program program;
  program.model.emplace().body = std::move(statements);
  check::check_annotations(program, false, diagnostics, constants_);
  statements = std::move(program.model->body);
  for (const ast::StmtPtr& stmt : statements)
    if (const auto* declaration = std::get_if<ast::Declaration>(&stmt->node))
      for (const ast::Declarator& d : declaration->names) {
        constants_.erase(d.name.text);
        if (check::has_annotation(declaration->annotations, "const")) constants_.insert(d.name.text);
      }
}

Effects Evaluator::execute(ast::StmtPtr stmt) {
  if (std::holds_alternative<ast::Skip>(stmt->node)) return {};
  if (const std::string* name = assigned_name(*stmt))
    return assign(std::string(*name), std::move(std::get<ast::Assignment>(stmt->node).right));
  std::vector<std::pair<std::string, Type>> declared;
  std::vector<std::string> names;
  if (const auto* declaration = std::get_if<ast::Declaration>(&stmt->node))
    for (const ast::Declarator& d : declaration->names) {
      declared.emplace_back(d.name.text, declaration->type.type());
      names.push_back(d.name.text);
    }
  const bool to_target = mentions_target(sources_->text(stmt->span));
  const ast::BlockKind block = to_target ? ast::BlockKind::Model : ast::BlockKind::TransformedData;
  std::vector<ast::StmtPtr> list;
  list.push_back(std::move(stmt));
  // While the statement runs, the names it declares are free; afterwards they are what the session knows of them.
  for (const std::string& name : names)
    if (find(name)) session_.forget_variable(name);
  struct Redeclare {
    Evaluator& e;
    const std::vector<std::string>& names;
    ~Redeclare() {
      for (const std::string& name : names) {
        e.session_.forget_variable(name);
        if (const Typed* known = e.find(name)) e.session_.declare(name, known->type, ast::BlockKind::TransformedData);
      }
    }
  } const redeclare{*this, names};
  Diagnostics diagnostics;
  if (!session_.statements(list, block, diagnostics)) throw program_error(*sources_, diagnostics);
  check_annotations(list, diagnostics);
  tell_warnings(diagnostics);
  const std::vector<mir::StmtPtr> lowered = lower_statements(list, ast::BlockKind::TransformedData);
  std::set<std::string> assigned;
  for (const mir::StmtPtr& s : lowered) assigned.merge(mir::assigned_variables(*s));
  const Prepared prepared = prepare(lowered);
  Outcome outcome = run(prepared);
  Effects effects;
  for (const auto& [name, type] : declared) {
    forget_functions(name);
    Value& value = outcome.slots[prepared.code->global_slots.at(name)];
    if (const auto it = variables_.find(name); it != variables_.end()) it->second = {type, std::move(value)};
    else variables_.emplace(name, Typed{type, std::move(value)});
    effects.changed.push_back(name);
  }
  for (std::size_t i = 0; i < prepared.used.size(); ++i) {
    const std::string& name = prepared.used[i];
    if (std::ranges::find(names, name) != names.end() || !assigned.contains(name)) continue;
    variables_.at(name).value = std::move(outcome.slots[i]);
    effects.changed.push_back(name);
  }
  if (to_target) effects.target = outcome.target;
  return effects;
}

// ---------------------------------------------------------------- functions

namespace {

bool same_signature(const mir::Function& a, const mir::Function& b) {
  return a.name == b.name && std::ranges::equal(a.args, b.args, [](const auto& x, const auto& y) { return x.type == y.type; });
}

bool same_signature(const ast::FunctionDef& a, const ast::FunctionDef& b) {
  return a.name.text == b.name.text &&
         std::ranges::equal(a.args, b.args, [](const auto& x, const auto& y) { return x.type.type() == y.type.type(); });
}

ast::DeclaredType copy_of(const ast::DeclaredType& unsized) {
  ast::DeclaredType out;
  out.span = unsized.span;
  out.has_array = unsized.has_array;
  out.array_dims = unsized.array_dims;
  out.base = unsized.base;
  for (const ast::DeclaredType& slot : unsized.slots) out.slots.push_back(copy_of(slot));
  return out;
}

/// The function without its body.
ast::FunctionDef declaration_of(const ast::FunctionDef& function) {
  ast::FunctionDef out;
  out.span = function.span;
  out.annotations = function.annotations;
  if (function.result) out.result = copy_of(*function.result);
  out.name = function.name;
  for (const ast::FunctionArgument& arg : function.args) out.args.push_back({arg.data_only, copy_of(arg.type), arg.name});
  return out;
}

}  // namespace

/// A function may take the name of a variable, which is gone then; if the definition fails it is back.
class Evaluator::VariablesAside {
 public:
  VariablesAside(Evaluator& evaluator, const std::set<std::string>& names) : evaluator_(evaluator) {
    for (const std::string& name : names) {
      auto node = evaluator.variables_.extract(name);
      if (node.empty()) continue;
      evaluator.session_.forget_variable(name);
      aside_.insert(std::move(node));
    }
  }
  ~VariablesAside() {
    for (auto& [name, value] : aside_) {
      evaluator_.session_.declare(name, value.type, ast::BlockKind::TransformedData);
      evaluator_.variables_.emplace(name, std::move(value));
    }
  }
  VariablesAside(const VariablesAside&) = delete;
  VariablesAside& operator=(const VariablesAside&) = delete;
  void drop() { aside_.clear(); }

 private:
  Evaluator& evaluator_;
  std::map<std::string, Typed> aside_;
};

/// Warnings about annotations of new functions, and of those that the new ones have as derivatives.
void Evaluator::check_annotations(std::vector<ast::FunctionDef>& fresh) {
  const auto is_of_fresh = [&](const ast::Annotation& annotation) {
    const std::vector<std::string> arguments = check::annotation_arguments(annotation.text);
    return !arguments.empty() && std::ranges::any_of(fresh, [&](const auto& f) { return f.name.text == arguments[0]; });
  };
  ast::Program program;
  for (const ast::FunctionDef& known : declarations_) {
    const auto replaces = [&](const ast::FunctionDef& f) { return same_signature(f, known); };
    if (std::ranges::any_of(fresh, replaces)) continue;
    ast::FunctionDef& other = program.functions.emplace_back(declaration_of(known));
    std::erase_if(other.annotations, [&](const ast::Annotation& a) { return !is_of_fresh(a); });
  }
  const auto others = static_cast<std::ptrdiff_t>(program.functions.size());
  std::ranges::move(fresh, std::back_inserter(program.functions));
  Diagnostics diagnostics;
  check::check_annotations(program, false, diagnostics);
  std::ranges::move(program.functions.begin() + others, program.functions.end(), fresh.begin());
  tell_warnings(diagnostics);
}

namespace {

std::set<std::string> names_of(const std::vector<ast::FunctionDef>& functions) {
  std::set<std::string> out;
  for (const ast::FunctionDef& f : functions) out.insert(f.name.text);
  return out;
}

/// Adds the functions; one with the name and argument types of an earlier one replaces it.
template <class Function>
void replace_by(std::vector<Function>& known, std::vector<Function> fresh) {
  for (Function& f : fresh) {
    std::erase_if(known, [&](const Function& old) { return same_signature(f, old); });
    known.push_back(std::move(f));
  }
}

}  // namespace

void Evaluator::keep(const std::vector<ast::FunctionDef>& definitions, std::vector<mir::Function> lowered) {
  std::vector<ast::FunctionDef> declarations;
  for (const ast::FunctionDef& f : definitions) declarations.push_back(declaration_of(f));
  replace_by(declarations_, std::move(declarations));
  replace_by(functions_, std::move(lowered));
}

std::vector<std::string> Evaluator::define(std::vector<ast::FunctionDef> definitions) {
  const std::set<std::string> names = names_of(definitions);
  VariablesAside aside(*this, names);
  Diagnostics diagnostics;
  if (!session_.functions(definitions, diagnostics)) throw program_error(*sources_, diagnostics);
  aside.drop();
  check_annotations(definitions);
  ast::Program program;
  program.functions = std::move(definitions);
  keep(program.functions, mir::lower(program, "input", "input").functions);
  return {names.begin(), names.end()};
}

void Evaluator::define(Compilation& program) {
  const std::vector<ast::FunctionDef>& definitions = program.checked_ast()->functions;
  VariablesAside aside(*this, names_of(definitions));
  Diagnostics diagnostics;
  if (!session_.checked_functions(definitions, diagnostics)) throw program_error(*sources_, diagnostics);
  aside.drop();
  keep(definitions, program.lowered_mir()->functions);
}

}  // namespace fermiac::repl
