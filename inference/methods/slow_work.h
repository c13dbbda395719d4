// What a method is at that takes long, said while it does.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "inference/model/pulse.h"
#include "inference/model/target.h"
#include "support/platform/periodic_task.h"

namespace fermiac::inference {

/// How often progress is looked at.
inline constexpr auto kLookEvery = std::chrono::milliseconds(500);

/// An evaluation that runs.
struct EvaluationReading {
  EvaluationProgress::Stage stage = EvaluationProgress::Stage::Evaluating;
  std::uint64_t operations = 0;  // recorded so far
  bool differential = false;     // the program solves differential equations
};
EvaluationReading read_evaluation(const Pulse& pulse, bool differential);
/// `recording the program's operations, 120000 so far`; of an evaluation that only evaluates: empty, or what it says of the first.
std::string evaluation_text(const EvaluationReading& at, bool first);

/// A piece of work at one time.
struct WorkReading {
  std::string what;                 // `looking for the mode`
  std::size_t done = 0, total = 0;  // parts; 0 in all: nobody knows how many there are
  std::uint64_t evaluations = 0;    // of the log density
  double seconds = 0;               // since its begin
  EvaluationReading evaluation;
};
/// One line: how far the work is, and what makes it slow.
std::string slow_text(const WorkReading& at);

/// `0.5 s: …`: how long a log density takes and the possible cause; empty for those of ordinary models.
std::string slow_density(double seconds_each, bool differential);

/// Watches the evaluations of a target while it lives. The work is spoken of `first_seconds` after its begin, and again each time that
/// twice as long has gone by.
class SlowWork {
 public:
  using Say = std::function<void(const std::string&)>;
  SlowWork(Target& target, std::string what, std::size_t total, Say say, double first_seconds = 10);
  ~SlowWork() { target_.set_pulse(nullptr); }
  SlowWork(const SlowWork&) = delete;
  SlowWork& operator=(const SlowWork&) = delete;

  /// So many parts are behind us.
  void done(std::size_t parts) { pulse_.iterations = static_cast<unsigned>(parts); }

 private:
  void look();

  Target& target_;
  WorkReading at_;
  Say say_;
  double next_;  // seconds after the begin
  std::uint64_t evaluations_before_;
  bool differential_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  Pulse pulse_;
  std::optional<PeriodicTask> watcher_;  // the last member: it reads the others
};

}  // namespace fermiac::inference
