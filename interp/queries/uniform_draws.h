// Uniform draws from the sets that structured parameters live on: what a parameter without a distribution has.
#pragma once

#include <vector>

#include "autodiff/shape.h"
#include "mir/ir/ir.h"
#include "support/base/rng.h"

namespace fermiac::interp {

/// Whether the set is bounded, so that it has a uniform distribution.
bool has_uniform(mir::TransformKind kind);
/// One draw, in the layout of a value of this shape; arrays element by element.
std::vector<double> uniform_on(mir::TransformKind kind, const ad::Shape& shape, Rng& rng);

}  // namespace fermiac::interp
