#include "mir/analysis/dependence.h"

#include <utility>

#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

// What the statement reads to do its work; the sizes of a declaration are not followed.
std::set<std::string> right_side(const Stmt& stmt) {
  std::set<std::string> out;
  if (const auto* decl = std::get_if<Decl>(&stmt.node)) {
    if (decl->value) out = variables(*decl->value);
    return out;
  }
  each_expr(stmt, [&](const Expr& expr) { out.merge(variables(expr)); });
  return out;
}

std::string defined(const Stmt& stmt) {
  if (const auto* decl = std::get_if<Decl>(&stmt.node)) return decl->id;
  const std::string name = assigned_variable(stmt);
  return name == "target" ? "" : name;
}

// Whether nothing of an earlier value survives.
bool defines_whole(const Stmt& stmt) {
  const auto* assignment = std::get_if<Assignment>(&stmt.node);
  return !assignment || (!assignment->left.tuple && assignment->left.indexes.empty());
}

/// Walks the statements in the order in which the flow graph numbers them.
class Parents {
 public:
  std::vector<std::vector<int>> run(const std::vector<StmtPtr>& body) {
    parents_.emplace_back();
    list(body);
    return std::move(parents_);
  }

 private:
  void list(const std::vector<StmtPtr>& body) {
    for (const StmtPtr& stmt : body) walk(*stmt);
  }

  int add() {
    std::vector<int> parents = returns_;
    parents.insert(parents.end(), continues_.begin(), continues_.end());
    if (enclosing_ > 0) parents.push_back(enclosing_);
    parents_.push_back(std::move(parents));
    return static_cast<int>(parents_.size()) - 1;
  }

  void inside(int head, const Stmt& body) {
    const int outer = std::exchange(enclosing_, head);
    walk(body);
    enclosing_ = outer;
  }

  // Whether a loop goes on depends on the jumps in it.
  void loop(const Stmt& body) {
    const int head = add();
    const std::vector<int> outer_breaks = std::exchange(breaks_, {});
    const std::vector<int> outer_continues = std::exchange(continues_, {});
    const std::size_t returns = returns_.size();
    inside(head, body);
    auto& own = parents_[static_cast<std::size_t>(head)];
    own.insert(own.end(), breaks_.begin(), breaks_.end());
    own.insert(own.end(), returns_.begin() + static_cast<std::ptrdiff_t>(returns), returns_.end());
    breaks_ = outer_breaks;
    continues_ = outer_continues;
  }

  void walk(const Stmt& stmt) {
    if (const auto* node = std::get_if<Block>(&stmt.node)) return list(node->body);
    if (const auto* node = std::get_if<SList>(&stmt.node)) return list(node->body);
    if (const auto* node = std::get_if<Profile>(&stmt.node)) return list(node->body);
    if (const auto* node = std::get_if<While>(&stmt.node)) return loop(*node->body);
    if (const auto* node = std::get_if<For>(&stmt.node)) return loop(*node->body);
    const int id = add();
    if (const auto* node = std::get_if<IfElse>(&stmt.node)) {
      inside(id, *node->yes);
      if (node->no) inside(id, *node->no);
    }
    if (std::holds_alternative<Return>(stmt.node)) returns_.push_back(id);
    if (std::holds_alternative<Continue>(stmt.node)) continues_.push_back(id);
    if (std::holds_alternative<Break>(stmt.node)) breaks_.push_back(id);
  }

  std::vector<std::vector<int>> parents_;
  std::vector<int> returns_, continues_, breaks_;
  int enclosing_ = 0;
};

}  // namespace

Dependence::Dependence(const std::vector<StmtPtr>& body) : graph_(flow_graph(body)), parents_(Parents().run(body)) {
  for (const FlowNode& node : graph_.nodes) {
    reads_.push_back(node.stmt ? right_side(*node.stmt) : std::set<std::string>{});
    defines_.push_back(node.stmt ? defined(*node.stmt) : "");
  }
  find_definitions();
}

void Dependence::find_definitions() {
  const std::size_t count = graph_.nodes.size();
  reaching_.assign(count, std::vector<bool>(count, false));
  const auto after = [&](std::size_t n) {
    std::vector<bool> out = reaching_[n];
    if (defines_[n].empty()) return out;
    if (defines_whole(*graph_.nodes[n].stmt))
      for (std::size_t d = 0; d < count; ++d)
        if (out[d] && defines_[d] == defines_[n]) out[d] = false;
    out[n] = true;
    return out;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t n = 0; n < count; ++n) {
      const std::vector<bool> out = after(n);
      for (const int s : graph_.nodes[n].after) {
        std::vector<bool>& in = reaching_[static_cast<std::size_t>(s)];
        for (std::size_t d = 0; d < count; ++d)
          if (out[d] && !in[d]) in[d] = changed = true;
      }
    }
  }
}

std::vector<int> Dependence::reaching(int node, const std::string& variable) const {
  std::vector<int> out;
  const std::vector<bool>& in = reaching_[static_cast<std::size_t>(node)];
  for (std::size_t d = 0; d < in.size(); ++d)
    if (in[d] && defines_[d] == variable) out.push_back(static_cast<int>(d));
  return out;
}

std::set<std::string> Dependence::influences(int node, const std::set<std::string>& variables,
                                             const std::set<std::string>& leaves) const {
  std::set<std::string> found;
  std::set<int> seen;
  std::vector<int> open = parents_[static_cast<std::size_t>(node)];
  const auto take = [&](int at, const std::set<std::string>& names) {
    for (const std::string& name : names) {
      found.insert(name);
      if (leaves.contains(name)) continue;
      const std::vector<int> definitions = reaching(at, name);
      open.insert(open.end(), definitions.begin(), definitions.end());
    }
  };
  take(node, variables);
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    const auto at = static_cast<std::size_t>(next);
    take(next, reads_[at]);
    open.insert(open.end(), parents_[at].begin(), parents_[at].end());
  }
  return found;
}

std::set<std::string> Dependence::influences(int node, const std::set<std::string>& leaves) const {
  return influences(node, reads_[static_cast<std::size_t>(node)], leaves);
}

}  // namespace fermiac::mir
