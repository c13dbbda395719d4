#include "cli/fermiac/runs/heart.h"

#include <chrono>

namespace fermiac::cli {

Heart::Heart(std::function<void(double)> beat) : beat_(std::move(beat)), thread_([this] { run(); }) {}

Heart::~Heart() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  thread_.join();
}

void Heart::run() {
  using Clock = std::chrono::steady_clock;
  std::unique_lock lock(mutex_);
  for (auto last = Clock::now(); !ends_.wait_for(lock, std::chrono::milliseconds(50), [this] { return ended_; });) {
    const auto now = Clock::now();
    beat_(std::chrono::duration<double>(now - last).count());
    last = now;
  }
}

}  // namespace fermiac::cli
