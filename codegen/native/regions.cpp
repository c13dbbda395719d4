#include "codegen/native/regions.h"

#include <set>

#include "mir/ir/visit.h"
#include "support/base/match.h"

namespace fermiac::codegen::native {

using namespace mir;  // NOLINT: the walk is over its nodes

namespace {

class FreeWalk {
 public:
  std::vector<FreeVariable> take() && { return std::move(out_); }

  void stmt(const Stmt& s) {
    each_expr(s, [&](const Expr& outer) { expr(outer); });
    if (const auto* a = std::get_if<Assignment>(&s.node)) note(a->left.base_name(), base_type(*a), !a->left.tuple && a->left.indexes.empty());
    if (const auto* d = std::get_if<Decl>(&s.node)) bound_.insert(d->id);
    if (const auto* f = std::get_if<For>(&s.node)) {
      const bool fresh = bound_.insert(f->variable).second;
      stmt(*f->body);
      if (fresh) bound_.erase(f->variable);
      return;
    }
    const std::set<std::string> outside = bound_;
    each_child(s, [&](const Stmt& child) { stmt(child); });
    if (!std::holds_alternative<SList>(s.node)) bound_ = outside;
  }

 private:
  /// Of an assignment through slots of a tuple only the variable counts, which is a value whatever its type.
  static Type base_type(const Assignment& a) { return a.left.tuple ? Type(BaseType::Void) : a.type; }

  void expr(const Expr& outer) {
    each_subexpr(outer, [&](const Expr& e) {
      const auto* v = std::get_if<Var>(&e.node);
      if (v && e.type.base() != BaseType::Function) note(v->name, e.type, false);
    });
  }

  void note(const std::string& name, const Type& type, bool assigned) {
    if (bound_.contains(name)) return;
    for (FreeVariable& known : out_) {
      if (known.name != name) continue;
      known.assigned |= assigned;
      return;
    }
    out_.push_back({name, type, assigned});
  }

  std::set<std::string> bound_;
  std::vector<FreeVariable> out_;
};

bool has_loop(const Stmt& top) {
  bool found = false;
  each_substmt(top, [&](const Stmt& s) { found |= std::holds_alternative<For>(s.node) || std::holds_alternative<While>(s.node); });
  return found;
}

bool leaves_loop_around(const Stmt& s) {
  if (std::holds_alternative<Break>(s.node) || std::holds_alternative<Continue>(s.node)) return true;
  if (std::holds_alternative<For>(s.node) || std::holds_alternative<While>(s.node)) return false;
  bool found = false;
  each_child(s, [&](const Stmt& child) { found |= leaves_loop_around(child); });
  return found;
}

}  // namespace

std::vector<FreeVariable> free_variables(const Stmt& s) {
  FreeWalk walk;
  walk.stmt(s);
  return std::move(walk).take();
}

bool is_candidate(const Stmt& s) {
  // A declaration at the top of a section belongs to all of it.
  if (std::holds_alternative<SList>(s.node) || std::holds_alternative<Decl>(s.node)) return false;
  return has_loop(s) && !leaves_loop_around(s);
}

}  // namespace fermiac::codegen::native
