// Replays of single transitions: the same draws bit for bit, steps that add up to what the draw's columns say, and what is refused.
#include "inference/methods/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "inference/approximate/start.h"
#include "inference/mcmc/chain.h"
#include "inference/methods/sample.h"
#include "inference/output/checkpoint.h"
#include "inference/output/csv.h"
#include "inference/output/init_files.h"
#include "tests/shared/known_moments.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::inference {
namespace {

using testing::OwnFolder;
using testing::run_with;
using Doubling = TransitionWatcher::Doubling;

SampleOptions short_run_in(const OwnFolder& dir) {
  SampleOptions o = testing::options_in(dir);
  o.output_name = "m";
  o.seed = 17;
  o.chains = 2;
  o.num_warmup = 100;
  o.num_samples = 60;
  o.sig_figs = 18;
  return o;
}

double value(const ReplayedTransition& t, const std::string& name) {
  return t.row[static_cast<std::size_t>(std::ranges::find(t.names, name) - t.names.begin())];
}

/// Every 7th draw of both chains is the run's own, and its columns are what its steps say. How the doublings went.
std::vector<Doubling> expect_replays(const Model& model, const SampleOptions& options) {
  std::vector<Doubling> out;
  const SampleRun run = run_with(model, options);
  const unsigned draws = (options.num_samples + options.thin - 1) / options.thin;
  for (unsigned chain = 1; chain <= 2; ++chain)
    for (unsigned draw = 1; draw <= draws; draw += 7) {
      ReplayedTransition t;
      const Status done = replay(model, options, {chain, draw}, "", nullptr, &t);
      EXPECT_TRUE(done) << done.message;
      EXPECT_EQ(t.names, run.chains.names);
      for (std::size_t k = 0; k < t.row.size(); ++k)
        EXPECT_EQ(t.row[k], run.chains.rows[chain - 1][(draw - 1) * t.row.size() + k]) << chain << " " << draw << " " << t.names[k];
      EXPECT_EQ(t.moves.size(), 1u);
      const ReplayedMove& m = t.moves.at(0);
      for (const ReplayedDoubling& d : m.doublings) out.push_back(d.how);
      if (options.engine == Engine::Nuts) {
        EXPECT_EQ(m.steps.size(), value(t, "n_leapfrog__"));
      }
      if (options.engine != Engine::Static) {
        const std::size_t taken = static_cast<std::size_t>(std::ranges::count_if(m.doublings, [](const ReplayedDoubling& d) { return d.how == Doubling::Grown || d.how == Doubling::Turned; }));
        EXPECT_EQ(taken, value(t, "treedepth__"));
        EXPECT_EQ(m.doublings.back().how == Doubling::Diverged, value(t, "divergent__") == 1);
      }
      const auto is_draw = [&](const ReplayedStep& s) { return s.lp == value(t, "lp__"); };
      EXPECT_TRUE(m.lp == value(t, "lp__") || std::ranges::any_of(m.steps, is_draw));
    }
  return out;
}

TEST(Replay, IsTheRunBitForBit) {
  const OwnFolder dir;
  expect_replays(testing::std_normal(5), short_run_in(dir));
}

TEST(Replay, WithOtherMetricsThinningAndJitter) {
  const OwnFolder dir;
  SampleOptions o = short_run_in(dir);
  o.metric = MetricKind::Dense;
  o.thin = 3;
  o.stepsize_jitter = 0.3;
  o.save_warmup = true;
  o.init = "2";
  expect_replays(testing::scaled_normal(3), o);
}

TEST(Replay, OfStaticHmc) {
  const OwnFolder dir;
  SampleOptions o = short_run_in(dir);
  o.engine = Engine::Static;
  expect_replays(testing::std_normal(3), o);
}

TEST(Replay, OfStepsThatAreDivided) {
  const OwnFolder dir;
  SampleOptions o = short_run_in(dir);
  o.engine = Engine::Walnuts;
  o.max_energy_error = 0.2;
  o.max_halvings = 3;
  o.num_samples = 400;
  const std::vector<Doubling> how = expect_replays(testing::funnel(5), o);
  EXPECT_GT(std::ranges::count(how, Doubling::OneWay), 0);
  EXPECT_GT(std::ranges::count(how, Doubling::Diverged), 0);
}

/// A state of the chain stands for all that came before it, unless it is behind the draw.
TEST(Replay, FromAState) {
  const OwnFolder dir;
  SampleOptions o = short_run_in(dir);
  const auto model = testing::std_normal(3);
  const SampleRun run = run_with(model, o);
  struct Silent final : ChainSink {
    void message(std::string_view) override {}
    void adaptation(double, const Metric&) override {}
    Status draw(ConstSpan, ConstSpan, bool) override { return {}; }
    void progress(unsigned, bool) override {}
  } sink;
  std::vector<InitSpec> starts;
  ASSERT_TRUE(load_starts(o, &starts));
  Chain chain(model, o, *o.seed, 2, nullptr, sink);
  chain.warm_up(starts[1], nullptr);
  chain.sample(30);
  const std::string path = dir.path().string() + "/m_2.state";
  std::ofstream(path, std::ios::binary) << chain_state_text({chain.state(), 0});
  o.init = "nowhere.json";  // is not read, for nothing starts
  for (const unsigned draw : {31u, 45u, 12u}) {
    ReplayedTransition t;
    const Status done = replay(model, o, {2, draw}, path, nullptr, &t);
    EXPECT_EQ(bool(done), draw > 30) << done.message;
    for (std::size_t k = 0; done && k < t.row.size(); ++k) EXPECT_EQ(t.row[k], run.chains.rows[1][(draw - 1) * t.row.size() + k]) << draw;
  }
}

TEST(Replay, RefusesWhatIsNotThere) {
  const OwnFolder dir;
  const SampleOptions o = short_run_in(dir);
  const auto model = testing::std_normal(2);
  ReplayedTransition t;
  EXPECT_EQ(replay(model, o, {3, 1}, "", nullptr, &t).message, "there is no chain 3: the run has chains 1 to 2");
  EXPECT_EQ(replay(model, o, {1, 61}, "", nullptr, &t).message, "there is no draw 61: each chain of the run has 60");
  const std::atomic<bool> stop = true;
  EXPECT_EQ(replay(model, o, {1, 6}, "", &stop, &t).code, StatusCode::Interrupted);
}

TEST(Replay, TellsAnotherDraw) {
  const OwnFolder dir;
  const SampleOptions o = short_run_in(dir);
  const auto model = testing::std_normal(2);
  const SampleRun run = run_with(model, o);
  ReplayedTransition t;
  CsvDraws file;
  ASSERT_TRUE(replay(model, o, {1, 5}, "", nullptr, &t));
  ASSERT_TRUE(read_csv(run.csv_files[0], &file));
  EXPECT_TRUE(compare_with_file(t, file, 5, 18));
  const Status other = compare_with_file(t, file, 6, 18);
  EXPECT_NE(other.message.find("the replayed draw is not that of '" + run.csv_files[0] + "': there lp__ is "), std::string::npos) << other.message;
  EXPECT_NE(compare_with_file(t, file, 61, 18).message.find("has 60 draws, so draw 61 cannot be compared"), std::string::npos);
}

// ---------------------------------------------------------------- the command

class CliReplay : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(at("m.stan")) << "parameters { real v; vector[3] x; }\nmodel {\n  v ~ normal(0, 3);\n  x ~ normal(0, exp(v / 2));\n}\n";
    const auto run = testing::run_fermiac("sample " + at("m.stan") + " --seed 3 --chains 2 --warmup 200 --samples 300 --refresh 0 --no-summary --output " + at("out"));
    ASSERT_EQ(run.status, 0) << run.text;
  }
  std::string at(const std::string& name) const { return dir_.path().string() + "/" + name; }
  testing::ProgramRun replay_of(unsigned chain, unsigned draw, const std::string& more = {}) const {
    return testing::run_fermiac("inspect-draw " + at("out") + " --chain " + std::to_string(chain) + " --draw " + std::to_string(draw) + " " + more);
  }
  /// A draw that diverged.
  std::pair<unsigned, unsigned> divergent() const {
    for (unsigned chain = 1; chain <= 2; ++chain) {
      CsvDraws file;
      EXPECT_TRUE(read_csv(at("out/m_" + std::to_string(chain) + ".csv"), &file));
      for (std::size_t row = 0; row < file.rows; ++row)
        if (file.at(row, file.column("divergent__")) == 1) return {chain, static_cast<unsigned>(row + 1)};
    }
    return {0, 0};
  }
  OwnFolder dir_;
};

TEST_F(CliReplay, ShowsWhichLineBlewUp) {
  const auto [chain, draw] = divergent();
  ASSERT_GT(draw, 0u) << "the funnel has divergences";
  const auto run = replay_of(chain, draw);
  EXPECT_EQ(run.status, 0) << run.text;
  for (const char* part : {"the new half diverged and is left out\n", "diverged at step ", "x ~ normal(0, exp(v / 2));", "the draw is that of '"})
    EXPECT_NE(run.text.find(part), std::string::npos) << part << "\n" << run.text;
}

TEST_F(CliReplay, ShowsWhatIsAskedFor) {
  const auto run = replay_of(2, 10, "--pars 'v,x[2]'");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_NE(run.text.find("step  way  energy error  log density"), std::string::npos) << run.text;
  EXPECT_TRUE(std::regex_search(run.text, std::regex("log density +v +x\\[2\\]\n"))) << run.text;
  EXPECT_NE(replay_of(2, 10, "--pars w").text.find("there is no 'w' among the parameters"), std::string::npos);
  EXPECT_EQ(replay_of(2, 10, "--format json").text.substr(0, 24), "{\"chain\": 2, \"draw\": 10,");
}

TEST_F(CliReplay, RefusesOtherRuns) {
  EXPECT_NE(replay_of(2, 301).text.find("there is no draw 301"), std::string::npos);
  EXPECT_EQ(replay_of(3, 1).status, 1);
  std::ofstream(at("m.stan"), std::ios::app) << "// changed\n";
  const auto run = replay_of(1, 1);
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.text.find("the program is not that of the run"), std::string::npos) << run.text;
}

TEST_F(CliReplay, RefusesAChangedFile) {
  std::ifstream in(at("out/m_1.csv"));
  std::string all, last;
  for (std::string line; std::getline(in, line); all += line + "\n")
    if (!line.starts_with("#")) last = line;
  const std::size_t place = all.find(last);
  all.replace(place, last.find(','), "-1");
  in.close();
  std::ofstream(at("out/m_1.csv")) << all;
  const auto run = replay_of(1, 300);
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.text.find("the replayed draw is not that of"), std::string::npos) << run.text;
}

}  // namespace
}  // namespace fermiac::inference
