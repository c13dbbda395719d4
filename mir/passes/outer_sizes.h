// Sizes that vectorisation compares loop bounds with. Private to mir/passes.
#pragma once

#include <map>
#include <string>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Outer sizes of the variables that live as long as the program.
using OuterSizes = std::map<std::string, ExprPtr>;
OuterSizes outer_sizes(const Program& program);

/// The elements `lower : upper` of a container: the container itself where that is known to be all of it.
ExprPtr elements(const OuterSizes& sizes, const ExprPtr& container, const ExprPtr& lower, const ExprPtr& upper);

}  // namespace fermiac::mir
