// Random calls of all built-in functions (calls/call.h), in every way to evaluate them and with every instruction set.
// A call may give a value or one of the language's errors; it may not end the process, take long, or give something
// else another way.
//   FERMIAC_FUZZ_CALLS=1000000 FERMIAC_FUZZ_SEED=7 build/tests/builtin_calls_fuzz_test      a longer run
//   FERMIAC_FUZZ_FUNCTIONS=beta FERMIAC_FUZZ_SHOWN=50 …                                     only functions that begin
//   like this
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/fuzz/calls/call.h"
#include "tests/fuzz/calls/evaluate.h"
#include "tests/fuzz/calls/watched.h"
#include "tests/shared/on_instruction_set.h"
#include "tests/shared/setting.h"

namespace fermiac::fuzz {
namespace {

using testing::setting;

std::string functions() {
  const char* text = std::getenv("FERMIAC_FUZZ_FUNCTIONS");
  return text ? text : "";
}

std::uint64_t calls() {
  return setting("FERMIAC_FUZZ_CALLS", 7000);
}

std::uint64_t first_seed() {
  return setting("FERMIAC_FUZZ_SEED", 1);
}

TEST(BuiltinCallsFuzz, TheSameSeedGivesTheSameCall) {
  EXPECT_EQ(text(make_call(11)), text(make_call(11)));
  EXPECT_NE(text(make_call(11)), text(make_call(12)));
}

TEST(BuiltinCallsFuzz, AStepThatDiesHangsOrComplainsIsFoundAndTheOthersRun) {
  const auto faults = run_watched(10, 8,
                                  [](std::uint64_t k) -> std::optional<std::string> {
                                    if (k == 12) std::abort();
                                    if (k == 14)
                                      for (volatile bool on = true; on;) {
                                      }
                                    if (k == 16) return "complains";
                                    return std::nullopt;
                                  },
                                  {.seconds = 0.3});
  ASSERT_EQ(faults.size(), 3u);
  EXPECT_EQ(faults[0].step, 12u);
  EXPECT_NE(faults[0].what.find("Aborted"), std::string::npos) << faults[0].what;
  EXPECT_EQ(faults[1].what, "takes longer than 0.3 s");
  EXPECT_EQ(faults[2].step, 16u);
  EXPECT_EQ(faults[2].what, "complains");
}

/// Faults of the calls with this process' instruction set, grouped by function.
void expect_no_faults() {
  const std::string prefix = functions();
  const auto faults =
      run_watched(first_seed(), calls(), [&](std::uint64_t seed) { return first_fault(make_call(seed, prefix)); });
  const std::uint64_t shown = setting("FERMIAC_FUZZ_SHOWN", 20);
  std::map<std::string, int> by_function;
  for (std::size_t k = 0; k < faults.size(); ++k) {
    const Call call = make_call(faults[k].step, prefix);
    ++by_function[std::string(call.signature->name)];
    if (k < shown) ADD_FAILURE() << "seed " << faults[k].step << ": " << text(call) << "\n  " << faults[k].what;
  }
  for (const auto& [name, n] : by_function) fmt::print("{}: {} calls\n", name, n);
  fmt::print("{} calls from seed {}, {} with faults\n", calls(), first_seed(), faults.size());
  EXPECT_EQ(faults.size(), 0u);
}

TEST(BuiltinCallsFuzz, EveryCallEndsAndAllWaysAgree) {
  expect_no_faults();
}

TEST(BuiltinCallsFuzz, OnOtherInstructionSets) {
  testing::expect_passes_on_other_instruction_sets("BuiltinCallsFuzz.EveryCallEndsAndAllWaysAgree");
}

}  // namespace
}  // namespace fermiac::fuzz
