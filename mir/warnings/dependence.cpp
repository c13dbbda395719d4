#include "mir/warnings/dependence.h"

#include <utility>

namespace fermiac::mir {
namespace {

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

Dependence::Dependence(const std::vector<StmtPtr>& body) : def_use_(body), parents_(Parents().run(body)) {}

std::set<std::string> Dependence::influences(int node, const std::set<std::string>& variables,
                                             const std::set<std::string>& leaves) const {
  std::set<std::string> found;
  std::set<int> seen;
  std::vector<int> open = parents_[static_cast<std::size_t>(node)];
  const auto take = [&](int at, const std::set<std::string>& names) {
    for (const std::string& name : names) {
      found.insert(name);
      if (leaves.contains(name)) continue;
      const std::vector<int> definitions = def_use_.definitions(at, name);
      open.insert(open.end(), definitions.begin(), definitions.end());
    }
  };
  take(node, variables);
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    take(next, def_use_.reads(next));
    const std::vector<int>& parents = parents_[static_cast<std::size_t>(next)];
    open.insert(open.end(), parents.begin(), parents.end());
  }
  return found;
}

std::set<std::string> Dependence::influences(int node, const std::set<std::string>& leaves) const {
  return influences(node, def_use_.reads(node), leaves);
}

}  // namespace fermiac::mir
