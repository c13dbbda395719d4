#include "mir/ir/call_effects.h"

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

using ByName = std::map<std::string, Effects>;

Effects known(const ByName& functions, const std::string& name) {
  const auto found = functions.find(name);
  return found == functions.end() ? Effects() : found->second;
}

Effects passed_on(const ByName& functions, const std::vector<ExprPtr>& args) {
  Effects out;
  for (const ExprPtr& arg : args) {
    const Var* name = as_var(*arg);
    if (name && arg->type.base() == BaseType::Function) out |= known(functions, name->name);
  }
  return out;
}

/// What is found out about the callee from the functions known so far.
Effects through_functions(const ByName& functions, const FunctionKind& fn, const std::vector<ExprPtr>& args) {
  return match(
      fn, [&](const StanLib&) { return passed_on(functions, args); },
      [&](const UserDefined& f) { return known(functions, f.name) | passed_on(functions, args); },
      [](const CompilerInternal&) { return Effects(); });
}

Effects body_effects(const Stmt& body, const ByName& functions) {
  Effects out = effects(body);
  each_substmt(body, [&](const Stmt& stmt) {
    if (const auto* call = std::get_if<NRFunApp>(&stmt.node)) out |= through_functions(functions, call->fn, call->args);
    each_expr(stmt, [&](const Expr& whole) {
      each_subexpr(whole, [&](const Expr& e) {
        if (const FunApp* call = as_call(e)) out |= through_functions(functions, call->fn, call->args);
      });
    });
  });
  return out.without(Effect::Check);
}

bool add(Effects& to, Effects more) {
  const Effects before = to;
  to |= more;
  return to != before;
}

template <class Call>
bool mark(Call& call, const ByName& functions) {
  const Effects found = through_functions(functions, call.fn, call.args);
  return match(
      call.fn, [](CompilerInternal&) { return false; }, [&](StanLib& fn) { return add(fn.effects, found); },
      [&](UserDefined& fn) { return add(fn.effects, found); });
}

ExprPtr marked(const ExprPtr& expr, const ByName& functions) {
  return rewrite(expr, [&](const ExprPtr& node) -> ExprPtr {
    const FunApp* call = as_call(*node);
    if (!call) return node;
    FunApp copy = *call;
    return mark(copy, functions) ? make_expr(std::move(copy), node->type, node->ad, node->span) : node;
  });
}

StmtPtr marked(const StmtPtr& stmt, const ByName& functions) {
  const auto* call = std::get_if<NRFunApp>(&stmt->node);
  if (!call) return stmt;
  NRFunApp copy = *call;
  return mark(copy, functions) ? make_stmt(std::move(copy), stmt->span) : stmt;
}

}  // namespace

ByName function_effects(const Program& program) {
  ByName out;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function& function : program.functions) {
      if (!function.body) continue;
      changed = add(out[function.name], body_effects(*function.body, out)) || changed;
    }
  }
  return out;
}

void mark_effects(Program& program) {
  const ByName functions = function_effects(program);
  const auto over_exprs = [&](const ExprPtr& expr) { return marked(expr, functions); };
  const auto over_stmts = [&](const StmtPtr& stmt) { return marked(stmt, functions); };
  for (std::vector<StmtPtr>* section : sections(program))
    *section = rewrite(rewrite_exprs(*section, over_exprs), over_stmts);
  for (Function& function : program.functions)
    if (function.body) function.body = rewrite(rewrite_exprs(function.body, over_exprs), over_stmts);
}

}  // namespace fermiac::mir
