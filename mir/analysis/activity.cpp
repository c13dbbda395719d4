#include "mir/analysis/activity.h"

#include <algorithm>

#include "support/base/match.h"

namespace fermiac::mir {
namespace {

Activity of_variable(const std::string& name, const ActivityScope& scope) {
  if (!scope.in_function) return {.always = true};
  const auto found = std::ranges::find(scope.arguments, name);
  if (found == scope.arguments.end()) return {.arguments = kAnyArgument};
  return {.arguments = argument_bit(static_cast<std::size_t>(found - scope.arguments.begin()))};
}

/// The leaves of an expression that decide its level.
class Leaves {
 public:
  explicit Leaves(const ActivityScope& scope) : scope_(scope) {}
  Activity of(const Expr& e) {
    for (todo_ = {&e}; !todo_.empty() && !out_.always;) {
      const Expr& next = *todo_.back();
      todo_.pop_back();
      if (next.ad.any()) visit(next);
    }
    return out_;
  }

 private:
  void visit(const Expr& e) {
    match(
        e.node, [&](const Var& v) { add(of_variable(v.name, scope_)); }, [](const Lit&) {},
        [&](const FunApp& call) { visit_call(call); },
        [&](const TernaryIf& t) { todo_.insert(todo_.end(), {t.test.get(), t.yes.get(), t.no.get()}); },
        [](const EAnd&) {}, [](const EOr&) {}, [&](const Indexed& x) { todo_.push_back(x.base.get()); },
        [&](const Promotion& p) { todo_.push_back(p.operand.get()); },
        [&](const TupleProjection& t) { todo_.push_back(t.tuple.get()); });
  }
  /// Without arguments: `target()`, or a parameter that is read.
  void visit_call(const FunApp& call) {
    if (call.args.empty()) return add({.always = true});
    for (const ExprPtr& arg : call.args) todo_.push_back(arg.get());
  }
  void add(Activity a) {
    out_.always |= a.always;
    out_.arguments |= a.arguments;
  }

  const ActivityScope& scope_;
  std::vector<const Expr*> todo_;
  Activity out_;
};

}  // namespace

Activity activity(const Expr& expr, const ActivityScope& scope) {
  return Leaves(scope).of(expr);
}

ActiveOperands::ActiveOperands(std::span<const ExprPtr> operands, const ActivityScope& scope) {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Activity a = activity(*operands[i], scope);
    const ArgumentSet bits = argument_bit(i) | kAnyArgument;
    if (a.always) always_ |= bits;
    else if (a.arguments != 0) sometimes_.emplace_back(bits, a.arguments);
  }
}

}  // namespace fermiac::mir
