// While loops. Real arithmetic in the test that no iteration changes is computed once, before the loop: nodes record loops, and each
// iteration would record it again.
#include <algorithm>
#include <set>
#include <utility>

#include "interp/exec/lowering/compiler.h"
#include "interp/exec/lowering/views.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::interp {
namespace {

constexpr const char* kInvariant = "part of a test";  // not a name of the language

/// Operators that cannot fail.
bool is_real_arithmetic(const mir::Expr& e) {
  constexpr Builtin kOperators[] = {Builtin::Plus, Builtin::Minus, Builtin::Times, Builtin::Divide};
  const mir::StanLib* const library = mir::as_library(e);
  return library && e.type.is(BaseType::Real) && std::ranges::count(kOperators, library->fn) > 0;
}

/// The largest expressions of real arithmetic on literals and on variables that are not `changing`.
class Invariants {
 public:
  explicit Invariants(std::set<std::string> changing) : changing_(std::move(changing)) {}
  std::vector<const mir::Expr*> of(const mir::Expr& test) && {
    visit(test);
    return std::move(found_);
  }

 private:
  /// Whether it is one, or an operand of one.
  bool visit(const mir::Expr& e) {
    std::vector<const mir::Expr*> here;
    bool all = true;
    mir::each_child(e, [&](const mir::Expr& child) {
      if (!visit(child)) all = false;
      else if (is_real_arithmetic(child)) here.push_back(&child);
    });
    if (all && may_be(e)) return true;
    found_.insert(found_.end(), here.begin(), here.end());
    return false;
  }
  bool may_be(const mir::Expr& e) const {
    if (!e.type.is_number()) return false;
    if (const auto* v = std::get_if<mir::Var>(&e.node)) return !changing_.contains(v->name);
    return std::holds_alternative<mir::Lit>(e.node) || std::holds_alternative<mir::Promotion>(e.node) || is_real_arithmetic(e);
  }

  std::set<std::string> changing_;
  std::vector<const mir::Expr*> found_;
};

}  // namespace

StmtPtr Compiler::while_loop(Site at, const mir::While& node) {
  const Scope scope(*this);
  const std::vector<const mir::Expr*> invariants = Invariants(mir::assigned_variables(*node.body)).of(*node.test);
  std::vector<StmtPtr> out;
  for (const mir::Expr* e : invariants) {
    ExprPtr value = expr(*e);
    const Variable variable = declare(kInvariant, value->type, value->may_ref);
    out.push_back(make_scalar_assignment(at, variable, std::move(value)));
    pieces_.emplace(e, variable);
  }
  ExprPtr test = expr(*node.test);
  for (const mir::Expr* e : invariants) pieces_.erase(e);
  const Scope body(*this);
  out.push_back(make_while(at, std::move(test), stmt(*node.body)));
  return make_block(at, std::move(out));
}

}  // namespace fermiac::interp
