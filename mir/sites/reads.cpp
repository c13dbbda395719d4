// Which numbers an expression reads, as expressions of their names.
#include <algorithm>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/sites/definitions.h"

namespace fermiac::mir {
namespace {

bool is_elementwise(const FunApp& call) {
  const auto* fn = std::get_if<StanLib>(&call.fn);
  if (!fn) return false;
  if (has(fn->fn, Fact::Elementwise)) return true;
  const bool scales = fn->fn == Builtin::Times || fn->fn == Builtin::Divide;
  return scales && std::ranges::any_of(call.args, [](const ExprPtr& arg) { return !is_container(arg->type); });
}

class Reader {
 public:
  Reader(const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out)
      : definitions_(definitions), scope_(scope), out_(out) {}

  void expression(const ExprPtr& e, bool each) {
    if (as_lit(*e)) return;
    if (ExprPtr names = definitions_.moved(e, scope_)) {
      if (!variables_moved(*names).empty()) out_.push_back({names, each && is_container(e->type), depth_ == 0 && definitions_.names_directly(*e)});
      passing(*e);
      return choosing(*names, each && is_container(e->type));
    }
    if (const Var* v = as_var(*e)) return local(e, v->name, each);
    if (const auto* p = std::get_if<Promotion>(&e->node)) return expression(p->operand, each);
    const FunApp* call = as_call(*e);
    if (call) return arguments(*call, each && is_elementwise(*call));
    if (const auto* i = std::get_if<Indexed>(&e->node)) return indexed_local(e, *i, each);
    map_children(e, [&](const ExprPtr& child) { return expression(child, false), child; });
  }

  /// What decides whether, and in which size, the locals that an expression moves have their values.
  void passing(const Expr& e) {
    for (const std::string& name : variables_moved(e)) {
      const std::vector<ExprPtr> rights = definitions_.assigned(name);
      if (rights.empty() || !passed_.insert(name).second) continue;
      const bool steady = !definitions_.decided_by(name, scope_).empty();
      ++depth_;
      for (const ExprPtr& control : definitions_.controls_of(name)) steady ? expression(control, false) : whole(*control);
      --depth_;
      for (const ExprPtr& right : rights) passing(*right);
    }
  }

  /// Everything that a value depends on, by variable.
  void whole(const Expr& e) { all_of(definitions_.depends(e)); }

  /// Numbers that choose among those that `names` moves. `each`: element n of the whole is element n of this.
  void choosing(const Expr& names, bool each) {
    if (const auto* p = std::get_if<Promotion>(&names.node)) return choosing(*p->operand, each);
    if (const auto* i = std::get_if<Indexed>(&names.node)) {
      indexes(names, each);
      return choosing(*i->base, false);
    }
    if (const auto* t = std::get_if<TupleProjection>(&names.node)) return choosing(*t->tuple, false);
    const FunApp* call = as_call(names);
    if (!call) return;
    const auto* fn = std::get_if<StanLib>(&call->fn);
    const bool joins = !fn || has(fn->fn, Fact::Joins);
    const bool keeps = fn && (fn->fn == Builtin::to_vector || fn->fn == Builtin::to_row_vector || fn->fn == Builtin::to_array_1d);
    for (std::size_t k = 0; k < call->args.size(); ++k) {
      if (k == 0 || joins) choosing(*call->args[k], each && keeps);
      else expression(call->args[k], false);
    }
  }

 private:
  void arguments(const FunApp& call, bool each) {
    if (measures(call)) return all_of(definitions_.sizes(*call.args[0]));
    for (std::size_t k = 0; k < call.args.size(); ++k)
      if (call.args[k]->type.base() != BaseType::Function) expression(call.args[k], each && k < value_arguments(call));
  }

  /// Numbers that choose numbers: element n of `mu[z]` is chosen by element n of z.
  void indexes(const Expr& e, bool each) {
    const auto* i = std::get_if<Indexed>(&e.node);
    if (!i) return;
    for (const Index& index : i->indexes)
      for (const ExprPtr& part : {index.low, index.high})
        if (part) expression(part, each && i->indexes.size() == 1);
  }

  void local(const ExprPtr& e, const std::string& name, bool each) {
    const std::vector<ExprPtr> by = definitions_.decided_by(name, scope_);
    if (by.empty() || depth_ == 16 || !inside_.insert(name).second) {
      if (!inside_.contains(name) || by.empty() || depth_ == 16) whole(*e);
      return;  // else it is assigned what it was, and more, which is looked at already
    }
    ++depth_;
    for (const ExprPtr& part : by) expression(part, each);
    --depth_;
    inside_.erase(name);
  }

  /// Element of something computed.
  void indexed_local(const ExprPtr& e, const Indexed& i, bool) {
    expression(i.base, false);
    indexes(*e, false);
  }

  void all_of(const std::set<std::string>& names) {
    for (const NamedVariable& v : definitions_.variables())
      if (names.contains(v.name)) out_.push_back({var(v.name, v.type), false});
  }

  const Definitions& definitions_;
  const std::set<std::string>& scope_;
  std::vector<SiteRead>& out_;
  int depth_ = 0;
  std::set<std::string> inside_;  // locals that are being followed
  std::set<std::string> passed_;  // locals whose controls are looked at already
};

}  // namespace

void add_reads(const ExprPtr& expr, bool each, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out) {
  Reader(definitions, scope, out).expression(expr, each);
}

void add_index_reads(const ExprPtr& left, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out) {
  Reader reader(definitions, scope, out);
  const ExprPtr names = definitions.moved(left, scope);
  if (!names) return reader.expression(left, true);
  reader.passing(*left);
  reader.choosing(*names, false);
}

void add_all_reads(const Expr& expr, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out) {
  Reader(definitions, scope, out).whole(expr);
}

}  // namespace fermiac::mir
