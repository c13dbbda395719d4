// Names of locals that are used once only, so that an expression means the same wherever its variables are in scope.
#include <map>
#include <utility>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/sites/accumulators.h"

namespace fermiac::mir {
namespace {

class Renamer {
 public:
  explicit Renamer(std::set<std::string> taken) : taken_(std::move(taken)) {}

  std::vector<StmtPtr> list(const std::vector<StmtPtr>& body) { return map_each(body, [&](const StmtPtr& s) { return stmt(s); }); }

 private:
  using Names = std::map<std::string, std::string>;

  std::string declared(const std::string& name) {
    std::string fresh = name;
    for (int k = 2; !taken_.insert(fresh).second; ++k) fresh = name + "_" + std::to_string(k) + "__";
    names_[name] = fresh;
    return fresh;
  }

  std::string of(const std::string& name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? name : found->second;
  }

  ExprPtr expr(const ExprPtr& e) const {
    if (!e) return e;
    return rewrite(e, [&](const ExprPtr& node) -> ExprPtr {
      const Var* variable = as_var(*node);
      if (!variable) return node;
      const std::string name = of(variable->name);
      return name == variable->name ? node : make_expr(Var{name}, node->type, node->ad, node->span);
    });
  }

  LValue lvalue(LValue left) const {
    if (left.tuple)
      left.tuple = std::make_shared<const LValue>(lvalue(*left.tuple));
    else
      left.variable = of(left.variable);
    return left;
  }

  template <class Inside>
  StmtPtr scoped(Inside inside) {
    const Names outer = names_;
    StmtPtr out = inside();
    names_ = outer;
    return out;
  }

  StmtPtr stmt(const StmtPtr& s) {
    if (std::holds_alternative<Block>(s->node) || std::holds_alternative<Profile>(s->node))
      return scoped([&] { return map_children(s, [&](const StmtPtr& child) { return stmt(child); }); });
    if (std::holds_alternative<SList>(s->node)) return map_children(s, [&](const StmtPtr& child) { return stmt(child); });
    if (const auto* loop = std::get_if<For>(&s->node)) {
      const ExprPtr lower = expr(loop->lower), upper = expr(loop->upper);
      return scoped([&] {
        std::string variable = declared(loop->variable);
        return make_stmt(For{std::move(variable), lower, upper, stmt(loop->body)}, s->span);
      });
    }
    const StmtPtr done = map_exprs(s, [&](const ExprPtr& e) { return expr(e); });
    if (const auto* a = std::get_if<Assignment>(&done->node))
      return make_stmt(Assignment{lvalue(a->left), a->type, a->right}, s->span);
    if (const auto* decl = std::get_if<Decl>(&done->node)) {
      Decl copy = *decl;
      copy.id = declared(decl->id);
      return make_stmt(std::move(copy), s->span);
    }
    return map_children(done, [&](const StmtPtr& child) { return scoped([&] { return stmt(child); }); });
  }

  std::set<std::string> taken_;
  Names names_;
};

}  // namespace

std::vector<StmtPtr> with_unique_names(const std::vector<StmtPtr>& section, std::set<std::string> taken) {
  return Renamer(std::move(taken)).list(section);
}

}  // namespace fermiac::mir
