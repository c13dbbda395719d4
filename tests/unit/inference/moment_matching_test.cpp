// Moved draws against a regression with known noise, whose posteriors with and without an observation are normal.
#include "inference/diagnostics/loo.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "support/base/rng.h"
#include "tests/shared/analytic_models.h"

namespace fermiac::inference {
namespace {

constexpr std::array<double, 9> kX{-1, -0.7, -0.4, -0.1, 0.1, 0.3, 0.6, 0.9, 1.5};  // the last one is far from the line of the others
constexpr std::array<double, 9> kY{-0.9, 0.3, -0.2, 0.4, -0.6, 0.5, 0.2, 1.1, -5};
constexpr double kPrior = 1.0 / 25;  // precision of both coefficients

double log_normal(double y, double mean, double variance) {
  return -0.5 * std::log(2 * std::numbers::pi * variance) - (y - mean) * (y - mean) / (2 * variance);
}

/// Precision and mean of (a, b) given the observations but `left_out`.
struct Posterior {
  double paa = kPrior, pab = 0, pbb = kPrior, ha = 0, hb = 0;
  explicit Posterior(std::size_t left_out) {
    for (std::size_t i = 0; i < kX.size(); ++i) {
      if (i == left_out) continue;
      paa += 1, pab += kX[i], pbb += kX[i] * kX[i];
      ha += kY[i], hb += kX[i] * kY[i];
    }
  }
  double det() const { return paa * pbb - pab * pab; }
  double a() const { return (pbb * ha - pab * hb) / det(); }
  double b() const { return (paa * hb - pab * ha) / det(); }
  /// Of a + b x.
  double variance(double x) const { return (pbb - 2 * pab * x + paa * x * x) / det(); }
};

testing::AnalyticModel line() {
  return {"line", 2, [](std::span<const double> q, double* lp, std::span<double> g) {
            *lp = -0.5 * kPrior * (q[0] * q[0] + q[1] * q[1]);
            g[0] = -kPrior * q[0];
            g[1] = -kPrior * q[1];
            for (std::size_t i = 0; i < kX.size(); ++i) {
              const double r = kY[i] - q[0] - q[1] * kX[i];
              *lp -= 0.5 * r * r;
              g[0] += r;
              g[1] += r * kX[i];
            }
            return true;
          }};
}

class Line final : public ObservedModel {
 public:
  Line() {
    for (std::size_t i = 0; i < kX.size(); ++i) names_.push_back("y[" + std::to_string(i + 1) + "]");
  }
  const Model& model() const override { return model_; }
  const std::vector<std::string>& observations() const override { return names_; }
  const std::vector<std::string>& of_what() const override { return of_what_; }
  EvalStatus pointwise(ConstSpan theta, Span log_lik) const override {
    for (std::size_t i = 0; i < kX.size(); ++i) log_lik[i] = log_normal(kY[i], theta[0] + theta[1] * kX[i], 1);
    return {};
  }
  std::unique_ptr<Model> without(const std::vector<std::size_t>&) const override { return nullptr; }

 private:
  testing::AnalyticModel model_ = line();
  std::vector<std::string> names_, of_what_ = {"y"};
};

/// Independent draws from the posterior of all observations.
std::vector<Vec> posterior_draws(std::size_t n, std::uint64_t seed) {
  const Posterior all(kX.size());
  const double sa = std::sqrt(all.pbb / all.det()), sb = 1 / std::sqrt(all.pbb);
  Rng rng(seed, 1);
  std::vector<Vec> out;
  for (std::size_t s = 0; s < n; ++s) {
    const double a = all.a() + sa * rng.normal();
    const double b = all.b() - all.pab / all.pbb * (a - all.a()) + sb * rng.normal();
    out.push_back({a, b});
  }
  return out;
}

TEST(MomentMatching, GivesWhatTheWeightsCannot) {
  const Line model;
  const std::size_t far = kX.size() - 1;
  const Posterior without(far);
  const double exact = log_normal(kY[far], without.a() + without.b() * kX[far], 1 + without.variance(kX[far]));
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    SCOPED_TRACE(seed);
    LogLik log_lik;
    ASSERT_TRUE(log_lik_at(model, posterior_draws(4000, seed), 4, &log_lik));
    CrossValidation result = psis_loo(log_lik, 1.0, {});
    ASSERT_GT(result.points[far].k, 0.7);
    const std::vector<CrossValidation::Point> before = result.points;
    ASSERT_TRUE(match_moments(model, log_lik, 1.0, nullptr, &result));
    EXPECT_LT(result.points[far].k, before[far].k);
    EXPECT_NEAR(result.points[far].elpd, exact, 5 * result.points[far].mcse + 0.02) << "it was " << before[far].elpd;
    EXPECT_LT(std::abs(result.points[far].elpd - exact), 0.25 * std::abs(before[far].elpd - exact));
    EXPECT_NEAR(result.points[far].p + result.points[far].elpd, before[far].p + before[far].elpd, 1e-12);
    ASSERT_FALSE(result.matched.empty());
    EXPECT_EQ(result.matched.back(), "y[9]");
    for (std::size_t i = 0; i < far; ++i) {
      if (before[i].k > result.limit) continue;
      EXPECT_EQ(result.points[i].elpd, before[i].elpd) << i;
    }
  }
}

TEST(MomentMatching, LeavesGoodObservationsAlone) {
  const Line model;
  LogLik log_lik;
  ASSERT_TRUE(log_lik_at(model, posterior_draws(1000, 7), 1, &log_lik));
  CrossValidation result = psis_loo(log_lik, 1.0, 100.0);
  ASSERT_TRUE(result.bad().empty());
  ASSERT_TRUE(match_moments(model, log_lik, 1.0, nullptr, &result));
  EXPECT_TRUE(result.matched.empty());
}

TEST(CrossValidation, AnAverageOfLikelihoodsHasItsError) {
  // log_lik = s z with normal z: the mean likelihood is exp(s² / 2), and exp(s z) has the relative variance exp(s²) - 1.
  constexpr std::size_t kDraws = 4000;
  constexpr double kScale = 0.5;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    Rng rng(seed);
    Vec log_lik(kDraws);
    for (double& x : log_lik) x = kScale * rng.normal();
    const LooPoint point = average_point(log_lik, 4);
    EXPECT_NEAR(point.mcse, std::sqrt(std::expm1(kScale * kScale) / kDraws), 0.2 * point.mcse) << seed;
    EXPECT_NEAR(point.elpd, 0.5 * kScale * kScale, 4 * point.mcse) << seed;
    EXPECT_LT(point.k, 0.5) << seed;
  }
  Rng rng(6);
  Vec heavy(kDraws);
  for (double& x : heavy) x = -std::log(rng.uniform());  // exp(x) has the tail shape 1: it has no mean
  EXPECT_GT(average_point(heavy, 4).k, 0.7);
}

TEST(MomentMatching, StopsWhenAsked) {
  const Line model;
  LogLik log_lik;
  ASSERT_TRUE(log_lik_at(model, posterior_draws(1000, 7), 1, &log_lik));
  CrossValidation result = psis_loo(log_lik, 1.0, {});
  const std::atomic<bool> stop{true};
  const Result stopped = match_moments(model, log_lik, 1.0, &stop, &result);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error, kInterrupted);
}

}  // namespace
}  // namespace fermiac::inference
