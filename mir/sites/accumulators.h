// Variables that do nothing but collect terms of target: `lprior += …; target += lprior;`.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// A summand of a sum, with its sign.
struct Summand {
  ExprPtr value;
  bool negative = false;
};

/// The summands of what target gets: sums, differences, parentheses and `sum(…)` of literals are opened.
std::vector<Summand> summands(const ExprPtr& value);

/// What an assignment adds to the variable it assigns.
std::vector<Summand> added_by(const Assignment& assignment);

/// Names of the variables whose additions are additions to target, in a section whose names are unique.
std::set<std::string> find_accumulators(const std::vector<StmtPtr>& section);

/// Whether the summand is the accumulator, whole.
bool is_whole(const Summand& summand, const std::string& variable);

/// Renames locals and loop variables that share a name with another one; variables of the top level keep theirs.
std::vector<StmtPtr> with_unique_names(const std::vector<StmtPtr>& section, std::set<std::string> taken);

}  // namespace fermiac::mir
