#include "interp/exec/runs/draw_steps.h"

#include <algorithm>

#include "codegen/native/external.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::interp {
namespace {

bool is_callback(const mir::ExprPtr& arg) { return arg->type.base() == BaseType::Function; }

bool draws(std::string_view function) { return function.ends_with("_rng"); }

/// Calls of user functions that stay as written, and of functions that are handed a function.
bool stays(const mir::FunctionKind& fn, const std::vector<mir::ExprPtr>& args, const std::set<std::string>& known) {
  const auto* user = std::get_if<mir::UserDefined>(&fn);
  return std::ranges::any_of(args, is_callback) || (user && known.contains(user->name));
}

bool draws_ints(const mir::Expr& e) {
  const mir::FunApp* call = mir::as_call(e);
  if (!call || !e.type.is_discrete()) return false;
  const auto* builtin = std::get_if<mir::StanLib>(&call->fn);
  const auto* user = std::get_if<mir::UserDefined>(&call->fn);
  return (builtin && builtin->suffix == Suffix::Rng) || (user && draws(user->name));
}

template <class Test>
bool any_subexpr(const mir::Expr& whole, Test test) {
  bool found = false;
  mir::each_subexpr(whole, [&](const mir::Expr& e) { found |= test(e); });
  return found;
}

/// The value that the statement gives to a variable as a whole or in part; null: none.
const mir::Expr* assigned_value(const mir::Stmt& s) {
  if (const auto* a = std::get_if<mir::Assignment>(&s.node)) return a->right.get();
  const auto* decl = std::get_if<mir::Decl>(&s.node);
  return decl ? decl->value.get() : nullptr;
}

/// It assigns what a built-in function draws, and draws nothing else.
bool assigns_drawn_ints(const mir::Stmt& s) {
  const mir::Expr* value = assigned_value(s);
  return value && draws_ints(*value) && std::holds_alternative<mir::StanLib>(mir::as_call(*value)->fn);
}

/// Something in the statement or below it keeps it from being recorded.
bool is_unrecorded(const mir::Stmt& stmt, const std::set<std::string>& known, bool ints_may_be_assigned) {
  bool found = false;
  mir::each_substmt(stmt, [&](const mir::Stmt& s) {
    if (const auto* call = std::get_if<mir::NRFunApp>(&s.node)) found |= stays(call->fn, call->args, known);
    const mir::Expr* drawn = ints_may_be_assigned && assigns_drawn_ints(s) ? assigned_value(s) : nullptr;
    mir::each_expr(s, [&](const mir::Expr& whole) {
      found |= any_subexpr(whole, [&](const mir::Expr& e) {
        const mir::FunApp* call = mir::as_call(e);
        return (call && stays(call->fn, call->args, known)) || (&e != drawn && draws_ints(e));
      });
    });
  });
  return found;
}

}  // namespace

std::set<std::string> unrecorded_functions(const mir::Program& program) {
  std::set<std::string> out;
  for (bool changed = true; changed;) {
    changed = false;
    for (const mir::Function& function : program.functions)
      if (!out.contains(function.name) &&
          (codegen::native::is_external(program, function) || !function.annotations.empty() || (function.body && is_unrecorded(*function.body, out, false))))
        changed |= out.insert(function.name).second;
  }
  return out;
}

bool draws_numbers(const mir::Stmt& stmt) { return mir::effects(stmt).has(mir::Effect::Rng); }

std::set<std::string> drawn_ints(const mir::Stmt& stmt) {
  std::set<std::string> out;
  mir::each_substmt(stmt, [&](const mir::Stmt& s) {
    if (!assigns_drawn_ints(s)) return;
    const auto* a = std::get_if<mir::Assignment>(&s.node);
    out.insert(a ? a->left.base_name() : std::get<mir::Decl>(s.node).id);
  });
  return out;
}

std::set<std::string> checked_variable(const mir::Stmt& stmt) {
  const auto* call = std::get_if<mir::NRFunApp>(&stmt.node);
  const auto* check = call ? std::get_if<mir::CompilerInternal>(&call->fn) : nullptr;
  if (!check || check->fn != mir::Internal::FnCheck) return {};
  const auto kind = check->transform.kind;
  const auto* variable = std::get_if<mir::Var>(&check->var->node);
  if (!variable || (kind != mir::TransformKind::Lower && kind != mir::TransformKind::Upper)) return {};
  const auto reads_it = [&](const mir::ExprPtr& bound) { return mir::variables(*bound).contains(variable->name); };
  if (std::ranges::any_of(call->args, reads_it)) return {};
  return {variable->name};
}

bool stays_as_written(const mir::Stmt& stmt, const std::set<std::string>& unrecorded) {
  using enum mir::Effect;
  const mir::Effects effects = mir::effects(stmt);
  return effects.has(Print) || effects.has(Target) || effects.has(Jacobian) || is_unrecorded(stmt, unrecorded, true);
}

bool may_return(const mir::Stmt& stmt) {
  bool found = false;
  mir::each_substmt(stmt, [&](const mir::Stmt& s) { found |= std::holds_alternative<mir::Return>(s.node); });
  return found;
}

void add_touched(const mir::Stmt& stmt, Touched& out) {
  out.writes.merge(mir::assigned_variables(stmt));
  mir::each_substmt(stmt, [&](const mir::Stmt& s) {
    if (const auto* decl = std::get_if<mir::Decl>(&s.node)) out.writes.insert(decl->id);
    mir::each_expr(s, [&](const mir::Expr& e) { out.reads.merge(mir::variables(e)); });
  });
}

}  // namespace fermiac::interp
