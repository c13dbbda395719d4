// What calling a user function does besides giving a value.
#pragma once

#include "mir/ir.h"

namespace fermiac::mir {

/// Sets UserDefined::visible of every call whose callee prints, rejects or stops the program, itself or through what it
/// calls. Functions of one name count as one. Lowering and the reader call this; passes keep the mark.
void mark_effects(Program& program);

}  // namespace fermiac::mir
