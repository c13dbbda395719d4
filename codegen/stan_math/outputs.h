// What a model says of its parameters and of what it writes: names, dimensions, types.
#pragma once

#include "codegen/code.h"
#include "codegen/stan_math/stan_math.h"

namespace fermiac::codegen::stan_math {

/// get_param_names, get_dims, constrained_param_names, unconstrained_param_names and the two that give types as JSON.
void output_members(Lines& out, Unit& unit);

/// How many numbers the outputs of a block have, unconstrained or constrained, as one flat sum of products.
Code count_of(Unit& unit, mir::BlockKind block, bool unconstrained);

}  // namespace fermiac::codegen::stan_math
