// Order of warnings. Private to mir/analysis.
#pragma once

#include <vector>

#include "mir/warnings/warnings.h"

namespace fermiac::mir {

/// Sorted by place, then text; duplicates removed.
std::vector<Warning> sorted_once(std::vector<Warning> warnings, const SourceMap& sources);

}  // namespace fermiac::mir
