// Inlining of some functions, for those who need the statements of a program without being an optimiser.
#pragma once

#include <functional>

#include "mir/ir/ir.h"
#include "mir/ir/symbols.h"

namespace fermiac::mir {

/// Replaces calls of the functions that are `wanted` by their bodies, in log_prob alone. Functions that call themselves, and very
/// large ones, stay.
void inline_functions(Program& program, Symbols& symbols, const std::function<bool(const Function&)>& wanted);

}  // namespace fermiac::mir
