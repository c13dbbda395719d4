// Large operations in pieces, on as many threads as are free. The pieces depend on the size of the operation alone and
// their sums are added in order, so results are the same bit for bit whatever the number of threads.
#pragma once

#include <cstdint>
#include <memory>

namespace fermiac {
class ThreadGroup;
}

namespace fermiac::ad {

/// Threads for pieces in a library, whose callers have threads of their own and are in no group of threads.
class PieceThreads {
 public:
  /// The caller's thread among them, and no more than there are cores; 0: one for each core.
  explicit PieceThreads(unsigned count);
  ~PieceThreads();

 private:
  friend void run_pieces(std::uint32_t, void (*)(void*, std::uint32_t), void*);
  std::unique_ptr<ThreadGroup> group_;
};

/// While it lives, pieces of operations of this thread run on these threads, whatever group it is in. Scopes nest.
class PieceScope {
 public:
  explicit PieceScope(const PieceThreads& threads);
  ~PieceScope();
  PieceScope(const PieceScope&) = delete;
  PieceScope& operator=(const PieceScope&) = delete;

 private:
  const PieceThreads* before_;
};

/// Runs body(context, 0) … body(context, count - 1), in parallel where the caller's group (support/platform/threads.h) has free threads
/// (oneTBB's rule: a chain among chains gets what the others leave). Of all that it throws only Interrupted may leave
/// the body: its stop points look at the caller's flag. Cost: a few microseconds.
void run_pieces(std::uint32_t count, void (*body)(void* context, std::uint32_t piece), void* context);

template <class Body>
void each_piece(std::uint32_t count, Body& body) {
  run_pieces(
      count, [](void* context, std::uint32_t piece) { (*static_cast<Body*>(context))(piece); }, &body);
}

/// How n elements fall into at most `most` pieces of at least `least` elements, all but the last a multiple of 64 long.
struct Pieces {
  std::uint32_t size, count;
  constexpr Pieces(std::uint32_t n, std::uint32_t least, std::uint32_t most)
      : size(((n + most - 1) / most + 63) / 64 * 64), count(0) {
    if (size < least) size = least;
    count = n == 0 ? 0 : (n - 1) / size + 1;
  }
  constexpr std::uint32_t begin(std::uint32_t piece) const { return piece * size; }
  constexpr std::uint32_t length(std::uint32_t piece, std::uint32_t n) const {
    return piece + 1 < count ? size : n - piece * size;
  }
};

}  // namespace fermiac::ad
