// Draws of chains in memory as points of the unconstrained space.
#pragma once

#include <vector>

#include "inference/diagnostics/summary.h"
#include "inference/model/model.h"
#include "inference/model/result.h"

namespace fermiac::inference {

/// One after the other, chain by chain. Errors: a parameter of the model is not among the columns, or has a value that it cannot have.
Result chain_points(const Model& model, const ChainSet& chains, std::vector<Vec>* out);

}  // namespace fermiac::inference
