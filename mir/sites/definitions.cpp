#include "mir/sites/definitions.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

/// Arguments that are only measured, or that are sizes themselves, do not give values.
std::size_t values_of(Builtin fn, std::size_t count) {
  if (has(fn, Fact::Measures)) return 0;
  return has(fn, Fact::Repeats) ? std::min<std::size_t>(count, 1) : count;
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
  return fn ? values_of(fn->fn, call.args.size()) : call.args.size();
}

std::set<std::string> values_read(const Expr& expr) {
  std::set<std::string> out;
  add_values(expr, out);
  return out;
}

bool measures(const FunApp& call) {
  return value_arguments(call) == 0 && call.args.size() == 1;
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
  close_needs();
}

void Definitions::collect(const std::vector<StmtPtr>& section) {
  std::vector<Test> tests;
  for (const StmtPtr& s : section) collect(*s, tests);
}

namespace {

void add_sizes(const SizedType& type, std::vector<ExprPtr>& out) {
  for (const ExprPtr& size : all_dims(type)) out.push_back(size);
  for (const SizedType& slot : type.slots) add_sizes(slot, out);
}

}  // namespace

/// `tests`: how many are around it.
void Definitions::declare(const Decl& decl, std::size_t tests) {
  Assigned& a = assigned_[decl.id];
  a.outer_tests = tests;
  a.loop = loops_.empty() ? nullptr : loops_.back().stmt;
  a.depth = loops_.size();
  std::vector<ExprPtr> sizes;
  if (const auto* sized = std::get_if<SizedType>(&decl.type)) add_sizes(*sized, sizes);
  for (const ExprPtr& size : sizes) {
    a.dims.push_back({size, at_});
    add_needs(*size, a.needs);
    add_needs(*size, a.size_needs);
  }
}

/// `left` is null in a declaration.
void Definitions::assign(const std::string& name, const ExprPtr& right, const LValue* left, const std::vector<Test>& tests) {
  const bool whole = !left || (!left->tuple && left->indexes.empty());
  Assigned& a = assigned_[name];
  a.whole = ++a.times == 1 && whole ? right : nullptr;
  a.rights.push_back(right);
  a.at.push_back(at_);
  a.read.merge(values_read(*right));
  add_needs(*right, a.needs);
  if (whole) add_size_needs(*right, a.size_needs);
  for (const LValue* l = left; l; l = l->tuple.get())
    for (const Index& index : l->indexes)
      for (const ExprPtr& part : {index.low, index.high})
        if (part) add_needs(*part, a.needs);
  for (const Test& t : tests)
    if (!t.bound) a.read.merge(values_read(*t.test.expr));
  for (std::size_t k = std::min(a.outer_tests, tests.size()); k < tests.size(); ++k) {
    add_needs(*tests[k].test.expr, a.needs);
    add_needs(*tests[k].test.expr, a.size_needs);
    a.tests.push_back(tests[k].test);
  }
  a.follows = a.follows && whole && a.loop == (loops_.empty() ? nullptr : loops_.back().stmt);
  if (loops_.size() > a.depth) loops_[a.depth].changes.insert(name);
  else a.settled = at_;
}

void Definitions::collect(const Stmt& stmt, std::vector<Test>& tests) {
  number_[&stmt] = ++at_;
  if (std::holds_alternative<While>(stmt.node) || std::holds_alternative<For>(stmt.node)) return collect_loop(stmt, tests);
  if (const auto* d = std::get_if<Decl>(&stmt.node)) declare(*d, tests.size());
  if (const auto* a = std::get_if<Assignment>(&stmt.node)) assign(a->left.base_name(), a->right, &a->left, tests);
  if (const auto* d = std::get_if<Decl>(&stmt.node); d && d->value) assign(d->id, d->value, nullptr, tests);
  const std::size_t before = tests.size();
  if (const auto* i = std::get_if<IfElse>(&stmt.node)) tests.push_back({{i->test, at_}, false});
  each_child(stmt, [&](const Stmt& child) { collect(child, tests); });
  tests.resize(before);
}

void Definitions::collect_loop(const Stmt& stmt, std::vector<Test>& tests) {
  const std::size_t before = tests.size();
  const int begin = at_;
  if (const auto* f = std::get_if<For>(&stmt.node)) {
    Assigned& a = assigned_[f->variable];
    a.times = 2;  // other things in other rounds
    a.whole = nullptr;
    a.counts = true;
    for (const ExprPtr& bound : {f->lower, f->upper}) tests.push_back({{bound, begin}, true});
  } else {
    tests.push_back({{std::get<While>(stmt.node).test, begin}, false});
  }
  for (const ExprPtr& test : jump_tests(stmt)) tests.push_back({{test, begin}, true});
  loops_.push_back({&stmt, {}});
  each_child(stmt, [&](const Stmt& child) { collect(child, tests); });
  for (const std::string& name : loops_.back().changes) assigned_[name].settled = at_ + 1;  // not before the loop ends
  ++at_;
  loops_.pop_back();
  tests.resize(before);
}

namespace {

void add_jump_tests(const Stmt& stmt, std::vector<ExprPtr>& around, std::vector<ExprPtr>& out) {
  if (std::holds_alternative<Break>(stmt.node) || std::holds_alternative<Continue>(stmt.node)) out.insert(out.end(), around.begin(), around.end());
  if (std::holds_alternative<For>(stmt.node) || std::holds_alternative<While>(stmt.node)) return;  // their own jumps
  const auto* i = std::get_if<IfElse>(&stmt.node);
  if (i) around.push_back(i->test);
  each_child(stmt, [&](const Stmt& child) { add_jump_tests(child, around, out); });
  if (i) around.pop_back();
}

}  // namespace

std::vector<ExprPtr> jump_tests(const Stmt& loop) {
  std::vector<ExprPtr> around, out;
  each_child(loop, [&](const Stmt& body) { add_jump_tests(body, around, out); });
  return out;
}

// ---------------------------------------------------------------- everything that an expression needs

void Definitions::add_needs(const Expr& e, Needs& out) {
  if (const Var* v = as_var(e)) {
    out.values.insert(v->name);
    return;
  }
  if (const FunApp* call = as_call(e); call && measures(*call)) return add_size_needs(*call->args[0], out);
  each_child(e, [&](const Expr& child) { add_needs(child, out); });
}

namespace {

/// Calls whose result has a size that follows from the sizes of containers and the values of ints among the arguments.
bool sizes_follow(const FunApp& call) {
  return !std::holds_alternative<UserDefined>(call.fn) &&
         std::ranges::none_of(call.args, [](const ExprPtr& arg) { return arg->type.base() == BaseType::Function; });
}

bool is_list(const FunApp& call) {
  const auto* internal = as_internal(call.fn);
  return internal && (internal->fn == Internal::FnMakeArray || internal->fn == Internal::FnMakeRowVec);
}

}  // namespace

void Definitions::add_size_needs(const Expr& e, Needs& out) {
  if (!is_container(e.type) && e.type.base() != BaseType::Tuple) return;
  if (const Var* v = as_var(e)) return void(out.sizes.insert(v->name));
  if (const auto* p = std::get_if<Promotion>(&e.node)) return add_size_needs(*p->operand, out);
  if (const auto* i = std::get_if<Indexed>(&e.node)) {
    add_size_needs(*i->base, out);
    for (const Index& index : i->indexes) {
      if (index.kind == Index::Kind::Multi) add_size_needs(*index.low, out);
      else if (index.kind != Index::Kind::Single)
        for (const ExprPtr& part : {index.low, index.high})
          if (part) add_needs(*part, out);
    }
    return;
  }
  const FunApp* call = as_call(e);
  if (!call || !sizes_follow(*call)) return add_needs(e, out);
  for (const ExprPtr& arg : call->args) {
    if (arg->type.is_discrete() && !is_list(*call)) add_needs(*arg, out);
    else add_size_needs(*arg, out);
  }
}

bool Definitions::add_all(const Needs& needs, std::set<std::string>& out) const {
  const std::size_t before = out.size();
  const auto add = [&](const std::map<std::string, std::set<std::string>>& all, const std::string& name) {
    if (const auto found = all.find(name); found != all.end()) out.insert(found->second.begin(), found->second.end());
  };
  for (const std::string& name : needs.values) {
    if (is_named(name)) out.insert(name);
    add(depends_, name);
  }
  for (const std::string& name : needs.sizes) add(sizes_, name);
  return out.size() != before;
}

/// What every local, and its size, depends on, until nothing changes.
void Definitions::close_needs() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [name, a] : assigned_) {
      if (is_named(name) && !computed_.contains(name)) continue;
      changed = add_all(a.needs, depends_[name]) || changed;
      changed = add_all(a.size_needs, sizes_[name]) || changed;
    }
  }
}

std::set<std::string> Definitions::depends(const Expr& expr) const {
  Needs needs;
  add_needs(expr, needs);
  std::set<std::string> out;
  add_all(needs, out);
  return out;
}

std::set<std::string> Definitions::sizes(const Expr& expr) const {
  Needs needs;
  add_size_needs(expr, needs);
  std::set<std::string> out;
  add_all(needs, out);
  return out;
}

// ---------------------------------------------------------------- values for roles

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

/// Whether ints in it keep the values that they have at statement `at`, for whoever sees them later in the same round. Reals choose
/// no numbers, and are followed to all that they are assigned.
bool Definitions::is_steady(const Expr& expr, int at) const {
  bool out = true;
  each_subexpr(expr, [&](const Expr& e) {
    const Var* v = as_var(e);
    const bool chooses = e.type.is_discrete() || e.type.base() == BaseType::Tuple;
    const auto found = v && chooses && !is_named(v->name) ? assigned_.find(v->name) : assigned_.end();
    out = out && (found == assigned_.end() || found->second.counts || found->second.settled <= at);
  });
  return out;
}

bool Definitions::keeps_value(const Expr& expr, const Stmt& stmt) const {
  const auto found = number_.find(&stmt);
  return found != number_.end() && is_steady(expr, found->second);
}

bool Definitions::is_steady(const Expr& expr, const std::set<std::string>& scope, int at) const {
  return is_steady(expr, at) && std::ranges::all_of(mir::variables(expr), [&](const std::string& name) { return scope.contains(name); });
}

std::vector<ExprPtr> Definitions::decided_by(const std::string& local, const std::set<std::string>& scope) const {
  const auto found = assigned_.find(local);
  if (found == assigned_.end() || is_named(local) || !found->second.follows) return {};
  const Assigned& a = found->second;
  std::vector<ExprPtr> out;
  for (std::size_t k = 0; k < a.rights.size(); ++k) {
    if (!is_steady(*a.rights[k], scope, a.at[k])) return {};
    out.push_back(a.rights[k]);
  }
  for (const auto* list : {&a.tests, &a.dims})
    for (const Evaluated& e : *list) {
      if (!is_steady(*e.expr, scope, e.at)) return {};
      out.push_back(e.expr);
    }
  return out;
}

std::vector<ExprPtr> Definitions::controls_of(const std::string& local) const {
  std::vector<ExprPtr> out;
  const auto found = assigned_.find(local);
  if (found == assigned_.end()) return out;
  for (const auto* list : {&found->second.tests, &found->second.dims})
    for (const Evaluated& e : *list) out.push_back(e.expr);
  return out;
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

/// How many of its arguments, from the first, a call only moves; -1: all.
int moved_arguments(const FunApp& call) {
  if (const auto* internal = as_internal(call.fn))
    return internal->fn == Internal::FnMakeArray || internal->fn == Internal::FnMakeRowVec ? -1 : 0;
  const auto* fn = std::get_if<StanLib>(&call.fn);
  if (!fn) return 0;
  return has(fn->fn, Fact::Joins) ? -1 : has(fn->fn, Fact::Moves) ? 1 : 0;
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

/// The index, if it can be evaluated where `scope` is visible and is there what it was at statement `at`.
std::optional<Index> Definitions::visible(const Index& index, const std::set<std::string>& scope, bool widen, int at) const {
  for (const ExprPtr& part : {index.low, index.high}) {
    if (!part || is_steady(*part, scope, at)) continue;
    if (!widen) return std::nullopt;
    return all_index();
  }
  return index;
}

ExprPtr Definitions::moved(const ExprPtr& e, const std::set<std::string>& scope, bool widen) const {
  const bool whole = e->type.base() == BaseType::Tuple || is_complex(e->type.base());  // no container of numbers with names
  return whole ? nullptr : followed(e, scope, widen, std::numeric_limits<int>::max());
}

/// `at`: the statement that evaluates the expression.
ExprPtr Definitions::followed(const ExprPtr& e, const std::set<std::string>& scope, bool widen, int at) const {
  if (const Var* v = as_var(*e)) {
    const auto found = assigned_.find(v->name);
    const bool once = found != assigned_.end() && found->second.times == 1 && found->second.whole && found->second.follows;
    if (!is_named(v->name)) return once ? followed(found->second.whole, scope, widen, found->second.at[0]) : nullptr;
    if (!once || !computed_.contains(v->name)) return e;
    const ExprPtr copied = followed(found->second.whole, scope, widen, found->second.at[0]);
    return copied ? copied : e;
  }
  const auto part = [&](const ExprPtr& p) {
    return p->type.base() == BaseType::Tuple || is_complex(p->type.base()) ? nullptr : followed(p, scope, widen, at);
  };
  if (as_lit(*e)) return e;
  if (const auto* p = std::get_if<Promotion>(&e->node)) {
    const ExprPtr operand = part(p->operand);
    return operand ? make_expr(Promotion{operand, p->scalar, p->ad}, e->type, e->ad, e->span) : nullptr;
  }
  if (const auto* i = std::get_if<Indexed>(&e->node)) {
    const ExprPtr base = followed(i->base, scope, widen, at);
    if (!base) return nullptr;
    std::vector<Index> indexes;
    for (const Index& index : i->indexes) {
      const auto seen = visible(index, scope, widen, at);
      if (!seen) return nullptr;
      indexes.push_back(*seen);
    }
    return with_span(indexed(base, std::move(indexes)), e->span);
  }
  if (const auto* t = std::get_if<TupleProjection>(&e->node)) {
    const ExprPtr tuple = followed(t->tuple, scope, widen, at);
    return tuple ? make_expr(TupleProjection{tuple, t->slot}, e->type, e->ad, e->span) : nullptr;
  }
  const FunApp* call = as_call(*e);
  const int count = call ? moved_arguments(*call) : 0;
  if (count == 0) return nullptr;
  FunApp copy = *call;
  for (std::size_t k = 0; k < copy.args.size(); ++k) {
    if (count < 0 || static_cast<int>(k) < count) {
      copy.args[k] = part(copy.args[k]);
      if (!copy.args[k]) return nullptr;
    } else if (!is_steady(*copy.args[k], scope, at)) {
      return nullptr;
    }
  }
  return make_expr(std::move(copy), e->type, e->ad, e->span);
}

SiteLeft Definitions::left(const ExprPtr& expr, const std::set<std::string>& scope, bool widen) const {
  return {moved(expr, scope, widen), from(*expr), depends(*expr)};
}

}  // namespace fermiac::mir
