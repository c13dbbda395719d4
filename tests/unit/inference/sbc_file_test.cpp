// The file of a calibration: what was written is read, an end that was cut off is left out, and a run that goes on is the one that
// never stopped.
#include "inference/output/sbc_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

using namespace inference;

class SbcFiles : public InOwnFolder {
 protected:
  static std::vector<SbcRow> simulation(std::size_t i) {
    return {{"theta.1.2", 0.1 * static_cast<double>(i), i % 10, 300.5, 0}, {"log_lik", -1e10, 9, std::nan(""), 3}};
  }
  SbcOptions options() const {
    SbcOptions o;
    o.draws = 9;
    o.file = at("m_sbc.csv");
    return o;
  }
};

TEST_F(SbcFiles, AreReadAsTheyWereWritten) {
  SbcResult none;
  {
    SbcFile file;
    ASSERT_TRUE(file.open(options(), 7, &none));
    for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(file.append(i, simulation(i)));
  }
  SbcFileText found;
  bool is_one = false;
  ASSERT_TRUE(read_sbc_file(at("m_sbc.csv"), &is_one, &found));
  EXPECT_TRUE(is_one);
  EXPECT_EQ(found.seed, 7u);
  EXPECT_EQ(found.draws, 9u);
  ASSERT_EQ(found.simulations.size(), 3u);
  const SbcRow& row = found.simulations[1][0];
  EXPECT_EQ(row.quantity, "theta.1.2");
  EXPECT_EQ(row.truth, 0.1);
  EXPECT_EQ(row.rank, 1u);
  EXPECT_EQ(row.ess, 300.5);
  EXPECT_TRUE(std::isnan(found.simulations[2][1].ess));
  EXPECT_EQ(found.simulations[2][1].divergences, 3u);
  EXPECT_EQ(static_cast<std::size_t>(found.whole), read("m_sbc.csv").size());
}

TEST_F(SbcFiles, GoOnBehindTheLastWholeSimulation) {
  SbcResult result;
  {
    SbcFile file;
    ASSERT_TRUE(file.open(options(), 7, &result));
    for (std::size_t i = 0; i < 3; ++i) ASSERT_TRUE(file.append(i, simulation(i)));
  }
  const std::string whole = read("m_sbc.csv");
  write("m_sbc.csv", whole.substr(0, whole.size() - 20));
  SbcOptions o = options();
  o.resume = true;
  {
    SbcFile file;
    ASSERT_TRUE(file.open(o, 7, &result));
    EXPECT_EQ(result.simulations, 2u);
    EXPECT_EQ(result.quantities[0].name, "theta[1,2]");
    EXPECT_EQ(result.quantities[0].ranks, (std::vector<std::size_t>{0, 1}));
    ASSERT_TRUE(file.append(2, simulation(2)));
  }
  EXPECT_EQ(read("m_sbc.csv"), whole);
  SbcFile other;
  SbcResult unused;
  const Status seed = other.open(o, 8, &unused);
  EXPECT_NE(seed.message.find("has ranks among 9 draws with seed 7, not among 9 with seed 8"), std::string::npos) << seed.message;
  o.resume = false;
  EXPECT_FALSE(SbcFile().open(o, 7, &unused)) << "an existing file is kept";
}

TEST_F(SbcFiles, WhatIsNoneIsToldApart) {
  SbcFileText found;
  bool is_one = true;
  write("draws.csv", "# model = m\nlp__,x\n1,2\n");
  ASSERT_TRUE(read_sbc_file(at("draws.csv"), &is_one, &found));
  EXPECT_FALSE(is_one);
  write("bad.csv", "# fermiac sbc\n# seed = 1\n# draws = 9\nsimulation,quantity,truth,rank,ess,divergences\n1,mu,0.5,10,3,0\n");
  const Status bad = read_sbc_file(at("bad.csv"), &is_one, &found);
  EXPECT_NE(bad.message.find("bad.csv', line 5: '1,mu,0.5,10,3,0' is not what fermiac sbc writes"), std::string::npos) << bad.message;
  EXPECT_FALSE(read_sbc_file(at("gone.csv"), &is_one, &found));
}

/// From the command line: twice 3 simulations are 6.
TEST_F(SbcFiles, ARunThatGoesOnIsTheOneThatDidNotStop) {
  write("m.stan", "data { int N; vector[N] y; } parameters { real mu; } model { mu ~ normal(0, 1); y ~ normal(mu, 1); }\n");
  write("m.json", R"({"N": 3, "y": null})");
  const std::string sbc = "sbc " + at("m.stan") + " --data " + at("m.json") + " --draws 9 --warmup 100 --bins 5 --simulations ";
  const ProgramRun whole = run_fermiac(sbc + "6 --seed 4 --output " + at("whole"));
  ASSERT_EQ(whole.status, 0) << whole.text;
  ASSERT_EQ(run_fermiac(sbc + "3 --seed 4 --output " + at("parts")).status, 0);
  const ProgramRun rest = run_fermiac(sbc + "6 --resume --output " + at("parts"));
  EXPECT_EQ(rest.status, 0);
  EXPECT_EQ(rest.text, whole.text);
  EXPECT_EQ(read("parts/m_sbc.csv"), read("whole/m_sbc.csv"));
  EXPECT_EQ(run_fermiac(sbc + "6 --seed 4 --output " + at("whole")).status, 1);
  const ProgramRun thin = run_fermiac(sbc + "2 --seed 4 --thin 3");
  EXPECT_EQ(thin.status, 0) << thin.text;
  EXPECT_NE(run_fermiac(sbc + "2 --thin 0").text.find("--thin"), std::string::npos);
  EXPECT_EQ(run_fermiac(sbc + "2 --resume").status, 2);
}

}  // namespace
}  // namespace fermiac::testing
