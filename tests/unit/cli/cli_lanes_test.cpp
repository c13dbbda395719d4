// `fermiac sample --lanes`: chains that share a thread draw what they draw one after another, whatever happens meanwhile.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/shared/programs.h"
#include "tests/shared/run_files.h"
#include "tests/shared/runs_programs.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;
using testing::ChildEnd;
using testing::Words;
using testing::kFermiac;
using testing::text_of;
using testing::timeless;

class CliLanes : public testing::RunsPrograms {
 protected:
  static std::string example(const std::string& name, const std::string& ending) { return FERMIAC_SOURCE_DIR "/examples/" + name + "/" + name + ending; }
  /// Of 5 chains on one thread.
  Words sample(const Words& model, const std::string& out, const Words& more) const {
    Words words = {kFermiac, "sample"};
    words.insert(words.end(), model.begin(), model.end());
    words.insert(words.end(), {"--seed", "5", "--refresh", "0", "--no-summary", "--threads", "1", "--output", at(out)});
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  /// CSV files of the same names with the same draws.
  void expect_same(const std::string& a, const std::string& b, std::size_t files) const {
    std::size_t seen = 0;
    for (const auto& entry : fs::directory_iterator(at(a))) {
      if (entry.path().extension() != ".csv") continue;
      ++seen;
      EXPECT_EQ(timeless(entry.path()), timeless(fs::path(at(b)) / entry.path().filename())) << entry.path();
    }
    EXPECT_EQ(seen, files) << a;
  }
  void expect_as_without(const Words& model, const Words& more, std::size_t files) const {
    Words with = more, without = more;
    with.insert(with.end(), {"--lanes", "64"});
    without.insert(without.end(), {"--lanes", "1"});
    const ChildEnd a = runs(sample(model, "with", with)), b = runs(sample(model, "without", without));
    expect_same("with", "without", files);
    fs::remove_all(at("with")), fs::remove_all(at("without"));
  }
};

const Words kShort = {"--chains", "5", "--warmup", "300", "--samples", "200"};
Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(CliLanes, ExamplesDrawTheSame) {
  for (const char* name : {"eight_schools", "eight_schools_centered", "seeds"})
    expect_as_without({example(name, ".stan"), "--data", example(name, ".json")}, kShort, 5);
  expect_as_without({example("garch", ".stan"), "--data", example("garch", ".json")}, {"--chains", "3", "--warmup", "100", "--samples", "50"}, 3);
}

TEST_F(CliLanes, OptionsThatGoOtherWays) {
  const Words schools = {example("eight_schools", ".stan"), "--data", example("eight_schools", ".json")};
  for (const Words& more : std::vector<Words>{{"--metric", "dense_e", "--init", "2"}, {"--sampler", "walnuts"}, {"--save-warmup", "--save-metric", "--thin", "3"},
                                              {"--restart-stuck", "1"}, {"--chain-ids", "2,4,5"}, {"--no-adapt", "--stepsize", "0.1"}})
    expect_as_without(schools, with(kShort, more), more[0] == "--chain-ids" ? 3 : 5);
  expect_as_without(schools, {"--chains", "5", "--warmup", "auto"}, 5);
  expect_as_without(schools, {"--chains", "5", "--until-ess", "100", "--max-samples", "400"}, 5);
}

/// Points outside the support, draws that cannot be written, branches.
TEST_F(CliLanes, ModelsThatRefuse) {
  write("rejects.stan", "parameters { real a; real<lower=0> s; } model { a ~ normal(0, s); s ~ normal(0, 1); if (s > 1.5) reject(\"far\"); }\n"
                        "generated quantities { real y = a > 1 ? normal_rng(0, -1) : a; }\n");
  write("domain.stan", "parameters { vector[2] a; } model { a ~ normal(0, 1); 3 ~ normal(0, a[1] + 2); }\n");
  write("branch.stan", "parameters { real a; real b; } model { a ~ normal(0, 1); if (a > b) b ~ normal(1, 1); else b ~ student_t(3, 0, 1); }\n");
  for (const char* name : {"rejects.stan", "domain.stan", "branch.stan"}) expect_as_without({at(name)}, with(kShort, {"--init", "0"}), 5);
}

TEST_F(CliLanes, ChainsThatFailAreSaidToFail) {
  write("fatal.stan", "parameters { real a; } model { a ~ normal(0, 1); }\ngenerated quantities { if (a > 2.5) fatal_error(\"too far\"); }\n");
  const Words model = {at("fatal.stan")};
  const ChildEnd a = runs(sample(model, "with", with(kShort, {"--lanes", "8"})), 1), b = runs(sample(model, "without", with(kShort, {"--lanes", "1"})), 1);
  EXPECT_EQ(a.err, b.err);
  EXPECT_NE(a.err.find("too far"), std::string::npos);
}

TEST_F(CliLanes, TimeIsUp) {
  const Words slow = {example("garch", ".stan"), "--data", example("garch", ".json"), "--timeout", "1.5"};
  const ChildEnd e = runs(sample(slow, "out", {"--chains", "4", "--warmup", "20", "--samples", "1000000", "--lanes", "4"}), 1);
  EXPECT_NE(e.err.find("the draws so far"), std::string::npos) << e.err;
  const ChildEnd resumed = runs({kFermiac, "resume", at("out"), "--samples", "100000000", "--timeout", "1"}, 1);
  EXPECT_NE(resumed.err.find("the draws so far"), std::string::npos) << resumed.err;
}

TEST_F(CliLanes, WhatIsNoNumberOfChains) {
  for (const std::string text : {"-1", "65", "many", "2.5"})
    EXPECT_NE(runs({kFermiac, "sample", example("eight_schools", ".stan"), "--lanes=" + text}, 2).err.find("--lanes"), std::string::npos) << text;
}

TEST_F(CliLanes, PathsToo) {
  const Words schools = {kFermiac, "pathfinder", example("eight_schools", ".stan"), "--data", example("eight_schools", ".json"), "--seed", "3", "--refresh", "0", "--threads", "1", "--save-single-paths"};
  runs(with(schools, {"--output", at("with"), "--lanes", "64"}));
  runs(with(schools, {"--output", at("without"), "--lanes", "1"}));
  expect_same("with", "without", 5);
}

}  // namespace
}  // namespace fermiac
