// How probable the values of missing ints are, as JSON lines.
#pragma once

#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"

namespace fermiac::interp {

/// A line for each int that is summed out: its values and their probabilities, the mean over the points. Throws DataError.
std::string marginals_json(const ConditionedModel& model, const std::vector<std::vector<double>>& points);

/// The same as a table: `z[1]  1: 0.993  2: 0.007`.
std::string marginals_table(const ConditionedModel& model, const std::vector<std::vector<double>>& points);

}  // namespace fermiac::interp
