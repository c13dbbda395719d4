// `--warmup auto`: a warm-up ends when what it looks for has stopped to move.
#include "inference/mcmc/settling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "inference/mcmc/state.h"
#include "inference/output/csv.h"
#include "tests/shared/known_moments.h"
#include "tests/shared/own_folder.h"

namespace fermiac::testing {
namespace {

using inference::CsvDraws;
using inference::Metric;
using inference::MetricKind;
using inference::Settling;
using inference::Transition;

Metric metric_with(double scale) {
  Metric metric(MetricKind::FisherDiag, 2);
  EXPECT_TRUE(metric.set_inverse(Vec{scale * scale, 4 * scale * scale}));
  return metric;
}

struct Block {
  double lp = -5, stepsize = 0.5, scale = 1;
  int leapfrogs = 7;
  unsigned length = 30;
};

/// Log densities swing by one around their mean.
bool add(Settling& settling, const Block& b) {
  for (unsigned i = 0; i < b.length; ++i)
    settling.add({.lp = b.lp + (i % 2 == 0 ? 1 : -1), .accept_stat = 0.8, .stepsize = b.stepsize, .energy = 0, .n_leapfrog = b.leapfrogs});
  return settling.at_update(metric_with(b.scale));
}

bool settles(const Block& before, const Block& now) {
  Settling settling;
  EXPECT_FALSE(add(settling, before)) << "there is nothing to compare with";
  return add(settling, now);
}

TEST(Settling, WhereNothingMoves) {
  EXPECT_TRUE(settles({}, {}));
  EXPECT_TRUE(settles({.lp = -5.9, .stepsize = 0.44, .scale = 1.15, .leapfrogs = 10}, {}));
}

TEST(Settling, NotWhileSomethingMoves) {
  EXPECT_FALSE(settles({.lp = -6.1}, {}));
  EXPECT_FALSE(settles({.stepsize = 0.42}, {}));
  EXPECT_FALSE(settles({.stepsize = 0.6}, {}));
  EXPECT_FALSE(settles({.scale = 1.17}, {}));
  EXPECT_FALSE(settles({.scale = 0.85}, {}));
  EXPECT_FALSE(settles({.leapfrogs = 11}, {}));
  EXPECT_FALSE(settles({.leapfrogs = 4}, {}));
  EXPECT_FALSE(settles({.length = 24}, {})) << "too few";
  EXPECT_FALSE(settles({}, {.length = 24})) << "too few";
}

TEST(Settling, GoesOnFromItsState) {
  Settling one, other;
  add(one, {.lp = -9});
  for (int i = 0; i < 10; ++i) one.add({.lp = -5, .stepsize = 0.5, .n_leapfrog = 7});
  inference::StateWriter writer;
  writer(one);
  inference::StateReader reader(writer.bytes());
  reader(other);
  ASSERT_TRUE(reader.whole());
  EXPECT_EQ(add(one, {}), add(other, {}));
  EXPECT_TRUE(add(one, {}));
  EXPECT_TRUE(add(other, {}));
}

TEST(AutoWarmup, EndsEarlyAndTheFileSaysWhen) {
  const OwnFolder dir;
  SampleOptions options = options_in(dir);
  options.auto_warmup = options.save_warmup = true;
  const SampleRun run = run_with(correlated_normal(), options);
  for (const std::string& path : run.csv_files) {
    CsvDraws file;
    ASSERT_TRUE(read_csv(path, &file));
    EXPECT_LT(file.number("num_warmup", 0), 500);
    EXPECT_EQ(file.number("num_warmup", 0), file.warmup_rows) << path;
    EXPECT_EQ(file.rows - file.warmup_rows, 1000u);
    EXPECT_EQ(file.what_is_missing(), "");
  }
}

TEST(AutoWarmup, DrawsDependOnTheSeedAlone) {
  const OwnFolder a, b;
  SampleOptions options = options_in(a);
  options.auto_warmup = true;
  const SampleRun first = run_with(correlated_normal(), options);
  options.output_dir = b.path().string();
  options.threads = 1;
  EXPECT_EQ(run_with(correlated_normal(), options).chains.rows, first.chains.rows);
}

TEST(AutoWarmup, IsRefusedWhereNothingSettles) {
  const auto error = [](auto change) {
    SampleOptions options;
    options.auto_warmup = true;
    change(options);
    return check_options(options).message;
  };
  EXPECT_EQ(error([](SampleOptions&) {}), "");
  EXPECT_EQ(error([](SampleOptions& o) { o.metric = MetricKind::Diag; }),
            "warmup is auto, which the metrics low_rank and fisher_diag have; diag_e has windows of its own");
  EXPECT_EQ(error([](SampleOptions& o) { o.adapt.engaged = false; }), "warmup is auto, but without adaptation nothing settles");
}

}  // namespace
}  // namespace fermiac::testing
