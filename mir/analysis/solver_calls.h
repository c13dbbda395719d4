// Whether a program solves differential equations.
#pragma once

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Whether the log density calls a solver of ordinary or differential-algebraic equations, directly or in a user-defined function.
bool solves_differential_equations(const Program& program);

}  // namespace fermiac::mir
