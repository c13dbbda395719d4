// Several processes draw chains of one run: `--chain-ids` leaves the files that one process would have left, in one folder at the same time;
// two runs in one folder, and two processes on one chain, are refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "tests/shared/programs.h"
#include "tests/shared/run_files.h"
#include "tests/shared/runs_programs.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using testing::ChildEnd;
using testing::Words;
using testing::kFermiac;
using testing::timeless;

class CliChainIds : public testing::RunsPrograms {
 protected:
  void SetUp() override {
    write("funnel.stan", "parameters { real v; vector[3] x; } model { v ~ normal(0, 3); x ~ normal(0, exp(v / 2)); }\n"
                         "generated quantities { real y = normal_rng(x[1], 1); }\n");
  }
  Words sample(const std::string& out, const Words& more = {}) const {
    Words words = {kFermiac, "sample", at("funnel.stan"), "--chains", "5", "--warmup", "200",
                   "--refresh", "0", "--no-summary", "--threads", "2", "--output", at(out)};
    words.insert(words.end(), more.begin(), more.end());
    if (std::ranges::find(more, "--samples") == more.end()) words.insert(words.end(), {"--samples", "300"});
    return words;
  }
  Words seeded(const std::string& out, Words more = {}) const {
    more.insert(more.end(), {"--seed", "9"});
    return sample(out, more);
  }
  void same_chain(const std::string& a, const std::string& b, int id) const {
    const std::string file = "/funnel_" + std::to_string(id) + ".csv", expected = timeless(at(a) + file);
    EXPECT_GT(expected.size(), 10000u);
    EXPECT_EQ(timeless(at(b) + file), expected) << id;
  }
  /// A run that has a chain 2 without end, until the test is through with it. It has begun.
  std::thread busy(const std::string& out, ChildEnd* end, const std::atomic<bool>& through) const {
    std::thread run([=, this, &through] {
      const Words words = sample(out, {"--seed", "9", "--samples", "100000000", "--thin", "1000", "--chain-ids", "2"});
      *end = testing::run_child({.command = words, .enough = &through, .patience = 300});
    });
    for (int tries = 0; tries < 500 && !fs::exists(at(out) + "/funnel_2.csv"); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return run;
  }
};

TEST_F(CliChainIds, ProcessesShareARunAndItsFolder) {
  runs(seeded("whole"));
  std::vector<std::thread> jobs;
  for (const char* ids : {"4,1", "2", "5"}) jobs.emplace_back([=, this] { runs(seeded("parts", {"--chain-ids", ids})); });
  for (std::thread& job : jobs) job.join();
  for (const int id : {1, 2, 4, 5}) same_chain("whole", "parts", id);
  EXPECT_FALSE(fs::exists(at("parts") + "/funnel_3.csv"));
  // What is missing is drawn by its number, or by going on with the run.
  fs::copy(at("parts"), at("others"));
  runs(seeded("parts", {"--chain-ids", "3"}));
  same_chain("whole", "parts", 3);
  runs({kFermiac, "resume", at("others")});
  for (int id = 1; id <= 5; ++id) same_chain("whole", "others", id);
  const ChildEnd all = runs({kFermiac, "summary", at("parts")}), whole = runs({kFermiac, "summary", at("whole")});
  const auto table = [](const std::string& text) { return text.substr(text.find("Mean")); };
  EXPECT_EQ(table(all.out), table(whole.out));
}

TEST_F(CliChainIds, AChainThatWasKilledGoesOnByItself) {
  runs(seeded("whole"));
  testing::run_child({.command = seeded("part", {"--chain-ids", "2,4", "--checkpoint-interval", "0"}), .signals = {{SIGKILL, 0.15}}, .patience = 60});
  if (!fs::exists(at("part/funnel_run.json"))) return;  // hardly begun
  runs({kFermiac, "resume", at("part"), "--chain-ids", "2"});
  same_chain("whole", "part", 2);
  runs({kFermiac, "resume", at("part"), "--chain-ids", "4,5"});
  same_chain("whole", "part", 4);
  same_chain("whole", "part", 5);
  EXPECT_FALSE(fs::exists(at("part/funnel_1.csv")));
}

TEST_F(CliChainIds, ValuesPerChainAreThoseOfTheRun) {
  for (int id = 1; id <= 5; ++id) write("init_" + std::to_string(id) + ".json", "{\"v\": " + std::to_string(id - 3) + "}");
  runs(seeded("whole", {"--init", at("init.json")}));
  runs(seeded("part", {"--init", at("init.json"), "--chain-ids", "4"}));
  same_chain("whole", "part", 4);
}

TEST_F(CliChainIds, ListsThatMakeNoSense) {
  const struct {
    const char *ids, *why;
    int status;
  } rows[] = {{"6", "--chain-ids has 6, but the run has chains 1 to 5", 1},
              {"0,1", "--chain-ids has 0, but the run has chains 1 to 5", 1},
              {"3,2,3", "--chain-ids: chain 3 is there twice", 2},
              {"1,,2", "--chain-ids: '1,,2' is no list of chains, as 5,9 is", 2},
              {"-1", "--chain-ids: '-1' is no list of chains, as 5,9 is", 2},
              {"1-3", "--chain-ids: '1-3' is no list of chains, as 5,9 is", 2}};
  for (const auto& row : rows) refuses(seeded("out", {"--chain-ids=" + std::string(row.ids)}), row.why, row.status);
  refuses(sample("out", {"--chain-ids", "2"}), "--chain-ids draws some chains of a run, all of which have one seed: give it");
  refuses(seeded("out", {"--chain-ids", "2", "--max-restarts", "1"}), "--max-restarts compares all chains of a run");
  Words rounds = {kFermiac, "sample", at("funnel.stan"), "--seed", "9", "--target-ess", "10", "--chain-ids", "2"};
  refuses(rounds, "--target-ess judges all chains of a run together: --chain-ids cannot");
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(CliChainIds, OneRunForAFolder) {
  ChildEnd first;
  std::atomic<bool> through = false;
  std::thread run = busy("out", &first, through);
  const std::string draws = "another process draws another run into '" + at("out") + "': ";
  const Words longer = {"--samples", "100000000", "--thin", "1000"};
  const auto with = [&](Words more) { return more.insert(more.end(), longer.begin(), longer.end()), sample("out", more); };
  refuses(with({"--seed", "8", "--chain-ids", "3"}), draws + "the seed of that run is 9, not 8");
  refuses(with({"--seed", "9", "--chain-ids", "3", "--adapt-delta", "0.9"}), draws + "its options were '");
  refuses(seeded("out", {"--chain-ids", "3"}), draws + "each chain of that run has 100000000 draws, not 300");
  refuses(with({"--seed", "9", "--chain-ids", "2"}), "'" + at("out/funnel_2.csv") + "' exists already; choose another --output");
  refuses(with({"--seed", "9", "--chain-ids", "2", "--overwrite"}), "another process writes '" + at("out/funnel_2.csv") + "'");
  refuses({kFermiac, "resume", at("out")}, "another process draws into '" + at("out") + "'");
  refuses({kFermiac, "sample", at("funnel.stan"), "--seed", "9", "--target-ess", "10", "--id", "7", "--output", at("out")}, draws);
  refuses({kFermiac, "sample", at("funnel.stan"), "--seed", "9", "--max-restarts", "1", "--id", "7", "--output", at("out")}, draws);
  through = true;
  run.join();
  EXPECT_NE(first.err.find("interrupted: the draws so far"), std::string::npos) << first.err;
}

TEST_F(CliChainIds, ChainsOfAnotherRunAreNotAdded) {
  runs(seeded("out", {"--chain-ids", "2"}));
  const std::string why = "'" + at("out") + "' has chains of another run: ";
  refuses(sample("out", {"--seed", "10", "--chain-ids", "3"}), why + "the seed of that run is 9, not 10; choose another --output, or allow --overwrite");
  write("funnel.stan", "parameters { real v; } model { v ~ normal(0, 3); }\n");
  refuses(seeded("out", {"--chain-ids", "3"}), why + "the program is not that of the run");
}

/// The record of the run was written when the option had another name.
TEST_F(CliChainIds, FormerNamesOfOptionsAreTheSameOptions) {
  runs(seeded("out", {"--chain-ids", "2", "--density", "joint", "--checkpoint-interval", "60"}));
  std::string record = read("out/funnel_run.json");
  for (const auto& [present, former] : {std::pair{"\"density\"", "\"context\""}, {"\"checkpoint-interval\"", "\"save-every\""}}) {
    const std::size_t at = record.find(present);
    ASSERT_NE(at, std::string::npos) << record;
    record.replace(at, std::string_view(present).size(), former);
  }
  write("out/funnel_run.json", record);
  runs(seeded("out", {"--chain-ids", "3", "--density", "joint"}));
}

}  // namespace
}  // namespace fermiac
