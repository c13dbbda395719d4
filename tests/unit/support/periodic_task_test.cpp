// Threads with a period: they tick, end at once when destroyed, and wait for a tick that runs. What STAN_NUM_THREADS may say.
#include "support/platform/periodic_task.h"

#include <gtest/gtest.h>

#include <atomic>

#include "support/platform/threads.h"

namespace fermiac {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(PeriodicTask, TicksUntilItIsDestroyed) {
  std::atomic<int> ticks{0};
  std::atomic<double> seconds{0};
  {
    const PeriodicTask task(1ms, [&](double since_last) { ++ticks, seconds = seconds + since_last; });
    while (ticks < 3) std::this_thread::yield();
  }
  const int at_end = ticks;
  EXPECT_GE(seconds, 0.003);
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(ticks, at_end);
}

TEST(PeriodicTask, EndsBeforeItsPeriodIsOver) {
  const auto begin = Clock::now();
  { const auto task = PeriodicTask::start_if_possible(1h, [](double) { ADD_FAILURE(); }); }
  EXPECT_LT(Clock::now() - begin, 60s);
}

TEST(PeriodicTask, WaitsForATickThatRuns) {
  std::atomic<bool> ticking{false}, done{false};
  {
    const PeriodicTask task(1ms, [&](double) {
      ticking = true;
      std::this_thread::sleep_for(20ms);
      done = true;
    });
    while (!ticking) std::this_thread::yield();
  }
  EXPECT_TRUE(done);
}

TEST(SleepOrStop, SleepsUnlessStopped) {
  const std::stop_source source;
  EXPECT_FALSE(sleep_or_stop(source.get_token(), 1ms));
  source.request_stop();
  EXPECT_TRUE(sleep_or_stop(source.get_token(), 1h));
}

TEST(Threads, NumbersInTexts) {
  EXPECT_EQ(threads_in_text("-1"), 0u);
  EXPECT_EQ(threads_in_text("1"), 1u);
  EXPECT_EQ(threads_in_text("4096"), 4096u);
  for (const char* text : {"", "0", "-2", "4097", "2x", " 2", "two", "1e3", "99999999999"}) EXPECT_FALSE(threads_in_text(text)) << text;
}

}  // namespace
}  // namespace fermiac
