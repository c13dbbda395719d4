#include "mir/analysis/def_use.h"

#include "mir/analysis/dataflow.h"
#include "mir/ir/visit.h"

namespace fermiac::mir {
namespace {

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

struct NameUnion {
  void operator()(std::set<std::string>& into, const std::set<std::string>& other) const {
    into.insert(other.begin(), other.end());
  }
};

}  // namespace

DefUse::DefUse(std::vector<StmtPtr> body) : body_(std::move(body)), graph_(flow_graph(body_)) {
  for (const FlowNode& node : graph_.nodes) {
    reads_.push_back(node.stmt ? right_side(*node.stmt) : std::set<std::string>{});
    defines_.push_back(node.stmt ? defined(*node.stmt) : "");
  }
  const std::size_t count = graph_.nodes.size();
  for (std::size_t n = 0; n < count; ++n) definitions_.try_emplace(defines_[n], count).first->second.set(n);
  const auto transfer = [&](std::size_t n, const Bits& arriving) {
    Bits out = arriving;
    if (defines_[n].empty()) return out;
    if (defines_whole(n)) out -= definitions_.at(defines_[n]);
    out.set(n);
    return out;
  };
  reaching_ = solve(graph_, Analysis{Direction::Forward, Bits(count), Bits(count), Union(), transfer}).arriving;
}

// Whether nothing of an earlier value survives.
bool DefUse::defines_whole(std::size_t node) const {
  const auto* assignment = std::get_if<Assignment>(&graph_.nodes[node].stmt->node);
  return !assignment || (!assignment->left.tuple && assignment->left.indexes.empty());
}

std::vector<int> DefUse::definitions(int node, const std::string& variable) const {
  std::vector<int> out;
  const auto all = definitions_.find(variable);
  if (all == definitions_.end()) return out;
  const Bits reaching = reaching_[static_cast<std::size_t>(node)] & all->second;
  reaching.each([&](std::size_t d) { out.push_back(static_cast<int>(d)); });
  return out;
}

std::vector<int> DefUse::uses(int node) const {
  std::vector<int> out;
  const auto at = static_cast<std::size_t>(node);
  if (defines_[at].empty()) return out;
  for (std::size_t n = 0; n < graph_.nodes.size(); ++n)
    if (reaching_[n].test(at) && reads_[n].contains(defines_[at])) out.push_back(static_cast<int>(n));
  return out;
}

std::vector<std::set<std::string>> DefUse::live_after() const {
  using Names = std::set<std::string>;
  const auto transfer = [&](std::size_t n, const Names& arriving) {
    Names out = arriving;
    if (!defines_[n].empty() && defines_whole(n) && !graph_.nodes[n].is_loop) out.erase(defines_[n]);
    out.insert(reads_[n].begin(), reads_[n].end());
    return out;
  };
  return solve(graph_, Analysis{Direction::Backward, Names(), Names(), NameUnion(), transfer}).arriving;
}

}  // namespace fermiac::mir
