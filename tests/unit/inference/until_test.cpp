// Runs that end when their draws suffice: what they promise holds, they repeat themselves, and where it cannot be reached they
// say so.
#include "inference/diagnostics/until.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <iterator>

#include "inference/methods/sample.h"
#include "inference/output/csv.h"
#include "support/platform/text_streams.h"
#include "tests/shared/analytic_models.h"

namespace fermiac::inference {
namespace {

using testing::OwnFolder;

struct Told {
  SampleRun run;
  std::string err, csv;
};

SampleOptions options_in(const OwnFolder& dir, double until) {
  SampleOptions options;
  options.output_dir = dir.path().string();
  options.seed = 5;
  options.refresh = 0;
  options.threads = 2;
  options.target_ess = until;
  return options;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

Told run_with(const Model& model, const SampleOptions& options, const std::atomic<bool>* stop = nullptr) {
  TextStream out, err;
  Told told;
  told.run = sample(model, options, {.out = out.file(), .err = err.file(), .terminal = false, .stop = stop});
  told.err = err.text();
  told.csv = text_of(told.run.csv_files.at(0));
  return told;
}

TEST(Rounds, GrowByHalfUpToTheMost) {
  std::vector<unsigned> ends;
  for (unsigned done = 0; done < 1000;) ends.push_back(done = next_round_end(done, 1, 1000));
  EXPECT_EQ(ends, (std::vector<unsigned>{100, 150, 225, 337, 505, 757, 1000}));
  EXPECT_EQ(next_round_end(1000, 1, 1000), 1000u);
  EXPECT_EQ(next_round_end(0, 4, 1000), 400u);  // a hundred draws
  EXPECT_EQ(next_round_end(2147483000, 1, 2147483647), 2147483647u);
}

TEST(UntilEss, EndsWhenTheDrawsSuffice) {
  const OwnFolder dir;
  const Told told = run_with(testing::std_normal(5), options_in(dir, 1000));
  ASSERT_TRUE(told.run.status) << told.err;
  const std::size_t draws = told.run.chains.draws_per_chain();
  EXPECT_GE(draws, 225u);   // 4 x 225 < 1000, but draws of NUTS may count for more than one
  EXPECT_LT(draws, 1000u);  // where the default would have gone
  for (const ColumnSummary& c : summarise(told.run.chains)) {
    if (c.name.ends_with("__")) continue;
    EXPECT_GE(std::min(c.ess_bulk, c.ess_tail), 1000) << c.name;
    EXPECT_LE(c.rhat, kRhatEnough) << c.name;
  }
  EXPECT_NE(told.err.find("after " + std::to_string(draws) + " iterations of each chain"), std::string::npos) << told.err;
}

TEST(UntilEss, TheFileSaysHowManyThereWere) {
  const OwnFolder dir;
  const Told told = run_with(testing::std_normal(5), options_in(dir, 400));
  CsvDraws draws;
  ASSERT_TRUE(read_csv(told.run.csv_files[3], &draws));
  EXPECT_EQ(draws.rows, told.run.chains.draws_per_chain());
  EXPECT_EQ(draws.number("num_samples", -1), static_cast<double>(draws.rows));
  EXPECT_EQ(draws.number("target_ess", -1), 400);
  EXPECT_EQ(draws.what_is_missing(), "");
}

TEST(UntilEss, DrawsAreThoseOfAnyRun) {
  const OwnFolder rounds_dir, plain_dir;
  const Told rounds = run_with(testing::std_normal(3), options_in(rounds_dir, 600));
  SampleOptions plain = options_in(plain_dir, 0);
  plain.num_samples = static_cast<unsigned>(rounds.run.chains.draws_per_chain());
  plain.threads = 1;
  EXPECT_EQ(run_with(testing::std_normal(3), plain).run.chains.rows, rounds.run.chains.rows);
}

TEST(UntilEss, OfThinnedDraws) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir, 300);
  options.thin = 3;
  const Told told = run_with(testing::std_normal(3), options);
  const std::size_t draws = told.run.chains.draws_per_chain();
  EXPECT_GE(draws, 100u);
  EXPECT_EQ((told.run.chains.num_samples + 2) / 3, draws);
  CsvDraws file;
  ASSERT_TRUE(read_csv(told.run.csv_files[0], &file));
  EXPECT_EQ(file.what_is_missing(), "");
}

TEST(UntilEss, WhatCannotBeReachedIsKeptAndSaid) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir, 1e6);
  options.max_samples = 180;
  const Told told = run_with(testing::std_normal(2), options);
  EXPECT_TRUE(told.run.status);
  EXPECT_EQ(told.run.chains.draws_per_chain(), 180u);
  EXPECT_NE(told.err.find("Warning: 1e+06 effective draws of every quantity (--target-ess) were not reached in 180 iterations of each chain "
                          "(--max-samples): "), std::string::npos) << told.err;
  EXPECT_NE(told.err.find(" effective draws"), std::string::npos) << told.err;
  EXPECT_NE(told.err.find(". The draws so far are kept.\n"), std::string::npos) << told.err;
}

TEST(UntilEss, TimeEndsIt) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir, 1e8);
  options.max_samples = 100000000;
  options.target_ess_max_time = 0.3;
  const auto start = std::chrono::steady_clock::now();
  const Told told = run_with(testing::std_normal(2), options);
  EXPECT_TRUE(told.run.status) << told.err;
  EXPECT_GE(told.run.chains.draws_per_chain(), 100u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_NE(told.err.find("within --target-ess-max-time 0.3, after "), std::string::npos) << told.err;
}

TEST(UntilEss, AnInterruptedRunSaysSo) {
  const OwnFolder dir;
  const std::atomic<bool> stop{true};
  const Told told = run_with(testing::std_normal(2), options_in(dir, 400), &stop);
  EXPECT_FALSE(told.run.status);
  EXPECT_TRUE(told.run.status.is_interrupted());
  EXPECT_EQ(told.err.find("--target-ess"), std::string::npos) << told.err;
}

TEST(UntilEss, StuckQuantitiesAreNotEnough) {
  ChainSet chains;
  chains.names = {"lp__", "x", "constant"};
  chains.rows = {Vec(3 * 50), Vec(3 * 50)};
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t k = 0; k < 50; ++k) chains.rows[c][3 * k + 1] = static_cast<double>(c);
  const DrawsWorth worth = draws_worth(chains, 1);
  EXPECT_EQ(worth.stuck, "x");
  EXPECT_FALSE(worth.enough(1));
  const std::string words = rounds_in_words({.limit = RoundsEnd::Limit::Samples, .iterations = 50, .worth = worth}, SampleOptions{});
  EXPECT_NE(words.find("x does not move in any chain and differs between them"), std::string::npos) << words;
}

TEST(UntilEss, OptionsThatContradictEachOtherAreRefused) {
  SampleOptions options;
  options.target_ess = 400;
  EXPECT_TRUE(check_options(options));
  options.num_samples = 500;
  EXPECT_NE(check_options(options).message.find("samples says how many draws there are to be"), std::string::npos);
  options = {};
  options.max_samples = 500;
  EXPECT_NE(check_options(options).message.find("limits of target_ess"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::inference
