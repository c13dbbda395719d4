// An end by the clock for whatever looks at a stop flag:
//
//   std::atomic<bool> stop{false};
//   model.set_stop(&stop);                                  // evaluations end
//   const TimeLimit limit(30, stop);
//   inference::run_sample(model, options, {.stop = &stop, .limit = &limit});  // keeps the draws there are; returns an error
//   if (limit.reached()) …
#pragma once

#include <atomic>
#include <limits>
#include <string>
#include <thread>

namespace fermiac::inference {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Whether a stop flag is set; a null one is not.
inline bool is_set(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

class TimeLimit {
 public:
  /// Sets `flag`, which outlives the limit, `seconds` from now.
  TimeLimit(double seconds, std::atomic<bool>& flag);
  ~TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;

  /// Ends the limit; whether it was reached before.
  bool end();
  /// The limit has set the flag. It had been set before if somebody else was quicker.
  bool reached() const { return reached_; }
  /// `time limit of 2.5 s reached`
  std::string text() const;

 private:
  double seconds_;
  std::atomic<bool>& flag_;
  std::atomic<bool> reached_{false};
  std::jthread clock_;
};

}  // namespace fermiac::inference
