// Names that whole-program passes must leave alone. Private to mir/passes.
#pragma once

#include <set>
#include <string>

#include "mir/ir/ir.h"

namespace fermiac::mir {

/// Outputs, inputs, everything declared anywhere in prepare_data, and the target.
std::set<std::string> global_names(const Program& program);

}  // namespace fermiac::mir
