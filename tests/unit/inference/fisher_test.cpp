// Metrics from draws and gradients, and the linear algebra behind them.
#include "inference/mcmc/fisher.h"

#include <gtest/gtest.h>

#include "inference/math/symmetric_eigen.h"
#include "inference/mcmc/adapt.h"
#include "inference/mcmc/metric_adaptation.h"

namespace fermiac::inference {
namespace {

/// A random symmetric positive definite matrix with eigenvalues of several orders of magnitude.
Vec random_spd(std::size_t n, Rng& rng) {
  Vec root(n * n), out(n * n);
  for (double& x : root) x = rng.normal();
  for (std::size_t k = 0; k < n; ++k) {
    const double scale = std::exp(rng.normal());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += scale * root[k * n + i] * root[k * n + j];
  }
  return out;
}

Vec product(ConstSpan a, ConstSpan b, std::size_t n) {
  Vec out(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += a[i * n + k] * b[k * n + j];
  return out;
}

double largest(ConstSpan a) {
  double out = 0;
  for (const double x : a) out = std::fmax(out, std::fabs(x));
  return out;
}

void expect_decomposed(const Vec& a, std::size_t n) {
  Vec vectors = a, values(n);
  ASSERT_TRUE(symmetric_eigen(vectors, n, values)) << n;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += values[k] * vectors[k * n + i] * vectors[k * n + j];
      EXPECT_NEAR(sum, a[i * n + j], 1e-12 * static_cast<double>(n) * largest(a)) << n;
      const double expected = i == j ? 1 : 0;
      EXPECT_NEAR(dot(ConstSpan(vectors).subspan(i * n, n), ConstSpan(vectors).subspan(j * n, n)), expected, 1e-12) << n;
    }
}

TEST(SymmetricEigen, PutsTheMatrixTogetherAgain) {
  Rng rng(1);
  for (const std::size_t n : {1U, 2U, 3U, 7U, 40U}) {
    expect_decomposed(random_spd(n, rng), n);
    Vec identity(n * n), ones(n * n, 1.0), zero(n * n);
    for (std::size_t i = 0; i < n; ++i) identity[i * n + i] = 1;
    expect_decomposed(identity, n);
    expect_decomposed(ones, n);  // one eigenvalue n, the others zero
    expect_decomposed(zero, n);
  }
  Vec bad = {1, kNaN, kNaN, 1}, values(2);
  EXPECT_FALSE(symmetric_eigen(bad, 2, values));
}

TEST(GeometricMean, SolvesItsEquation) {
  Rng rng(2);
  for (const std::size_t n : {1U, 3U, 20U}) {
    const Vec a = random_spd(n, rng), b = random_spd(n, rng);
    Vec left = a, right = b, s;
    ASSERT_TRUE(geometric_mean(left, right, n, &s));
    const Vec sas = product(product(s, a, n), s, n);
    for (std::size_t i = 0; i < n * n; ++i) EXPECT_NEAR(sas[i], b[i], 1e-8 * largest(b)) << n;
  }
  Vec indefinite = {1, 2, 2, 1}, identity = {1, 0, 0, 1}, s;
  EXPECT_FALSE(geometric_mean(indefinite, identity, 2, &s));
}

/// Draws of normal(0, cov) with the gradients of its log density, for cov = l l'.
void add_normal_draws(ConstSpan cov, std::size_t n, int count, Rng& rng, FisherEstimator* out) {
  Vec l(cov.begin(), cov.end()), x(n), z(n), g(n);
  ASSERT_TRUE(cholesky_in_place(l, n));
  for (int i = 0; i < count; ++i) {
    for (double& v : z) v = rng.normal();
    multiply_lower(l, n, z, x);
    for (std::size_t k = 0; k < n; ++k) g[k] = -x[k];
    solve_cholesky(l, n, g);
    out->add(x, g);
  }
}

TEST(Fisher, AFewDrawsOfANormalGiveItsCovariance) {
  constexpr std::size_t n = 5;
  Rng rng(3);
  const Vec cov = random_spd(n, rng);
  FisherEstimator estimator(MetricKind::LowRank, n);
  add_normal_draws(cov, n, 40, rng, &estimator);
  Metric metric(MetricKind::LowRank, n);
  ASSERT_TRUE(estimator.estimate(&metric));
  Vec p(n), v(n), exact(n);
  for (int i = 0; i < 100; ++i) {
    for (double& x : p) x = rng.normal();
    for (std::size_t k = 0; k < n; ++k) exact[k] = dot(ConstSpan(cov).subspan(k * n, n), p);
    // Eigenvalues within a factor of 1.3 are taken for one.
    const double ratio = 2 * metric.kinetic(p, v) / dot(p, exact);
    EXPECT_GT(ratio, 1 / 1.35);
    EXPECT_LT(ratio, 1.35);
  }
}

TEST(Fisher, TheDiagonalIsTheRatioOfStandardDeviations) {
  FisherEstimator estimator(MetricKind::FisherDiag, 2);
  const double rows[4][4] = {{1, 10, 2, 5}, {2, 10, -1, 5}, {3, 10, 0, 5}, {6, 10, 3, 5}};
  for (const auto& r : rows) estimator.add(ConstSpan(r, 2), ConstSpan(r + 2, 2));
  Metric metric(MetricKind::FisherDiag, 2);
  ASSERT_TRUE(estimator.estimate(&metric));
  EXPECT_NEAR(metric.inverse()[0], std::sqrt(14.0 / 10.0), 1e-14);  // sums of squares 14 and 10
  EXPECT_EQ(metric.inverse()[1], 1);                                // did not move
}

TEST(Fisher, ForgetsAllButTheNewestBlocks) {
  FisherEstimator estimator(MetricKind::FisherDiag, 1);
  for (int block = 0; block < 4; ++block) {
    for (int i = 0; i < 10; ++i) estimator.add(Vec{1.0 * i}, Vec{-1.0 * i});
    estimator.end_block(2);
  }
  EXPECT_EQ(estimator.count(), 20U);
}

TEST(Fisher, FindsTheFewDirectionsOfManyParameters) {
  // Standard normal but for one direction, across all parameters, of variance 100.
  constexpr std::size_t n = 400;
  Rng rng(5);
  FisherEstimator estimator(MetricKind::LowRank, n);
  const double u = 1 / std::sqrt(static_cast<double>(n));
  for (int i = 0; i < 200; ++i) {
    Vec x(n), g(n);
    for (double& v : x) v = rng.normal();
    double along = 0;
    for (const double v : x) along += u * v;
    for (std::size_t k = 0; k < n; ++k) {
      g[k] = -(x[k] - (1 - 0.1) * along * u);
      x[k] += (10 - 1) * along * u;
    }
    estimator.add(x, g);
  }
  Metric metric(MetricKind::LowRank, n);
  ASSERT_TRUE(estimator.estimate(&metric));
  EXPECT_LE(metric.low_rank().rank(), 2U);
  Vec p(n, u), v(n);
  EXPECT_NEAR(2 * metric.kinetic(p, v), 100, 30);
}

TEST(Fisher, WhatDoesNotMoveIsNoProblem) {
  for (const MetricKind kind : {MetricKind::FisherDiag, MetricKind::LowRank})
    for (const std::size_t n : {3U, 300U}) {
      FisherEstimator estimator(kind, n);
      for (int i = 0; i < 12; ++i) estimator.add(Vec(n, 1.0), Vec(n, 1e300));
      Metric metric(kind, n);
      EXPECT_TRUE(estimator.estimate(&metric));
      for (const double x : metric.inverse()) EXPECT_EQ(x, 1);
    }
}

LowRankInverse one_direction() {
  return {.scales = {1, 2, 0.5}, .eigenvalues = {9}, .directions = {0.6, 0.8, 0}};
}

TEST(LowRankMetric, VelocityMomentumAndDiagonalBelongTogether) {
  constexpr std::size_t n = 3;
  Metric metric(MetricKind::LowRank, n);
  ASSERT_TRUE(metric.set_inverse(one_direction()));
  Vec inverse(n * n), unit(n), v(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[i] = 1;
    metric.velocity(unit, Span(inverse).subspan(i * n, n));
    EXPECT_NEAR(metric.inverse()[i], inverse[i * n + i], 1e-14);
  }
  EXPECT_NEAR(inverse[1], 2 * 8 * 0.6 * 0.8, 1e-14);  // s_1 s_2 (9 - 1) u_1 u_2
  // Momenta have the covariance M: v = M^-1 p has the covariance M^-1.
  Rng rng(7);
  Vec p(n), moment(n * n);
  const int draws = 200000;
  for (int d = 0; d < draws; ++d) {
    metric.sample_momentum(rng, p);
    metric.velocity(p, v);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) moment[i * n + j] += v[i] * v[j] / draws;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      EXPECT_NEAR(moment[i * n + j], inverse[i * n + j], 0.02 * std::sqrt(inverse[i * n + i] * inverse[j * n + j]));
}

TEST(LowRankMetric, RefusesWhatIsNone) {
  Metric metric(MetricKind::LowRank, 3);
  LowRankInverse m = one_direction();
  m.directions = {0.6, 0.6, 0};
  EXPECT_FALSE(metric.set_inverse(m));
  m = one_direction();
  m.eigenvalues = {-1};
  EXPECT_FALSE(metric.set_inverse(m));
  m = one_direction();
  m.scales[1] = 0;
  EXPECT_FALSE(metric.set_inverse(m));
  m = one_direction();
  m.scales.pop_back();
  EXPECT_FALSE(metric.set_inverse(m));
  m = one_direction();
  m.eigenvalues = {2, 2};  // two directions that are one
  m.directions = {1, 0, 0, 1, 0, 0};
  EXPECT_FALSE(metric.set_inverse(m));
  for (const double x : metric.inverse()) EXPECT_EQ(x, 1);
}

std::vector<unsigned> updates(unsigned warmup) {
  UpdateSchedule schedule(warmup, {});
  std::vector<unsigned> out;
  for (unsigned m = 0; m < warmup; ++m) {
    if (schedule.estimating() && schedule.at_update()) out.push_back(m + 1);
    schedule.advance();
  }
  return out;
}

TEST(UpdateSchedule, GrowsByHalfAndEndsWithTheFinalInterval) {
  EXPECT_EQ(updates(1000), (std::vector<unsigned>{10, 15, 23, 35, 53, 80, 120, 180, 270, 405, 608, 950}));
  EXPECT_EQ(updates(100), (std::vector<unsigned>{10, 15, 23, 35, 53, 85}));
  EXPECT_EQ(updates(20), (std::vector<unsigned>{10, 17}));
  EXPECT_TRUE(updates(19).empty());
  EXPECT_TRUE(UpdateSchedule(19, {}).warning());
  EXPECT_FALSE(UpdateSchedule(20, {}).warning());
}

}  // namespace
}  // namespace fermiac::inference
