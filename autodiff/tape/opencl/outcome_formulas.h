// Densities of ordered outcomes as formulas of one element (multivariate/ordered.cpp has those of the host). Operands: where the outcome lies,
// its location, the cut points below and above it. An outcome at an end has one of the two; the other may be any number.
#pragma once

#include <cstdint>

#include "autodiff/symbolic/map_formula.h"

namespace fermiac::ad::device {

/// What the first operand says.
enum class OrderedPlace : std::uint8_t { Lowest, Between, Highest };

extern const symbols::MapFormula kOrderedLogistic, kOrderedProbit;

}  // namespace fermiac::ad::device
