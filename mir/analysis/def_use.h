// Definitions and uses of variables: what each statement reads and writes, which definitions reach which reads, and
// which variables are still read behind a statement.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mir/analysis/bits.h"
#include "mir/analysis/flow_graph.h"
#include "mir/ir/ir.h"

namespace fermiac::mir {

class DefUse {
 public:
  /// Keeps the statements.
  explicit DefUse(std::vector<StmtPtr> body);

  /// Statement of each node; nodes count from 1 in preorder, node 0 is the entry and has none.
  const FlowGraph& graph() const { return graph_; }
  /// What the node's statement reads to do its work; the sizes of a declaration do not count.
  const std::set<std::string>& reads(int node) const { return reads_[static_cast<std::size_t>(node)]; }
  /// The variable it assigns or declares; empty: none. Terms of the target are not followed.
  const std::string& defines(int node) const { return defines_[static_cast<std::size_t>(node)]; }

  /// Nodes whose value of the variable may still be there when control reaches the node.
  std::vector<int> definitions(int node, const std::string& variable) const;
  /// Nodes that may read what the node defined.
  std::vector<int> uses(int node) const;
  /// By node: variables whose value right behind it some path reads.
  std::vector<std::set<std::string>> live_after() const;

 private:
  bool defines_whole(std::size_t node) const;

  std::vector<StmtPtr> body_;
  FlowGraph graph_;
  std::vector<std::set<std::string>> reads_;
  std::vector<std::string> defines_;
  std::map<std::string, Bits> definitions_;  // of each variable, by their node
  std::vector<Bits> reaching_;  // per node: definitions (by their node) that reach it
};

}  // namespace fermiac::mir
