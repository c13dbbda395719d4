#include "inference/model/time_limit.h"

#include <algorithm>
#include <chrono>

#include "support/base/number_text.h"

namespace fermiac::inference {
namespace {

constexpr double kLongest = 1e9;  // seconds: clocks count in 64 bits

}  // namespace

TimeLimit::TimeLimit(double seconds, std::atomic<bool>& flag) : seconds_(seconds), flag_(flag) {
  if (seconds_ < kLongest) clock_ = std::thread([this] { wait(); });
}

TimeLimit::~TimeLimit() {
  end();
}

bool TimeLimit::end() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (clock_.joinable()) clock_.join();
  return reached_;
}

void TimeLimit::wait() {
  const std::chrono::duration<double> span(std::max(seconds_, 0.0));
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, span, [this] { return over_; })) return;
  if (!flag_.load()) reached_ = true;  // before the flag: who sees the flag asks for the reason
  flag_ = true;
}

std::string TimeLimit::text() const {
  return "time limit of " + format_number(seconds_, 6) + " s reached";
}

}  // namespace fermiac::inference
