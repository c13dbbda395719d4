// Whether an expression is linear in what it reads, as far as its form tells.
#include <algorithm>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/warnings/dependence.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

bool all_linear(const std::vector<ExprPtr>& exprs) {
  return std::ranges::all_of(exprs, [](const ExprPtr& expr) { return is_linear(*expr); });
}

/// At most one of the factors, which are the first two arguments.
bool one_varies(const std::vector<ExprPtr>& args) {
  std::size_t varying = 0;
  for (std::size_t i = 0; i < 2 && i < args.size(); ++i) varying += !is_constant(*args[i]);
  return varying <= 1;
}

bool linear_call(const StanLib& fn, const std::vector<ExprPtr>& args) {
  if (std::ranges::all_of(args, [](const ExprPtr& arg) { return is_constant(*arg); })) return true;
  if (has(fn.fn, Fact::Linear)) return all_linear(args);
  return has(fn.fn, Fact::Product) && one_varies(args) && all_linear(args);
}

}  // namespace

bool is_constant(const Expr& expr) {
  bool constant = true;
  each_subexpr(expr, [&](const Expr& e) {
    const FunApp* call = as_call(e);
    constant = constant && !as_var(e) && !(call && std::holds_alternative<UserDefined>(call->fn));
  });
  return constant;
}

bool is_linear(const Expr& expr) {
  return match(
      expr.node, [](const Var&) { return true; }, [](const Lit&) { return true; },
      [](const FunApp& f) {
        return match(
            f.fn, [&](const StanLib& fn) { return linear_call(fn, f.args); }, [](const UserDefined&) { return false; },
            [&](const CompilerInternal& fn) {
              return (fn.fn == Internal::FnMakeArray || fn.fn == Internal::FnMakeRowVec) && all_linear(f.args);
            });
      },
      [](const TernaryIf& t) { return is_linear(*t.test) && is_linear(*t.yes) && is_linear(*t.no); },
      [](const EAnd&) { return false; }, [](const EOr&) { return false; },
      [](const Indexed& x) { return is_linear(*x.base); }, [](const Promotion& p) { return is_linear(*p.operand); },
      [](const TupleProjection&) { return false; });
}

}  // namespace fermiac::mir
