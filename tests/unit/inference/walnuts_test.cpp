// WALNUTS: that a transition leaves known densities as they are, however rough its steps; what its statistics count; NUTS where no
// step is divided.
#include "inference/mcmc/walnuts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "inference/methods/sample.h"
#include "inference/output/csv.h"
#include "tests/shared/analytic_models.h"
#include "tests/shared/known_moments.h"

namespace fermiac::inference {
namespace {

using testing::AnalyticModel;
using testing::expect_moments;
using testing::options_in;
using testing::run_with;
using testing::OwnFolder;

SampleOptions walnuts_in(const OwnFolder& dir) {
  SampleOptions options = options_in(dir);
  options.engine = Engine::Walnuts;
  return options;
}

// --- invariance -----------------------------------------------------------------------------------------------------

constexpr int kChains = 30000, kTransitions = 8;

/// An exact draw of the funnel of three dimensions.
Vec funnel_draw(Rng& rng) {
  Vec q(3);
  q[0] = 3 * rng.normal();
  for (std::size_t i = 1; i < q.size(); ++i) q[i] = std::exp(q[0] / 2) * rng.normal();
  return q;
}

/// Greatest distance between the distribution function of draws of normal(0, 1) and theirs, times the root of their number:
/// above 1.95 in one of a thousand samples (Kolmogorov).
double kolmogorov(Vec z) {
  std::ranges::sort(z);
  double greatest = 0;
  const double n = static_cast<double>(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double f = 0.5 * std::erfc(-z[i] / std::sqrt(2.0)), at = static_cast<double>(i);
    greatest = std::max({greatest, f - at / n, (at + 1) / n - f});
  }
  return greatest * std::sqrt(n);
}

/// Mean in units of its standard error.
double t_value(const Vec& x) {
  double sum = 0, square = 0;
  for (const double v : x) sum += v, square += v * v;
  return sum / std::sqrt(square);
}

struct Rough {
  double h, max_error;
  int max_halvings, max_depth;
};

/// Short chains that each begin at an exact draw: where they end is independent and exact too, and as a pair with where they began
/// exchangeable. Steps are so long that most are divided and many end the trajectory, some for want of halvings.
TEST(Walnuts, TransitionsLeaveTheFunnelAsItIs) {
  const AnalyticModel model = testing::funnel(3);
  for (const Rough& r : {Rough{0.5, 0.3, 8, 5}, Rough{2, 0.1, 10, 3}, Rough{1, 1, 2, 6}}) {
    Target target(model);
    Walnuts walnuts(target, MetricKind::Unit, Rng(11), r.max_depth, {r.max_error, r.max_halvings});
    walnuts.set_stepsize(r.h);
    Rng rng(12);
    Vec scale(kChains), first(kChains), drift(kChains), square(kChains);
    int moved = 0, divergent = 0;
    for (std::size_t i = 0; i < kChains; ++i) {
      const Vec from = funnel_draw(rng);
      ASSERT_TRUE(walnuts.start(from));
      for (int k = 0; k < kTransitions; ++k) divergent += walnuts.transition().divergent;
      const ConstSpan to = walnuts.position();
      moved += to[0] != from[0];
      scale[i] = to[0] / 3;
      first[i] = to[1] * std::exp(-to[0] / 2);
      drift[i] = std::tanh(to[0]) * std::cos(from[0]) - std::tanh(from[0]) * std::cos(to[0]);
      square[i] = (to[0] * to[0] - from[0] * from[0]) / 9;
    }
    const std::string which = "h = " + std::to_string(r.h);
    EXPECT_GT(moved, kChains / 3) << which;
    EXPECT_LT(kolmogorov(scale), 1.95) << which;
    EXPECT_LT(kolmogorov(first), 1.95) << which;
    EXPECT_LT(std::fabs(t_value(drift)), 3.3) << which;
    EXPECT_LT(std::fabs(t_value(square)), 3.3) << which;
    if (r.max_halvings == 2) {
      EXPECT_GT(divergent, 100);
    }
  }
}

// --- moments --------------------------------------------------------------------------------------------------------

TEST(Walnuts, StandardNormal) {
  const OwnFolder dir;
  expect_moments(run_with(testing::std_normal(10), walnuts_in(dir)), std::vector<std::pair<double, double>>(10, {0, 1}));
}

TEST(Walnuts, UnequalScalesWithEveryMetric) {
  for (const MetricKind metric : {MetricKind::Diag, MetricKind::Dense, MetricKind::Unit, MetricKind::FisherDiag, MetricKind::LowRank}) {
    const OwnFolder dir;
    SampleOptions options = walnuts_in(dir);
    options.metric = metric;
    expect_moments(run_with(testing::scaled_normal(3), options), {{0, 0.1}, {1, 1}, {2, 10}});
  }
}

TEST(Walnuts, StrongCorrelation) {
  const OwnFolder dir;
  expect_moments(run_with(testing::correlated_normal(), walnuts_in(dir)), {{0, 1}, {0, 2}});
}

TEST(Walnuts, BoundedParameter) {
  const OwnFolder dir;
  expect_moments(run_with(testing::log_exponential(2), walnuts_in(dir)), {{1, 1}, {1, 1}});
}

TEST(Walnuts, ReachesTheNeckOfTheFunnelWithoutDivergences) {
  const OwnFolder dir;
  SampleOptions options = walnuts_in(dir);
  options.num_samples = 5000;
  const SampleRun run = run_with(testing::funnel(10), options);
  EXPECT_EQ(find_problems(run.chains, summarise(run.chains, 2)).divergent, 0u);
  ChainVecs low = run.chains.column(run.chains.find("x.1"));
  double share = 0, count = 0;
  for (Vec& chain : low)
    for (double& x : chain) {
      x = x < -3 ? 1 : 0;
      share += x;
      ++count;
    }
  share /= count;
  const double truth = 0.158655;  // of normal(0, 3) below -3
  EXPECT_NEAR(share, truth, 4 * std::sqrt(truth * (1 - truth) / ess_mean(low)));
  EXPECT_GT(ess_mean(low), 100);
}

// --- what a transition does -----------------------------------------------------------------------------------------

TEST(Walnuts, IsNutsWhereNoStepIsDivided) {
  const AnalyticModel model = testing::correlated_normal();
  Target a(model), b(model);
  Nuts nuts(a, MetricKind::Diag, Rng(7), 10);
  Walnuts walnuts(b, MetricKind::Diag, Rng(7), 10, {1e9, 10});
  for (Hmc* engine : {static_cast<Hmc*>(&nuts), static_cast<Hmc*>(&walnuts)}) {
    engine->set_stepsize(0.3);
    ASSERT_TRUE(engine->start(Vec{0.5, -1}));
  }
  for (int i = 0; i < 500; ++i) {
    const Transition s = nuts.transition(), t = walnuts.transition();
    ASSERT_EQ(s.n_leapfrog, t.n_leapfrog);
    ASSERT_EQ(s.energy, t.energy);
    ASSERT_TRUE(std::ranges::equal(nuts.position(), walnuts.position()));
  }
}

TEST(Walnuts, CountsEveryGradient) {
  const AnalyticModel model = testing::funnel(4);
  Target target(model);
  Walnuts walnuts(target, MetricKind::Unit, Rng(3), 6, {0.2, 8});
  walnuts.set_stepsize(1);
  ASSERT_TRUE(walnuts.start(Vec(4, 0.1)));
  const std::uint64_t before = target.evaluations();
  std::uint64_t counted = 0;
  int deepest = 0;
  for (int i = 0; i < 1000; ++i) {
    const Transition t = walnuts.transition();
    counted += static_cast<std::uint64_t>(t.n_leapfrog);
    deepest = std::max(deepest, t.treedepth);
    ASSERT_EQ(t.stepsize, 1);
    ASSERT_GE(t.accept_stat, 0);
    ASSERT_LE(t.accept_stat, 1);
  }
  EXPECT_EQ(target.evaluations() - before, counted);
  EXPECT_GT(counted, 1000u << 2);
  EXPECT_LE(deepest, 6);
}

TEST(Walnuts, DivergesWhereNoHalvingHelps) {
  const AnalyticModel model = testing::std_normal(2);
  Target target(model);
  Walnuts walnuts(target, MetricKind::Unit, Rng(3), 10, {0.1, 1});
  walnuts.set_stepsize(50);
  ASSERT_TRUE(walnuts.start(Vec{1, 1}));
  const Transition t = walnuts.transition();
  EXPECT_TRUE(t.divergent);
  EXPECT_EQ(t.treedepth, 0);
  EXPECT_TRUE(std::ranges::equal(walnuts.position(), Vec{1, 1}));
}

TEST(Walnuts, EndsWhenItIsStopped) {
  std::atomic<bool> stop{false};
  std::atomic<long> calls{0};
  const AnalyticModel model("stop", 1, [&](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = -0.5e12 * q[0] * q[0];
    g[0] = -1e12 * q[0];
    if (++calls == 10) stop = true;
    return true;
  });
  Target target(model, {}, &stop);
  Walnuts walnuts(target, MetricKind::Unit, Rng(3), 10, {1e-9, 20});
  ASSERT_TRUE(walnuts.start(Vec{1e-6}));
  walnuts.transition();
  EXPECT_LE(calls, 11);
}

// --- options --------------------------------------------------------------------------------------------------------

TEST(Walnuts, ItsSettingsNeedIt) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.max_halvings = 5;
  EXPECT_EQ(check_options(options).message, "max_energy_error and max_halvings are settings of the sampler walnuts, which is not chosen");
  options.engine = Engine::Walnuts;
  EXPECT_TRUE(check_options(options));
  options.max_energy_error = 0;
  EXPECT_EQ(check_options(options).message, "0 is not a valid value for max_energy_error\n  Valid values: 0 < max_energy_error");
}

TEST(StaticHmcSettings, ItsSettingsNeedItAndItHasNoTrees) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.integration_time = 3;
  EXPECT_EQ(check_options(options).message, "int_time is a setting of the sampler static, which is not chosen");
  options.engine = Engine::Static;
  EXPECT_TRUE(check_options(options));
  options.max_treedepth = 8;
  EXPECT_EQ(check_options(options).message,
            "max_treedepth limits the trees of nuts and walnuts; static, which is chosen, has none: int_time says how far it goes");
}

TEST(Walnuts, FilesSayHowTheChainsMoved) {
  const OwnFolder dir;
  SampleOptions options = walnuts_in(dir);
  options.chains = 1;
  options.num_warmup = options.num_samples = 50;
  options.max_energy_error = 0.5;
  const SampleRun run = run_with(testing::std_normal(1), options);
  EXPECT_EQ(run.chains.method, "hmc with walnuts");
  CsvDraws draws;
  ASSERT_TRUE(read_csv(run.csv_files[0], &draws));
  EXPECT_EQ(draws.setting("engine"), "walnuts");
  EXPECT_EQ(draws.number("max_energy_error", 0), 0.5);
  EXPECT_EQ(draws.number("max_halvings", 0), 10);
  EXPECT_EQ(draws.number("max_depth", 0), 10);
}

TEST(Walnuts, DivergencesAskForMoreHalvings) {
  const OwnFolder dir;
  SampleOptions options = walnuts_in(dir);
  options.max_halvings = 1;
  const SampleRun run = run_with(testing::funnel(10), options);
  const Problems problems = find_problems(run.chains, summarise(run.chains, 2));
  EXPECT_GT(problems.divergent, 0u);
  const std::string words = problems_in_words(problems);
  EXPECT_NE(words.find("Raise --max-halvings; if they stay"), std::string::npos) << words;
  EXPECT_EQ(words.find("--adapt-delta"), std::string::npos) << words;
}

TEST(Walnuts, RoundsAreARunOfAsManyDraws) {
  const OwnFolder a, b;
  SampleOptions options = walnuts_in(a);
  options.num_warmup = 300;
  options.target_ess = 500;
  const SampleRun rounds = run_with(testing::correlated_normal(), options);
  options.output_dir = b.path().string();
  options.target_ess = 0;
  options.num_samples = static_cast<unsigned>(rounds.chains.draws_per_chain());
  EXPECT_EQ(run_with(testing::correlated_normal(), options).chains.rows, rounds.chains.rows);
}

}  // namespace
}  // namespace fermiac::inference
