#include "interp/exec/lowering/views.h"

#include <algorithm>
#include <map>
#include <set>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::interp {

using namespace mir;  // NOLINT: the walk is over its nodes

namespace {

class ViewWalk {
 public:
  void loop(const Stmt& s) {
    if (const auto* f = std::get_if<For>(&s.node)) return stmt(*f->body);  // its bounds are taken in front of it
    stmt(s);
  }

  std::vector<Viewed> take() && {
    std::vector<Viewed> out;
    for (const auto& [name, view] : elements_)
      if (!whole_.contains(name)) out.push_back(view);
    return out;
  }

 private:
  void stmt(const Stmt& top) {
    each_substmt(top, [&](const Stmt& s) {
      if (const auto* a = std::get_if<Assignment>(&s.node)) return assignment(*a);
      if (const auto* d = std::get_if<Decl>(&s.node)) whole_.insert(d->id);
      each_expr(s, [&](const Expr& e) { expr(e, false); });
    });
  }

  void assignment(const Assignment& a) {
    expr(*a.right, false);
    const LValue& left = a.left;
    const bool element = !left.tuple && !left.indexes.empty() && all_single(left.indexes) && indexed_type(a.type, left.indexes).is_number();
    if (element) note(left.variable, a.type, true);
    else whole_.insert(left.base_name());
    for (const LValue* at = &left; at; at = at->tuple.get())
      for (const Index& i : at->indexes)
        for (const ExprPtr& part : {i.low, i.high})
          if (part) expr(*part, false);
  }

  /// `inside`: of an expression that is a number.
  void expr(const Expr& e, bool inside) {
    if (const IndexedElement access = indexed_element(e); access.base) {
      note(std::get<Var>(access.base->node).name, access.base->type, false);
      for (const ExprPtr& i : access.at) expr(*i, true);
      return;
    }
    inside |= e.type.is_number();
    if (const auto* v = std::get_if<Var>(&e.node); v && !inside) whole_.insert(v->name);
    each_child(e, [&](const Expr& child) { expr(child, inside); });
  }

  void note(const std::string& name, const Type& type, bool written) {
    Viewed& view = elements_.try_emplace(name, Viewed{name, type}).first->second;
    view.written |= written;
  }

  std::map<std::string, Viewed> elements_;
  std::set<std::string> whole_;
};

/// `x[i, j]` and `x[i][j]` as one, as long as the inner indexes are single.
struct FlatIndexes {
  const Expr* base;
  std::vector<Index> all;
};
FlatIndexes flat_indexes(const Indexed& x) {
  FlatIndexes out{x.base.get(), x.indexes};
  while (const auto* inner = std::get_if<Indexed>(&out.base->node)) {
    if (!all_single(inner->indexes)) break;
    out.all.insert(out.all.begin(), inner->indexes.begin(), inner->indexes.end());
    out.base = inner->base.get();
  }
  return out;
}

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

bool all_single(const std::vector<Index>& indexes) {
  return std::ranges::all_of(indexes, [](const Index& i) { return i.kind == Index::Kind::Single; });
}

IndexedElement indexed_element(const Expr& e) {
  const auto* x = std::get_if<Indexed>(&e.node);
  if (!x || !e.type.is_number()) return {};
  const FlatIndexes flat = flat_indexes(*x);
  if (!all_single(flat.all) || !std::holds_alternative<Var>(flat.base->node)) return {};
  if (static_cast<int>(flat.all.size()) != flat.base->type.depth()) return {};
  IndexedElement out{flat.base, {}};
  for (const Index& i : flat.all) out.at.push_back(i.low);
  return out;
}

bool is_unit_candidate(const Stmt& s) {
  // A declaration at the top of a section belongs to all of it.
  if (std::holds_alternative<SList>(s.node) || std::holds_alternative<Decl>(s.node)) return false;
  return has_loop(s) && !leaves_loop_around(s);
}

std::vector<Viewed> viewed_containers(const Stmt& loop) {
  ViewWalk walk;
  walk.loop(loop);
  return std::move(walk).take();
}

}  // namespace fermiac::interp
