// The smallest set of variables that must carry derivatives; everything else is declared as data.
#include <set>
#include <string>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;

bool is_autodiff(const Expr& expr, const Names& names) {
  if (expr.type.is_discrete()) return false;
  if (const Var* variable = as_var(expr)) return names.contains(variable->name);
  const FunApp* call = as_call(expr);
  bool found = call && call_effects(call->fn).has(Effect::Target);  // target(), or a function that may hand on what it says
  each_child(expr, [&](const Expr& child) { found = found || is_autodiff(child, names); });
  return found;
}

// Adds what is assigned an autodiff value; true if the set grew.
bool grow(const std::vector<StmtPtr>& body, Names& names) {
  const std::size_t before = names.size();
  const auto add = [&](const std::string& name, const Expr& value) {
    if (is_autodiff(value, names)) names.insert(name);
  };
  for (const StmtPtr& stmt : body)
    each_substmt(*stmt, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Assignment>(&s.node)) add(a->left.base_name(), *a->right);
      if (const auto* d = std::get_if<Decl>(&s.node); d && d->value) add(d->id, *d->value);
    });
  return names.size() != before;
}

ExprPtr relevelled(const ExprPtr& expr, const Names& names) {
  const ExprPtr inner = map_children(expr, [&](const ExprPtr& child) { return relevelled(child, names); });
  AdLevel level = uniform_level(inner->type, is_autodiff(*inner, names));
  auto node = inner->node;
  if (auto* promotion = std::get_if<Promotion>(&node)) promotion->ad = level;
  return make_expr(std::move(node), inner->type, std::move(level), inner->span);
}

StmtPtr relevelled(const StmtPtr& stmt, const Names& names) {
  const StmtPtr done = map_exprs(stmt, [&](const ExprPtr& expr) { return relevelled(expr, names); });
  const auto* decl = std::get_if<Decl>(&done->node);
  if (!decl) return done;
  Decl copy = *decl;
  const auto* sized = std::get_if<SizedType>(&copy.type);
  copy.ad = uniform_level(sized ? sized->type() : std::get<Type>(copy.type), names.contains(copy.id));
  return make_stmt(std::move(copy), done->span);
}

std::vector<StmtPtr> settled(const std::vector<StmtPtr>& body, Names names) {
  while (grow(body, names)) {
  }
  return rewrite(body, [&](const StmtPtr& stmt) { return relevelled(stmt, names); });
}

bool carries_derivatives(const FunctionArg& arg) {
  return !arg.data_only && !arg.type.is_discrete();
}

void run(Program& program, PassContext&) {
  for (Function& function : program.functions) {
    if (!function.body) continue;
    Names formals;
    for (const FunctionArg& arg : function.args)
      if (carries_derivatives(arg)) formals.insert(arg.name);
    function.body = settled({function.body}, formals).front();
  }
  Names parameters;
  for (const OutputVar& output : program.output_vars)
    if (output.block == BlockKind::Parameters) parameters.insert(output.name);
  for (std::vector<StmtPtr>* section :
       {&program.log_prob, &program.reverse_mode_log_prob, &program.transform_inits, &program.unconstrain_array})
    *section = settled(*section, parameters);
  for (std::vector<StmtPtr>* section : {&program.prepare_data, &program.generate_quantities})
    *section = settled(*section, {});
}

}  // namespace

const Pass kAutodiffLevels = {"autodiff-levels", "declares as data what never depends on a parameter", true, run};

}  // namespace fermiac::mir
