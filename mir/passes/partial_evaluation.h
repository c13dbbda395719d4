// Folding of literals and replacement of calls by better ones with the same value.
#pragma once

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// The expression with everything folded and replaced that can be, from the leaves up.
ExprPtr partially_evaluated(const ExprPtr& expr);
/// The same for an int expression that must stay as it is unless it becomes a literal.
bool is_literal_or_promoted(const Expr& expr);

}  // namespace fermiac::mir
