#include "mir/sites/accumulators.h"

#include <algorithm>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

void flatten(const ExprPtr& e, bool negative, std::vector<Summand>& out) {
  if (const FunApp* call = as_call(*e, Builtin::Plus); call && !is_container(e->type)) {
    flatten(call->args[0], negative, out);
    return flatten(call->args[1], negative, out);
  }
  if (const FunApp* call = as_call(*e, Builtin::Minus); call && !is_container(e->type)) {
    flatten(call->args[0], negative, out);
    return flatten(call->args[1], !negative, out);
  }
  if (const FunApp* call = as_call(*e, Builtin::PMinus)) return flatten(call->args[0], !negative, out);
  if (const FunApp* call = as_call(*e, Builtin::PPlus)) return flatten(call->args[0], negative, out);
  if (const FunApp* call = as_call(*e, Builtin::sum); call && (is_list(*call->args[0]) || as_var(*call->args[0])))
    return flatten(call->args[0], negative, out);
  if (is_list(*e)) {
    for (const ExprPtr& item : as_call(*e)->args) flatten(item, negative, out);
    return;
  }
  out.push_back({e, negative});
}

bool is_zero(const Expr& e) {
  if (const auto* p = std::get_if<Promotion>(&e.node)) return is_zero(*p->operand);
  if (const FunApp* call = as_call(e)) {
    const auto* fn = std::get_if<StanLib>(&call->fn);
    if (fn && has(fn->fn, Fact::Repeats)) return is_zero(*call->args[0]);
    return fn && (fn->fn == Builtin::zeros_vector || fn->fn == Builtin::zeros_row_vector || fn->fn == Builtin::zeros_array);
  }
  const Lit* lit = as_lit(e);
  return lit && std::ranges::all_of(lit->text, [](char c) { return c == '0' || c == '.'; });
}

ExprPtr destination(const Assignment& a) {
  ExprPtr base = var(a.left.variable, a.type);
  return a.left.indexes.empty() ? base : indexed(std::move(base), a.left.indexes);
}

/// The right side without the variable itself: the right side of `x += e`, of `x -= e`, or of `x = e`.
struct Step {
  bool increments = false;
  Summand added;
};

Step step_of(const Assignment& a) {
  for (const Builtin op : {Builtin::Plus, Builtin::Minus})
    if (const FunApp* call = as_call(*a.right, op); call && same(*call->args[0], *destination(a)))
      return {true, {call->args[1], op == Builtin::Minus}};
  return {false, {a.right, false}};
}

/// Where a statement stands: the loops and branches around it.
struct Turn {
  const Stmt* stmt;
  const Stmt* branch;  // which of an `if`
  friend bool operator==(const Turn&, const Turn&) = default;
};
using Way = std::vector<Turn>;

/// Whether never both are reached in one round.
bool exclude(const Way& a, const Way& b) {
  const auto [x, y] = std::ranges::mismatch(a, b);
  return x != a.end() && y != b.end() && x->stmt == y->stmt;
}

struct Use {
  const Stmt* stmt;
  Way way;
};

/// Everything that happens to one variable.
struct History {
  std::vector<Use> declared, assigned, added_to_target;
  bool read_otherwise = false;
};

class Collector {
 public:
  std::map<std::string, History> run(const std::vector<StmtPtr>& section) {
    for (const StmtPtr& s : section) visit(*s);
    return std::move(all_);
  }

 private:
  void reads(const Expr& e) {
    for (const std::string& name : variables(e)) all_[name].read_otherwise = true;
  }

  void target(const Stmt& s, const TargetPE& t) {
    for (const Summand& summand : summands(t.value)) {
      const Var* v = as_var(*summand.value);
      if (v && !summand.negative) all_[v->name].added_to_target.push_back({&s, way_});
      else reads(*summand.value);
    }
  }

  void assignment(const Stmt& s, const Assignment& a) {
    const std::string& name = a.left.base_name();
    all_[name].assigned.push_back({&s, way_});
    if (a.left.tuple || !all_[name].added_to_target.empty()) all_[name].read_otherwise = true;  // what comes later does not count
    for (const Index& index : a.left.indexes)
      for (const ExprPtr& part : {index.low, index.high})
        if (part) reads(*part);
    reads(*(a.left.tuple ? a.right : step_of(a).added.value));
  }

  void visit(const Stmt& s) {
    if (const auto* t = std::get_if<TargetPE>(&s.node)) return target(s, *t);
    if (const auto* a = std::get_if<Assignment>(&s.node)) return assignment(s, *a);
    if (const auto* d = std::get_if<Decl>(&s.node)) all_[d->id].declared.push_back({&s, way_});
    each_expr(s, [&](const Expr& e) { reads(e); });
    const bool branches = std::holds_alternative<IfElse>(s.node) || std::holds_alternative<For>(s.node) || std::holds_alternative<While>(s.node);
    each_child(s, [&](const Stmt& child) {
      if (branches) way_.push_back({&s, &child});
      visit(child);
      if (branches) way_.pop_back();
    });
  }

  std::map<std::string, History> all_;
  Way way_;
};

/// Whether the element that is assigned is another one in each round of the loops between the declaration and here.
bool one_element_a_round(const Assignment& a, const Way& way, std::size_t from, bool starts_at_zero) {
  std::set<std::string> single;
  for (const Index& index : a.left.indexes)
    if (const Var* v = index.kind == Index::Kind::Single ? as_var(*index.low) : nullptr) single.insert(v->name);
  for (std::size_t k = from; k < way.size(); ++k) {
    const auto& node = way[k].stmt->node;
    if (const auto* loop = std::get_if<For>(&node)) {
      if (!single.contains(loop->variable)) return false;
    } else if (const auto* branch = std::get_if<IfElse>(&node); !branch || !(starts_at_zero || branch->no)) {
      return false;
    }
  }
  return true;
}

bool is_accumulator(const History& h) {
  if (h.read_otherwise || h.declared.size() != 1 || h.added_to_target.size() != 1) return false;
  const auto& decl = std::get<Decl>(h.declared[0].stmt->node);
  const auto* sized = std::get_if<SizedType>(&decl.type);
  const Type type = sized ? sized->type() : std::get<Type>(decl.type);
  if (type.is_discrete() || type.base() == BaseType::Tuple) return false;
  const Way& outside = h.declared[0].way;
  if (h.added_to_target[0].way != outside) return false;
  bool zero = decl.value && is_zero(*decl.value), begun = decl.value != nullptr;
  std::vector<const Way*> elements;
  for (const Use& use : h.assigned) {
    const auto& a = std::get<Assignment>(use.stmt->node);
    const Step step = step_of(a);
    if (step.increments) continue;
    const bool whole = a.left.indexes.empty();
    if (whole && (begun || use.way != outside)) return false;
    if (!whole && !one_element_a_round(a, use.way, outside.size(), zero)) return false;
    if (whole) zero = is_zero(*a.right);
    for (const Way* other : elements)
      if (!whole && !exclude(*other, use.way)) return false;  // an element is assigned twice
    if (!whole) elements.push_back(&use.way);
    begun = true;
  }
  return begun;
}

}  // namespace

std::vector<Summand> summands(const ExprPtr& value) {
  std::vector<Summand> out;
  flatten(value, false, out);
  return out;
}

std::vector<Summand> added_by(const Assignment& assignment) {
  const Step step = step_of(assignment);
  if (!step.increments && is_zero(*step.added.value)) return {};
  std::vector<Summand> out;
  flatten(step.added.value, step.added.negative, out);
  return out;
}

std::set<std::string> find_accumulators(const std::vector<StmtPtr>& section) {
  std::set<std::string> out;
  for (const auto& [name, history] : Collector().run(section))
    if (is_accumulator(history)) out.insert(name);
  return out;
}

bool is_whole(const Summand& summand, const std::string& variable) {
  const Var* v = as_var(*summand.value);
  return v && v->name == variable && !summand.negative;
}

}  // namespace fermiac::mir
