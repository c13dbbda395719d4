// Functions on one thread by turns.
#include "support/platform/fibers.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "support/platform/stack.h"

namespace fermiac {
namespace {

TEST(Fibers, HaveTurnsInTheirOrder) {
  Fibers fibers;
  std::string said;
  fibers.run(3, [&](std::size_t i) {
    for (int k = 0; k < 2; ++k) {
      said += static_cast<char>('a' + i);
      fibers.pass();
    }
  });
  EXPECT_EQ(said, "abcabc");
}

TEST(Fibers, ThoseThatHaveEndedAreLeftOut) {
  Fibers fibers;
  std::string said;
  std::vector<std::size_t> left;
  fibers.run(3, [&](std::size_t i) {
    for (std::size_t k = 0; k <= 2 - i; ++k) {
      said += static_cast<char>('a' + i);
      fibers.pass();
    }
  }, [&](std::size_t n) { left.push_back(n); });
  EXPECT_EQ(said, "abcaba");
  EXPECT_EQ(left, (std::vector<std::size_t>{2, 1, 0}));
}

TEST(Fibers, AloneOneHasAllTurns) {
  Fibers fibers;
  int turns = 0;
  fibers.run(1, [&](std::size_t) {
    for (; turns < 5; ++turns) fibers.pass();
  });
  EXPECT_EQ(turns, 5);
  fibers.run(0, [&](std::size_t) { FAIL(); });
}

TEST(Fibers, RunAgain) {
  Fibers fibers;
  std::size_t sum = 0;
  for (std::size_t n = 1; n < 20; ++n)
    fibers.run(n, [&](std::size_t i) {
      fibers.pass();
      sum += i;
    });
  EXPECT_EQ(sum, 1140u);
}

TEST(Fibers, NoRoomForStacks) {
  Fibers fibers;
  bool ran = false;
#if !defined(__SANITIZE_ADDRESS__)  // which reserves more than that
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit now = before;
  now.rlim_cur = std::size_t{64} << 20;
  setrlimit(RLIMIT_AS, &now);
  EXPECT_FALSE(fibers.run(1000, [&](std::size_t) { ran = true; }));
  setrlimit(RLIMIT_AS, &before);
#endif
  EXPECT_FALSE(ran);
  EXPECT_TRUE(fibers.run(1, [&](std::size_t) { ran = true; }));
  EXPECT_TRUE(ran);
}

/// The others go on, and what was thrown first comes out behind them.
TEST(Fibers, ErrorsLeaveRun) {
  Fibers fibers;
  int ended = 0;
  try {
    fibers.run(4, [&](std::size_t i) {
      fibers.pass();
      try {
        throw std::runtime_error("caught where it is thrown");
      } catch (const std::runtime_error&) {
      }
      fibers.pass();
      if (i % 2 == 1) throw std::runtime_error("of " + std::to_string(i));
      fibers.pass();
      ++ended;
    });
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "of 1");
  }
  EXPECT_EQ(ended, 2);
}

/// How many frames of 4 KiB fit. A compiler must think that all of `room` is wanted, after the call too: else it keeps a few bytes of it,
/// or makes a loop on one frame.
int depth_of(int most) {
  char room[4096];
  asm volatile("" : : "r"(room) : "memory");
  if (most == 0 || stack_runs_out()) return 0;
  const int deeper = depth_of(most - 1);
  asm volatile("" : : "r"(room) : "memory");
  return deeper + 1;
}

/// Each knows how much is left of its own stack, and the thread of its own behind them.
TEST(Fibers, KnowTheirStacks) {
  Fibers fibers;
  std::vector<int> depths;
  const int before = depth_of(1'000'000);
  fibers.run(2, [&](std::size_t) {
    EXPECT_FALSE(stack_runs_out());
    fibers.pass();
    depths.push_back(depth_of(1'000'000));
    fibers.pass();
    depths.push_back(depth_of(1'000'000));
  });
  for (const int depth : depths) {
    EXPECT_GT(depth, 1000);
    EXPECT_LT(depth, (8 << 20) / 4096);
  }
  EXPECT_EQ(depth_of(1'000'000), before);
}

}  // namespace
}  // namespace fermiac
