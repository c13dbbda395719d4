// Heartbeats between processes: how often they are sent, and when a process counts as lost.
#pragma once

#include <algorithm>
#include <chrono>

namespace fermiac::cli {

inline constexpr auto kHeartbeatPeriod = std::chrono::milliseconds(50);

/// How long nothing was heard of a process. Time in which this process itself was stopped does not count.
class PeerTimeout {
 public:
  static constexpr double kSeconds = 20;

  void heard() { seconds_ = 0; }
  void wait(double seconds) { seconds_ += std::min(seconds, kMostAtOnce); }
  bool expired() const { return seconds_ > kSeconds; }

 private:
  static constexpr double kMostAtOnce = 1;
  double seconds_ = 0;
};

/// True once a second.
class RateLimiter {
 public:
  bool operator()(double seconds) {
    left_ -= seconds;
    if (left_ > 0) return false;
    left_ = 1;
    return true;
  }

 private:
  double left_ = 0;
};

}  // namespace fermiac::cli
