// Methods whose parts take long: what is said of them, and that it is said while they run.
#include "inference/methods/slow_work.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "tests/shared/analytic_models.h"

namespace fermiac::inference {
namespace {

TEST(SlowWork, PartsAndTheTimeThatTheRestTakes) {
  EXPECT_EQ(slow_text({.what = "gradients compared", .done = 4, .total = 24, .evaluations = 4000, .seconds = 10.2}),
            "gradients compared: 4 of 24 in 10 s, about 51 s to go\n");
  WorkReading slow{.what = "gradients compared", .done = 0, .total = 24, .evaluations = 2, .seconds = 10};
  EXPECT_EQ(slow_text(slow), "gradients compared: 0 of 24 in 10 s. A log density takes 5 s there.\n");
  slow.evaluation.differential = true;
  EXPECT_EQ(slow_text(slow), "gradients compared: 0 of 24 in 10 s. A log density takes 5 s: the differential equations may be stiff there.\n");
}

TEST(SlowWork, WithoutParts) {
  EXPECT_EQ(slow_text({.what = "looking for the mode", .evaluations = 1, .seconds = 0.01}), "looking for the mode: 1 log density in 0 s\n");
  WorkReading first{.what = "looking for the mode", .seconds = 20};
  EXPECT_EQ(slow_text(first), "looking for the mode: 20 s, evaluating the log density the first time\n");
  first.evaluation = {.stage = EvaluationProgress::Stage::Recording, .operations = 32768};
  EXPECT_EQ(slow_text(first), "looking for the mode: 20 s, recording the program's operations, 32768 so far\n");
  first.evaluation = {.differential = true};
  EXPECT_EQ(slow_text(first), "looking for the mode: 20 s, evaluating the log density the first time: the differential equations may be stiff there\n");
}

TEST(SlowWork, IsSaidWhileItRuns) {
  const testing::AnalyticModel model = testing::std_normal(2);
  Target target(model);
  std::mutex mutex;
  std::string said;
  const auto say = [&](const std::string& text) {
    const std::lock_guard lock(mutex);
    said += text;
  };
  {
    SlowWork slow(target, "gradients compared", 9, say, 0);
    target.value(Vec{0, 0});
    slow.done(3);
    for (int i = 0; i < 100; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const std::lock_guard lock(mutex);
      if (!said.empty()) break;
    }
  }
  EXPECT_EQ(said.find("gradients compared: 3 of 9 in "), 0U) << said;
  target.value(Vec{0, 0});  // nobody listens any more
}

}  // namespace
}  // namespace fermiac::inference
