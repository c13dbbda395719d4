// Lazy code motion: an expression computed on every path from here is computed once, as late as that is possible
// without computing it twice (Knoop, Rüthing, Steffen, "Lazy code motion", PLDI 1992; in the form with four bit-vector
// analyses).
//
// A loop's head stands for its condition or bounds, evaluated again before every round, but there is no place in the
// text that runs before every round. So a head counts as changing everything its loop changes: what is placed before
// the loop then keeps its value in it.
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mir/analysis/bits.h"
#include "mir/analysis/dataflow.h"
#include "mir/analysis/flow_graph.h"
#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/pass.h"

namespace fermiac::mir {
namespace {

using Statements = std::vector<StmtPtr>;

// ---------------------------------------------------------------- places for code

// The added statement that keeps branches and loop ends apart; known by its address.
const StmtPtr& joint() {
  static const StmtPtr kJoint = make_stmt(Skip{});
  return kJoint;
}

StmtPtr with_joints(const StmtPtr& stmt) {
  const auto extended = [](const StmtPtr& body) {
    const StmtPtr inner = body ? as_block(body) : block({});
    Statements list = std::get<Block>(inner->node).body;
    list.push_back(joint());
    return block(std::move(list), inner->span);
  };
  if (const auto* branch = std::get_if<IfElse>(&stmt->node))
    return make_stmt(IfElse{branch->test, extended(branch->yes), extended(branch->no)}, stmt->span);
  if (const auto* loop = std::get_if<While>(&stmt->node))
    return make_stmt(While{loop->test, extended(loop->body)}, stmt->span);
  if (const auto* loop = std::get_if<For>(&stmt->node))
    return make_stmt(For{loop->variable, loop->lower, loop->upper, extended(loop->body)}, stmt->span);
  return stmt;
}

bool is_empty(const StmtPtr& stmt) {
  const auto* node = std::get_if<Block>(&stmt->node);
  return node && node->body.empty();
}

StmtPtr without_joints(const StmtPtr& stmt) {
  if (const auto* node = std::get_if<Block>(&stmt->node)) {
    Statements body = node->body;
    std::erase(body, joint());
    return block(std::move(body), stmt->span);
  }
  const auto* branch = std::get_if<IfElse>(&stmt->node);
  if (branch && branch->no && is_empty(branch->no))
    return make_stmt(IfElse{branch->test, branch->yes, nullptr}, stmt->span);
  return stmt;
}

// ---------------------------------------------------------------- expressions

/// Direct expressions that are evaluated here; the sizes of a declaration stay where they are.
void each_motion_expr(const Stmt& stmt, const ExprVisitor& visit) {
  if (const auto* decl = std::get_if<Decl>(&stmt.node)) {
    if (decl->value) visit(*decl->value);
    return;
  }
  each_expr(stmt, visit);
}

/// Names that scopes side by side declare with different types: expressions over them look the same and are not.
std::set<std::string> ambiguous_names(const Statements& body) {
  std::map<std::string, Type> types;
  std::set<std::string> out;
  const auto declared = [&](const std::string& name, const Type& type) {
    const auto [known, fresh] = types.emplace(name, type);
    if (!fresh && known->second != type) out.insert(name);
  };
  for (const StmtPtr& top : body)
    each_substmt(*top, [&](const Stmt& stmt) {
      if (const auto* loop = std::get_if<For>(&stmt.node)) declared(loop->variable, BaseType::Int);
      const auto* decl = std::get_if<Decl>(&stmt.node);
      if (!decl) return;
      const auto* sized = std::get_if<SizedType>(&decl->type);
      declared(decl->id, sized ? sized->type() : std::get<Type>(decl->type));
    });
  return out;
}

bool is_candidate(const Expr& expr, const std::set<std::string>& ambiguous) {
  if (as_var(expr) || as_lit(expr) || expr.type.base() == BaseType::Function || cannot_duplicate(expr)) return false;
  return ambiguous.empty() ||
         std::ranges::none_of(variables(expr), [&](const std::string& name) { return ambiguous.contains(name); });
}

// Subexpressions that are evaluated whenever the expression is.
void each_certain(const Expr& expr, const ExprVisitor& visit) {
  visit(expr);
  if (const auto* both = std::get_if<EAnd>(&expr.node)) return each_certain(*both->left, visit);
  if (const auto* either = std::get_if<EOr>(&expr.node)) return each_certain(*either->left, visit);
  if (const auto* choice = std::get_if<TernaryIf>(&expr.node)) return each_certain(*choice->test, visit);
  each_child(expr, [&](const Expr& child) { each_certain(child, visit); });
}

int depth(const Expr& expr) {
  int deepest = 0;
  each_child(expr, [&](const Expr& child) { deepest = std::max(deepest, depth(child)); });
  return deepest + 1;
}

/// The expressions that may be moved, in the order that numbers their variables.
class Candidates {
 public:
  explicit Candidates(std::set<std::string> ambiguous) : ambiguous_(std::move(ambiguous)) {}

  void collect(const Expr& expr) {
    if (is_candidate(expr, ambiguous_)) {
      index_.emplace(std::make_shared<const Expr>(expr), 0);
      return;
    }
    each_child(expr, [&](const Expr& child) { collect(child); });
  }

  void number(Symbols& symbols) {
    for (auto& [expr, index] : index_) {
      index = list_.size();
      list_.push_back(expr);
      names_.push_back(symbols.fresh("lcm"));
      reads_.push_back(variables(*expr));
    }
  }

  std::size_t size() const { return list_.size(); }
  const ExprPtr& expr(std::size_t i) const { return list_[i]; }
  const std::string& name(std::size_t i) const { return names_[i]; }
  bool reads(std::size_t i, const std::string& variable) const { return reads_[i].contains(variable); }
  ExprPtr variable(std::size_t i) const {
    return make_expr(Var{names_[i]}, list_[i]->type, list_[i]->ad, list_[i]->span);
  }
  /// -1 if the expression is no candidate.
  long find(const Expr& expr) const {
    const ExprPtr key(std::shared_ptr<const Expr>(), &expr);
    const auto found = index_.find(key);
    return found == index_.end() ? -1 : static_cast<long>(found->second);
  }

  StmtPtr declaration(std::size_t i) const {
    return declare_unsized(names_[i], list_[i]->type, list_[i]->ad, Decl::Init::Default);
  }

 private:
  std::set<std::string> ambiguous_;
  std::map<ExprPtr, std::size_t, ExprLess> index_;
  std::vector<ExprPtr> list_;
  std::vector<std::string> names_;
  std::vector<std::set<std::string>> reads_;
};

// ---------------------------------------------------------------- the analyses

/// What happens at one node, and what is placed there.
struct Facts {
  Bits used, killed;
  Bits anticipated, earliest, postponable, latest;
  Bits used_before, used_after;
  Bits placeable() const { return earliest | postponable; }
};

bool stops_motion(const Stmt& stmt) {
  const auto* call = std::get_if<NRFunApp>(&stmt.node);
  if (!call) return false;
  const CompilerInternal* fn = as_internal(call->fn);
  return !fn || (fn->fn != Internal::FnPrint && fn->fn != Internal::FnWriteParam);
}

// What a loop's head changes is what its body changes.
bool is_barrier(const Stmt& stmt) {
  if (!std::holds_alternative<For>(stmt.node) && !std::holds_alternative<While>(stmt.node)) return stops_motion(stmt);
  bool inside = false;
  each_substmt(stmt, [&](const Stmt& s) { inside = inside || stops_motion(s); });
  return inside;
}

class Motion {
 public:
  Motion(const Statements& body, const Candidates& candidates)
      : candidates_(candidates),
        none_(candidates.size()),
        all_(candidates.size(), true),
        graph_(flow_graph(body)),
        facts_(graph_.nodes.size()) {
    for (std::size_t n = 0; n < facts_.size(); ++n) local(n);
    anticipate();
    find_earliest();
    postpone();
    choose_latest();
    find_uses();
  }

  /// Expressions to compute right before the node.
  Bits inserted(std::size_t n) const { return facts_[n].latest & facts_[n].used_after; }
  /// Expressions whose variable holds their value at the node.
  Bits held(std::size_t n) const { return inserted(n) | facts_[n].used_before; }

 private:
  void local(std::size_t n) {
    Facts& f = facts_[n];
    f.used = f.killed = none_;
    const Stmt* stmt = graph_.nodes[n].stmt;
    if (!stmt) return;
    each_motion_expr(*stmt, [&](const Expr& expr) {
      each_certain(expr, [&](const Expr& e) {
        if (const long i = candidates_.find(e); i >= 0) f.used.set(static_cast<std::size_t>(i));
      });
    });
    if (is_barrier(*stmt)) f.killed = all_;
    for (const std::string& variable : changed(graph_.nodes[n])) kill(f, variable);
    if (graph_.nodes[n].is_loop) f.used -= f.killed;
  }

  static std::set<std::string> changed(const FlowNode& node) {
    std::set<std::string> out;
    if (node.is_loop)
      out = assigned_variables(*node.stmt);
    else if (std::string name = assigned_variable(*node.stmt); !name.empty())
      out.insert(std::move(name));
    each_substmt(*node.stmt, [&](const Stmt& stmt) {
      const auto* decl = std::get_if<Decl>(&stmt.node);
      if (decl && (node.is_loop || &stmt == node.stmt)) out.insert(decl->id);
    });
    return out;
  }

  void kill(Facts& f, const std::string& variable) const {
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (candidates_.reads(i, variable)) f.killed.set(i);
  }

  /// Meets of sets that hold on every path, or on some; nothing holds at the ends.
  template <class Transfer>
  Flow<Bits> on_every_path(Direction direction, Transfer transfer) const {
    return solve(graph_, Analysis{direction, all_, none_, Intersection(), transfer});
  }
  template <class Transfer>
  Flow<Bits> on_some_path(Direction direction, Transfer transfer) const {
    return solve(graph_, Analysis{direction, none_, none_, Union(), transfer});
  }

  void anticipate() {
    auto flow = on_every_path(
        Direction::Backward, [&](std::size_t n, const Bits& out) { return facts_[n].used | (out - facts_[n].killed); });
    for (std::size_t n = 0; n < facts_.size(); ++n) facts_[n].anticipated = std::move(flow.leaving[n]);
  }

  void find_earliest() {
    const auto available = on_every_path(Direction::Forward, [&](std::size_t n, const Bits& in) {
      return (facts_[n].anticipated | in) - facts_[n].killed;
    });
    for (std::size_t n = 0; n < facts_.size(); ++n) facts_[n].earliest = facts_[n].anticipated - available.arriving[n];
  }

  void postpone() {
    auto flow = on_every_path(
        Direction::Forward, [&](std::size_t n, const Bits& in) { return (facts_[n].earliest | in) - facts_[n].used; });
    for (std::size_t n = 0; n < facts_.size(); ++n) facts_[n].postponable = std::move(flow.arriving[n]);
  }

  void choose_latest() {
    for (std::size_t n = 0; n < facts_.size(); ++n) {
      Facts& f = facts_[n];
      const std::vector<int>& after = graph_.nodes[n].after;
      Bits further = after.empty() ? none_ : all_;
      for (const int s : after) further &= facts_[static_cast<std::size_t>(s)].placeable();
      f.latest = f.placeable() & (f.used | (all_ - further));
    }
  }

  void find_uses() {
    auto flow = on_some_path(Direction::Backward,
                             [&](std::size_t n, const Bits& out) { return (facts_[n].used | out) - facts_[n].latest; });
    for (std::size_t n = 0; n < facts_.size(); ++n) {
      facts_[n].used_before = std::move(flow.leaving[n]);
      facts_[n].used_after = std::move(flow.arriving[n]);
    }
  }

  const Candidates& candidates_;
  Bits none_, all_;
  FlowGraph graph_;
  std::vector<Facts> facts_;
};

// ---------------------------------------------------------------- rewriting

class Placement {
 public:
  Placement(const Candidates& candidates, const Motion& motion) : candidates_(candidates), motion_(motion) {}

  // Visits the statements in the order in which the flow graph numbered them.
  Statements list(const Statements& body) {
    Statements out;
    for (const StmtPtr& stmt : body) place(stmt, out);
    return out;
  }
  /// What is computed before the first statement, where that is a loop.
  Statements at_entry() const {
    Statements out;
    compute(0, {}, out);
    return out;
  }

 private:
  static bool has_node(const Stmt& stmt) {
    return !std::holds_alternative<Block>(stmt.node) && !std::holds_alternative<SList>(stmt.node) &&
           !std::holds_alternative<Profile>(stmt.node);
  }

  void place(const StmtPtr& stmt, Statements& out) {
    if (!has_node(*stmt)) {
      out.push_back(inside(stmt));
      return;
    }
    const std::size_t node = ++node_;
    compute(node, stmt->span, out);
    out.push_back(inside(with_variables(stmt, motion_.held(node))));
  }

  void compute(std::size_t node, Span span, Statements& out) const {
    const Bits held = motion_.held(node);
    const Bits inserted = motion_.inserted(node);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      if (inserted.test(i)) order.push_back(i);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return depth(*candidates_.expr(i)); });
    for (const std::size_t i : order) {
      const ExprPtr& e = candidates_.expr(i);
      ExprPtr value = map_children(e, [&](const ExprPtr& child) { return replaced(child, held); });
      out.push_back(
          assign(to_variable(candidates_.name(i)), e->type, std::move(value), span == Span{} ? e->span : span));
    }
  }

  StmtPtr inside(const StmtPtr& stmt) {
    if (const auto* node = std::get_if<Block>(&stmt->node)) return block(list(node->body), stmt->span);
    if (const auto* node = std::get_if<SList>(&stmt->node)) return slist(list(node->body), stmt->span);
    if (const auto* node = std::get_if<Profile>(&stmt->node))
      return make_stmt(Profile{node->name, list(node->body)}, stmt->span);
    return map_children(stmt, [&](const StmtPtr& child) {
      Statements out;
      place(child, out);
      return as_one(std::move(out), child->span);
    });
  }

  ExprPtr replaced(const ExprPtr& expr, const Bits& held) const {
    const long i = candidates_.find(*expr);
    if (i >= 0 && held.test(static_cast<std::size_t>(i))) return candidates_.variable(static_cast<std::size_t>(i));
    return map_children(expr, [&](const ExprPtr& child) { return replaced(child, held); });
  }

  StmtPtr with_variables(const StmtPtr& stmt, const Bits& held) const {
    if (const auto* decl = std::get_if<Decl>(&stmt->node)) {
      if (!decl->value) return stmt;
      Decl copy = *decl;
      copy.value = replaced(decl->value, held);
      return make_stmt(std::move(copy), stmt->span);
    }
    return map_exprs(stmt, [&](const ExprPtr& expr) { return replaced(expr, held); });
  }

  const Candidates& candidates_;
  const Motion& motion_;
  std::size_t node_ = 0;
};

/// The analyses take as long as there are places times expressions, and telling expressions apart as long as they are
/// high. Larger sections stay as they are.
constexpr std::size_t kMostNodes = 10000;
constexpr int kHighest = 200;

bool is_too_large(const Statements& body) {
  std::size_t nodes = 0;
  int highest = 0;
  for (const StmtPtr& stmt : body) nodes += node_count(*stmt);
  if (nodes > kMostNodes) return true;
  for (const StmtPtr& stmt : body)
    each_substmt(*stmt, [&](const Stmt& s) {
      each_expr(s, [&](const Expr& expr) { highest = std::max(highest, depth(expr)); });
    });
  return highest > kHighest;
}

Statements moved(const Statements& original, Symbols& symbols) {
  if (is_too_large(original)) return original;
  Statements body = rewrite(original, with_joints);
  body.push_back(joint());  // a place behind a loop that stands last: what only its body needs is not needed there
  Candidates candidates(ambiguous_names(body));
  for (const StmtPtr& stmt : body)
    each_substmt(*stmt,
                 [&](const Stmt& s) { each_motion_expr(s, [&](const Expr& expr) { candidates.collect(expr); }); });
  candidates.number(symbols);
  if (candidates.size() == 0) return original;
  const Motion motion(body, candidates);
  Statements out;
  for (std::size_t i = candidates.size(); i-- > 0;) out.push_back(candidates.declaration(i));
  Placement placement(candidates, motion);
  for (StmtPtr& stmt : placement.at_entry()) out.push_back(std::move(stmt));
  for (StmtPtr& stmt : rewrite(placement.list(body), without_joints))
    if (stmt != joint()) out.push_back(std::move(stmt));
  return out;
}

void run(Program& program, PassContext& context) {
  for (Statements* section : {&program.unconstrain_array, &program.transform_inits, &program.generate_quantities,
                              &program.reverse_mode_log_prob, &program.log_prob, &program.prepare_data})
    *section = moved(*section, context.symbols);
  for (Function& function : program.functions)
    if (function.body)
      function.body = block(moved(std::get<Block>(as_block(function.body)->node).body, context.symbols));
}

}  // namespace

const Pass kLazyCodeMotion = {"lazy-code-motion", "computes repeated expressions once, as late as possible", true, run};

}  // namespace fermiac::mir
