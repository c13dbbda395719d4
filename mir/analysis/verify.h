// The MIR's invariants. A violation is a bug in lowering or in a pass, never a user's mistake.
#pragma once

#include <optional>
#include <string>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Checks that every variable is declared before use (and once per scope), that the types of operands, indexes,
/// assignments and returns agree, that user functions exist with the given signature, and that break and continue stand
/// in loops. Returns nothing if all is well, else what is wrong, with the section or function and the statement.
std::optional<std::string> verify(const Program& program);

}  // namespace fermiac::mir
