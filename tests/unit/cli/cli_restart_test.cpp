// `fermiac sample --max-restarts`: chains that sit far below the others run again, the others stay as they are.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "inference/output/csv.h"
#include "tests/shared/analytic_models.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

using inference::CsvDraws;

class CliRestart : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(at("m.stan")) << "parameters { real x; }\n"
                                   "model { target += log_mix(0.999999, normal_lpdf(x | 0, 1), normal_lpdf(x | 40, 0.5)); }\n";
    for (int chain = 1; chain <= 3; ++chain) std::ofstream(at("i_" + std::to_string(chain) + ".json")) << (chain == 2 ? "{\"x\": 40}" : "{\"x\": 0}");
  }
  std::string at(const std::string& name) const { return dir_.path().string() + "/" + name; }
  std::string one_far() const { return at("i_1.json") + "," + at("i_2.json") + "," + at("i_3.json"); }
  ProgramRun sample(const std::string& out, const std::string& more) const { return sample(out, more, one_far()); }
  ProgramRun sample(const std::string& out, const std::string& more, const std::string& starts, unsigned samples = 200) const {
    return run_fermiac("sample " + at("m.stan") + " --seed 2 --chains 3 --warmup 200 --samples " + std::to_string(samples) + " --refresh 0 --init " + starts + " --output " + at(out) + " " + more);
  }
  CsvDraws draws(const std::string& out, int chain) const {
    CsvDraws file;
    const Status read = inference::read_csv(at(out + "/m_" + std::to_string(chain) + ".csv"), &file);
    EXPECT_TRUE(read) << read.message;
    return file;
  }
  OwnFolder dir_;
};

TEST_F(CliRestart, StuckChainsRunAgainAndTheOthersStay) {
  const ProgramRun without = sample("without", ""), with = sample("with", "--max-restarts 2"), again = sample("again", "--max-restarts 2 --threads 1");
  EXPECT_NE(without.text.find("Chain 2 is stuck"), std::string::npos) << without.text;
  EXPECT_EQ(with.status, 0) << with.text;
  EXPECT_NE(with.text.find("It runs again from other random numbers (1 of 2)."), std::string::npos) << with.text;
  EXPECT_EQ(with.text.find("(2 of 2)"), std::string::npos) << with.text;
  EXPECT_EQ(with.text.find("Run with another --seed"), std::string::npos) << with.text;
  for (const int chain : {1, 3}) EXPECT_EQ(draws("with", chain).values, draws("without", chain).values);
  const CsvDraws fresh = draws("with", 2);
  ASSERT_EQ(fresh.rows, 200u);
  EXPECT_TRUE(fresh.adapted && fresh.has_elapsed);
  EXPECT_EQ(fresh.setting("max_restarts"), "2");
  for (std::size_t row = 0; row < fresh.rows; ++row) EXPECT_LT(fresh.at(row, fresh.column("x")), 20);
  EXPECT_EQ(draws("again", 2).values, fresh.values);
}

TEST_F(CliRestart, NothingHappensWhereNoChainIsStuck) {
  EXPECT_EQ(sample("a", "--max-restarts 3", "0").text.find("runs again"), std::string::npos);
  EXPECT_EQ(sample("b", "", "0").status, 0);
  for (const int chain : {1, 2, 3}) EXPECT_EQ(draws("a", chain).values, draws("b", chain).values);
}

TEST_F(CliRestart, RefusesWhatDoesNotGoTogether) {
  EXPECT_NE(run_fermiac("sample " + at("m.stan") + " --max-restarts 1 --target-ess 100").text.find("--max-restarts is not there for runs with --target-ess"), std::string::npos);
}

/// Blocks of nuts have energies to judge by, others the log density alone.
TEST_F(CliRestart, RunsByBlock) {
  for (const std::string block : {"nuts", "slice", "rwm"}) {
    const std::string by = " --no-summary --block 'x: " + block + "'", with = "with_" + block;
    ASSERT_EQ(sample("without_" + block, by).status, 0);
    const ProgramRun run = sample(with, "--max-restarts 2" + by);
    EXPECT_EQ(run.status, 0) << run.text;
    EXPECT_NE(run.text.find("It runs again from other random numbers (1 of 2)."), std::string::npos) << run.text;
    for (const int chain : {1, 3}) EXPECT_EQ(draws(with, chain).values, draws("without_" + block, chain).values);
    const CsvDraws fresh = draws(with, 2);
    for (std::size_t row = 0; row < fresh.rows; ++row) EXPECT_LT(fresh.at(row, fresh.column("x")), 20);
    ASSERT_EQ(sample("again_" + block, "--max-restarts 2 --threads 1" + by).status, 0);
    EXPECT_EQ(draws("again_" + block, 2).values, fresh.values);
    for (const std::string chain : {"1", "2"}) {
      const ProgramRun again = run_fermiac("inspect-draw " + at(with) + " --chain " + chain + " --draw 123");
      EXPECT_EQ(again.status, 0) << again.text;
    }
  }
}

/// Where it went on, more draws of the same chains: the one that ran again as it did then.
TEST_F(CliRestart, RunsGoOnAndAreReplayed) {
  ASSERT_EQ(sample("d", "--max-restarts 2 --no-summary").status, 0);
  const ProgramRun more = run_fermiac("resume " + at("d") + " --samples 300");
  ASSERT_EQ(more.status, 0) << more.text;
  EXPECT_EQ(more.text.find("runs again"), std::string::npos) << more.text;
  ASSERT_EQ(sample("whole", "--max-restarts 2 --no-summary", one_far(), 300).status, 0);
  for (const int chain : {1, 2, 3}) EXPECT_EQ(draws("d", chain).values, draws("whole", chain).values);
  for (const std::string chain : {"1", "2"}) {
    const ProgramRun again = run_fermiac("inspect-draw " + at("d") + " --chain " + chain + " --draw 123 --format json");
    EXPECT_EQ(again.status, 0) << again.text;  // it compares with the row of the file
  }
}

}  // namespace
}  // namespace fermiac::testing
