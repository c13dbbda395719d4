// Chains of one run drawn by several processes under mpirun: the files of one process, one summary, whole lines; a process that dies costs its
// own chains alone, and `fermiac resume` draws them. Skipped where there is no mpirun or no module for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <regex>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/shared/mpi_run.h"
#include "tests/shared/own_folder.h"
#include "tests/shared/run_files.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using testing::kFermiac;
using testing::mpirun;
using testing::ProgramRun;
using testing::shell;
using testing::timeless;

class MpiChains : public testing::InOwnFolder {
 protected:
  void SetUp() override {
    if (const std::string why = testing::why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
    write("funnel.stan", "data { real scale; } parameters { real v; vector[3] x; } model { v ~ normal(0, scale); x ~ normal(0, exp(v / 2)); }\n"
                         "generated quantities { real y = normal_rng(x[1], 1); }\n");
    write("d.json", "{\"scale\": 3}");
  }
  std::string sample(const std::string& out, const std::string& more = "--samples 300") const {
    return "sample " + at("funnel.stan") + " --data " + at("d.json") + " --chains 5 --seed 9 --warmup 200 --threads 1 --save-metric --output " + at(out) + " " + more;
  }
  /// CSV and metric files of all chains are those of the other folder.
  void same_files(const std::string& a, const std::string& b) const {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(at(a))) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".state") || name.ends_with("_run.json")) continue;
      ++files;
      EXPECT_TRUE(timeless(entry.path()) == timeless(at(b) + "/" + name)) << b << " " << name;
    }
    EXPECT_EQ(files, 10u);
  }
  /// The process with this number, once its chain has rows.
  std::string process(int rank) const {
    return shell("for p in $(pgrep -f '^[^ ]*fermiac sample " + at("funnel.stan") + "'); do tr '\\0' '\\n' < /proc/$p/environ | "
                 "grep -qx OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + " && printf $p; done").text;
  }
  void kill_when_it_draws(int rank, const std::string& csv) const {
    for (int k = 0; k < 300 && !(fs::exists(csv) && fs::file_size(csv) > 5000); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const std::string id = process(rank);
    ASSERT_FALSE(id.empty());
    shell("kill -KILL " + id);
  }
};

TEST_F(MpiChains, TheFilesOfOneProcess) {
  ASSERT_EQ(shell(kFermiac + " " + sample("alone")).status, 0);
  for (const char* more : {"", " --gather-files"})
    for (const int n : {2, 3}) {
      const std::string out = "out" + std::to_string(n) + (*more ? "g" : "");
      const ProgramRun o = shell(mpirun(n) + sample(out) + more);
      EXPECT_EQ(o.status, 0) << o.text;
      EXPECT_EQ(o.text.find("Inference for"), o.text.rfind("Inference for")) << "printed twice:\n" << o.text;
      EXPECT_NE(o.text.find("5 chains: each with"), std::string::npos) << o.text;
      same_files("alone", out);
      EXPECT_EQ(fs::exists(at(out) + "/funnel_run.json"), *more == '\0');
    }
}

TEST_F(MpiChains, WhatOthersPrintComesInWholeLines) {
  const ProgramRun o = shell(mpirun(3) + sample("out", "--samples 300 --refresh 50 --no-summary"));
  std::istringstream in(o.text);
  std::vector<int> ends(6);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    static const std::regex iteration("Chain \\[([1-5])\\] Iteration: +[0-9]+ / 500 \\[ *[0-9]+%\\]  \\((Warmup|Sampling)\\)");
    if (line.find("Iteration") == std::string::npos) continue;
    ASSERT_TRUE(std::regex_match(line, match, iteration)) << line;
    if (line.find("500 / 500") != std::string::npos) ++ends[static_cast<std::size_t>(std::stoi(match[1]))];
  }
  for (std::size_t id = 1; id <= 5; ++id) EXPECT_EQ(ends[id], 1) << id << "\n" << o.text;
}

TEST_F(MpiChains, WithoutAFolderAllDrawIntoTheSameNewOne) {
  const ProgramRun o = shell(mpirun(2) + "sample " + at("funnel.stan") + " --data " + at("d.json") + " --warmup 50 --samples 50 --threads 1 --refresh 0 --no-summary");
  EXPECT_EQ(o.status, 0) << o.text;
  for (int id = 1; id <= 4; ++id) EXPECT_TRUE(fs::exists(at("funnel-output/funnel_") + std::to_string(id) + ".csv")) << id;
  EXPECT_FALSE(fs::exists(at("funnel-output-2")));
}

TEST_F(MpiChains, MistakesAreToldOnce) {
  const auto once = [&](const std::string& command, const std::string& why) {
    const ProgramRun o = shell(mpirun(3) + command);
    EXPECT_EQ(o.status, 1) << o.text;
    EXPECT_NE(o.text.find(why), std::string::npos) << o.text;
    EXPECT_EQ(o.text.find(why), o.text.rfind(why)) << o.text;
  };
  once(sample("out", "--data " + at("none.json")), "none.json");
  once(sample("out", "--chain-ids 2,6"), "--chain-ids has 6, but the run has chains 1 to 5");
  write("out/x", "");
  fs::create_directories(at("taken"));
  write("taken/funnel_4.csv", "");
  once(sample("taken"), "'" + at("taken/funnel_4.csv") + "' exists already");
  EXPECT_FALSE(fs::exists(at("taken/funnel_1.csv")));
  write("funnel.stan", "data { real scale; } parameters { real v; } model { reject(\"never\"); }\n");
  once(sample("out"), "never");
  EXPECT_FALSE(fs::exists(at("out/funnel_1.csv")));
}

/// What mpirun does with the others is up to it: here they may go on.
TEST_F(MpiChains, AProcessThatDiesCostsItsOwnChains) {
  const std::string many = "--samples 30000 --thin 10 --checkpoint-interval 0.2 --refresh 0";
  ASSERT_EQ(shell(kFermiac + " " + sample("alone", many)).status, 0);
  std::thread killer([&] { kill_when_it_draws(2, at("out/funnel_4.csv")); });
  const ProgramRun o = shell(mpirun(3, "--enable-recovery") + sample("out", many));
  killer.join();
  const std::string command = "fermiac resume " + at("out") + " --chain-ids 4,5";
  EXPECT_NE(o.text.find("nothing has been heard of process 2 for 20 seconds"), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("chains 4,5 are not complete, all others are; to have them: " + command), std::string::npos) << o.text;
  EXPECT_NE(o.text.find("3 chains: each with"), std::string::npos) << o.text;
  for (int id = 1; id <= 3; ++id) {
    const std::string file = "/funnel_" + std::to_string(id) + ".csv";
    EXPECT_TRUE(timeless(at("alone") + file) == timeless(at("out") + file)) << id;
  }
  EXPECT_EQ(shell(kFermiac + command.substr(command.find(' '))).status, 0);
  same_files("alone", "out");
}

/// Without being told otherwise mpirun ends all processes when one dies.
TEST_F(MpiChains, ARunThatMpirunEndsGoesOn) {
  const std::string many = "--samples 30000 --thin 10 --checkpoint-interval 0.2 --refresh 0";
  ASSERT_EQ(shell(kFermiac + " " + sample("alone", many)).status, 0);
  std::thread killer([&] { kill_when_it_draws(1, at("out/funnel_2.csv")); });
  EXPECT_NE(shell(mpirun(3) + sample("out", many)).status, 0);
  killer.join();
  EXPECT_EQ(shell(kFermiac + " resume " + at("out")).status, 0);
  same_files("alone", "out");
}

}  // namespace
}  // namespace fermiac
