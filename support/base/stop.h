// Stop points of long operations: a factorisation or product of large matrices looks, between its blocks, whether
// somebody waits for the result at all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

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

namespace detail {
// An argument of every kernel would reach through forty signatures to four loops; a scope of the thread reaches these
// only. In a program its place is fixed; in a library it must not be, because room for such places is short in a process
// that loads many of them.
inline constinit thread_local const std::atomic<bool>* watched = nullptr;
}  // namespace detail

/// What stop points of this thread look at, for threads that work for it.
inline const std::atomic<bool>* watched_flag() {
  return detail::watched;
}
/// Throws Interrupted.
[[noreturn]] void interrupt();
/// Whether a stop point would.
inline bool stop_wanted() {
  const std::atomic<bool>* flag = detail::watched;
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

/// Throws Interrupted when the flag is there and set.
void stop_if(const std::atomic<bool>* flag);
/// A stop point: throws Interrupted when the flag is set. For loops over blocks of many thousand operations.
void stop_point();

/// body(k) for k < n, with a stop point every few milliseconds.
template <class Body>
void each_stoppable(std::size_t n, Body body) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  for (std::size_t first = 0; first < n; first += kPiece) {
    if (first > 0) stop_point();
    const std::size_t last = std::min(n, first + kPiece);
    for (std::size_t k = first; k < last; ++k) body(k);
  }
}

}  // namespace fermiac::ad
