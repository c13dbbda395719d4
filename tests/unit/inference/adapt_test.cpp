#include "inference/mcmc/adapt.h"

#include <gtest/gtest.h>

#include "inference/mcmc/chain.h"
#include "inference/mcmc/nuts.h"
#include "tests/shared/analytic_models.h"

namespace fermiac::inference {
namespace {

std::vector<unsigned> window_ends(unsigned warmup, const AdaptOptions& options) {
  WindowSchedule schedule(warmup, options);
  std::vector<unsigned> ends;
  for (unsigned m = 0; m < warmup; ++m) {
    if (schedule.at_window_end()) ends.push_back(m);
    schedule.advance();
  }
  return ends;
}

TEST(WindowSchedule, DoublesAndExtendsTheLastWindow) {
  // 75 fast, then 25 50 100 200 and the rest up to 950.
  EXPECT_EQ(window_ends(1000, {}), (std::vector<unsigned>{99, 149, 249, 449, 949}));
  EXPECT_EQ(window_ends(150, {}), (std::vector<unsigned>{99}));
  EXPECT_EQ(window_ends(300, {}), (std::vector<unsigned>{99, 149, 249}));
}

TEST(WindowSchedule, ShortWarmupIsCutAndSaysSo) {
  const WindowSchedule schedule(100, {});
  ASSERT_TRUE(schedule.warning());
  EXPECT_NE(schedule.warning()->find("init_buffer = 15"), std::string::npos);
  EXPECT_NE(schedule.warning()->find("adapt_window = 75"), std::string::npos);
  EXPECT_NE(schedule.warning()->find("term_buffer = 10"), std::string::npos);
  EXPECT_EQ(window_ends(100, {}), (std::vector<unsigned>{89}));
  EXPECT_TRUE(window_ends(19, {}).empty());
  EXPECT_FALSE(WindowSchedule(150, {}).warning());
}

TEST(DualAveraging, FindsTheRootOfAMonotoneResponse) {
  // Acceptance 1 / (1 + eps): the target 0.8 is reached at eps = 0.25.
  DualAveraging averaging{AdaptOptions{}};
  averaging.restart(1, 1);
  double eps = 1;
  for (int i = 0; i < 4000; ++i) eps = averaging.learn(1 / (1 + eps));
  EXPECT_NEAR(averaging.adapted(), 0.25, 0.01);
}

TEST(MomentEstimator, MatchesTheTwoPassFormulas) {
  const double q[5][2] = {{1, 2}, {2, -1}, {4, 0}, {-3, 5}, {0.5, 0.25}};
  MomentEstimator diag(MetricKind::Diag, 2), dense(MetricKind::Dense, 2);
  double mean[2] = {0, 0}, cov[2][2] = {{0, 0}, {0, 0}};
  for (const auto& row : q) {
    diag.add(row);
    dense.add(row);
    for (int i = 0; i < 2; ++i) mean[i] += row[i] / 5;
  }
  for (const auto& row : q)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) cov[i][j] += (row[i] - mean[i]) * (row[j] - mean[j]) / 4;
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(diag.regularised()[i], 0.5 * cov[i][i] + 1e-3 * 0.5, 1e-14);
    for (int j = 0; j < 2; ++j)
      EXPECT_NEAR(dense.regularised()[2 * i + j], 0.5 * cov[i][j] + (i == j ? 1e-3 * 0.5 : 0), 1e-14);
  }
}

/// Keeps the adaptation result and the acceptance statistics of the sampling phase.
class Recorder final : public ChainSink {
 public:
  void message(std::string_view) override {}
  void adaptation(double eps, const Metric& metric) override {
    stepsize = eps;
    inverse.assign(metric.inverse().begin(), metric.inverse().end());
  }
  Status draw(ConstSpan sampler, ConstSpan, bool warmup) override {
    if (warmup) warmup_accept.push_back(sampler[1]);
    if (!warmup) accept += sampler[1];
    draws += !warmup;
    return {};
  }
  void progress(unsigned, bool) override {}
  double stepsize = 0, accept = 0;
  int draws = 0;
  Vec warmup_accept;
  Vec inverse;
};

Recorder adapt_on(const Model& model, SampleOptions options) {
  Recorder recorder;
  Chain chain(model, options, 11, 1, nullptr, recorder);
  chain.warm_up(InitSpec{}, nullptr);
  chain.sample(options.num_samples);
  const ChainOutcome& outcome = chain.outcome();
  EXPECT_TRUE(outcome.status) << outcome.status.message;
  return recorder;
}

TEST(Adaptation, ReachesTheTargetAcceptance) {
  for (const double delta : {0.6, 0.8, 0.95}) {
    SampleOptions options;
    options.adapt.delta = delta;
    options.save_warmup = true;
    const Recorder r = adapt_on(testing::std_normal(20), options);
    // Dual averaging drives the mean acceptance of its own iterates to the target: look at the last window.
    double sum = 0;
    for (std::size_t m = 460; m < 950; ++m) sum += r.warmup_accept[m];
    EXPECT_NEAR(sum / 490, delta, 0.03);
    // The averaged step is smaller than the noisy iterates it averages, so sampling accepts at least as much.
    EXPECT_GT(r.accept / r.draws, delta - 0.03) << delta;
  }
}

TEST(Adaptation, DiagonalMetricLearnsTheVariances) {
  SampleOptions options;
  options.metric = MetricKind::Diag;
  const Recorder r = adapt_on(testing::scaled_normal(4), options);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(std::log10(std::sqrt(r.inverse[i])), i - 1, 0.1) << i;
}

TEST(Adaptation, DenseMetricLearnsTheCovariance) {
  SampleOptions options;
  options.metric = MetricKind::Dense;
  const Recorder r = adapt_on(testing::correlated_normal(), options);
  EXPECT_NEAR(r.inverse[1] / std::sqrt(r.inverse[0] * r.inverse[3]), 0.95, 0.02);
  EXPECT_NEAR(r.inverse[3] / r.inverse[0], 4, 0.5);
}

TEST(Metric, RefusesWhatIsNotAMetric) {
  Metric diag(MetricKind::Diag, 2), dense(MetricKind::Dense, 2);
  EXPECT_FALSE(diag.set_inverse(Vec{1, -1}));
  EXPECT_FALSE(diag.set_inverse(Vec{1}));
  EXPECT_FALSE(dense.set_inverse(Vec{1, 2, 2, 1}));
  EXPECT_FALSE(dense.set_inverse(Vec{1, 0.5, 0.1, 1}));
  EXPECT_TRUE(dense.set_inverse(Vec{1, 0.5, 0.5, 1}));
}

TEST(Metric, MomentumHasTheInverseCovariance) {
  Metric dense(MetricKind::Dense, 2);
  ASSERT_TRUE(dense.set_inverse(Vec{2, 0.6, 0.6, 1}));
  const double det = 2 - 0.36, expected[3] = {1 / det, -0.6 / det, 2 / det};
  Rng rng(5);
  Vec p(2), moment(3);
  const int n = 100000;
  for (int i = 0; i < n; ++i) {
    dense.sample_momentum(rng, p);
    moment[0] += p[0] * p[0] / n;
    moment[1] += p[0] * p[1] / n;
    moment[2] += p[1] * p[1] / n;
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(moment[i], expected[i], 0.025) << i;
}

}  // namespace
}  // namespace fermiac::inference
