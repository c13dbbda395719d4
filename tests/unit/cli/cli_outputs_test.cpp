// Names of outputs: no command writes outside of its folder, over its inputs, over files of other kinds, or beside another run.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/platform/descriptor.h"
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

const char* const kStanc = FERMIAC_BINARY_DIR "/bin/stanc";
const std::string kProgram = "data { int N; array[N] real y; } parameters { real m; } model { profile(\"p\") { y ~ normal(m, 1); } print(\"here\"); }\n";
const std::string kData = "{\"N\": 2, \"y\": [1, 2]}";

class CliOutputs : public testing::RunsPrograms {
 protected:
  void SetUp() override {
    testing::RunsPrograms::SetUp();
    write("m.stan", kProgram);
    write("d.json", kData);
    write("other.stan", kProgram);
  }
  void TearDown() override {
    EXPECT_EQ(text_of(at("m.stan")), kProgram);
    EXPECT_EQ(text_of(at("d.json")), kData);
    testing::RunsPrograms::TearDown();
  }
  Words sample(const Words& more) const {
    Words out = {kFermiac, "sample", at("m.stan"), "--data", at("d.json"), "--samples", "20", "--warmup", "20", "--chains", "2", "--refresh", "0", "--seed", "1"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
  }
};

TEST_F(CliOutputs, MachineCodeReplacesMachineCodeAlone) {
  for (const char* input : {"m.stan", "d.json"}) {
    refuses({kFermiac, "bundle", at("m.stan"), "-o", at(input)}, "exists and is not a program or library");
    refuses({kFermiac, "bundle", at("m.stan"), "--output=" + at(input)}, "exists and is not a program or library");
  }
  runs({kFermiac, "bundle", at("m.stan"), "-o", at("m.so")});
  runs({kFermiac, "bundle", at("m.stan"), "-o", at("m.so")});
}

TEST_F(CliOutputs, StancReplacesItsOwnFilesAlone) {
  for (const char* input : {"m.stan", "d.json"})
    for (const Words& output : {Words{"-o", at(input)}, Words{"--o=" + at(input)}, Words{"--o", at(input)}}) {
      Words words = {kStanc, at("m.stan")};
      words.insert(words.end(), output.begin(), output.end());
      refuses(words, "exists and is not generated code");
    }
  refuses({kStanc, at("m.stan"), "--auto-format", "-o", at("d.json")}, "exists and is not a Stan program");
  refuses({kStanc, at("m.stan"), "--debug-generate-data", "-o", at("m.stan")}, "exists and is not JSON");
  refuses({kStanc, "--dump-stan-math-signatures", "-o", at("m.stan")}, "exists and is not a list");
  runs({kStanc, at("m.stan"), "-o", at("m.hpp")});
  runs({kStanc, at("m.stan"), "-o", at("m.hpp")});
}

TEST_F(CliOutputs, AProfileReplacesAProfileAlone) {
  for (const char* input : {"m.stan", "d.json", "other.stan"}) {
    refuses(sample({"--profile", at(input), "--output", at("p")}), "exists and is not a profile");
    EXPECT_FALSE(fs::exists(at("p"))) << "refused before sampling";
  }
  runs(sample({"--profile", at("p.csv"), "--output", at("p")}));
  runs(sample({"--profile", at("p.csv"), "--output", at("q")}));
}

TEST_F(CliOutputs, NamesStayInTheFolder) {
  for (const std::string name : {"../x", "/tmp/x", "a/b", "..", ".", "a\nb"})
    for (const char* command : {"sample", "optimize", "pathfinder", "laplace", "variational"}) {
      const ChildEnd e = testing::run_child({.command = {kFermiac, command, at("m.stan"), "--data", at("d.json"), "--output", at("out"), "--output-name", name}, .patience = 60});
      EXPECT_EQ(e.status, 1) << command << name << e.out << e.err;
      EXPECT_NE(e.err.find("must be the start of a file name"), std::string::npos) << e.err;
    }
  EXPECT_FALSE(fs::exists(at("out")));
  runs(sample({"--output", at("out"), "--output-name", "fine.name"}));
  EXPECT_TRUE(fs::exists(at("out/fine.name_1.csv")));
}

TEST_F(CliOutputs, AFolderHasOneRun) {
  runs(sample({"--output", at("out")}));
  Words other = sample({"--output", at("out")});
  other[2] = at("other.stan");
  refuses(other, "has the run 'm', so 'other' cannot go there");
  other.push_back("--overwrite");
  refuses(other, "has the run 'm', so 'other' cannot go there");
  refuses(sample({"--output", at("out"), "--output-name", "second"}), "has the run 'm'");
  refuses({kFermiac, "variational", at("other.stan"), "--data", at("d.json"), "--output", at("out")}, "has the run 'm'");
  EXPECT_FALSE(fs::exists(at("out/other_1.csv")));
  runs({kFermiac, "summary", at("out")});
  runs(sample({"--output", at("out"), "--overwrite"}));
}

/// Chains that an earlier run left would count as chains of this one.
TEST_F(CliOutputs, AnOverwrittenRunLeavesNoChains) {
  Words four = sample({"--output", at("out")});
  *std::find(four.begin(), four.end(), "2") = "4";
  runs(four);
  runs(sample({"--overwrite", "--output", at("out")}));
  for (const char* gone : {"out/m_3.csv", "out/m_4.csv", "out/m_3.state", "out/m_4.state"}) EXPECT_FALSE(fs::exists(at(gone))) << gone;
  for (const char* there : {"out/m_1.csv", "out/m_2.csv", "out/m_run.json"}) EXPECT_TRUE(fs::exists(at(there))) << there;
  runs(sample({"--overwrite", "--id", "5", "--output", at("out")}));
  EXPECT_FALSE(fs::exists(at("out/m_1.csv")));
  EXPECT_TRUE(fs::exists(at("out/m_6.csv")));
}

/// Chains of a run that is not over stay: the lock of the folder refuses the new run first.
TEST_F(CliOutputs, OverwritingLeavesARunThatIsNotOver) {
  runs(sample({"--output", at("out")}));
  const Descriptor folder(at("out"), OpenMode::Folder);
  ASSERT_TRUE(try_lock(folder, Lock::Alone));
  refuses(sample({"--overwrite", "--id", "5", "--output", at("out")}), "another process draws into");
  for (const char* there : {"out/m_1.csv", "out/m_2.csv", "out/m_1.state"}) EXPECT_TRUE(fs::exists(at(there))) << there;
}

TEST_F(CliOutputs, OverwrittenPredictionsAndPathsLeaveNone) {
  write("g.stan", kProgram + "generated quantities { real z = normal_rng(m, 1); }\n");
  const Words model = {at("g.stan"), "--data", at("d.json"), "--seed", "1", "--overwrite"};
  const auto run = [&](const char* command, const Words& more) {
    Words words = {kFermiac, command};
    words.insert(words.end(), model.begin(), model.end());
    words.insert(words.end(), more.begin(), more.end());
    runs(words);
  };
  run("sample", {"--samples", "20", "--warmup", "20", "--chains", "2", "--refresh", "0", "--output", at("s")});
  const std::string one = at("s/g_1.csv"), two = at("s/g_2.csv");
  run("generate-quantities", {"--fitted", one, two, "--output", at("g")});
  run("generate-quantities", {"--fitted", one, "--output", at("g")});
  run("predict", {"--draws", one, two, "--output", at("p")});
  run("predict", {"--draws", one, "--output", at("p")});
  run("pathfinder", {"--save-single-paths", "--refresh", "0", "--output", at("f")});
  runs({kFermiac, "summary", at("f")});
  EXPECT_TRUE(fs::exists(at("f/g_path_2.csv")));
  run("pathfinder", {"--save-single-paths", "--num-paths", "1", "--refresh", "0", "--output", at("f")});
  for (const char* gone : {"g/g_generate_2.csv", "p/g_predict_2.csv", "f/g_path_2.csv"}) EXPECT_FALSE(fs::exists(at(gone))) << gone;
  for (const char* there : {"g/g_generate_1.csv", "p/g_predict_1.csv", "f/g_path_1.csv", "f/g_pathfinder.csv"}) EXPECT_TRUE(fs::exists(at(there))) << there;
}

/// Chains may be drawn one by one, if they are chains of one posterior.
TEST_F(CliOutputs, ChainsOfOtherDataDoNotJoin) {
  runs(sample({"--output", at("out")}));
  runs(sample({"--id", "3", "--output", at("out")}));
  write("e.json", std::string(kData) + "\n");
  Words words = sample({"--id", "5", "--output", at("out")});
  words[4] = at("e.json");
  refuses(words, "commands would read chains 1, 2, 3, 4 of the earlier run");
  EXPECT_FALSE(fs::exists(at("out/m_5.csv")));
}

TEST_F(CliOutputs, ControlCharactersInNamesStayInTheirLine) {
  write("d\nx.json", kData);
  Words words = sample({"--output", at("out")});
  words[4] = at("d\nx.json");
  runs(words);
  EXPECT_NE(text_of(at("out/m_1.csv")).find("d\\nx.json"), std::string::npos);
  runs({kFermiac, "summary", at("out")});
}

TEST_F(CliOutputs, ABlockNeedsSomethingToSample) {
  write("empty.stan", "data { int n; } parameters { real a; simplex[1] p; vector[n] v; array[0] real w; corr_matrix[1] C; } model { a ~ normal(0, 1); }\n");
  write("n.json", "{\"n\": 0}");
  for (const char* name : {"p", "v", "w", "C"})
    refuses({kFermiac, "sample", at("empty.stan"), "--data", at("n.json"), "--block", std::string(name) + ": slice", "--output", at("b")}, "has no unconstrained scalars");
}

TEST_F(CliOutputs, WarningsStayWithoutTheTable) {
  write("funnel.stan", "parameters { real v; vector[9] x; } model { v ~ normal(0, 3); x ~ normal(0, exp(v / 2)); }\n");
  const Words words = {kFermiac, "sample", at("funnel.stan"), "--seed", "3", "--samples", "300", "--warmup", "100", "--refresh", "0", "--output"};
  Words with = words, without = words;
  with.push_back(at("with"));
  without.insert(without.end(), {at("without"), "--no-summary"});
  const std::string table = runs(with).out, rest = runs(without).out;
  const std::size_t verdict = rest.rfind("Draws are in");
  ASSERT_GT(verdict, 20u) << rest;
  EXPECT_NE(table.find(rest.substr(0, verdict)), std::string::npos) << rest;
  EXPECT_LT(rest.size(), table.size());
}

TEST_F(CliOutputs, WhatTheProgramPrintsIsNotData) {
  write("p.json", "{\"m\": 1}\n");
  const ChildEnd e = runs({kFermiac, "log-prob", at("m.stan"), "--data", at("d.json"), "--at", at("p.json")});
  EXPECT_TRUE(e.out.starts_with("{")) << e.out;
  EXPECT_EQ(e.out.find("here"), std::string::npos) << e.out;
  EXPECT_NE(e.err.find("here"), std::string::npos) << e.err;
}

}  // namespace
}  // namespace fermiac
