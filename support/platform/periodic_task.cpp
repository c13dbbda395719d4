#include "support/platform/periodic_task.h"

#include <condition_variable>
#include <mutex>
#include <system_error>

namespace fermiac {

bool sleep_or_stop(const std::stop_token& stop, std::chrono::duration<double> time) {
  std::mutex mutex;
  std::condition_variable woken;
  bool stopped = false;
  const std::stop_callback wake(stop, [&] {
    const std::lock_guard lock(mutex);
    stopped = true;
    woken.notify_all();
  });
  std::unique_lock lock(mutex);
  return woken.wait_for(lock, time, [&] { return stopped; });
}

PeriodicTask::PeriodicTask(std::chrono::milliseconds period, std::function<void(double)> tick)
    : thread_([period, tick = std::move(tick)](const std::stop_token& stop) {
        using Clock = std::chrono::steady_clock;
        for (auto last = Clock::now(); !sleep_or_stop(stop, period);) {
          const auto now = Clock::now();
          tick(std::chrono::duration<double>(now - last).count());
          last = now;
        }
      }) {}

std::optional<PeriodicTask> PeriodicTask::start_if_possible(std::chrono::milliseconds period, std::function<void(double)> tick) {
  try {
    return PeriodicTask(period, std::move(tick));
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

}  // namespace fermiac
