// What calling a user function does besides giving a value.
#pragma once

#include <map>
#include <string>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// By name, functions of one name together: what the body does and what it calls does, functions included that it
/// passes to solvers, to reduce_sum and to map_rect. Checks of sizes do not count: a call fails by them only as it
/// would by a built-in function that refuses its arguments, and those may be removed as well.
std::map<std::string, Effects> function_effects(const Program& program);

/// Sets the effects of every call of a user function and of every call that passes one on. Lowering and the reader call
/// this; passes keep them.
void mark_effects(Program& program);

}  // namespace fermiac::mir
