// Signs of life between processes.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace fermiac::cli {

/// A thread that calls `beat(seconds since the last call)` twenty times a second until this ends.
class Heart {
 public:
  explicit Heart(std::function<void(double)> beat);
  ~Heart();
  Heart(const Heart&) = delete;
  Heart& operator=(const Heart&) = delete;

 private:
  void run();

  std::function<void(double)> beat_;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;
};

/// How long nothing was heard of a process. Time in which this process itself was stopped does not count.
class Silence {
 public:
  static constexpr double kDeath = 20;  // seconds

  void heard() { seconds_ = 0; }
  void wait(double seconds) { seconds_ += std::min(seconds, kMostAtOnce); }
  bool is_death() const { return seconds_ > kDeath; }

 private:
  static constexpr double kMostAtOnce = 1;
  double seconds_ = 0;
};

/// Says once a second that it is time.
class EverySecond {
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
