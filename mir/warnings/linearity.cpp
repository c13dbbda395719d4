// Whether an expression is linear in what it reads, as far as its form tells.
#include <algorithm>
#include <string_view>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/warnings/dependence.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

// Linear in each argument, all others fixed.
constexpr std::string_view kLinear[] = {
    "Plus__",        "Minus__",   "PMinus__",    "PPlus__",      "PNot__",         "Transpose__", "add",
    "subtract",      "minus",     "transpose",   "append_array", "append_col",     "append_row",  "block",
    "col",           "cols",      "row",         "rows",         "diagonal",       "head",        "tail",
    "segment",       "sum",       "rep_array",   "rep_matrix",   "rep_row_vector", "rep_vector",  "to_vector",
    "to_row_vector", "to_matrix", "to_array_1d", "to_array_2d"};
// Linear if at most one factor varies.
constexpr std::string_view kProducts[] = {"Times__", "Divide__", "IntDivide__", "multiply", "divide"};

template <class List>
bool contains(const List& names, std::string_view name) {
  return std::ranges::find(names, name) != std::end(names);
}

bool all_linear(const std::vector<ExprPtr>& exprs) {
  return std::ranges::all_of(exprs, [](const ExprPtr& expr) { return is_linear(*expr); });
}

bool one_varies(const std::vector<ExprPtr>& args, std::size_t factors) {
  std::size_t varying = 0;
  for (std::size_t i = 0; i < factors && i < args.size(); ++i) varying += !is_constant(*args[i]);
  return varying <= 1;
}

bool linear_call(const StanLib& fn, const std::vector<ExprPtr>& args) {
  if (std::ranges::all_of(args, [](const ExprPtr& arg) { return is_constant(*arg); })) return true;
  if (contains(kLinear, fn.name)) return all_linear(args);
  if (contains(kProducts, fn.name)) return one_varies(args, args.size()) && all_linear(args);
  return fn.name == "fma" && one_varies(args, 2) && all_linear(args);
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
