// Replays of sweeps of samplers by block: the same draws bit for bit, moves that lead from one to the next and add up to what the draw's
// columns say; and what the log density of a run is whose blocks sample ints.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "inference/approximate/start.h"
#include "inference/methods/replay.h"
#include "inference/output/checkpoint.h"
#include "inference/output/csv.h"
#include "inference/output/init_files.h"
#include "interp/model/block_states.h"
#include "interp/model/conditioned_model.h"
#include "tests/shared/known_moments.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::inference {
namespace {

using testing::OwnFolder;

constexpr const char* kReals = R"(parameters { real m; vector[3] x; real<lower=0> s; real y; real v; }
model { m ~ normal(0, 1); s ~ gamma(2, 1); x ~ normal(m, s); y ~ normal(x[1], 1); v ~ normal(0, 2); }
generated quantities { real g = normal_rng(y, 1); })";
constexpr const char* kInts = R"(data { int z; array[2] int<lower=0> w; array[2] int<lower=1, upper=3> k; vector[2] u; }
parameters { real<lower=0> r; }
model { r ~ gamma(2, 1); w ~ poisson(r); k ~ categorical([0.2, 0.3, 0.5]'); u ~ normal(to_vector(w) + to_vector(k), z); })";
constexpr const char* kIntData = R"({"z": 1, "w": [null, 1], "k": [2, null], "u": [3.5, 2]})";

/// A model, its blocks, and a short run of them.
class Sweeps {
 public:
  Sweeps(const char* program, const std::string& data, const std::vector<std::string>& texts) : options(testing::options_in(dir)) {
    interp::Conditioning conditioning;
    std::vector<Block> blocks(texts.size());
    for (std::size_t b = 0; b < texts.size(); ++b) {
      EXPECT_TRUE(parse_block(texts[b], &blocks[b]));
      if (is_for_ints(blocks[b].sampler)) conditioning.sampled.insert(conditioning.sampled.end(), blocks[b].names.begin(), blocks[b].names.end());
    }
    model = interp::condition(*program_of(program), interp::DataSource::parse(data, "data"), conditioning);
    std::string note;
    options.blocks = interp::resolve_blocks(*model, blocks, &note);
    options.output_name = "m";
    options.chains = 2;
    options.num_warmup = 60;
    options.num_samples = 40;
    options.sig_figs = 18;
  }
  std::shared_ptr<const interp::CompiledModel> program_of(const char* text) {
    return compiled = interp::compile_model({.text = text, .path = "m.stan", .name = "m_model"});
  }
  OwnFolder dir;
  std::shared_ptr<const interp::CompiledModel> compiled;
  std::unique_ptr<interp::ConditionedModel> model;
  SampleOptions options;
};

double value(const ReplayedTransition& t, const std::string& name) {
  const auto found = std::ranges::find(t.names, name);
  EXPECT_NE(found, t.names.end()) << name;
  return t.row[static_cast<std::size_t>(found - t.names.begin())];
}

void expect_row(const ReplayedTransition& t, const SampleRun& run, unsigned chain, unsigned draw) {
  EXPECT_EQ(t.names, run.chains.names);
  for (std::size_t k = 0; k < t.row.size(); ++k)
    EXPECT_EQ(t.row[k], run.chains.rows[chain - 1][(draw - 1) * t.row.size() + k]) << chain << " " << draw << " " << t.names[k];
}

/// Blocks in order, as often as they repeat; each begins where the one before it ended.
void expect_sweep(const ReplayedTransition& t, const BlockSampling& blocks) {
  std::size_t i = 0;
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b)
    for (unsigned r = 0; r < blocks.blocks[b].repeat; ++r, ++i) {
      const ReplayedMove& m = t.moves.at(i);
      EXPECT_EQ(m.block, b);
      EXPECT_EQ(m.steps.empty(), !has_trajectories(blocks.blocks[b].sampler));
      for (std::size_t k = 0; k < m.start.q.size(); ++k)
        if (std::ranges::find(blocks.blocks[b].coordinates, k) == blocks.blocks[b].coordinates.end()) {
          EXPECT_EQ(m.end.q[k], m.start.q[k]);
        }
      if (i == 0) continue;
      EXPECT_EQ(m.start.q, t.moves[i - 1].end.q);
      EXPECT_EQ(m.start.ints, t.moves[i - 1].end.ints);
    }
  EXPECT_EQ(t.moves.size(), i);
  EXPECT_EQ(t.moves.back().end_lp, value(t, "lp__"));
}

/// Every 9th draw of both chains.
std::vector<ReplayedTransition> expect_replays(Sweeps& s) {
  std::vector<ReplayedTransition> out;
  testing::Quiet quiet;
  const SampleRun run = sample(*s.model, s.options, quiet.io());
  EXPECT_TRUE(run.status) << run.status.message;
  for (unsigned chain = 1; chain <= 2; ++chain)
    for (unsigned draw = 1; draw <= s.options.num_samples / s.options.thin; draw += 9) {
      ReplayedTransition t;
      const Status done = replay(*s.model, s.options, {chain, draw}, "", nullptr, &t);
      EXPECT_TRUE(done) << done.message;
      expect_row(t, run, chain, draw);
      expect_sweep(t, *s.options.blocks);
      out.push_back(std::move(t));
    }
  return out;
}

TEST(BlockReplay, OfBlocksOfReals) {
  Sweeps s(kReals, "{}", {"m: slice", "x: nuts(repeat=2)", "s: rwm", "y: hmc(time=1)", "v: walnuts"});
  s.options.thin = 2;
  for (const ReplayedTransition& t : expect_replays(s)) {
    EXPECT_EQ(t.moves[2].steps.size(), value(t, "n_leapfrog__"));  // the second move of x
    EXPECT_EQ(t.moves[2].accept, value(t, "accept_stat__"));
    EXPECT_EQ(t.moves[3].accept, value(t, "accept_s__"));
    for (const ReplayedStep& step : t.moves[2].steps) EXPECT_EQ(step.q.size(), s.model->unconstrained_size());
  }
}

TEST(BlockReplay, OfBlocksOfInts) {
  Sweeps s(kInts, kIntData, {"w: walk(step=2, repeat=3)", "k: enumerate", "r: nuts"});
  bool moved = false;
  for (const ReplayedTransition& t : expect_replays(s)) {
    EXPECT_EQ(t.moves[2].accept, value(t, "accept_w__"));
    for (std::size_t i = 1; i < t.moves.size(); ++i) EXPECT_NEAR(t.moves[i].lp, t.moves[i - 1].end_lp, 1e-12);
    moved = moved || t.moves[0].start.ints != t.moves[3].end.ints;
  }
  EXPECT_TRUE(moved);
}

/// A model all of whose unknown numbers are ints has something to replay, too.
TEST(BlockReplay, OfIntsAlone) {
  Sweeps s("data { array[2] int<lower=1, upper=3> k; vector[2] u; } model { k ~ categorical([0.2, 0.3, 0.5]'); u ~ normal(to_vector(k), 1); }",
           R"({"k": [2, null], "u": [3.5, 2]})", {"k: enumerate"});
  expect_replays(s);
}

TEST(BlockReplay, FromAState) {
  Sweeps s(kInts, kIntData, {"w: walk", "k: enumerate", "r: nuts"});
  testing::Quiet quiet;
  const SampleRun run = sample(*s.model, s.options, quiet.io());
  struct Silent final : ChainSink {
    void message(std::string_view) override {}
    void adaptation(double, const Metric&) override {}
    Status draw(ConstSpan, ConstSpan, bool) override { return {}; }
    void progress(unsigned, bool) override {}
  } sink;
  std::vector<InitSpec> starts;
  ASSERT_TRUE(load_starts(s.options, &starts));
  Chain chain(*s.model, s.options, *s.options.seed, 2, nullptr, sink);
  chain.warm_up(starts[1], nullptr);
  chain.sample(20);
  const std::string path = s.dir.path().string() + "/m_2.state";
  std::ofstream(path, std::ios::binary) << chain_state_text({chain.state(), 0});
  s.options.init = "nowhere.json";  // is not read, for nothing starts
  for (const unsigned draw : {21u, 35u}) {
    ReplayedTransition t;
    const Status done = replay(*s.model, s.options, {2, draw}, path, nullptr, &t);
    ASSERT_TRUE(done) << done.message;
    expect_row(t, run, 2, draw);
  }
}

/// What depends on ints that blocks sample is no constant, though no real parameter is in it.
TEST(BlockReplay, LogDensityCountsSampledInts) {
  Sweeps s(kInts, kIntData, {"w: walk(repeat=3)", "k: enumerate", "r: nuts"});
  testing::Quiet quiet;
  const SampleRun run = sample(*s.model, s.options, quiet.io());
  const auto column = [&](const std::string& name) { return run.chains.find(name); };
  for (std::size_t row = 0; row < 40; ++row) {
    const auto at = [&](const std::string& name) { return run.chains.rows[0][row * run.chains.names.size() + column(name)]; };
    const std::string data = R"({"z": 1, "w": [)" + std::to_string(int(at("w.1"))) + R"(, 1], "k": [2, )" + std::to_string(int(at("k.2"))) + R"(], "u": [3.5, 2]})";
    const auto known = interp::condition(*s.compiled, interp::DataSource::parse(data, "data"), {});
    double lp = 0;
    ASSERT_TRUE(known->log_density_plain(Vec{std::log(at("r"))}, true, &lp));
    EXPECT_NEAR(at("lp__"), lp, 1e-9);
    EXPECT_GE(at("energy__"), -lp - 1e-9);  // the last block to move had all of it
  }
}

// ---------------------------------------------------------------- the command

class CliBlockReplay : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(at("m.stan")) << "parameters { real v; vector[3] x; real s; }\nmodel {\n  v ~ normal(0, 3);\n  x ~ normal(0, exp(v / 2));\n  s ~ normal(v, 1);\n}\n";
    const auto run = testing::run_fermiac("sample " + at("m.stan") + " --seed 3 --chains 2 --warmup 200 --samples 300 --refresh 0 --no-summary --output " + at("out") +
                                          " --block 's: rwm' --block 'v, x: nuts(repeat=2)'");
    ASSERT_EQ(run.status, 0) << run.text;
  }
  std::string at(const std::string& name) const { return dir_.path().string() + "/" + name; }
  testing::ProgramRun replay_of(unsigned draw, const std::string& more = {}) const {
    return testing::run_fermiac("inspect-draw " + at("out") + " --draw " + std::to_string(draw) + " " + more);
  }
  OwnFolder dir_;
};

TEST_F(CliBlockReplay, NamesEachMoveInOrder) {
  const auto run = replay_of(10);
  EXPECT_EQ(run.status, 0) << run.text;
  std::size_t from = 0;
  for (const char* part : {"chain 1, draw 10: 3 moves in a sweep\ns: rwm: accepted with probability ", "before", "after", "v, x: nuts (1 of 2): ", " of size ", "depth 1, ",
                           "v, x: nuts (2 of 2): ", "the draw is that of '"}) {
    const std::size_t found = run.text.find(part, from);
    EXPECT_NE(found, std::string::npos) << part << "\n" << run.text;
    from = found == std::string::npos ? from : found;
  }
}

TEST_F(CliBlockReplay, ShowsWhatIsAskedFor) {
  const auto run = replay_of(10, "--pars s --format json");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_EQ(run.text.find(R"({"chain": 1, "draw": 10, "moves": [{"block": "s: rwm", "accept": )"), 0u) << run.text;
  EXPECT_NE(run.text.find(R"-(}, {"block": "v, x: nuts (1 of 2)", "stepsize": )-"), std::string::npos) << run.text;
  EXPECT_EQ(run.text.find("\"x.1\""), std::string::npos) << run.text;
}

TEST_F(CliBlockReplay, ShowsWhichLineBlewUp) {
  CsvDraws file;
  ASSERT_TRUE(read_csv(at("out/m_1.csv"), &file));
  unsigned draw = 0;
  for (std::size_t row = 0; row < file.rows && draw == 0; ++row)
    if (file.at(row, file.column("divergent__")) == 1) draw = static_cast<unsigned>(row + 1);
  ASSERT_GT(draw, 0u) << "the funnel has divergences";
  const auto run = replay_of(draw);
  EXPECT_EQ(run.status, 0) << run.text;
  for (const char* part : {"diverged at step ", "x ~ normal(0, exp(v / 2));"}) EXPECT_NE(run.text.find(part), std::string::npos) << part << "\n" << run.text;
}

}  // namespace
}  // namespace fermiac::inference
