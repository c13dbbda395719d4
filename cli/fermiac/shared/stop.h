// How a command is asked to end before its time: by a signal or by --timeout.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "inference/model/time_limit.h"
#include "support/platform/periodic_task.h"

namespace fermiac::cli {

/// One lives while a command runs. SIGINT (Ctrl-C), SIGTERM, SIGHUP and the time limit set a flag that evaluations and
/// methods look at; a second signal ends the program at once. What does not look at the flag is ended a second after it
/// was set, as long as no results wait for their files; with such results, ten seconds after a time limit.
class Stop {
 public:
  /// `seconds` from now; inference::kNoLimit for no limit.
  explicit Stop(double seconds);
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  static std::atomic<bool>& flag();
  static bool requested() { return flag().load(std::memory_order_relaxed); }
  const inference::TimeLimit& limit() const { return limit_; }
  /// From here on there are results to keep.
  void has_results() { has_results_ = true; }
  /// `interrupted`, or which limit was reached.
  std::string reason() const;

 private:
  void watch();
  [[noreturn]] void end_program() const;

  inference::TimeLimit limit_;
  std::atomic<bool> has_results_{false};
  std::chrono::steady_clock::time_point seen_{};  // when the watch first found the flag set
  std::optional<PeriodicTask> watch_;
};

}  // namespace fermiac::cli
