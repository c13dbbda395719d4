#include "mir/passes/sharing.h"

#include <algorithm>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

bool is_array_element(const Indexed& x) {
  return x.indexes.size() <= static_cast<std::size_t>(x.base->type.array_dims());
}

void add_sources(const Expr& expr, std::set<std::string>& out) {
  if (!expr.ad.any() || expr.type.is_scalar()) return;
  const StanLib* fn = as_library(expr);
  const auto* part = std::get_if<Indexed>(&expr.node);
  if ((fn && !has(fn->fn, Fact::Forwards)) || (part && !is_array_element(*part))) return;
  if (const Var* variable = as_var(expr)) out.insert(variable->name);
  each_child(expr, [&](const Expr& child) { add_sources(child, out); });
}

bool repeats(const Expr& expr) {
  const StanLib* fn = as_library(expr);
  if (fn && fn->fn == Builtin::rep_array) return true;
  if (fn && !has(fn->fn, Fact::Forwards)) return false;
  bool out = false;
  each_child(expr, [&](const Expr& child) { out = out || repeats(child); });
  return out;
}

/// Rows, slices or elements of a container, not only elements of an array of containers: `a[2, 1]` of an array of vectors, not `a[2]`.
bool is_part(const Assignment& node) {
  const auto dims = static_cast<std::size_t>(node.type.array_dims());
  const auto& indexes = node.left.indexes;
  const auto is_all = [](const Index& i) { return i.kind == Index::Kind::All; };
  return indexes.size() > dims && !std::all_of(indexes.begin() + static_cast<std::ptrdiff_t>(dims), indexes.end(), is_all);
}

}  // namespace

bool is_matrix_like(const Type& type) {
  const BaseType base = type.base();
  return base == BaseType::Vector || base == BaseType::RowVector || base == BaseType::Matrix;
}

Sharing::Sharing(const std::vector<StmtPtr>& body) {
  for (const StmtPtr& stmt : body) collect(*stmt, false);
}

void Sharing::collect(const Stmt& stmt, bool in_loop) {
  if (const auto* a = std::get_if<Assignment>(&stmt.node)) assigned(*a, stmt.span, in_loop);
  if (const auto* d = std::get_if<Decl>(&stmt.node); d && d->value && is_matrix_like(d->value->type)) {
    filled_.insert(d->id);
    joined(d->id, *d->value);
  }
  const bool inside = in_loop || std::holds_alternative<While>(stmt.node) || std::holds_alternative<For>(stmt.node);
  each_child(stmt, [&](const Stmt& child) { collect(child, inside); });
}

/// Numbers go into the container that is there, what carries derivatives takes its place.
void Sharing::assigned(const Assignment& node, Span where, bool in_loop) {
  if (node.left.tuple || !is_matrix_like(node.type)) return;
  const std::string& name = node.left.variable;
  const bool again = !filled_.insert(name).second || in_loop;
  if (is_part(node) || (again && !carries_derivatives(*node.right))) written_.try_emplace(name, where);
  if (!is_part(node)) return joined(name, *node.right);
  if (!node.right->type.is_scalar() && mentions(*node.right, name)) repeated_.insert(name);  // x[2:3] = x[1:2]
}

void Sharing::joined(const std::string& name, const Expr& value) {
  std::set<std::string> sources;
  add_sources(value, sources);
  if (repeats(value)) repeated_.insert(name);
  for (const std::string& source : sources)
    if (group(source) != group(name)) parent_[group(source)] = group(name);
}

/// The end of the way from parent to parent, which is halved for those who come after: programs may have thousands of copies in a row.
std::string Sharing::group(std::string name) {
  for (auto at = parent_.find(name); at != parent_.end(); at = parent_.find(name)) {
    if (const auto up = parent_.find(at->second); up != parent_.end()) at->second = up->second;
    name = at->second;
  }
  return name;
}

std::map<std::string, Span> Sharing::unsafe() {
  std::map<std::string, Span> bad, out;
  for (const auto& [name, where] : written_) bad.try_emplace(group(name), where);
  std::set<std::string> members = repeated_;
  for (const auto& [name, to] : parent_) members.insert({name, to});
  for (const std::string& name : members)
    if (const auto at = bad.find(group(name)); at != bad.end()) out.insert({name, at->second});
  return out;
}

}  // namespace fermiac::mir
