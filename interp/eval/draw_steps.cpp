#include "interp/eval/draw_steps.h"

#include <algorithm>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::interp {
namespace {

bool is_callback(const mir::ExprPtr& arg) { return arg->type.base() == BaseType::Function; }

bool hands_on(const mir::FunctionKind& fn, const std::vector<mir::ExprPtr>& args, const std::set<std::string>& known) {
  const auto* user = std::get_if<mir::UserDefined>(&fn);
  return std::ranges::any_of(args, is_callback) || (user && known.contains(user->name));
}

/// Some call in the statement or below it hands a function on.
bool has_callbacks(const mir::Stmt& stmt, const std::set<std::string>& known) {
  bool found = false;
  mir::each_substmt(stmt, [&](const mir::Stmt& s) {
    if (const auto* call = std::get_if<mir::NRFunApp>(&s.node)) found |= hands_on(call->fn, call->args, known);
    mir::each_expr(s, [&](const mir::Expr& whole) {
      mir::each_subexpr(whole, [&](const mir::Expr& e) {
        if (const mir::FunApp* call = mir::as_call(e)) found |= hands_on(call->fn, call->args, known);
      });
    });
  });
  return found;
}

}  // namespace

std::set<std::string> functions_with_callbacks(const mir::Program& program) {
  std::set<std::string> out;
  for (bool changed = true; changed;) {
    changed = false;
    for (const mir::Function& function : program.functions)
      if (function.body && !out.contains(function.name) && (!function.annotations.empty() || has_callbacks(*function.body, out)))
        changed |= out.insert(function.name).second;
  }
  return out;
}

bool stays_as_written(const mir::Stmt& stmt, const std::set<std::string>& with_callbacks) {
  using enum mir::Effect;
  const mir::Effects effects = mir::effects(stmt);
  const auto has = [&](mir::Effect effect) { return effects.has(effect); };
  return has(Rng) || has(Print) || has(Target) || has(Jacobian) || has_callbacks(stmt, with_callbacks);
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
