// What the memory-pattern pass decided, as `stanc --debug-mem-patterns` and the session print it.
#pragma once

#include <string>

#include "mir/passes/pass.h"
#include "support/base/source.h"

namespace fermiac::mir {

/// `vector[n] a: AoS` for each container, in program order.
std::string memory_table(const MemoryReport& report);
/// Lines of hazard warnings, sorted, each once.
std::string memory_hazards(const MemoryReport& report, const SourceMap& sources);
/// For each container stored by element: the operation that needs its elements, and its place.
std::string memory_causes(const MemoryReport& report, const SourceMap& sources);

}  // namespace fermiac::mir
