#include "mir/analysis/program_traits.h"

#include <algorithm>
#include <string_view>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

bool is_solver(const Expr& expr) {
  constexpr std::string_view kPrefixes[] = {"ode_", "integrate_ode", "dae"};
  const StanLib* fn = as_library(expr);
  return fn && std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return name_of(fn->fn).starts_with(prefix); });
}

}  // namespace

bool solves_differential_equations(const Program& program) {
  bool found = false;
  const auto look = [&](const Stmt& stmt) {
    each_expr(stmt, [&](const Expr& top) { each_subexpr(top, [&](const Expr& e) { found = found || is_solver(e); }); });
  };
  for (const StmtPtr& top : program.log_prob) each_substmt(*top, look);
  for (const Function& function : program.functions)
    if (function.body) each_substmt(*function.body, look);
  return found;
}

}  // namespace fermiac::mir
