// The control-flow graph of a statement list. Nodes are the statements that evaluate something: simple statements and
// the heads of branches and loops; blocks and lists only pass control on.
#pragma once

#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

struct FlowNode {
  const Stmt* stmt = nullptr;  // null for the entry
  std::vector<int> before, after;
  bool is_loop = false;  // For and While: evaluated again before every round
};

struct FlowGraph {
  std::vector<FlowNode> nodes;  // the entry, then the statements in preorder
};

/// A loop's head follows the end of its body and every continue; what follows the loop follows the head and every
/// break. Nothing follows a return, a reject or a fatal_error.
FlowGraph flow_graph(const std::vector<StmtPtr>& body);

}  // namespace fermiac::mir
