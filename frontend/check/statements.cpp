// Statements, and how control leaves them.
#include <utility>

#include "frontend/check/checker.h"
#include "frontend/check/conversions.h"

namespace fermiac::check {
namespace {

using namespace ast;

/// The word of a statement after which nothing in the same list is reached; null for others.
const char* leaving_word(const Stmt& stmt) {
  if (std::holds_alternative<Break>(stmt.node)) return "break";
  if (std::holds_alternative<Continue>(stmt.node)) return "continue";
  if (std::holds_alternative<Return>(stmt.node)) return "return";
  if (const auto* print = std::get_if<Print>(&stmt.node)) {
    if (print->kind == Print::Kind::Reject) return "reject";
    if (print->kind == Print::Kind::FatalError) return "fatal_error";
  }
  return nullptr;
}

Flow then(Flow before, Flow next) {
  if (before == Flow::NonLocal || next == Flow::NonLocal) return Flow::NonLocal;
  return next;
}

bool is_endless(const Expr& test) {
  const auto* literal = std::get_if<IntLiteral>(&test.node);
  return literal && literal->text.find_first_of("123456789") != std::string::npos;
}

}  // namespace

Flow Checker::statement(Stmt& stmt) {
  if (stopped()) return Flow::Incomplete;
  return std::visit([&](auto& node) { return run(stmt, node); }, stmt.node);
}

Flow Checker::statements(std::vector<StmtPtr>& body) {
  Flow flow = Flow::Incomplete;
  const char* left_by = nullptr;
  bool warned = false;
  for (auto& stmt : body) {
    if (left_by && !warned) {
      warn(stmt->span, kWarnUnreachable, left_by);
      warned = true;
    }
    const Flow next = statement(*stmt);
    if (left_by) continue;
    flow = then(flow, next);
    left_by = leaving_word(*stmt);
  }
  return flow;
}

/// A statement as the body of a branch or loop: a scope of its own.
Flow Checker::scoped(Stmt& stmt) {
  const auto mark = scope_.mark();
  const bool top_level = std::exchange(context_.top_level, false);
  const Flow flow = statement(stmt);
  context_.top_level = top_level;
  scope_.release(mark);
  return flow;
}

Flow Checker::run(Stmt&, Block& node) {
  const auto mark = scope_.mark();
  const bool top_level = std::exchange(context_.top_level, false);
  const Flow flow = statements(node.body);
  context_.top_level = top_level;
  scope_.release(mark);
  return flow;
}

Flow Checker::run(Stmt&, Profile& node) {
  const auto mark = scope_.mark();
  const bool top_level = std::exchange(context_.top_level, false);
  const Flow flow = statements(node.body);
  context_.top_level = top_level;
  scope_.release(mark);
  return flow;
}

Flow Checker::run(Stmt&, Skip&) {
  return Flow::Incomplete;
}

// ---------------------------------------------------------------- calls and terms

Flow Checker::run(Stmt& stmt, ProcedureCall& node) {
  const Type type = application(stmt.span, node.name, node.args, false, node.resolution);
  if (!type.is_error() && !is_void(type)) error(stmt.span, kValueAsStatement, node.name.text);
  return Flow::Incomplete;
}

void Checker::term(Span where, Expr& value) {
  if (is_function(value.type)) error(where, kTermType, "a function");
}

Flow Checker::run(Stmt& stmt, TargetPlus& node) {
  expression(*node.value);
  const bool allowed = context_.in_function() ? context_.suffix == Suffix::Target : context_.block == BlockKind::Model;
  if (!allowed) return error(stmt.span, kTargetPlace, "target +=", ""), Flow::Incomplete;
  term(stmt.span, *node.value);
  return Flow::Incomplete;
}

Flow Checker::run(Stmt& stmt, JacobianPlus& node) {
  expression(*node.value);
  const bool allowed =
      context_.in_function() ? context_.suffix == Suffix::Jacobian : context_.block == BlockKind::TransformedParameters;
  if (!allowed) return error(stmt.span, kJacobianStatementPlace), Flow::Incomplete;
  term(stmt.span, *node.value);
  return Flow::Incomplete;
}

Flow Checker::run(Stmt&, Print& node) {
  for (auto& item : node.items) {
    if (std::holds_alternative<StringLiteral>(item->node)) continue;
    expression(*item);
    expect_no_function_value(*item);
  }
  return node.kind == Print::Kind::Print ? Flow::Incomplete : Flow::Complete;
}

// ---------------------------------------------------------------- control flow

void Checker::condition(Expr& test) {
  expression(test);
  if (!test.type.is(BaseType::Int) && !test.type.is_error() && !compare_with_zero(test)) {
    const bool real = test.type.is(BaseType::Real);
    error(test.span, kConditionType, test.type.str(), real ? " Compare it with something, as in x != 0." : "");
  }
}

Flow Checker::run(Stmt&, If& node) {
  condition(*node.test);
  const Flow yes = scoped(*node.yes);
  const Flow no = node.no ? scoped(*node.no) : Flow::Incomplete;
  if (yes == Flow::NonLocal || no == Flow::NonLocal) return Flow::NonLocal;
  return yes == Flow::Complete && no == Flow::Complete ? Flow::Complete : Flow::Incomplete;
}

Flow Checker::run(Stmt&, While& node) {
  condition(*node.test);
  ++context_.loops;
  const Flow body = scoped(*node.body);
  --context_.loops;
  const bool endless = is_endless(*node.test) && body == Flow::Incomplete;
  return body == Flow::Complete || endless ? Flow::Complete : Flow::Incomplete;
}

Flow Checker::loop_body(const Name& variable, const Type& type, Stmt& body) {
  const auto mark = scope_.mark();
  declare(variable, type, VariableInfo::Role::LoopVariable);
  ++context_.loops;
  const Flow flow = scoped(body);
  --context_.loops;
  scope_.release(mark);
  return flow == Flow::Complete ? Flow::Complete : Flow::Incomplete;
}

Flow Checker::run(Stmt&, ForRange& node) {
  for (auto* bound : {node.low.get(), node.high.get()}) {
    expression(*bound);
    if (!bound->type.is(BaseType::Int) && !bound->type.is_error())
      error(bound->span, kLoopBoundType, bound->type.str());
  }
  return loop_body(node.variable, BaseType::Int, *node.body);
}

Flow Checker::run(Stmt&, ForEach& node) {
  expression(*node.container);
  const Type& type = node.container->type;
  Type element;
  if (type.is_array())
    element = type.element();
  else if (type.is(BaseType::Vector) || type.is(BaseType::RowVector) || type.is(BaseType::Matrix))
    element = BaseType::Real;
  else if (!type.is_error())
    error(node.container->span, kForeachType, type.str(), type.is(BaseType::Int) ? " To count up to it, write 1:" + operand_text(*node.container) + "." : "");
  return loop_body(node.variable, element, *node.body);
}

bool Checker::loop_statement(Span where, const char* word) {
  if (context_.loops > 0) return true;
  error(where, kOutsideLoop, word);
  return false;
}

Flow Checker::run(Stmt& stmt, Break&) {
  loop_statement(stmt.span, "break");
  return Flow::NonLocal;
}

Flow Checker::run(Stmt& stmt, Continue&) {
  loop_statement(stmt.span, "continue");
  return Flow::Incomplete;
}

Flow Checker::run(Stmt& stmt, Return& node) {
  if (node.value) expression(*node.value);
  if (!context_.in_function())
    error(stmt.span, kReturnOutside);
  else if (is_void(*context_.returns) && node.value)
    error(stmt.span, kReturnFromVoid);
  else if (!is_void(*context_.returns) && !node.value)
    error(stmt.span, kReturnNeedsValue, context_.returns->str());
  else if (node.value && !converts(node.value->type, *context_.returns))
    error(stmt.span, kReturnType, context_.returns->str(), node.value->type.str());
  return Flow::Complete;
}

}  // namespace fermiac::check
