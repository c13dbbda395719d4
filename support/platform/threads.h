// Threads for independent pieces of work. The only place that knows the library of threads (oneTBB).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace fermiac {

/// At least 1.
unsigned processor_count();
inline constexpr unsigned kMostThreads = 4096;
/// A number of threads as STAN_NUM_THREADS has it: 1 to kMostThreads, or -1 for as many as the machine has, which is 0 here. Absent for
/// any other text.
std::optional<unsigned> threads_in_text(std::string_view text);
/// What a number of threads means: 0 is as many as the machine has.
unsigned resolved_threads(unsigned threads);

/// Runs body(0) … body(n - 1) on at most `threads` threads (0: as many as the machine has). A piece that runs parallel
/// work of its own never starts another piece while it waits.
void run_parallel(unsigned threads, std::size_t n, const std::function<void(std::size_t)>& body);

/// So many threads, the caller's among them, for pieces of the work that runs in them.
class ThreadGroup {
 public:
  explicit ThreadGroup(unsigned threads);
  ~ThreadGroup();
  /// Runs the body in the group: share_pieces() takes its threads.
  void run(const std::function<void()>& body);

 private:
  struct Arena;
  std::unique_ptr<Arena> arena_;
};

/// Whether the group that the caller runs in has more than one thread.
bool can_share_pieces();
/// Runs piece(context, 0) … piece(context, count - 1) on the free threads of the caller's group. A thread that waits for its pieces
/// does not start other work meanwhile. Cost: a few microseconds.
void share_pieces(std::uint32_t count, void (*piece)(void* context, std::uint32_t k), void* context);

}  // namespace fermiac
