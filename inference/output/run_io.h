// Where a run of a method reports to.
#pragma once

#include <atomic>
#include <cstdio>
#include <string>
#include <string_view>

#include "inference/model/run_listener.h"
#include "inference/model/time_limit.h"

namespace fermiac::inference {

/// Where a run talks to the user.
struct RunIo {
  std::FILE* out = stdout;                  // results
  std::FILE* err = stderr;                  // messages and progress
  std::FILE* errors = nullptr;              // why a run failed; null: `err`
  bool terminal = false;                    // `err` is a terminal: draw a progress bar instead of lines
  std::string_view prefix = {};             // in front of why a run failed: who says it
  const std::atomic<bool>* stop = nullptr;  // set (by Ctrl-C, say) to end the run and keep what there is
  const TimeLimit* limit = nullptr;         // what else may have set it; for the message
  RunListener* listener = nullptr;          // told all of it in place of the streams; files only where a folder is given
};

/// Why the stop flag is set: `interrupted`, or which limit was reached.
std::string stop_reason(const RunIo& io);

}  // namespace fermiac::inference
