// Dead-code elimination: a backward walk with the set of variables that may still be read.
#include <set>
#include <string>
#include <vector>

#include "mir/ir/build.h"
#include "mir/ir/visit.h"
#include "mir/passes/globals.h"
#include "mir/passes/pass.h"
#include "support/match.h"

namespace fermiac::mir {
namespace {

using Names = std::set<std::string>;

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

class DeadCode {
 public:
  explicit DeadCode(const Names& globals) : globals_(globals) {}

  std::vector<StmtPtr> list(const std::vector<StmtPtr>& body) {
    std::vector<StmtPtr> reversed;
    for (auto it = body.rbegin(); it != body.rend(); ++it) {
      StmtPtr done = walk(*it);
      if (!is_skip(done)) reversed.push_back(std::move(done));
    }
    return {reversed.rbegin(), reversed.rend()};
  }

 private:
  bool live(const std::string& name) const { return globals_.contains(name) || live_.contains(name); }

  void use(const Expr& expr) { live_.merge(variables(expr)); }
  void use_all(const Stmt& stmt) {
    each_expr(stmt, [&](const Expr& expr) { use(expr); });
  }

  static bool removable(const Stmt& stmt) {
    bool yes = true;
    each_expr(stmt, [&](const Expr& expr) { yes = yes && !cannot_remove(expr); });
    return yes;
  }

  // A part of the right side may be a slot or an element of the destination itself.
  StmtPtr assignment(const StmtPtr& stmt, const Assignment& node) {
    const std::string& name = node.left.base_name();
    if (!live(name) && removable(*stmt)) return skip(stmt->span);
    if (!node.left.tuple && node.left.indexes.empty()) live_.erase(name);
    use_all(*stmt);
    return stmt;
  }

  StmtPtr declaration(const StmtPtr& stmt, const Decl& node) {
    Decl decl = node;
    if (decl.init == Decl::Init::Assign && !live(decl.id) && !cannot_remove(*decl.value)) {
      decl.init = Decl::Init::Uninit;
      decl.value = nullptr;
    }
    const StmtPtr done = decl.init == node.init ? stmt : make_stmt(std::move(decl), stmt->span);
    live_.erase(node.id);
    use_all(*done);
    return done;
  }

  StmtPtr branch(const StmtPtr& stmt, const IfElse& node) {
    if (const Lit* lit = int_literal(*node.test)) {
      const StmtPtr& taken = is_zero(*lit) ? node.no : node.yes;
      return taken ? walk(taken) : skip(stmt->span);
    }
    const Names after = live_;
    StmtPtr yes = walk(node.yes);
    Names live_yes = std::exchange(live_, after);
    StmtPtr no = node.no ? walk(node.no) : nullptr;
    live_.merge(live_yes);
    if (is_skip(yes) && is_skip(no) && !cannot_remove(*node.test)) return skip(stmt->span);
    use(*node.test);
    if (yes == node.yes && no == node.no) return stmt;
    return make_stmt(IfElse{node.test, std::move(yes), std::move(no)}, stmt->span);
  }

  // Walks the body until the set at the loop's head is stable; the last walk gives the statement.
  template <class UseHead>
  StmtPtr loop_body(const StmtPtr& body, UseHead use_head) {
    const Names after = live_;
    const Names outer_break = std::exchange(break_, after);
    const Names outer_continue = continue_;
    StmtPtr done;
    while (true) {
      use_head();
      const Names head = live_;
      continue_ = head;
      done = walk(body);
      live_.insert(head.begin(), head.end());
      if (live_ == head) break;
    }
    break_ = outer_break;
    continue_ = outer_continue;
    return done;
  }

  StmtPtr counted(const StmtPtr& stmt, const For& node) {
    const Names after = live_;
    // With the loop variable from the start: else every nested loop would be walked twice, and again inside.
    StmtPtr body = loop_body(node.body, [&] {
      use(*node.upper);
      live_.insert(node.variable);
    });
    if (is_idle(*body) && removable(*stmt)) {
      live_ = after;
      return skip(stmt->span);
    }
    live_.erase(node.variable);
    use_all(*stmt);
    return body == node.body ? stmt
                             : make_stmt(For{node.variable, node.lower, node.upper, std::move(body)}, stmt->span);
  }

  StmtPtr conditional_loop(const StmtPtr& stmt, const While& node) {
    if (const Lit* lit = int_literal(*node.test); lit && is_zero(*lit)) return skip(stmt->span);
    const Names after = live_;
    StmtPtr body = loop_body(node.body, [&] { use(*node.test); });
    if (is_break(*body) && removable(*stmt)) {
      live_ = after;
      return skip(stmt->span);
    }
    use_all(*stmt);
    return body == node.body ? stmt : make_stmt(While{node.test, std::move(body)}, stmt->span);
  }

  template <class Node>
  StmtPtr compound(const StmtPtr& stmt, const Node& node) {
    Node done = node;
    done.body = list(node.body);
    if (done.body.empty()) return skip(stmt->span);
    return done.body == node.body ? stmt : make_stmt(std::move(done), stmt->span);
  }

  // The documented flow graph lets a loop's head follow the end of its body even where that is a break.
  Names after_break() const {
    Names names = break_;
    names.insert(continue_.begin(), continue_.end());
    return names;
  }

  StmtPtr jump(const StmtPtr& stmt, const Names& there) {
    live_ = there;
    use_all(*stmt);
    return stmt;
  }

  StmtPtr walk(const StmtPtr& stmt) {
    const auto keep = [&](const auto&) {
      use_all(*stmt);
      return stmt;
    };
    return match(
        stmt->node, [&](const Assignment& s) { return assignment(stmt, s); },
        [&](const Decl& s) { return declaration(stmt, s); }, [&](const TargetPE& s) { return keep(s); },
        [&](const JacobianPE& s) { return keep(s); }, [&](const NRFunApp& s) { return keep(s); },
        [&](const Skip&) { return stmt; }, [&](const Break&) { return jump(stmt, after_break()); },
        [&](const Continue&) { return jump(stmt, continue_); }, [&](const Return&) { return jump(stmt, {}); },
        [&](const IfElse& s) { return branch(stmt, s); }, [&](const While& s) { return conditional_loop(stmt, s); },
        [&](const For& s) { return counted(stmt, s); }, [&](const Profile& s) { return compound(stmt, s); },
        [&](const Block& s) { return compound(stmt, s); }, [&](const SList& s) { return compound(stmt, s); });
  }

  const Names& globals_;
  Names live_, break_, continue_;
};

void run(Program& program, PassContext&) {
  const Names none;
  for (Function& function : program.functions)
    for (int round = 0; function.body && round < 2; ++round)
      function.body = as_block(as_one(DeadCode(none).list({function.body})));
  const Names globals = global_names(program);
  for (int round = 0; round < 2; ++round) {
    DeadCode pass(globals);
    for (std::vector<StmtPtr>* section : {&program.generate_quantities, &program.reverse_mode_log_prob,
                                          &program.log_prob, &program.transform_inits, &program.prepare_data})
      *section = pass.list(*section);
  }
}

}  // namespace

const Pass kDeadCode = {"dead-code", "removes assignments nobody reads, branches never taken and empty statements",
                        true, run};

}  // namespace fermiac::mir
