// What a statement depends on: the definitions that reach the variables it reads, and the branches, loops and jumps
// that decide whether it runs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mir/analysis/def_use.h"
#include "mir/ir/ir.h"

namespace fermiac::mir {

class Dependence {
 public:
  explicit Dependence(const std::vector<StmtPtr>& body);

  /// Nodes count as there.
  const FlowGraph& graph() const { return def_use_.graph(); }
  const DefUse& def_use() const { return def_use_; }

  /// `variables` as read at the node, with everything they depend on there, and with what decides whether the node
  /// runs. Definitions of variables in `leaves` are not followed.
  std::set<std::string> influences(int node, const std::set<std::string>& variables,
                                   const std::set<std::string>& leaves) const;
  /// The same for all that the node's statement reads itself.
  std::set<std::string> influences(int node, const std::set<std::string>& leaves) const;

 private:
  DefUse def_use_;
  std::vector<std::vector<int>> parents_;
};

/// Built from literals alone; data variables are not constant.
bool is_constant(const Expr& expr);
bool is_linear(const Expr& expr);

}  // namespace fermiac::mir
