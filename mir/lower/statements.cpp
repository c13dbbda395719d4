// Lowering of statements other than distribution statements and top-level declarations.
#include <algorithm>
#include <string>
#include <utility>

#include "mir/lower/lowerer.h"
#include "support/base/check.h"
#include "support/base/match.h"
#include "support/base/number_text.h"
#include "support/base/text.h"

namespace fermiac::mir::lowering {

Statements Lowerer::statements(const std::vector<ast::StmtPtr>& list) {
  Statements out;
  for (const auto& stmt : list) append(out, statement(*stmt));
  return out;
}

StmtPtr Lowerer::one(const ast::Stmt& stmt) {
  return as_one(statement(stmt), stmt.span);
}

// ---------------------------------------------------------------- assignments

Destination Lowerer::destination(const ast::Expr& left) {
  if (const auto* name = std::get_if<ast::Variable>(&left.node)) return {to_variable(name->name.text), left.type};
  if (const auto* node = std::get_if<ast::Paren>(&left.node)) return destination(*node->inner);
  if (const auto* node = std::get_if<ast::Indexed>(&left.node)) {
    Destination base = destination(*node->base);
    return {with_indexes(std::move(base.left), indexes(node->indexes)), base.unindexed};
  }
  const auto* node = std::get_if<ast::Projection>(&left.node);
  FERMIAC_CHECK(node, "the parser lets only variables, indexes and slots be assigned");
  return {slot_of(destination(*node->tuple).left, static_cast<int>(literal_int(node->slot))), left.type};
}

// The level an assigned value is promoted at: that of the base variable, as its block gives it.
AdLevel Lowerer::destination_level(const ast::Expr& left) const {
  return uniform_level(left.type, autodiff_);
}

StmtPtr Lowerer::compound(const ast::Assignment& node, Span span) {
  Destination dest = destination(*node.left);
  ExprPtr left = expr(*node.left);
  ExprPtr right = expr(*node.right);
  AdLevel joined = uniform_level(left->type, !left->type.is_discrete() && (left->ad.any() || right->ad.any()));
  ExprPtr value = make_expr(FunApp{StanLib{.fn = operator_row(*node.op).id}, {left, right}},
                            left->type, std::move(joined), span);
  return assign(std::move(dest.left), dest.unindexed, std::move(value), span);
}

StmtPtr Lowerer::assignment(const ast::Assignment& node, Span span) {
  if (node.op) return compound(node, span);
  if (const auto* tuple = std::get_if<ast::TupleLiteral>(&node.left->node))
    return unpack(*tuple, expr(*node.right), span);
  Destination dest = destination(*node.left);
  ExprPtr right = promote(expr(*node.right), node.left->type, destination_level(*node.left));
  return assign(std::move(dest.left), dest.unindexed, std::move(right), span);
}

StmtPtr Lowerer::unpack(const ast::TupleLiteral& left, const ExprPtr& right, Span span) {
  const SymbolScope scope(symbols_);
  const std::string name = symbols_.fresh();
  symbols_.skip();
  const ExprPtr temporary = var(name, right->type, right->ad);
  Statements body = {declare_unsized(name, right->type, right->ad, Decl::Init::Uninit, span),
                     assign(to_variable(name), right->type, right, span)};
  for (std::size_t i = 0; i < left.items.size(); ++i) {
    const ast::Expr& item = *left.items[i];
    const ExprPtr slot = project(temporary, static_cast<int>(i) + 1);
    if (const auto* tuple = std::get_if<ast::TupleLiteral>(&item.node)) {
      body.push_back(unpack(*tuple, slot, span));
      continue;
    }
    Destination dest = destination(item);
    body.push_back(
        assign(std::move(dest.left), dest.unindexed, promote(slot, item.type, destination_level(item)), span));
  }
  return block(std::move(body), span);
}

StmtPtr Lowerer::returning(const ast::Return& node, Span span) {
  if (!node.value) return make_stmt(Return{nullptr}, span);
  ExprPtr value = expr(*node.value);
  FERMIAC_CHECK(function_ && function_->result, "a value is returned only from functions with a result");
  const Type declared = function_->result->type();
  const AdLevel wanted = uniform_level(declared, true);
  const bool same_type = value->type == declared;
  if (same_type && !declared.is_discrete() && !(fit_level(value->ad, declared) == wanted))
    value = wrap_promotion(value, declared, wanted);
  else
    value = promote(value, declared, wanted);
  return make_stmt(Return{std::move(value)}, span);
}

StmtPtr Lowerer::procedure(const ast::ProcedureCall& node, Span span) {
  std::vector<ExprPtr> args = arguments(node.args, node.resolution.formals);
  return make_stmt(NRFunApp{function_kind(node.resolution, node.resolution.propto), std::move(args)}, span);
}

// ---------------------------------------------------------------- control flow

StmtPtr Lowerer::conditional(const ast::If& node, Span span) {
  ExprPtr test = expr(*node.test);
  StmtPtr yes = one(*node.yes);
  StmtPtr no = node.no ? one(*node.no) : nullptr;
  return make_stmt(IfElse{std::move(test), std::move(yes), std::move(no)}, span);
}

StmtPtr Lowerer::range_loop(const ast::ForRange& node, Span span) {
  ExprPtr low = expr(*node.low);
  ExprPtr high = expr(*node.high);
  return make_stmt(For{node.variable.text, std::move(low), std::move(high), as_block(loop_body(*node.body))}, span);
}

StmtPtr Lowerer::loop_body(const ast::Stmt& body) {
  const std::string outer = std::exchange(break_flag_, {});
  StmtPtr out = one(body);
  break_flag_ = outer;
  return out;
}

namespace {

/// Whether a `break` in the body of a loop leaves that loop.
bool breaks(const ast::Stmt& body) {
  const auto any = [](const std::vector<ast::StmtPtr>& list) {
    return std::ranges::any_of(list, [](const ast::StmtPtr& stmt) { return breaks(*stmt); });
  };
  if (std::holds_alternative<ast::Break>(body.node)) return true;
  if (const auto* node = std::get_if<ast::Block>(&body.node)) return any(node->body);
  if (const auto* node = std::get_if<ast::Profile>(&body.node)) return any(node->body);
  const auto* branch = std::get_if<ast::If>(&body.node);
  return branch && (breaks(*branch->yes) || (branch->no && breaks(*branch->no)));
}

}  // namespace

Statements Lowerer::breaking(Span span) const {
  Statements out;
  if (!break_flag_.empty()) out.push_back(assign(to_variable(break_flag_), BaseType::Int, int_lit(1), span));
  out.push_back(make_stmt(Break{}, span));
  return out;
}

StmtPtr Lowerer::foreach_loop(const ast::ForEach& node, Span span) {
  const SymbolScope scope(symbols_);
  const ExprPtr container = expr(*node.container);
  const std::string outer = std::exchange(break_flag_, {});
  StmtPtr out = foreach_loop_over(node, container, span);
  break_flag_ = outer;
  return out;
}

StmtPtr Lowerer::foreach_loop_over(const ast::ForEach& node, const ExprPtr& container, Span span) {
  if (as_var(*container)) return foreach_over(node.variable.text, container, *node.body, span);
  const std::string name = symbols_.fresh();
  symbols_.skip();
  const ExprPtr temporary = var(name, container->type, container->ad);
  return block({declare_unsized(name, container->type, container->ad, Decl::Init::Uninit, span),
                assign(to_variable(name), container->type, container, span),
                foreach_over(node.variable.text, temporary, *node.body, span)},
               span);
}

StmtPtr Lowerer::foreach_over(const std::string& name, const ExprPtr& container, const ast::Stmt& body, Span span) {
  const SymbolScope scope(symbols_);
  const std::string counter = symbols_.fresh();
  if (!container->type.is(BaseType::Matrix)) return foreach_element(name, container, counter, body, span);
  ExprPtr rows = stan_call(Builtin::rows, {container}, BaseType::Int, span);
  const ExprPtr row = indexed(container, {single(int_var(counter))});
  if (!breaks(body)) return for_loop(counter, int_lit(1), std::move(rows), {foreach_over(name, row, body, span)}, span);
  // One loop in the program, two here: a flag tells the outer one that the inner one was left.
  break_flag_ = symbols_.fresh();
  const std::string flag = break_flag_;
  const auto set = [&](int value) { return assign(to_variable(flag), BaseType::Int, int_lit(value), span); };
  StmtPtr inner = foreach_over(name, row, body, span);
  StmtPtr leave = make_stmt(IfElse{int_var(flag), make_stmt(Break{}, span), nullptr}, span);
  return block({declare(flag, sized_scalar(BaseType::Int), false, span), set(0),
                for_loop(counter, int_lit(1), std::move(rows), {std::move(inner), std::move(leave)}, span)},
               span);
}

StmtPtr Lowerer::foreach_element(const std::string& name, const ExprPtr& container, const std::string& counter,
                                 const ast::Stmt& body, Span span) {
  const ExprPtr element = indexed(container, {single(int_var(counter))});
  Statements inner = {declare_unsized(name, element->type, element->ad, Decl::Init::Default, span),
                      assign(to_variable(name), element->type, element, span)};
  append(inner, statement(body));
  ExprPtr length = internal_call(Internal::FnLength, {container}, BaseType::Int);
  return for_loop(counter, int_lit(1), std::move(length), {block(std::move(inner), span)}, span);
}

// ---------------------------------------------------------------- local declarations

Statements Lowerer::local_declaration(const ast::Declaration& node, Span span) {
  Statements out;
  for (const ast::Declarator& name : node.names) {
    const SizedType type = sized(node.type, name.name.text, SizeMode::Local, out);
    out.push_back(declaration(node, name, type, span));
    append(out, initialiser(node, name, span));
  }
  return out;
}

Statements Lowerer::initialiser(const ast::Declaration& node, const ast::Declarator& name, Span span) {
  if (!name.init) return {};
  const Type type = node.type.type();
  ExprPtr value = promote(expr(*name.init), type, uniform_level(type, autodiff_));
  return {assign(to_variable(name.name.text), type, std::move(value), span)};
}

// ---------------------------------------------------------------- dispatch

namespace {

Internal print_function(ast::Print::Kind kind) {
  switch (kind) {
    case ast::Print::Kind::Print:
      return Internal::FnPrint;
    case ast::Print::Kind::Reject:
      return Internal::FnReject;
    case ast::Print::Kind::FatalError:
      return Internal::FnFatalError;
  }
  return Internal::FnPrint;
}

}  // namespace

Statements Lowerer::statement(const ast::Stmt& stmt) {
  const Span span = stmt.span;
  return match(
      stmt.node, [&](const ast::Declaration& node) { return local_declaration(node, span); },
      [&](const ast::Assignment& node) { return Statements{assignment(node, span)}; },
      [&](const ast::ProcedureCall& node) { return Statements{procedure(node, span)}; },
      [&](const ast::TargetPlus& node) { return Statements{target_pe(expr(*node.value), span)}; },
      [&](const ast::JacobianPlus& node) { return Statements{make_stmt(JacobianPE{expr(*node.value)}, span)}; },
      [&](const ast::Tilde& node) { return tilde(node, span); },
      [&](const ast::Break&) { return breaking(span); },
      [&](const ast::Continue&) { return Statements{make_stmt(Continue{}, span)}; },
      [&](const ast::Return& node) { return Statements{returning(node, span)}; },
      [&](const ast::Print& node) {
        return Statements{internal_stmt({.fn = print_function(node.kind)}, exprs(node.items), span)};
      },
      [&](const ast::If& node) { return Statements{conditional(node, span)}; },
      [&](const ast::While& node) {
        ExprPtr test = expr(*node.test);
        return Statements{make_stmt(While{std::move(test), loop_body(*node.body)}, span)};
      },
      [&](const ast::ForRange& node) { return Statements{range_loop(node, span)}; },
      [&](const ast::ForEach& node) { return Statements{foreach_loop(node, span)}; },
      [&](const ast::Profile& node) {
        return Statements{make_stmt(Profile{node.name, statements(node.body)}, span)};
      },
      [&](const ast::Block& node) { return Statements{block(statements(node.body), span)}; },
      [&](const ast::Skip&) { return Statements{make_stmt(Skip{}, span)}; });
}

}  // namespace fermiac::mir::lowering
