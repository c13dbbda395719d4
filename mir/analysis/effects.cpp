#include "mir/analysis/effects.h"

#include <set>
#include <string>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;

bool calls_one_of(const FunctionKind& fn, const Names& names) {
  const auto* user = std::get_if<UserDefined>(&fn);
  return user && names.contains(user->name);
}

bool shows(const Stmt& body, const Names& known) {
  bool found = false;
  each_substmt(body, [&](const Stmt& stmt) {
    if (const auto* call = std::get_if<NRFunApp>(&stmt.node)) {
      const CompilerInternal* fn = as_internal(call->fn);
      found = found || calls_one_of(call->fn, known) ||
              (fn && (fn->fn == Internal::FnPrint || fn->fn == Internal::FnReject || fn->fn == Internal::FnFatalError));
    }
    each_expr(stmt, [&](const Expr& whole) {
      each_subexpr(whole, [&](const Expr& e) {
        const FunApp* call = as_call(e);
        found = found || (call && calls_one_of(call->fn, known));
      });
    });
  });
  return found;
}

Names visible_functions(const Program& program) {
  Names out;
  for (bool changed = true; changed;) {
    changed = false;
    for (const Function& function : program.functions)
      if (function.body && !out.contains(function.name) && shows(*function.body, out))
        changed = out.insert(function.name).second;
  }
  return out;
}

ExprPtr marked(const ExprPtr& expr, const Names& visible) {
  return rewrite(expr, [&](const ExprPtr& node) -> ExprPtr {
    const FunApp* call = as_call(*node);
    if (!call || !calls_one_of(call->fn, visible)) return node;
    FunApp copy = *call;
    std::get<UserDefined>(copy.fn).visible = true;
    return make_expr(std::move(copy), node->type, node->ad, node->span);
  });
}

}  // namespace

void mark_effects(Program& program) {
  const Names visible = visible_functions(program);
  if (visible.empty()) return;
  const auto mark = [&](const ExprPtr& expr) { return marked(expr, visible); };
  for (std::vector<StmtPtr>* section : sections(program)) *section = rewrite_exprs(*section, mark);
  for (Function& function : program.functions)
    if (function.body) function.body = rewrite_exprs(function.body, mark);
}

}  // namespace fermiac::mir
