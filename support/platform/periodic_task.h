// Threads that wait: for the next period, or for the end of a time.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

namespace fermiac {

/// Waits for `time` or until the thread is asked to stop; true if it was. Allocates nothing (std::condition_variable_any would), so that
/// threads which wait survive when memory runs out.
bool sleep_or_stop(const std::stop_token& stop, std::chrono::duration<double> time);

/// Calls a function after every period, on a thread of its own, until the object is destroyed, which waits for a call that runs.
class PeriodicTask {
 public:
  /// `tick` gets the seconds since its last call, at first since the start. Throws std::system_error if the system gives no thread.
  PeriodicTask(std::chrono::milliseconds period, std::function<void(double)> tick);
  /// The same; without a thread there is no task. For what a run can do without.
  static std::optional<PeriodicTask> start_if_possible(std::chrono::milliseconds period, std::function<void(double)> tick);

 private:
  std::jthread thread_;
};

}  // namespace fermiac
