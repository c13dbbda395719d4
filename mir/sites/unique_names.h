// Names of locals that are used once only, so that an expression means the same wherever its variables are in scope.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Renames locals and loop variables that share a name with another one; variables of the top level keep theirs.
std::vector<StmtPtr> with_unique_names(const std::vector<StmtPtr>& section, std::set<std::string> taken);

}  // namespace fermiac::mir
