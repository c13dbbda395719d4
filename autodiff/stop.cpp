#include "autodiff/stop.h"

#include <utility>

#include "autodiff/interrupted.h"

namespace fermiac::ad {
namespace {

// An argument of every kernel would reach through forty signatures to four loops; a scope of the thread reaches these
// only.
thread_local const std::atomic<bool>* watched = nullptr;

}  // namespace

StopScope::StopScope(const std::atomic<bool>* flag) : before_(std::exchange(watched, flag)) {}

StopScope::~StopScope() {
  watched = before_;
}

const std::atomic<bool>* watched_flag() {
  return watched;
}

void stop_if(const std::atomic<bool>* flag) {
  if (flag && flag->load(std::memory_order_relaxed)) [[unlikely]]
    throw Interrupted();
}

void stop_point() {
  stop_if(watched);
}

}  // namespace fermiac::ad
