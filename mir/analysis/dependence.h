// What a statement depends on: the definitions that reach the variables it reads, and the branches, loops and jumps
// that decide whether it runs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mir/analysis/flow_graph.h"
#include "mir/ir.h"

namespace fermiac::mir {

class Dependence {
 public:
  explicit Dependence(const std::vector<StmtPtr>& body);

  /// Statement of each node; nodes count from 1 in preorder, node 0 is the entry and has none.
  const FlowGraph& graph() const { return graph_; }

  /// `variables` as read at the node, with everything they depend on there, and with what decides whether the node
  /// runs. Definitions of variables in `leaves` are not followed.
  std::set<std::string> influences(int node, const std::set<std::string>& variables,
                                   const std::set<std::string>& leaves) const;
  /// The same for all that the node's statement reads itself.
  std::set<std::string> influences(int node, const std::set<std::string>& leaves) const;

 private:
  void find_definitions();
  std::vector<int> reaching(int node, const std::string& variable) const;

  FlowGraph graph_;
  std::vector<std::set<std::string>> reads_;
  std::vector<std::vector<int>> parents_;
  std::vector<std::string> defines_;         // empty: nothing
  std::vector<std::vector<bool>> reaching_;  // per node: definitions (by their node) that reach it
};

}  // namespace fermiac::mir
