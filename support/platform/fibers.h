// Functions that run on one thread by turns, each on a stack of its own: one stops in the middle of whatever it is doing, the
// next goes on. No two run at the same time, so they need no locks against each other; none may stop while it holds a lock that
// another wants, or while it handles an exception.
//
// A turn costs some ten nanoseconds. Stacks are as large as a process's first one usually is; memory that was never touched is not
// used.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace fermiac {

class Fibers {
 public:
  Fibers();
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// Runs body(0) … body(n - 1) until all have ended, in this order by turns, and calls ended(k) when one has ended and k are
  /// left. Then throws the first exception that left a body. Not from within a body. False: there was no room
  /// for the stacks, and nothing ran.
  bool run(std::size_t n, const std::function<void(std::size_t)>& body, const std::function<void(std::size_t)>& ended = {});
  /// From within a body: the others have their turns before it goes on.
  void pass();

 private:
  struct Fiber;
  struct Ring;
  std::unique_ptr<Ring> ring_;
};

}  // namespace fermiac
