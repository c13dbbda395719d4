#include "inference/model/time_limit.h"

#include <algorithm>
#include <chrono>

#include "support/base/number_text.h"
#include "support/platform/periodic_task.h"

namespace fermiac::inference {
namespace {

constexpr double kLongest = 1e9;  // seconds: clocks count in 64 bits

}  // namespace

TimeLimit::TimeLimit(double seconds, std::atomic<bool>& flag) : seconds_(seconds), flag_(flag) {
  if (seconds_ >= kLongest) return;
  clock_ = std::jthread([this](const std::stop_token& stop) {
    if (sleep_or_stop(stop, std::chrono::duration<double>(std::max(seconds_, 0.0)))) return;
    if (!flag_.load()) reached_ = true;  // before the flag: who sees the flag asks for the reason
    flag_ = true;
  });
}

TimeLimit::~TimeLimit() {
  end();
}

bool TimeLimit::end() {
  clock_.request_stop();
  if (clock_.joinable()) clock_.join();
  return reached_;
}

std::string TimeLimit::text() const {
  return "time limit of " + format_number(seconds_, 6) + " s reached";
}

}  // namespace fermiac::inference
