// Sizes of what a constrained variable has as free numbers.
#pragma once

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// The type of the free numbers of a variable that is no tuple.
SizedType free_type(const SizedType& type, TransformKind transform);

}  // namespace fermiac::mir
