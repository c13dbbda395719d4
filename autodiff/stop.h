// Stop points of long operations: a factorisation or product of large matrices looks, between its blocks, whether
// somebody waits for the result at all.
#pragma once

#include <atomic>

namespace fermiac::ad {

/// While it lives, stop points of this thread look at `flag` (null: at nothing). Scopes nest.
class StopScope {
 public:
  explicit StopScope(const std::atomic<bool>* flag);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const std::atomic<bool>* before_;
};

/// Throws Interrupted when the flag is there and set.
void stop_if(const std::atomic<bool>* flag);
/// A stop point: throws Interrupted when the flag is set. For loops over blocks of many thousand operations.
void stop_point();

}  // namespace fermiac::ad
