// The class that stands for a model.
#pragma once

#include "codegen/code.h"
#include "codegen/stan_math/emit.h"
#include "codegen/stan_math/unit.h"

namespace fermiac::codegen::stan_math {

Lines model_class(Unit& unit, const EmitOptions& options);

}  // namespace fermiac::codegen::stan_math
