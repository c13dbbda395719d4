// Traces as tables and as JSON lines.
#pragma once

#include <string>

#include "interp/queries/trace.h"

namespace fermiac::interp {

/// A line for each site, its elements summed; then what was summed out, and the totals.
std::string trace_by_site(const ConditionedModel& model, const Trace& trace);
/// A line for each element.
std::string trace_by_element(const ConditionedModel& model, const Trace& trace);
/// One JSON object a line: elements, components, totals.
std::string trace_json(const ConditionedModel& model, const Trace& trace);
/// `normal of y[3] is nan`, of the first element that is not finite; empty where all are.
std::string not_finite_text(const Trace& trace);

}  // namespace fermiac::interp
