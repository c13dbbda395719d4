#include "support/base/stop.h"

#include <utility>

#include "support/base/interrupted.h"

namespace fermiac::ad {

StopScope::StopScope(const std::atomic<bool>* flag) : before_(std::exchange(detail::watched, flag)) {}

StopScope::~StopScope() {
  detail::watched = before_;
}

void interrupt() {
  throw Interrupted();
}

void stop_if(const std::atomic<bool>* flag) {
  if (flag && flag->load(std::memory_order_relaxed)) [[unlikely]]
    interrupt();
}

void stop_point() {
  stop_if(detail::watched);
}

}  // namespace fermiac::ad
