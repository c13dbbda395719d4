// The way of one path of Pathfinder as JSON, for those who want to see why it went where it went.
#pragma once

#include <string>

#include "inference/approximate/pathfinder.h"
#include "support/base/json.h"

namespace fermiac::inference {

/// One iteration of a path.
struct PathRecord {
  unsigned iteration = 0;
  ConstSpan position, gradient, alpha;
  std::size_t history = 0;             // updates that the approximation knows
  bool climbed = true;                 // the step succeeded
  const PathNormal* normal = nullptr;  // null: there is no approximation here
  std::string_view note, error;        // of the step, of the approximation
};

/// Appends it as the member named after the iteration.
void append_record(const PathRecord& record, JsonGroup& path);

}  // namespace fermiac::inference
