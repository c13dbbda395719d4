// What an evaluation of a log density is doing: the thread that evaluates writes, others read.
#pragma once

#include <atomic>
#include <cstdint>

namespace fermiac {

struct EvaluationProgress {
  enum class Stage : std::uint8_t { Evaluating, Recording, Rewriting };
  std::atomic<Stage> stage{Stage::Evaluating};
  std::atomic<std::uint64_t> operations{0};  // recorded so far
};

namespace detail {
// As for the stop points of support/base/stop.h, an argument would pass through every layer between a sampler and the recorder.
inline constinit thread_local EvaluationProgress* progress = nullptr;
}  // namespace detail

/// While it lives, evaluations on this thread report to `progress` (null: to nothing). Scopes nest.
class EvaluationProgressScope {
 public:
  explicit EvaluationProgressScope(EvaluationProgress* progress) : before_(detail::progress) { detail::progress = progress; }
  ~EvaluationProgressScope() { detail::progress = before_; }
  EvaluationProgressScope(const EvaluationProgressScope&) = delete;
  EvaluationProgressScope& operator=(const EvaluationProgressScope&) = delete;

 private:
  EvaluationProgress* before_;
};

/// A stage of the evaluation on this thread; afterwards it evaluates.
class EvaluationStage {
 public:
  EvaluationStage() = default;
  ~EvaluationStage() { enter(EvaluationProgress::Stage::Evaluating); }
  EvaluationStage(const EvaluationStage&) = delete;
  EvaluationStage& operator=(const EvaluationStage&) = delete;
  void enter(EvaluationProgress::Stage stage) {
    if (detail::progress) detail::progress->stage.store(stage, std::memory_order_relaxed);
  }
};

inline void report_recorded(std::uint64_t operations) {
  if (detail::progress) detail::progress->operations.store(operations, std::memory_order_relaxed);
}

}  // namespace fermiac
