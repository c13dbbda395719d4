// Constant, copy and expression propagation: one forward walk that carries, for each variable, an expression known to
// have the same value. What differs is only which assignments enter the map.
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/known_values.h"
#include "mir/passes/pass.h"
#include "mir/passes/pass_tools.h"
#include "support/base/match.h"

namespace fermiac::mir {
namespace {

/// The expression that may stand for `variable` after it was assigned `value` (already substituted); null: none.
using Admit = std::function<ExprPtr(const std::string& variable, const ExprPtr& value)>;

class Propagation {
 public:
  explicit Propagation(Admit admit) : admit_(std::move(admit)) {}

  std::vector<StmtPtr> run(const std::vector<StmtPtr>& list) {
    return map_each(list, [&](const StmtPtr& stmt) { return walk(stmt); });
  }

 private:
  ExprPtr replaced(const ExprPtr& expr) { return substitute(expr, known_.values()); }
  StmtPtr replaced(const StmtPtr& stmt) {
    return map_exprs(stmt, [&](const ExprPtr& expr) { return replaced(expr); });
  }

  void kill(const std::string& variable) { known_.forget(variable); }
  void kill_assigned(const Stmt& stmt) {
    for (const std::string& variable : assigned_variables(stmt)) kill(variable);
    kill_declared(stmt);
  }
  // Also those of nested scopes: a name may come back later as another variable.
  void kill_declared(const Stmt& stmt) {
    each_substmt(stmt, [&](const Stmt& s) {
      if (const auto* decl = std::get_if<Decl>(&s.node)) kill(decl->id);
    });
  }

  // Names that end with the enclosing scope; lists without braces belong to it.
  void kill_scope(const Stmt& child) {
    if (const auto* decl = std::get_if<Decl>(&child.node)) kill(decl->id);
    if (std::holds_alternative<SList>(child.node)) each_child(child, [&](const Stmt& inner) { kill_scope(inner); });
  }

  void learn(const std::string& variable, const ExprPtr& value) {
    kill(variable);
    if (mentions(*value, variable)) return;
    if (ExprPtr admitted = admit_(variable, value)) known_.learn(variable, admitted);
  }

  StmtPtr assignment(const StmtPtr& stmt) {
    const StmtPtr done = replaced(stmt);
    const auto& node = std::get<Assignment>(done->node);
    if (!node.left.tuple && node.left.indexes.empty())
      learn(node.left.variable, node.right);
    else
      kill(node.left.base_name());
    return done;
  }

  StmtPtr declaration(const StmtPtr& stmt) {
    const StmtPtr done = replaced(stmt);
    const auto& node = std::get<Decl>(done->node);
    kill(node.id);
    if (node.init == Decl::Init::Assign) learn(node.id, node.value);
    return done;
  }

  StmtPtr leave(const StmtPtr& stmt) {
    unreachable_ = true;
    return replaced(stmt);
  }

  StmtPtr branch(const StmtPtr& stmt, const IfElse& node) {
    ExprPtr test = replaced(node.test);
    const KnownValues::Mark before = known_.mark();
    const bool dead_before = unreachable_;
    StmtPtr yes = walk(node.yes);
    const KnownValues::Values after_yes = known_.go_back(before);
    const bool yes_leaves = std::exchange(unreachable_, dead_before);
    StmtPtr no = node.no ? walk(node.no) : nullptr;
    if (unreachable_ && !dead_before) {
      known_.go_back(before);
      known_.change_to(after_yes);
    } else if (!yes_leaves || dead_before) {
      known_.meet(after_yes, before);
    }
    unreachable_ = dead_before || (yes_leaves && unreachable_);
    if (test == node.test && yes == node.yes && no == node.no) return stmt;
    return make_stmt(IfElse{std::move(test), std::move(yes), std::move(no)}, stmt->span);
  }

  template <class Body>
  void loop(const Stmt& whole, Body body) {
    kill_assigned(whole);
    const KnownValues::Mark entry = known_.mark();
    body();
    known_.go_back(entry);
    unreachable_ = false;
  }

  StmtPtr counted(const StmtPtr& stmt, const For& node) {
    ExprPtr lower = replaced(node.lower);
    For out{node.variable, std::move(lower), nullptr, nullptr};
    // The upper bound is evaluated before each round, so only what the loop leaves alone may enter it.
    loop(*stmt, [&] {
      out.upper = replaced(node.upper);
      out.body = walk(node.body);
    });
    return make_stmt(std::move(out), stmt->span);
  }

  StmtPtr conditional_loop(const StmtPtr& stmt, const While& node) {
    While out;
    loop(*stmt, [&] {
      out.test = replaced(node.test);
      out.body = walk(node.body);
    });
    return make_stmt(std::move(out), stmt->span);
  }

  StmtPtr scope(const StmtPtr& stmt) {
    StmtPtr done = map_children(stmt, [&](const StmtPtr& child) { return walk(child); });
    each_child(*stmt, [&](const Stmt& child) { kill_scope(child); });
    return done;
  }

  StmtPtr walk(const StmtPtr& stmt) {
    const auto plain = [&](const auto&) { return replaced(stmt); };
    return match(
        stmt->node, [&](const Assignment&) { return assignment(stmt); }, [&](const Decl&) { return declaration(stmt); },
        [&](const TargetPE& s) { return plain(s); }, [&](const JacobianPE& s) { return plain(s); },
        [&](const NRFunApp& s) { return plain(s); }, [&](const Skip& s) { return plain(s); },
        [&](const Break&) { return leave(stmt); }, [&](const Continue&) { return leave(stmt); },
        [&](const Return&) { return leave(stmt); }, [&](const IfElse& s) { return branch(stmt, s); },
        [&](const While& s) { return conditional_loop(stmt, s); }, [&](const For& s) { return counted(stmt, s); },
        [&](const Profile&) { return scope(stmt); }, [&](const Block&) { return scope(stmt); },
        [&](const SList&) { return map_children(stmt, [&](const StmtPtr& child) { return walk(child); }); });
  }

  Admit admit_;
  KnownValues known_;
  bool unreachable_ = false;  // the statement just walked leaves its list
};

using MakeAdmit = std::function<Admit(const std::set<std::string>& globals, const PassContext& context)>;

// The sections are one program: what prepare_data settles is known to all that follow.
void run_over(Program& program, const PassContext& context, const MakeAdmit& make) {
  const std::set<std::string> none;
  for (Function& function : program.functions) {
    if (!function.body) continue;
    for (int round = 0; round < 2; ++round)
      function.body = Propagation(make(none, context)).run({function.body}).front();
  }
  const std::set<std::string> globals = global_names(program);
  for (int round = 0; round < 2; ++round) {
    Propagation propagation(make(globals, context));
    for (std::vector<StmtPtr>* section : {&program.prepare_data, &program.transform_inits, &program.log_prob,
                                          &program.reverse_mode_log_prob, &program.generate_quantities})
      *section = propagation.run(*section);
  }
}

Admit admit_constants(const std::set<std::string>&, const PassContext& context) {
  const bool ints_only = context.preserve_stability;
  return [ints_only](const std::string&, const ExprPtr& value) -> ExprPtr {
    if (ints_only && !value->type.is(BaseType::Int)) return nullptr;
    ExprPtr folded = partially_evaluated(value);
    return is_literal_or_promoted(*folded) ? folded : nullptr;
  };
}

Admit admit_copies(const std::set<std::string>& globals, const PassContext& context) {
  const bool stable = context.preserve_stability;
  return [&globals, stable](const std::string& variable, const ExprPtr& value) -> ExprPtr {
    const bool copy = as_var(*value) && value->type.base() != BaseType::Function;
    if (!copy || globals.contains(variable) || cannot_duplicate(*value, stable)) return nullptr;
    return value;
  };
}

// Chains like `b = a * a; c = b * b; …` double at every step, and many long ones are long together.
constexpr std::size_t kMaxPropagatedNodes = 500, kMaxNodesInAll = 200000;

Admit admit_expressions(const std::set<std::string>&, const PassContext& context) {
  const bool stable = context.preserve_stability;
  return [stable, room = kMaxNodesInAll](const std::string&, const ExprPtr& value) mutable -> ExprPtr {
    const std::size_t nodes = node_count(*value);
    if (nodes > kMaxPropagatedNodes || nodes > room || cannot_duplicate(*value, stable)) return nullptr;
    room -= nodes;
    return value;
  };
}

void run_constants(Program& program, PassContext& context) {
  run_over(program, context, admit_constants);
}
void run_copies(Program& program, PassContext& context) {
  run_over(program, context, admit_copies);
}
void run_expressions(Program& program, PassContext& context) {
  run_over(program, context, admit_expressions);
}

}  // namespace

const Pass kConstantPropagation = {"constant-propagation", "replaces variables that hold a known literal by it", true,
                                   run_constants};
const Pass kCopyPropagation = {"copy-propagation", "replaces copies of a variable by the variable", true, run_copies};
const Pass kExpressionPropagation = {"expression-propagation",
                                     "replaces variables by the expressions they were assigned", true, run_expressions};

}  // namespace fermiac::mir
