// Whether an expression is linear in what it reads, as far as its form tells. Private to mir/analysis.
#pragma once

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Built from literals alone; data variables are not constant.
bool is_constant(const Expr& expr);
bool is_linear(const Expr& expr);

}  // namespace fermiac::mir
