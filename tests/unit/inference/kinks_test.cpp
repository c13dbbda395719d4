// Optimizers on densities with kinks: where one reports convergence, the gradient is small or the kink is named, and no other
// start finds a higher point of a concave density.
#include "inference/approximate/kinks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "inference/methods/methods.h"
#include "inference/output/csv.h"
#include "support/platform/text_streams.h"
#include "tests/shared/analytic_models.h"
#include "tests/shared/setting.h"

namespace fermiac::inference {
namespace {

using testing::AnalyticModel;
using testing::OwnFolder;

double sign(double x) {
  return (x > 0) - (x < 0);
}

/// Rows of regressors and outcomes.
struct Rows {
  std::vector<Vec> x;
  Vec y;
};

Rows random_rows(std::mt19937& rng, std::size_t n, std::size_t k) {
  std::normal_distribution<double> normal;
  Rows rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.x.emplace_back();
    double mean = 0;
    for (std::size_t j = 0; j < k; ++j) {
      rows.x.back().push_back(j == 0 ? 1 : normal(rng));
      mean += rows.x.back()[j] * (j % 2 == 0 ? 1.0 : 0.05);
    }
    rows.y.push_back(mean + 0.5 * normal(rng));
  }
  return rows;
}

/// Coefficients with double exponential priors and normal noise of a known scale.
AnalyticModel lasso(std::mt19937& rng) {
  const std::size_t k = 2 + rng() % 8;
  const double scale = std::pow(10, -2 + 0.02 * (rng() % 100)), noise = 0.2 + 0.01 * (rng() % 100);
  return {"kinks", k, [rows = random_rows(rng, 5 + rng() % 30, k), scale, noise](ConstSpan q, double* lp, Span g) {
            *lp = 0;
            for (std::size_t j = 0; j < q.size(); ++j) {
              *lp -= std::fabs(q[j]) / scale;
              g[j] = -sign(q[j]) / scale;
            }
            for (std::size_t i = 0; i < rows.y.size(); ++i) {
              const double e = (rows.y[i] - dot(rows.x[i], q)) / noise;
              *lp -= 0.5 * e * e;
              axpy(e / noise, rows.x[i], g);
            }
            return true;
          }};
}

/// Median regression: the kinks are hyperplanes across the axes, and several meet at the mode.
AnalyticModel median_regression(std::mt19937& rng) {
  const std::size_t k = 2 + rng() % 3;
  return {"kinks", k, [rows = random_rows(rng, 7 + rng() % 20, k)](ConstSpan q, double* lp, Span g) {
            *lp = 0;
            std::ranges::fill(g, 0);
            for (std::size_t i = 0; i < rows.y.size(); ++i) {
              const double e = rows.y[i] - dot(rows.x[i], q);
              *lp -= 2 * std::fabs(e);
              axpy(2 * sign(e), rows.x[i], g);
            }
            return true;
          }};
}

/// A piecewise linear trend with double exponential changes of its slope and normal noise whose log scale is the last parameter.
AnalyticModel trend(std::mt19937& rng) {
  const std::size_t changes = 5 + rng() % 10, n = 20 + rng() % 60;
  const double tau = 0.05 * (1 + rng() % 3);
  std::normal_distribution<double> normal;
  Vec y;
  for (std::size_t i = 0; i < n; ++i) y.push_back(0.4 + 0.3 * i / double(n) + 0.05 * normal(rng));
  return {"kinks", changes + 3, [y, changes, tau, n](ConstSpan q, double* lp, Span g) {
            const std::size_t last = changes + 2;
            const double sigma = std::exp(q[last]);
            *lp = -0.5 * (q[0] * q[0] + q[1] * q[1]) / 25 - 2 * sigma * sigma - double(n) * q[last];
            g[0] = -q[0] / 25;
            g[1] = -q[1] / 25;
            g[last] = -4 * sigma * sigma - double(n);
            for (std::size_t j = 0; j < changes; ++j) {
              *lp -= std::fabs(q[2 + j]) / tau;
              g[2 + j] = -sign(q[2 + j]) / tau;
            }
            for (std::size_t i = 0; i < n; ++i) {
              const double t = double(i) / double(n);
              double mean = q[0] * t + q[1];
              const auto ramp = [&](std::size_t j) { return std::fmax(0, t - 0.8 * double(j + 1) / double(changes)); };
              for (std::size_t j = 0; j < changes; ++j) mean += q[2 + j] * ramp(j);
              const double e = (y[i] - mean) / sigma, slope = e / sigma;
              *lp -= 0.5 * e * e;
              g[0] += slope * t;
              g[1] += slope;
              g[last] += e * e;
              for (std::size_t j = 0; j < changes; ++j) g[2 + j] += slope * ramp(j);
            }
            return true;
          }};
}

/// Scales with half-normal priors on the log scale times coefficients with double exponential ones: a horseshoe with kinks.
AnalyticModel horseshoe(std::mt19937& rng) {
  const std::size_t k = 2 + rng() % 4;
  return {"kinks", 2 * k, [rows = random_rows(rng, 10 + rng() % 20, k), k](ConstSpan q, double* lp, Span g) {
            *lp = 0;
            Vec b(k), b_adjoint(k, 0);
            for (std::size_t j = 0; j < k; ++j) {
              const double scale = std::exp(q[k + j]);
              b[j] = q[j] * scale;
              *lp += -std::fabs(q[j]) - std::log1p(scale * scale) + q[k + j];
              g[j] = -sign(q[j]);
              g[k + j] = 1 - 2 * scale * scale / (1 + scale * scale);
            }
            for (std::size_t i = 0; i < rows.y.size(); ++i) {
              const double e = rows.y[i] - dot(rows.x[i], b);
              *lp -= 2 * e * e;
              axpy(4 * e, rows.x[i], b_adjoint);
            }
            for (std::size_t j = 0; j < k; ++j) {
              g[j] += b_adjoint[j] * std::exp(q[k + j]);
              g[k + j] += b_adjoint[j] * b[j];
            }
            return true;
          }};
}

struct Climb {
  int status = 1;
  double lp = -kInf;
  Vec at;
  std::string said;
};

Climb optimize(const AnalyticModel& model, OptimizeOptions::Algorithm algorithm, unsigned seed) {
  const OwnFolder dir;
  TextStream out, err;
  OptimizeOptions options;
  options.output_dir = dir.path().string();
  options.seed = seed;
  options.algorithm = algorithm;
  Climb run;
  run.status = run_optimize(model, options, {.out = out.file(), .err = err.file(), .terminal = false, .stop = nullptr}) ? 0 : 1;
  run.said = err.text();
  CsvDraws draws;
  EXPECT_TRUE(read_csv(dir.at("kinks_optimize.csv"), &draws));
  run.lp = draws.at(0, 0);
  for (std::size_t j = 0; j < model.unconstrained_size(); ++j) run.at.push_back(draws.at(0, 1 + j));
  return run;
}

/// The highest of many points nearby, relative to the point.
double gain_nearby(const AnalyticModel& model, const Vec& at, std::mt19937& rng) {
  const auto workspace = model.workspace();
  std::normal_distribution<double> normal;
  double here = 0, best = -kInf;
  EXPECT_TRUE(workspace->log_density(at, {}, &here));
  for (int i = 0; i < 400; ++i) {
    Vec near = at;
    const double r = std::pow(10, -1 - 0.01 * i);
    for (double& x : near) x += i % 2 == 0 || rng() % 3 == 0 ? r * normal(rng) : 0;
    double lp = 0;
    if (workspace->log_density(near, {}, &lp)) best = std::max(best, lp - here);
  }
  return best;
}

using Make = AnalyticModel (*)(std::mt19937&);
struct Kind {
  const char* name;
  Make make;
  bool concave;
};

class Kinks : public ::testing::TestWithParam<Kind> {};

TEST_P(Kinks, ConvergedMeansASmallGradientOrAKinkWithAName) {
  using enum OptimizeOptions::Algorithm;
  const unsigned models = static_cast<unsigned>(testing::setting("FERMIAC_KINKS", 13));
  unsigned converged = 0, runs = 0;
  for (unsigned m = 0; m < models; ++m) {
    std::mt19937 rng(1000 + m);
    const AnalyticModel model = GetParam().make(rng);
    std::vector<Climb> all;
    double best = -kInf;
    for (const auto algorithm : {Lbfgs, Bfgs, Newton})
      for (unsigned seed = 1; seed <= 2; ++seed) {
        SCOPED_TRACE(::testing::Message() << "model " << m << ", algorithm " << static_cast<int>(algorithm) << ", seed " << seed);
        all.push_back(optimize(model, algorithm, seed));
        const Climb& run = all.back();
        ++runs;
        best = std::max(best, run.lp);
        if (run.status != 0) continue;
        if (run.said.find("Maximum number") != std::string::npos) continue;
        ++converged;
        Vec gradient(run.at.size());
        double lp = 0;
        EXPECT_TRUE(model.workspace()->log_density_gradient(run.at, {}, &lp, gradient));
        EXPECT_TRUE(norm(gradient) < 0.1 || run.said.find("has a kink here in x[") != std::string::npos) << norm(gradient) << run.said;
        EXPECT_LT(gain_nearby(model, run.at, rng), 1e-4 * std::max(1.0, std::fabs(lp))) << run.said;
      }
    for (const Climb& run : all) {
      if (!GetParam().concave || run.status != 0) continue;
      EXPECT_NEAR(run.lp, best, 1e-4 * std::max(1.0, std::fabs(best))) << "model " << m << run.said;
    }
  }
  EXPECT_GE(converged, runs - runs / 20) << "of " << runs;
}

INSTANTIATE_TEST_SUITE_P(All, Kinks,
                         ::testing::Values(Kind{"Lasso", lasso, true}, Kind{"MedianRegression", median_regression, true},
                                           Kind{"Trend", trend, false}, Kind{"Horseshoe", horseshoe, false}),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace fermiac::inference
