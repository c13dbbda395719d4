// Which numbers an expression reads, as expressions of their names.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mir/sites/definitions.h"
#include "mir/sites/site.h"

namespace fermiac::mir {

/// Adds what `expr` reads. `each`: element n of the whole may read element n of this alone.
void add_reads(const ExprPtr& expr, bool each, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out);

/// Adds what decides which numbers the left side of a site names; of a computed left side all that it reads.
void add_index_reads(const ExprPtr& left, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out);

/// Adds all numbers of all variables that `expr` depends on in any way (Definitions::depends): for what other rounds of a loop, or
/// statements before a change, evaluated.
void add_all_reads(const Expr& expr, const Definitions& definitions, const std::set<std::string>& scope, std::vector<SiteRead>& out);

}  // namespace fermiac::mir
