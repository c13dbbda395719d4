// What chains are at whose first draws take long, said while they do.
#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "inference/methods/slow_work.h"
#include "inference/model/pulse.h"
#include "inference/output/console.h"

namespace fermiac::inference {

/// A pulse at one time.
struct PulseReading {
  unsigned iterations = 0;
  std::uint64_t evaluations = 0, in_iteration = 0;
  double lp = kNaN, stepsize = kNaN;
  double seconds = 0;  // since the chain began
  bool finds_stepsize = false;
  EvaluationReading evaluation;
};
/// One line: how far the chain is, and what makes it slow.
std::string slow_text(const PulseReading& at);

/// Watches chains from a thread of its own while it lives. A chain with fewer than ten iterations is spoken of `first_seconds` after
/// its begin, and again each time that twice as long has gone by.
class SlowChains {
 public:
  /// `differential`: the program solves differential equations.
  SlowChains(Console& console, std::deque<Pulse>& chains, bool differential = false, double first_seconds = 10);
  SlowChains(const SlowChains&) = delete;
  SlowChains& operator=(const SlowChains&) = delete;

 private:
  struct Seen {
    std::chrono::steady_clock::time_point began;
    double next = 0;  // seconds after its begin
    bool running = false;
  };
  void look(unsigned chain, Seen& seen);

  Console& console_;
  std::deque<Pulse>& chains_;
  bool differential_;
  double first_seconds_;
  std::vector<Seen> seen_;
  std::optional<PeriodicTask> watcher_;  // the last member: it reads the others
};

}  // namespace fermiac::inference
