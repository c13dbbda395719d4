#include "inference/model/watcher.h"

#include <chrono>
#include <system_error>

namespace fermiac::inference {
namespace {

constexpr auto kEvery = std::chrono::milliseconds(500);

}  // namespace

Watcher::Watcher(std::function<void()> look) : look_(std::move(look)) {
  try {
    thread_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {  // no thread to be had: the run does without
  }
}

Watcher::~Watcher() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watcher::watch() {
  std::unique_lock lock(mutex_);
  while (!ends_.wait_for(lock, kEvery, [this] { return ended_; })) look_();
}

}  // namespace fermiac::inference
