// Columns of a loop become operations of vectors (loop.h).
#pragma once

#include <vector>

#include "autodiff/tape/record/loop.h"
#include "autodiff/tape/record/trace_sink.h"

namespace fermiac::ad {

/// Level by level, each first its columns, then its sums.
void emit_columns(std::vector<LoopRecording::Level> levels, Recording& recording, TraceSink& to);

}  // namespace fermiac::ad
