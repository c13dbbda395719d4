// NUTS and its runner on posteriors with known moments.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "inference/methods/sample.h"
#include "inference/output/csv.h"
#include "inference/output/run_io.h"
#include "tests/shared/analytic_models.h"
#include "tests/shared/known_moments.h"

namespace fermiac::inference {
namespace {

using testing::AnalyticModel;
using testing::expect_moments;
using testing::options_in;
using testing::Quiet;
using testing::run_with;
using testing::OwnFolder;

TEST(Nuts, StandardNormal) {
  const OwnFolder dir;
  expect_moments(run_with(testing::std_normal(10), options_in(dir)),
                 std::vector<std::pair<double, double>>(10, {0, 1}));
}

TEST(Nuts, UnequalScalesWithEveryMetric) {
  for (const MetricKind metric :
       {MetricKind::Diag, MetricKind::Dense, MetricKind::Unit, MetricKind::FisherDiag, MetricKind::LowRank}) {
    const OwnFolder dir;
    SampleOptions options = options_in(dir);
    options.metric = metric;
    expect_moments(run_with(testing::scaled_normal(3), options), {{0, 0.1}, {1, 1}, {2, 10}});
  }
}

TEST(Nuts, StrongCorrelation) {
  for (const MetricKind metric : {MetricKind::Diag, MetricKind::Dense, MetricKind::FisherDiag, MetricKind::LowRank}) {
    const OwnFolder dir;
    SampleOptions options = options_in(dir);
    options.metric = metric;
    const SampleRun run = run_with(testing::correlated_normal(), options);
    expect_moments(run, {{0, 1}, {0, 2}});
    const ChainVecs x = run.chains.column(run.chains.find("x.1")), y = run.chains.column(run.chains.find("x.2"));
    double cross = 0;
    for (std::size_t c = 0; c < 4; ++c) cross += dot(x[c], y[c]) / 4000;
    EXPECT_NEAR(cross, 1.9, 0.2);
  }
}

TEST(Nuts, BoundedParameterIsWrittenConstrained) {
  const OwnFolder dir;
  expect_moments(run_with(testing::log_exponential(2), options_in(dir)), {{1, 1}, {1, 1}});
}

TEST(Nuts, FunnelDivergesAndSaysSo) {
  const OwnFolder dir;
  const SampleRun run = run_with(testing::funnel(10), options_in(dir));
  const Problems problems = find_problems(run.chains, summarise(run.chains, 2));
  EXPECT_GT(problems.divergent, 0u);
  EXPECT_NE(problems_in_words(problems).find("--adapt-delta"), std::string::npos);
}

TEST(Nuts, TreedepthLimitIsReported) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.max_treedepth = 2;
  options.metric = MetricKind::Unit;
  const SampleRun run = run_with(testing::scaled_normal(4), options);
  const Problems problems = find_problems(run.chains, summarise(run.chains, 2));
  EXPECT_GT(problems.at_max_treedepth, 3000u);
  EXPECT_NE(check_text(problems).find("maximum treedepth limit of 2, or 2^2 leapfrog steps."), std::string::npos);
  EXPECT_NE(problems_in_words(problems).find("--max-treedepth"), std::string::npos);
}

TEST(StaticHmc, StandardNormal) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.engine = Engine::Static;
  options.integration_time = 1.5;
  options.stepsize_jitter = 0.2;
  expect_moments(run_with(testing::std_normal(3), options), {{0, 1}, {0, 1}, {0, 1}});
}

// --- the runner -----------------------------------------------------------------------------------------------------

std::string draws_of(const std::string& path) {
  std::ifstream in(path);
  std::string line, out;
  while (std::getline(in, line))
    if (!line.starts_with("#") || line.starts_with("# Step size")) out += line + "\n";
  return out;
}

TEST(Runner, DrawsDoNotDependOnTheNumberOfThreads) {
  std::vector<std::string> first;
  for (const unsigned threads : {1u, 2u, 4u}) {
    const OwnFolder dir;
    SampleOptions options = options_in(dir);
    options.threads = threads;
    options.num_samples = options.num_warmup = 200;
    const SampleRun run = run_with(testing::std_normal(5), options);
    ASSERT_EQ(run.csv_files.size(), 4u);
    for (std::size_t c = 0; c < 4; ++c) {
      if (threads == 1) first.push_back(draws_of(run.csv_files[c]));
      EXPECT_EQ(draws_of(run.csv_files[c]), first[c]);
      if (c > 0) {
        EXPECT_NE(first[c], first[0]);
      }
    }
  }
}

TEST(Runner, SecondChainEqualsARunThatStartsWithItsId) {
  const OwnFolder a, b;
  SampleOptions options = options_in(a);
  options.num_samples = options.num_warmup = 100;
  const SampleRun both = run_with(testing::std_normal(2), options);
  options.output_dir = b.path().string();
  options.id = 2;
  options.chains = 1;
  const SampleRun one = run_with(testing::std_normal(2), options);
  EXPECT_EQ(draws_of(both.csv_files[1]), draws_of(one.csv_files[0]));
  EXPECT_TRUE(one.csv_files[0].ends_with("std_normal_2.csv"));
}

TEST(Runner, NeverOverwritesUnasked) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.num_samples = options.num_warmup = 50;
  const SampleRun first = run_with(testing::std_normal(1), options);
  const std::string before = draws_of(first.csv_files[0]);
  Quiet quiet;
  options.seed = 1;
  EXPECT_FALSE(sample(testing::std_normal(1), options, quiet.io()).status);
  EXPECT_NE(quiet.err.text().find("exists already"), std::string::npos);
  EXPECT_EQ(draws_of(first.csv_files[0]), before);
  options.overwrite = true;
  EXPECT_TRUE(sample(testing::std_normal(1), options, quiet.io()).status);
  EXPECT_NE(draws_of(first.csv_files[0]), before);
}

TEST(Runner, DefaultFolderIsNewAndBesideTheModel) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.output_dir.clear();
  options.model_path = dir.at("bern.stan");
  options.num_samples = options.num_warmup = 30;
  EXPECT_EQ(run_with(testing::std_normal(1), options).directory, dir.at("bern-output"));
  EXPECT_EQ(run_with(testing::std_normal(1), options).directory, dir.at("bern-output-2"));
  options.timestamp = true;
  const std::string folder = run_with(testing::std_normal(1), options).directory;
  EXPECT_TRUE(std::regex_match(folder.substr(dir.at("bern-output").size()), std::regex("-\\d{8}-\\d{6}"))) << folder;
}

TEST(Runner, ModelWithoutParametersRunsFixedParam) {
  const OwnFolder dir;
  const AnalyticModel model("none", 0, [](auto, double* lp, auto) {
    *lp = 0;
    return true;
  });
  SampleOptions options = options_in(dir);
  options.num_samples = 20;
  const SampleRun run = run_with(model, options);
  EXPECT_EQ(run.chains.names, (std::vector<std::string>{"lp__", "accept_stat__", "sum", "noise"}));
  EXPECT_EQ(run.chains.draws_per_chain(), 20u);
}

TEST(Runner, ThinAndSaveWarmup) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.chains = 1;
  options.num_warmup = 100;
  options.num_samples = 50;
  options.thin = 3;
  options.save_warmup = true;
  const SampleRun run = run_with(testing::std_normal(1), options);
  CsvDraws draws;
  ASSERT_TRUE(read_csv(run.csv_files[0], &draws));
  EXPECT_EQ(draws.warmup_rows, 34u);
  EXPECT_EQ(draws.rows, 34u + 17u);
  EXPECT_EQ(run.chains.draws_per_chain(), 17u);
}

TEST(Runner, RejectionsAreCountedOncePerMessage) {
  // Refuses the region x < -1, a fifth of the mass: sampling goes on and the message appears once, with its count.
  const AnalyticModel model("half", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = -0.5 * q[0] * q[0];
    g[0] = -q[0];
    return q[0] > -1;
  });
  const OwnFolder dir;
  Quiet quiet;
  EXPECT_TRUE(sample(model, options_in(dir), quiet.io()).status);
  const std::string text = quiet.err.text();
  const std::size_t first = text.find("proposals: test_lpdf: Scale is -");
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_EQ(text.find("proposals: test_lpdf", first + 1), std::string::npos);
  EXPECT_NE(text.find("(in 'test.stan', line 3, column 2 to column 20)"), std::string::npos);
}

TEST(Runner, FailedGeneratedQuantitiesBecomeNaN) {
  AnalyticModel model("gq", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = -0.5 * q[0] * q[0];
    g[0] = -q[0];
    return true;
  });
  model.fail_generated = true;
  const OwnFolder dir;
  Quiet quiet;
  SampleOptions options = options_in(dir);
  options.num_samples = options.num_warmup = 50;
  const SampleRun run = sample(model, options, quiet.io());
  EXPECT_TRUE(run.status);
  EXPECT_TRUE(std::isfinite(run.chains.column(run.chains.find("x.1"))[0][0]));
  EXPECT_TRUE(std::isnan(run.chains.column(run.chains.find("noise"))[0][0]));
  EXPECT_NE(quiet.err.text().find("200 draws: generated quantities failed"), std::string::npos) << quiet.err.text();
}

TEST(Runner, StopFlagKeepsWhatThereIs) {
  std::atomic<bool> stop{false};
  std::atomic<long> calls{0};
  const AnalyticModel model("stop", 1, [&](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = -0.5 * q[0] * q[0];
    g[0] = -q[0];
    if (++calls == 5000) stop = true;
    return true;
  });
  const OwnFolder dir;
  Quiet quiet;
  SampleOptions options = options_in(dir);
  options.chains = 1;
  options.num_samples = 100000;
  options.num_warmup = 100;
  RunIo io = quiet.io();
  io.stop = &stop;
  const SampleRun run = sample(model, options, io);
  EXPECT_FALSE(run.status);
  EXPECT_TRUE(run.status.is_interrupted());
  CsvDraws draws;
  ASSERT_TRUE(read_csv(run.csv_files[0], &draws));
  EXPECT_GT(draws.rows, 100u);
  EXPECT_EQ(draws.rows, run.chains.draws_per_chain());
  EXPECT_TRUE(draws.has_elapsed);
  EXPECT_FALSE(draws.truncated);
}

TEST(Runner, DiskFullIsAClearError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const OwnFolder dir;
  std::filesystem::create_symlink("/dev/full", dir.at("std_normal_1.csv"));
  Quiet quiet;
  SampleOptions options = options_in(dir);
  options.chains = 1;
  options.overwrite = true;
  EXPECT_FALSE(sample(testing::std_normal(1), options, quiet.io()).status);
  EXPECT_NE(quiet.err.text().find("No space left on device"), std::string::npos) << quiet.err.text();
}

TEST(Runner, InvalidOptionsQuoteTheRule) {
  const OwnFolder dir;
  Quiet quiet;
  SampleOptions options = options_in(dir);
  options.adapt.delta = 1.5;
  EXPECT_FALSE(sample(testing::std_normal(1), options, quiet.io()).status);
  EXPECT_NE(quiet.err.text().find("1.5 is not a valid value for adapt_delta\n  Valid values: 0 < adapt_delta < 1"),
            std::string::npos)
      << quiet.err.text();
}

// --- initial values -------------------------------------------------------------------------------------------------

TEST(Init, GivesUpAfterAHundredAttempts) {
  const AnalyticModel model("never", 1, [](auto, double*, auto) { return false; });
  const OwnFolder dir;
  Quiet quiet;
  SampleOptions options = options_in(dir);
  options.chains = 1;
  EXPECT_FALSE(sample(model, options, quiet.io()).status);
  EXPECT_NE(quiet.err.text().find("Initialization between (-2, 2) failed at each of 100 attempts for one reason:\n"), std::string::npos)
      << quiet.err.text();
  EXPECT_EQ(model.evaluations, 100);
}

TEST(Init, OneCauseIsToldOnceForAllChains) {
  const AnalyticModel model("never", 1, [](auto, double*, auto) { return false; });
  const OwnFolder dir;
  Quiet quiet;
  EXPECT_FALSE(sample(model, options_in(dir), quiet.io()).status);
  const std::string text = quiet.err.text();
  EXPECT_EQ(text.find("Initialization"), 0u) << text;
  EXPECT_EQ(text.find("Initialization", 1), std::string::npos) << text;
  EXPECT_EQ(text.find("harmless"), std::string::npos) << text;
}

TEST(Init, ZeroAndFullJsonAreTriedOnce) {
  const AnalyticModel model("never", 1, [](auto, double*, auto) { return false; });
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.chains = 1;
  options.init = "0";
  Quiet quiet;
  EXPECT_FALSE(sample(model, options, quiet.io()).status);
  EXPECT_EQ(model.evaluations, 1);
  std::ofstream(dir.at("init.json")) << R"({"x": [3]})";
  options.init = dir.at("init.json");
  options.overwrite = true;
  EXPECT_FALSE(sample(model, options, quiet.io()).status);
  EXPECT_EQ(model.evaluations, 2);
}

TEST(Init, PartialJsonKeepsTheRestRandom) {
  std::vector<double> seen;
  const AnalyticModel model("partial", 2, [&](std::span<const double> q, double* lp, std::span<double> g) {
    if (seen.empty()) seen.assign(q.begin(), q.end());
    *lp = -0.5 * (q[0] * q[0] + q[1] * q[1]);
    g[0] = -q[0];
    g[1] = -q[1];
    return true;
  });
  const OwnFolder dir;
  std::ofstream(dir.at("init.json")) << R"({"x.1": 1.5})";
  Quiet quiet;
  SampleOptions options = options_in(dir);
  options.chains = 1;
  options.num_warmup = options.num_samples = 20;
  options.init = dir.at("init.json");
  EXPECT_TRUE(sample(model, options, quiet.io()).status);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0], 1.5);
  EXPECT_NE(seen[1], 0);
  EXPECT_LT(std::fabs(seen[1]), 2);
}

TEST(Runner, WindowsAreForTheMetricsThatHaveThem) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.adapt.window = 30;
  const Status bad = check_options(options);
  EXPECT_EQ(bad.message, "window and init_buffer shape the windows of the metrics diag_e and dense_e; low_rank has none");
  options.metric = MetricKind::Dense;
  EXPECT_TRUE(check_options(options));
}

TEST(Init, PathsFindTheHighHillFromAnywhere) {
  // A normal of standard deviation 0.01 around (1, 1) and a broad, low hill at (-1.5, -1.5): from most random points the
  // broad one is nearer, and a chain that starts there stays.
  const AnalyticModel model("hills", 2, [](std::span<const double> q, double* lp, std::span<double> g) {
    const double sharp = -0.5 * ((q[0] - 1) * (q[0] - 1) + (q[1] - 1) * (q[1] - 1)) / 1e-2;
    const double broad = -20 - 0.5 * ((q[0] + 1.5) * (q[0] + 1.5) + (q[1] + 1.5) * (q[1] + 1.5));
    const double high = std::max(sharp, broad);
    const double a = std::exp(sharp - high), b = std::exp(broad - high);
    *lp = high + std::log(a + b);
    for (int i = 0; i < 2; ++i) g[i] = (a * -(q[i] - 1) / 1e-2 + b * -(q[i] + 1.5)) / (a + b);
    return true;
  });
  int far = 0;
  for (const char* init : {"2", "pathfinder"}) {
    const OwnFolder dir;
    SampleOptions options = options_in(dir);
    options.chains = 8;
    options.num_warmup = options.num_samples = 100;
    options.init = init;
    const SampleRun run = run_with(model, options);
    int lost = 0;
    for (const Vec& x : run.chains.column(run.chains.find("x.1"))) lost += x.back() < 0.3;
    if (far == 0) far = lost;
    else EXPECT_LT(lost, far);
  }
  EXPECT_GT(far, 0);
}

TEST(Init, StartsAreFurtherApartThanDraws) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.chains = 200;
  options.num_warmup = 0;
  options.num_samples = 1;
  options.stepsize = 1e-8;  // the first draw is the start
  options.max_treedepth = 1;
  options.adapt.engaged = false;
  const SampleRun run = run_with(testing::std_normal(2), options);
  double square = 0;
  for (const Vec& x : run.chains.column(run.chains.find("x.1"))) square += x[0] * x[0] / 200;
  EXPECT_NEAR(std::sqrt(square), 2, 0.4);
}

TEST(Init, MissingFileIsNamed) {
  const OwnFolder dir;
  Quiet quiet;
  SampleOptions options = options_in(dir);
  options.chains = 1;
  options.init = dir.at("nowhere.json");
  EXPECT_FALSE(sample(testing::std_normal(1), options, quiet.io()).status);
  EXPECT_NE(quiet.err.text().find("nowhere.json"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::inference
