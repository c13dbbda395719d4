// Sampling by blocks: what blocks are called, which numbers they have, and that their moves leave the target alone.
#include "inference/mcmc/blocks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "inference/model/init.h"
#include "interp/model/block_states.h"
#include "interp/model/conditioned_model.h"

namespace fermiac::interp {
namespace {

using inference::Block;
using inference::BlockSampler;

std::shared_ptr<const CompiledModel> compiled(const char* text) {
  auto out = compile_model({.text = text, .path = "m.stan", .name = "m_model"});
  EXPECT_TRUE(*out);
  return out;
}

Block block(const std::string& text) {
  Block out;
  const Status result = inference::parse_block(text, &out);
  EXPECT_TRUE(result) << result.message;
  return out;
}

std::string parse_error(const std::string& text) {
  Block out;
  return inference::parse_block(text, &out).message;
}

TEST(Blocks, TextsOfBlocks) {
  const Block b = block("theta[1,2], mu: rwm(scale=0.5, repeat=3)");
  EXPECT_EQ(b.names, (std::vector<std::string>{"theta[1,2]", "mu"}));
  EXPECT_EQ(b.sampler, BlockSampler::Rwm);
  EXPECT_EQ(b.scale, 0.5);
  EXPECT_EQ(b.repeat, 3u);
  EXPECT_EQ(block("x[1:3]: walk(step=2)").step, 2);
  EXPECT_EQ(parse_error("mu"), "'mu' should be NAMES: SAMPLER");
  EXPECT_EQ(parse_error("mu: gibbs"), "'gibbs' is no sampler for a block; there are nuts, hmc, rwm, slice, walk, enumerate, walnuts");
  EXPECT_EQ(parse_error("mu: nuts(width=2)"), "'width' is no option of nuts");
  EXPECT_EQ(parse_error("mu: slice(width=-2)"), "'width=-2': width must be a positive number");
  EXPECT_EQ(parse_error(": slice"), "': slice' names nothing to sample");
}

constexpr const char* kProgram = R"(data { int<lower=0, upper=5> z; array[2] int<lower=0> w; real y; }
parameters { real mu; real<lower=0> s; simplex[2] p; }
model {
  mu ~ normal(0, 1);
  s ~ exponential(1);
  z ~ binomial(5, 0.3);
  w ~ poisson(2);
  y ~ normal(z + 0.5 * w[1] + mu, 1);
})";

struct Bound {
  std::shared_ptr<const CompiledModel> program = compiled(kProgram);
  std::unique_ptr<ConditionedModel> model;
  std::shared_ptr<const inference::BlockSampling> sampling;
  std::string note, error;
  Bound(const std::vector<std::string>& texts, const char* data = R"({"z": null, "w": [null, 3], "y": 2.5})") {
    Conditioning conditioning;
    std::vector<Block> blocks;
    for (const std::string& text : texts) {
      blocks.push_back(block(text));
      if (is_for_ints(blocks.back().sampler)) conditioning.sampled.insert(conditioning.sampled.end(), blocks.back().names.begin(), blocks.back().names.end());
    }
    try {
      model = condition(*program, DataSource::parse(data, "data"), conditioning);
      sampling = resolve_blocks(*model, blocks, &note);
    } catch (const InputError& e) {
      error = e.what();
    }
  }
};

TEST(Blocks, NamesAreLookedUp) {
  const Bound b({"z, w[1]: walk", "s: slice"});
  ASSERT_EQ(b.error, "");
  ASSERT_EQ(b.sampling->blocks.size(), 3u);
  EXPECT_EQ(b.sampling->blocks[0].ints, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(b.sampling->blocks[1].coordinates, (std::vector<std::size_t>{1}));
  EXPECT_EQ(b.sampling->blocks[2].coordinates, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(b.note, "no block has mu, p: sampled by nuts");
  EXPECT_EQ(inference::block_columns(*b.sampling),
            (std::vector<std::string>{"lp__", "accept_stat__", "stepsize__", "treedepth__", "n_leapfrog__", "divergent__", "energy__", "accept_z_w.1__", "accept_s__"}));
  EXPECT_EQ(Bound({"mu: nuts", "mu, s: slice", "w: walk"}).error, "mu is in two blocks");
  EXPECT_EQ(Bound({"nu: nuts", "w: walk"}).error, "the program has no parameter or missing variable 'nu'");
  EXPECT_EQ(Bound({"y: nuts", "w: walk"}).error, "y is observed, so there is nothing to sample; --missing y makes it unknown");
  EXPECT_EQ(Bound({"mu: enumerate", "w: walk"}).error, "mu is real: enumerate is for missing ints");
  EXPECT_EQ(Bound({"p[1]: nuts", "w: walk"}).error, "p[1] cannot be sampled alone: only all of p can");
  EXPECT_EQ(Bound({"z: slice", "w: walk"}).error, "z is an int: slice is for reals; there are enumerate and walk");
}

/// Counts of transitions between states, in equilibrium.
template <std::size_t n>
struct Flows {
  std::array<std::array<double, n>, n> count{};
  std::array<double, n> visits{};
  void add(std::size_t from, std::size_t to) { ++count[from][to], ++visits[to]; }
  /// As often from a to b as back.
  void balanced() const {
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_NEAR(count[a][b], count[b][a], 5 * std::sqrt(count[a][b] + count[b][a]) + 1) << a << " and " << b;
  }
};

TEST(Blocks, MovesOfIntsAreInDetailedBalance) {
  const std::vector<double> theta = {0.2, -0.1, 0.3};
  std::array<double, 6> weight{};
  double sum = 0;
  for (int z = 0; z < 6; ++z) {
    Bound known({"w: walk"}, fmt::format(R"({{"z": {}, "w": [0, 3], "y": 2.5}})", z).c_str());
    const auto model = condition(*known.program, DataSource::parse(fmt::format(R"({{"z": {}, "w": [0, 3], "y": 2.5}})", z), "data"), {});
    double lp = 0;
    ASSERT_TRUE(model->log_density_plain(theta, true, &lp));
    sum += weight[static_cast<std::size_t>(z)] = std::exp(lp);
  }
  for (const char* sampler : {"z: walk(step=2)", "z: enumerate"}) {
    SCOPED_TRACE(sampler);
    const Bound b({sampler}, R"({"z": null, "w": [0, 3], "y": 2.5})");
    ASSERT_EQ(b.error, "");
    const auto state = b.sampling->state();
    Rng rng(3);
    Flows<6> flows;
    std::vector<double> row(b.model->names(false, false).size());
    const auto z = [&] {
      EXPECT_TRUE(state->workspace().write_array(theta, false, false, rng, row));
      return static_cast<std::size_t>(row.back());
    };
    constexpr int kMoves = 6000;
    std::size_t from = z();
    for (int i = 0; i < kMoves; ++i) {
      double accept = 0;
      const Block& own = b.sampling->blocks[0];
      ASSERT_TRUE(own.sampler == BlockSampler::Walk ? state->walk(own.ints, own.step, theta, rng, &accept) : state->enumerate(own.ints, theta, rng));
      const std::size_t to = z();
      if (i > 20) flows.add(from, to);
      from = to;
    }
    flows.balanced();
    for (std::size_t k = 0; k < 6; ++k)  // a chain of moves is worth a fraction of them
      EXPECT_NEAR(flows.visits[k] / kMoves, weight[k] / sum, 5 * std::sqrt(weight[k] / sum / (kMoves / 8)) + 0.005);
  }
}

/// Keeps draws of the model.
class Draws final : public inference::ChainSink {
 public:
  void message(std::string_view) override {}
  void adaptation(double, const inference::Metric&) override {}
  Status draw(inference::ConstSpan, inference::ConstSpan model, bool) override { return first.push_back(model[0]), Status{}; }
  void progress(unsigned, bool) override {}
  std::vector<double> first;
};

TEST(Blocks, MovesOfRealsAreInDetailedBalanceOnAGrid) {
  for (const char* sampler : {"mu: rwm(scale=1.5)", "mu: slice(width=1)", "mu: hmc(time=1)", "mu: nuts", "mu: walnuts"}) {
    SCOPED_TRACE(sampler);
    const auto program = compiled("parameters { real mu; } model { mu ~ student_t(5, 0, 1); }");
    const auto model = condition(*program, DataSource(), {});
    std::string note;
    inference::SampleOptions options;
    options.num_warmup = 0;
    options.num_samples = 20000;
    options.adapt.engaged = false;
    options.blocks = resolve_blocks(*model, {block(sampler)}, &note);
    Draws draws;
    inference::Chain chain(*model, options, 7, 1, nullptr, draws);
    chain.warm_up({}, nullptr);
    chain.sample(options.num_samples);
    ASSERT_TRUE(chain.outcome().status);
    const auto bin = [](double x) { return static_cast<std::size_t>(std::min(4.0, std::max(0.0, std::floor(x + 2.5)))); };
    Flows<5> flows;
    for (std::size_t i = 1; i < draws.first.size(); ++i) flows.add(bin(draws.first[i - 1]), bin(draws.first[i]));
    flows.balanced();
    // Masses of student_t(5) beyond 1.5, between 0.5 and 1.5, and in the middle.
    const double expected[] = {0.09695, 0.22224, 0.36162, 0.22224, 0.09695};
    for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(flows.visits[k] / 20000, expected[k], 0.03);
  }
}

}  // namespace
}  // namespace fermiac::interp
