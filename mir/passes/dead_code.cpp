// Dead-code elimination: branches never taken, assignments that nobody reads, and what is empty without them.
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
#include "mir/passes/pass_tools.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;
using Statements = std::vector<StmtPtr>;

bool is_skip(const StmtPtr& stmt) {
  return !stmt || std::holds_alternative<Skip>(stmt->node);
}
StmtPtr skip(Span span) {
  return make_stmt(Skip{}, span);
}

const std::vector<StmtPtr>* list_of(const Stmt& stmt) {
  if (const auto* block = std::get_if<Block>(&stmt.node)) return &block->body;
  if (const auto* list = std::get_if<SList>(&stmt.node)) return &list->body;
  return nullptr;
}

// The only statement of a list, or the statement itself.
const Stmt& single_statement(const Stmt& stmt) {
  const auto* list = list_of(stmt);
  return list && list->size() == 1 ? single_statement(*list->front()) : stmt;
}

bool is_break(const Stmt& body) {
  return std::holds_alternative<Break>(single_statement(body).node);
}
bool is_idle(const Stmt& body) {
  const Stmt& only = single_statement(body);
  return std::holds_alternative<Skip>(only.node) || std::holds_alternative<Break>(only.node) ||
         std::holds_alternative<Continue>(only.node);
}

const Lit* int_literal(const Expr& expr) {
  const Lit* lit = as_lit(expr);
  return lit && lit->kind == Lit::Kind::Int ? lit : nullptr;
}
bool is_zero(const Lit& lit) {
  return lit.text.find_first_not_of('0') == std::string::npos;
}

/// What must stay where it is; by option, draws that nobody uses too.
struct Keep {
  bool draws = false;
  bool operator()(const Expr& expr) const { return cannot_remove(expr) || (draws && has_rng(expr)); }
};

bool removable(const Stmt& stmt, Keep stays) {
  bool yes = true;
  each_expr(stmt, [&](const Expr& expr) { yes = yes && !stays(expr); });
  return yes;
}

// ---------------------------------------------------------------- branches never taken

StmtPtr settled(const StmtPtr& stmt) {
  if (const auto* branch = std::get_if<IfElse>(&stmt->node)) {
    const Lit* test = int_literal(*branch->test);
    if (!test) return stmt;
    const StmtPtr& taken = is_zero(*test) ? branch->no : branch->yes;
    return taken ? taken : skip(stmt->span);
  }
  const auto* loop = std::get_if<While>(&stmt->node);
  const Lit* test = loop ? int_literal(*loop->test) : nullptr;
  return test && is_zero(*test) ? skip(stmt->span) : stmt;
}

// ---------------------------------------------------------------- liveness

/// Which assignments some path reads. Reads by assignments that are dead themselves do not count, so what only feeds
/// them is dead as well (faint variables; Nielson, Nielson, Hankin, "Principles of program analysis", exercise 2.4).
class Liveness {
 public:
  Liveness(const Statements& body, const Names& globals, Keep stays)
      : stays_(stays), graph_(flow_graph(body)), nodes_(graph_.nodes.size()) {
    std::size_t last = 0;
    for (const StmtPtr& stmt : body) lead_breaks_to_heads(*stmt, last, 0);
    for (std::size_t n = 1; n < nodes_.size(); ++n) look_at(n);
    const Bits none(variables_.size());
    const auto transfer = [&](std::size_t n, const Bits& after) { return before(nodes_[n], after, globals); };
    after_ = solve(graph_, Analysis{Direction::Backward, none, none, Union(), transfer}).arriving;
    for (std::size_t n = 1; n < nodes_.size(); ++n) nodes_[n].dead = is_dead(nodes_[n], after_[n], globals);
  }

  /// Nobody reads what the node assigns, and computing it has no effect.
  bool is_dead(std::size_t node) const { return nodes_[node].dead; }

 private:
  struct Node {
    std::string defines;  // the variable that it assigns or declares; empty: none
    bool whole = true;    // nothing of an earlier value survives
    bool removable = false;
    bool dead = false;
    std::vector<std::size_t> value_reads;  // to compute the value
    std::vector<std::size_t> other_reads;  // sizes of a declaration, or all that any other statement reads
  };

  // The documented flow graph lets a loop's head follow the end of its body even where that is a break: what dumps show
  // depends on it. `last`: the node visited last; `head`: of the loop around the statement.
  void lead_breaks_to_heads(const Stmt& stmt, std::size_t& last, std::size_t head) {
    const bool passes_on = std::holds_alternative<Block>(stmt.node) || std::holds_alternative<SList>(stmt.node) ||
                           std::holds_alternative<Profile>(stmt.node);
    if (!passes_on) ++last;
    if (std::holds_alternative<Break>(stmt.node)) {
      graph_.nodes[last].after.push_back(static_cast<int>(head));
      graph_.nodes[head].before.push_back(static_cast<int>(last));
    }
    const bool loop = std::holds_alternative<For>(stmt.node) || std::holds_alternative<While>(stmt.node);
    const std::size_t inner = loop ? last : head;
    each_child(stmt, [&](const Stmt& child) { lead_breaks_to_heads(child, last, inner); });
  }

  std::size_t number(const std::string& name) { return variables_.try_emplace(name, variables_.size()).first->second; }

  void read(const Expr& expr, std::vector<std::size_t>& into) {
    for (const std::string& name : variables(expr)) into.push_back(number(name));
  }

  void look_at(std::size_t n) {
    Node& node = nodes_[n];
    const Stmt& stmt = *graph_.nodes[n].stmt;
    const auto* decl = std::get_if<Decl>(&stmt.node);
    const auto* assignment = std::get_if<Assignment>(&stmt.node);
    if (decl) {
      node.defines = decl->id;
      node.removable = decl->value && !stays_(*decl->value);
    } else if (assignment) {
      node.defines = assignment->left.base_name();
      node.whole = !assignment->left.tuple && assignment->left.indexes.empty();
      node.removable = removable(stmt, stays_);
    } else if (const auto* loop = std::get_if<For>(&stmt.node)) {
      node.defines = loop->variable;
    }
    if (!node.defines.empty()) number(node.defines);
    each_expr(stmt, [&](const Expr& expr) {
      const bool value = assignment || (decl && &expr == decl->value.get());
      read(expr, value ? node.value_reads : node.other_reads);
    });
  }

  bool is_dead(const Node& node, const Bits& after, const Names& globals) const {
    return node.removable && !after.test(variables_.at(node.defines)) && !globals.contains(node.defines);
  }

  Bits before(const Node& node, const Bits& after, const Names& globals) const {
    Bits out = after;
    const bool dead = is_dead(node, after, globals);
    if (!node.defines.empty() && node.whole) out.reset(variables_.at(node.defines));
    for (const std::size_t v : node.other_reads) out.set(v);
    if (!dead)
      for (const std::size_t v : node.value_reads) out.set(v);
    return out;
  }

  Keep stays_;
  std::map<std::string, std::size_t> variables_;
  FlowGraph graph_;
  std::vector<Node> nodes_;
  std::vector<Bits> after_;
};

// ---------------------------------------------------------------- rewriting

/// Visits the statements in the order in which the flow graph numbered them.
class Removal {
 public:
  Removal(const Liveness& liveness, Keep stays) : liveness_(liveness), stays_(stays) {}

  Statements list(const Statements& body) {
    Statements out;
    for (const StmtPtr& stmt : body)
      if (StmtPtr done = walk(stmt); !is_skip(done)) out.push_back(std::move(done));
    return out;
  }

 private:
  StmtPtr declaration(const StmtPtr& stmt, const Decl& node) const {
    if (!liveness_.is_dead(node_)) return stmt;
    Decl decl = node;
    decl.init = Decl::Init::Uninit;
    decl.value = nullptr;
    return make_stmt(std::move(decl), stmt->span);
  }

  StmtPtr branch(const StmtPtr& stmt, const IfElse& node) {
    StmtPtr yes = walk(node.yes);
    StmtPtr no = node.no ? walk(node.no) : nullptr;
    if (is_skip(yes) && is_skip(no) && !stays_(*node.test)) return skip(stmt->span);
    if (yes == node.yes && no == node.no) return stmt;
    return make_stmt(IfElse{node.test, std::move(yes), std::move(no)}, stmt->span);
  }

  StmtPtr counted(const StmtPtr& stmt, const For& node) {
    StmtPtr body = walk(node.body);
    if (is_idle(*body) && removable(*stmt, stays_)) return skip(stmt->span);
    if (body == node.body) return stmt;
    return make_stmt(For{node.variable, node.lower, node.upper, std::move(body)}, stmt->span);
  }

  StmtPtr conditional_loop(const StmtPtr& stmt, const While& node) {
    StmtPtr body = walk(node.body);
    if (is_break(*body) && removable(*stmt, stays_)) return skip(stmt->span);
    return body == node.body ? stmt : make_stmt(While{node.test, std::move(body)}, stmt->span);
  }

  template <class Node>
  StmtPtr compound(const StmtPtr& stmt, const Node& node) {
    Node done = node;
    done.body = list(node.body);
    if (done.body.empty()) return skip(stmt->span);
    return done.body == node.body ? stmt : make_stmt(std::move(done), stmt->span);
  }

  StmtPtr walk(const StmtPtr& stmt) {
    if (const auto* node = std::get_if<Block>(&stmt->node)) return compound(stmt, *node);
    if (const auto* node = std::get_if<SList>(&stmt->node)) return compound(stmt, *node);
    if (const auto* node = std::get_if<Profile>(&stmt->node)) return compound(stmt, *node);
    ++node_;
    const auto keep = [&](const auto&) { return stmt; };
    return match(
        stmt->node, [&](const Assignment&) { return liveness_.is_dead(node_) ? skip(stmt->span) : stmt; },
        [&](const Decl& s) { return declaration(stmt, s); }, [&](const IfElse& s) { return branch(stmt, s); },
        [&](const While& s) { return conditional_loop(stmt, s); }, [&](const For& s) { return counted(stmt, s); },
        [&](const TargetPE& s) { return keep(s); }, [&](const JacobianPE& s) { return keep(s); },
        [&](const NRFunApp& s) { return keep(s); }, [&](const Skip& s) { return keep(s); },
        [&](const Break& s) { return keep(s); }, [&](const Continue& s) { return keep(s); },
        [&](const Return& s) { return keep(s); }, [&](const Profile& s) { return keep(s); },
        [&](const Block& s) { return keep(s); }, [&](const SList& s) { return keep(s); });
  }

  const Liveness& liveness_;
  Keep stays_;
  std::size_t node_ = 0;
};

/// One program in several lists that run one after the other.
void sweep(const std::vector<Statements*>& lists, const Names& globals, Keep stays) {
  Statements whole;
  for (Statements* list : lists) {
    *list = rewrite(*list, settled);
    whole.insert(whole.end(), list->begin(), list->end());
  }
  const Liveness liveness(whole, globals, stays);
  Removal removal(liveness, stays);
  for (Statements* list : lists) *list = removal.list(*list);
}

constexpr int kRounds = 2;  // the second sees what the loops that the first removed had read

void run(Program& program, PassContext& context) {
  const Keep stays{context.keep_draws};
  for (Function& function : program.functions) {
    if (!function.body) continue;
    Statements body = {function.body};
    for (int round = 0; round < kRounds; ++round) sweep({&body}, {}, stays);
    function.body = as_block(as_one(std::move(body)));
  }
  const Names globals = global_names(program);
  for (int round = 0; round < kRounds; ++round)
    sweep({&program.prepare_data, &program.transform_inits, &program.log_prob, &program.reverse_mode_log_prob,
           &program.generate_quantities},
          globals, stays);
}

}  // namespace

const Pass kDeadCode = {"dead-code", "removes assignments nobody reads, branches never taken and empty statements",
                        true, run};

}  // namespace fermiac::mir
