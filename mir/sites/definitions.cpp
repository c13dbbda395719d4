#include "mir/sites/definitions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

/// Functions that only move numbers, and how many of their arguments (from the first) are moved; -1: all.
struct Mover {
  std::string_view name;
  int values;
};
constexpr std::array kMovers = {
    Mover{"to_vector", 1},   Mover{"to_row_vector", 1}, Mover{"to_matrix", 1},   Mover{"to_array_1d", 1}, Mover{"to_array_2d", 1},
    Mover{"transpose", 1},   Mover{"head", 1},          Mover{"tail", 1},        Mover{"segment", 1},     Mover{"block", 1},
    Mover{"sub_row", 1},     Mover{"sub_col", 1},       Mover{"row", 1},         Mover{"col", 1},         Mover{"diagonal", 1},
    Mover{"append_row", -1}, Mover{"append_col", -1},   Mover{"append_array", -1}, Mover{"reverse", 1},   Mover{"Transpose__", 1}};

/// Functions of sizes: arguments that are only measured, or that are sizes themselves, do not give values.
std::size_t values_of(std::string_view name, std::size_t count) {
  constexpr std::array kMeasure = {"num_elements", "size", "rows", "cols", "dims"};
  if (std::ranges::find(kMeasure, name) != kMeasure.end()) return 0;
  return name.starts_with("rep_") ? 1 : count;
}

void add_values(const Expr& e, std::set<std::string>& out) {
  if (const Var* v = as_var(e)) {
    out.insert(v->name);
    return;
  }
  if (const FunApp* call = as_call(e)) {
    for (std::size_t i = 0; i < value_arguments(*call); ++i)
      if (call->args[i]->type.base() != BaseType::Function) add_values(*call->args[i], out);
    return;
  }
  each_child(e, [&](const Expr& child) { add_values(child, out); });
}

}  // namespace

std::size_t value_arguments(const FunApp& call) {
  const auto* internal = as_internal(call.fn);
  if (internal && internal->fn == Internal::FnLength) return 0;
  const auto* fn = std::get_if<StanLib>(&call.fn);
  return fn ? std::min(values_of(fn->name, call.args.size()), call.args.size()) : call.args.size();
}

std::set<std::string> values_read(const Expr& expr) {
  std::set<std::string> out;
  add_values(expr, out);
  return out;
}

// ---------------------------------------------------------------- assignments

Definitions::Definitions(const Program& program, std::vector<NamedVariable> variables) : variables_(std::move(variables)) {
  for (const NamedVariable& v : variables_) {
    named_.insert(v.name);
    if (v.kind == NamedVariable::Kind::TransformedData) computed_.insert(v.name);
  }
  collect(program.prepare_data);
  collect(program.log_prob);
  close();
}

void Definitions::collect(const std::vector<StmtPtr>& section) {
  std::vector<ExprPtr> tests;
  for (const StmtPtr& s : section) collect(*s, tests);
}

void Definitions::collect(const Stmt& stmt, std::vector<ExprPtr>& tests) {
  const auto assigns = [&](const std::string& name, const ExprPtr& right, bool whole) {
    Assigned& a = assigned_[name];
    a.whole = ++a.times == 1 && whole ? right : nullptr;
    a.rights.push_back(right);
    a.read.merge(values_read(*right));
    for (const ExprPtr& test : tests) a.read.merge(values_read(*test));
    a.tests.insert(a.tests.end(), tests.begin(), tests.end());
    a.follows = a.follows && whole && a.loop == loop_;
  };
  if (const auto* d = std::get_if<Decl>(&stmt.node)) assigned_[d->id].loop = loop_;
  if (const auto* a = std::get_if<Assignment>(&stmt.node)) assigns(a->left.base_name(), a->right, !a->left.tuple && a->left.indexes.empty());
  if (const auto* d = std::get_if<Decl>(&stmt.node); d && d->value) assigns(d->id, d->value, true);
  if (const auto* f = std::get_if<For>(&stmt.node)) {
    Assigned& a = assigned_[f->variable];
    a.times = 2;  // other things in other rounds
    a.whole = nullptr;
    a.counts = true;
  }
  const Stmt* outer = loop_;
  const std::size_t before = tests.size();
  if (const auto* i = std::get_if<IfElse>(&stmt.node)) tests.push_back(i->test);
  if (const auto* w = std::get_if<While>(&stmt.node)) tests.push_back(w->test);
  if (std::holds_alternative<While>(stmt.node) || std::holds_alternative<For>(stmt.node)) loop_ = &stmt;
  each_child(stmt, [&](const Stmt& child) { collect(child, tests); });
  loop_ = outer;
  tests.resize(before);
}

/// Named variables behind every local, until nothing changes.
void Definitions::close() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [name, a] : assigned_) {
      if (is_named(name) && !computed_.contains(name)) continue;
      std::set<std::string>& out = from_[name];
      const std::size_t before = out.size();
      for (const std::string& read : a.read) {
        if (read == name) continue;
        if (is_named(read)) out.insert(read);
        if (const auto found = from_.find(read); found != from_.end() && found->first != name)
          out.insert(found->second.begin(), found->second.end());
      }
      changed |= out.size() != before;
    }
  }
}

std::set<std::string> Definitions::from(const Expr& expr) const {
  std::set<std::string> out;
  for (const std::string& name : values_read(expr)) {
    if (is_named(name)) out.insert(name);
    if (const auto found = from_.find(name); found != from_.end()) out.insert(found->second.begin(), found->second.end());
  }
  return out;
}

std::vector<ExprPtr> Definitions::assigned(const std::string& local) const {
  const auto found = assigned_.find(local);
  return found == assigned_.end() || is_named(local) ? std::vector<ExprPtr>{} : found->second.rights;
}

/// Whether the variables in it have the values now that they had before: locals that choose numbers are assigned once.
bool Definitions::is_steady(const Expr& expr, const std::set<std::string>& scope) const {
  return std::ranges::all_of(mir::variables(expr), [&](const std::string& name) {
    if (!scope.contains(name)) return false;
    const auto found = assigned_.find(name);
    if (is_named(name) || found == assigned_.end() || found->second.counts || found->second.times <= 1) return true;
    return !found->second.rights.empty() && !found->second.rights[0]->type.is(BaseType::Int);
  });
}

std::vector<ExprPtr> Definitions::decided_by(const std::string& local, const std::set<std::string>& scope) const {
  const auto found = assigned_.find(local);
  if (found == assigned_.end() || is_named(local) || !found->second.follows) return {};
  std::vector<ExprPtr> out = found->second.rights;
  out.insert(out.end(), found->second.tests.begin(), found->second.tests.end());
  const bool steady = std::ranges::all_of(out, [&](const ExprPtr& e) { return is_steady(*e, scope); });
  return steady ? out : std::vector<ExprPtr>{};
}

bool Definitions::names_directly(const Expr& e) const {
  if (const Var* v = as_var(e)) return is_named(v->name) && !computed_.contains(v->name);
  if (const auto* i = std::get_if<Indexed>(&e.node)) return names_directly(*i->base);
  bool out = true;
  each_child(e, [&](const Expr& child) {
    if (is_container(child.type) || !child.type.is(BaseType::Int)) out = out && names_directly(child);
  });
  return out;
}

// ---------------------------------------------------------------- moved numbers

namespace {

bool in_scope(const Expr& e, const std::set<std::string>& scope) {
  return std::ranges::all_of(variables(e), [&](const std::string& name) { return scope.contains(name); });
}

/// The index, if it can be evaluated where `scope` is visible.
std::optional<Index> visible(const Index& index, const std::set<std::string>& scope, bool widen) {
  for (const ExprPtr& part : {index.low, index.high}) {
    if (!part || in_scope(*part, scope)) continue;
    if (!widen) return std::nullopt;
    return all_index();
  }
  return index;
}

bool is_complex(const Type& type) {
  const BaseType b = type.base();
  return b == BaseType::Complex || b == BaseType::ComplexVector || b == BaseType::ComplexRowVector || b == BaseType::ComplexMatrix;
}

int moved_arguments(const FunApp& call) {
  if (const auto* internal = as_internal(call.fn))
    return internal->fn == Internal::FnMakeArray || internal->fn == Internal::FnMakeRowVec ? -1 : 0;
  const auto* fn = std::get_if<StanLib>(&call.fn);
  const auto found = fn ? std::ranges::find(kMovers, fn->name, &Mover::name) : kMovers.end();
  return found == kMovers.end() ? 0 : found->values;
}

}  // namespace

namespace {

void add_moved(const Expr& e, std::set<std::string>& out) {
  if (const Var* v = as_var(e)) out.insert(v->name);
  if (const auto* p = std::get_if<Promotion>(&e.node)) add_moved(*p->operand, out);
  if (const auto* i = std::get_if<Indexed>(&e.node)) add_moved(*i->base, out);
  if (const auto* t = std::get_if<TupleProjection>(&e.node)) add_moved(*t->tuple, out);
  const FunApp* call = as_call(e);
  const int count = call ? moved_arguments(*call) : 0;
  for (std::size_t k = 0; call && k < call->args.size(); ++k)
    if (count < 0 || static_cast<int>(k) < count) add_moved(*call->args[k], out);
}

}  // namespace

std::set<std::string> variables_moved(const Expr& names) {
  std::set<std::string> out;
  add_moved(names, out);
  return out;
}

ExprPtr Definitions::moved(const ExprPtr& e, const std::set<std::string>& scope, bool widen) const {
  const bool whole = e->type.base() == BaseType::Tuple || is_complex(e->type);  // no container of numbers with names
  return whole ? nullptr : followed(e, scope, widen);
}

ExprPtr Definitions::followed(const ExprPtr& e, const std::set<std::string>& scope, bool widen) const {
  if (const Var* v = as_var(*e)) {
    const auto found = assigned_.find(v->name);
    const bool once = found != assigned_.end() && found->second.times == 1 && found->second.whole;
    if (!is_named(v->name)) return once ? followed(found->second.whole, scope, widen) : nullptr;
    if (!once || !computed_.contains(v->name)) return e;
    const ExprPtr copied = followed(found->second.whole, scope, widen);
    return copied ? copied : e;
  }
  if (as_lit(*e)) return e;
  if (const auto* p = std::get_if<Promotion>(&e->node)) {
    const ExprPtr operand = moved(p->operand, scope, widen);
    return operand ? make_expr(Promotion{operand, p->scalar, p->ad}, e->type, e->ad, e->span) : nullptr;
  }
  if (const auto* i = std::get_if<Indexed>(&e->node)) {
    const ExprPtr base = followed(i->base, scope, widen);
    if (!base) return nullptr;
    std::vector<Index> indexes;
    for (const Index& index : i->indexes) {
      const auto seen = visible(index, scope, widen);
      if (!seen) return nullptr;
      indexes.push_back(*seen);
    }
    return with_span(indexed(base, std::move(indexes)), e->span);
  }
  if (const auto* t = std::get_if<TupleProjection>(&e->node)) {
    const ExprPtr tuple = followed(t->tuple, scope, widen);
    return tuple ? make_expr(TupleProjection{tuple, t->slot}, e->type, e->ad, e->span) : nullptr;
  }
  const FunApp* call = as_call(*e);
  const int count = call ? moved_arguments(*call) : 0;
  if (count == 0) return nullptr;
  FunApp copy = *call;
  for (std::size_t k = 0; k < copy.args.size(); ++k) {
    if (count < 0 || static_cast<int>(k) < count) {
      copy.args[k] = moved(copy.args[k], scope, widen);
      if (!copy.args[k]) return nullptr;
    } else if (!in_scope(*copy.args[k], scope)) {
      return nullptr;
    }
  }
  return make_expr(std::move(copy), e->type, e->ad, e->span);
}

SiteLeft Definitions::left(const ExprPtr& expr, const std::set<std::string>& scope, bool widen) const {
  return {moved(expr, scope, widen), from(*expr)};
}

}  // namespace fermiac::mir
