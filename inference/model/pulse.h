// Where a chain stands between two iterations: its thread writes, others read.
#pragma once

#include <atomic>
#include <cstdint>

#include "inference/math/vectors.h"
#include "support/base/evaluation_progress.h"

namespace fermiac::inference {

struct Pulse {
  std::atomic<bool> running{false};
  std::atomic<unsigned> iterations{0};           // done
  std::atomic<std::uint64_t> evaluations{0};     // of the log density or its gradient, in all
  std::atomic<std::uint64_t> before{0};          // those before the iteration that runs
  std::atomic<double> lp{kNaN};                  // the last one
  std::atomic<double> stepsize{kNaN};            // NaN: the chain looks for its first point or step size
  std::atomic<bool> finds_stepsize{false};       // it looks for a step size
  EvaluationProgress evaluation;                 // the one that runs
};

}  // namespace fermiac::inference
