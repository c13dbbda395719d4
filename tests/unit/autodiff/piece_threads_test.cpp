// Which threads run the pieces of an operation.
#include "autodiff/kernels/pieces.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace fermiac::ad {
namespace {

/// Runs pieces that take a while; the threads that took part.
std::set<std::thread::id> threads_of(std::uint32_t count) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::vector<int> runs(count, 0);
  auto body = [&](std::uint32_t k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    ++runs[k];
    threads.insert(std::this_thread::get_id());
  };
  each_piece(count, body);
  EXPECT_EQ(runs, std::vector<int>(count, 1));
  return threads;
}

TEST(Pieces, StayOnTheCallersThreadWhereItHasNoOthers) {
  const PieceThreads alone(1);
  const PieceScope scope(alone);
  EXPECT_EQ(threads_of(50), (std::set<std::thread::id>{std::this_thread::get_id()}));
}

TEST(Pieces, TakeNoMoreThreadsThanThereAre) {
  const PieceThreads three(3), alone(1);
  const PieceScope scope(three);
  EXPECT_LE(threads_of(200).size(), 3u);
  {
    const PieceScope inner(alone);
    EXPECT_EQ(threads_of(10).size(), 1u);
  }
  EXPECT_LE(threads_of(200).size(), 3u);
}

TEST(Pieces, OfPiecesEnd) {
  const PieceThreads three(3);
  const PieceScope scope(three);
  std::atomic<int> runs{0};
  auto inner = [&](std::uint32_t) { ++runs; };
  auto outer = [&](std::uint32_t) { each_piece(10, inner); };
  each_piece(20, outer);
  EXPECT_EQ(runs, 200);
}

/// More callers than threads: those beyond them wait for their pieces.
TEST(Pieces, OfSeveralCallersShareThreads) {
  const PieceThreads two(2);
  std::vector<std::thread> callers;
  for (int t = 0; t < 6; ++t)
    callers.emplace_back([&] {
      const PieceScope scope(two);
      for (int i = 0; i < 5; ++i) threads_of(4);
    });
  for (std::thread& caller : callers) caller.join();
}

}  // namespace
}  // namespace fermiac::ad
