#include "inference/methods/slow_chains.h"

#include <gtest/gtest.h>

#include <string>

#include "support/platform/text_streams.h"

namespace fermiac::inference {
namespace {

TEST(SlowChains, ManySteps) {
  EXPECT_EQ(slow_text(PulseReading{.iterations = 1, .evaluations = 90000, .in_iteration = 700, .lp = -1234.56, .stepsize = 3.1e-6, .seconds = 12.2}),
            "1 iteration in 12 s; the next has 700 leapfrog steps so far, log density -1235. The step size is 3.1e-06: where it is small, trees "
            "are deep and a draw takes many steps.\n");
}

TEST(SlowChains, SlowGradients) {
  PulseReading at{.iterations = 0, .evaluations = 20, .in_iteration = 1, .lp = -5, .stepsize = 0.5, .seconds = 10};
  const std::string head = "0 iterations in 10 s; the next has 1 leapfrog step so far, log density -5. A gradient takes 0.5 s";
  EXPECT_EQ(slow_text(at), head + " where the chain is.\n");
  at.evaluation.differential = true;
  EXPECT_EQ(slow_text(at), head + ": the differential equations may be stiff where the chain is.\n");
}

TEST(SlowChains, BeforeTheFirstDraw) {
  EXPECT_EQ(slow_text(PulseReading{.evaluations = 900000, .lp = -5, .seconds = 10}), "0 iterations in 10 s, looking for a start: 900000 gradients, log density -5.\n");
  EXPECT_EQ(slow_text(PulseReading{.evaluations = 20, .lp = -5, .seconds = 0.1, .finds_stepsize = true}), "0 iterations in 0 s, searching for a step size: 20 gradients, log density -5.\n");
  EXPECT_EQ(slow_text(PulseReading{.seconds = 20}), "0 iterations in 20 s, evaluating the log density the first time\n");
  EXPECT_EQ(slow_text(PulseReading{.seconds = 20, .evaluation = {.differential = true}}),
            "0 iterations in 20 s, evaluating the log density the first time: the differential equations may be stiff at the first values; --init "
            "gives others\n");
  using Stage = EvaluationProgress::Stage;
  EXPECT_EQ(slow_text(PulseReading{.seconds = 20, .evaluation = {.stage = Stage::Recording, .operations = 163840}}),
            "0 iterations in 20 s, recording the program's operations, 163840 so far\n");
  EXPECT_EQ(slow_text(PulseReading{.seconds = 20, .evaluation = {.stage = Stage::Rewriting, .operations = 200000}}),
            "0 iterations in 20 s, rewriting the program's 200000 recorded operations\n");
}

TEST(SlowChains, OnlyThoseThatAreSlowAreSpokenOf) {
  TextStream err;
  {
    Console console({.out = err.file(), .err = err.file(), .terminal = false, .stop = nullptr}, {1, 2, 3}, 100, true);
    std::deque<Pulse> pulses(3);
    pulses[0].running = true;  // chain 2 waits
    pulses[2].running = true;
    pulses[2].iterations = 10;
    const SlowChains slow(console, pulses, false, 0);
    for (int i = 0; i < 100; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (err.text().find("Chain [1]") != std::string::npos) break;
    }
  }
  const std::string said = err.text();
  EXPECT_EQ(said.find("Chain [1] 0 iterations in "), 0U) << said;
  EXPECT_EQ(said.find("Chain [2]"), std::string::npos) << said;
  EXPECT_EQ(said.find("Chain [3]"), std::string::npos) << said;
}

}  // namespace
}  // namespace fermiac::inference
