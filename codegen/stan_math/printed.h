// Expressions and destinations as messages name them.
#pragma once

#include <string>

#include "mir/ir/ir.h"

namespace fermiac::codegen::stan_math {

/// The MIR's pretty form, on one line.
std::string printed_text(const mir::Expr& e);
/// `t.2` of `t[i].2[j]`: the variable and the slots.
std::string base_text(const mir::LValue& left);
/// The same for a value that is a path from a variable; empty if it is none.
std::string base_text(const mir::Expr& path);

}  // namespace fermiac::codegen::stan_math
