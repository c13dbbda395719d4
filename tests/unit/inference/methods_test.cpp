// Optimisation and the approximations on densities with known modes and moments, and the files they write.
#include "inference/methods/methods.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "inference/approximate/pathfinder.h"
#include "inference/approximate/quasi_newton.h"
#include "inference/math/psis.h"
#include "inference/methods/method_run.h"
#include "inference/methods/sample.h"
#include "inference/model/second_derivatives.h"
#include "inference/output/csv.h"
#include "inference/output/run_io.h"
#include "support/platform/text_streams.h"
#include "tests/shared/analytic_models.h"

namespace fermiac::inference {
namespace {

using testing::AnalyticModel;
using testing::OwnFolder;

struct Streams {
  TextStream out, err;
  RunIo io() { return {.out = out.file(), .err = err.file(), .terminal = false, .stop = nullptr}; }
};

template <class Options>
Options in(const OwnFolder& dir) {
  Options options;
  options.output_dir = dir.path().string();
  options.seed = 99;
  options.threads = 2;
  return options;
}

CsvDraws read(const std::string& path) {
  CsvDraws draws;
  const Status result = read_csv(path, &draws);
  EXPECT_TRUE(result) << result.message;
  return draws;
}

double mean_of(const CsvDraws& d, const std::string& name, std::size_t first = 0) {
  double sum = 0;
  for (std::size_t i = first; i < d.rows; ++i) sum += d.at(i, d.column(name));
  return sum / static_cast<double>(d.rows - first);
}

double cov_of(const CsvDraws& d, const std::string& a, const std::string& b, std::size_t first = 0) {
  const double ma = mean_of(d, a, first), mb = mean_of(d, b, first);
  double sum = 0;
  for (std::size_t i = first; i < d.rows; ++i) sum += (d.at(i, d.column(a)) - ma) * (d.at(i, d.column(b)) - mb);
  return sum / static_cast<double>(d.rows - first - 1);
}

/// -((1 - x)^2 + 100 (y - x^2)^2), with its maximum 0 at (1, 1).
AnalyticModel rosenbrock() {
  return {"rosenbrock", 2, [](std::span<const double> q, double* lp, std::span<double> g) {
            const double a = 1 - q[0], b = q[1] - q[0] * q[0];
            *lp = -a * a - 100 * b * b;
            g[0] = 2 * a + 400 * q[0] * b;
            g[1] = -200 * b;
            return true;
          }};
}

// --- optimize -------------------------------------------------------------------------------------------------------

TEST(Optimize, EveryAlgorithmFindsTheMode) {
  using enum OptimizeOptions::Algorithm;
  for (const auto algorithm : {Lbfgs, Bfgs, Newton}) {
    const OwnFolder dir;
    Streams streams;
    auto options = in<OptimizeOptions>(dir);
    options.algorithm = algorithm;
    ASSERT_TRUE(run_optimize(rosenbrock(), options, streams.io())) << streams.err.text();
    const CsvDraws d = read(dir.at("rosenbrock_optimize.csv"));
    ASSERT_EQ(d.rows, 1u);
    EXPECT_EQ(d.names, (std::vector<std::string>{"lp__", "x.1", "x.2", "sum", "noise"}));
    EXPECT_NEAR(d.at(0, 1), 1, 2e-3) << static_cast<int>(algorithm);
    EXPECT_NEAR(d.at(0, 2), 1, 4e-3);
    EXPECT_NEAR(d.at(0, 0), 0, 1e-5);
  }
}

TEST(Optimize, BadlyScaledNormal) {
  const OwnFolder dir;
  Streams streams;
  auto options = in<OptimizeOptions>(dir);
  ASSERT_TRUE(run_optimize(testing::scaled_normal(4), options, streams.io())) << streams.err.text();
  const CsvDraws d = read(dir.at("scaled_normal_optimize.csv"));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(d.at(0, 1 + i), double(i), 1e-2 * std::pow(10, double(i) - 1));
  EXPECT_NE(streams.err.text().find("Optimization terminated normally: \n  Convergence detected: "), std::string::npos);
  EXPECT_NE(streams.err.text().find("Initial log joint probability = "), std::string::npos);
}

TEST(Optimize, SavesIterationsAndReportsTheLimit) {
  const OwnFolder dir;
  Streams streams;
  auto options = in<OptimizeOptions>(dir);
  options.save_iterations = true;
  options.iterations = 5;
  ASSERT_TRUE(run_optimize(rosenbrock(), options, streams.io()));
  const CsvDraws d = read(dir.at("rosenbrock_optimize.csv"));
  EXPECT_EQ(d.rows, 6u);
  for (std::size_t i = 1; i < d.rows; ++i) EXPECT_GT(d.at(i, 0), d.at(i - 1, 0));
  EXPECT_NE(streams.err.text().find("Maximum number of iterations hit, may not be at an optima"), std::string::npos);
}

TEST(Optimize, UnboundedDensityFails) {
  const AnalyticModel model("jump", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = q[0];
    g[0] = -1;  // a wrong gradient: no step along it gains anything
    return true;
  });
  const OwnFolder dir;
  Streams streams;
  EXPECT_FALSE(run_optimize(model, in<OptimizeOptions>(dir), streams.io()));
  EXPECT_NE(streams.err.text().find("Line search failed"), std::string::npos) << streams.err.text();
}

// --- laplace --------------------------------------------------------------------------------------------------------

TEST(Laplace, ExactForANormal) {
  const OwnFolder dir;
  Streams streams;
  std::ofstream(dir.at("mode.json")) << R"({"x": [0, 0]})";
  auto options = in<LaplaceOptions>(dir);
  options.mode = dir.at("mode.json");
  options.draws = 20000;
  ASSERT_TRUE(run_laplace(testing::correlated_normal(), options, streams.io())) << streams.err.text();
  const CsvDraws d = read(dir.at("correlated_laplace.csv"));
  EXPECT_EQ(d.names[0], "log_p__");
  EXPECT_EQ(d.names[1], "log_q__");
  ASSERT_EQ(d.rows, 20000u);
  EXPECT_NEAR(cov_of(d, "x.1", "x.1"), 1, 0.05);
  EXPECT_NEAR(cov_of(d, "x.2", "x.2"), 4, 0.2);
  EXPECT_NEAR(cov_of(d, "x.1", "x.2"), 1.9, 0.1);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(d.at(i, 0), d.at(i, 1), 1e-5);  // both unnormalised
}

TEST(Laplace, TakesTheModeFromOptimize) {
  const OwnFolder dir;
  Streams streams;
  auto optimize = in<OptimizeOptions>(dir);
  optimize.jacobian = true;
  ASSERT_TRUE(run_optimize(testing::log_exponential(2), optimize, streams.io()));
  auto options = in<LaplaceOptions>(dir);
  options.mode = dir.at("exponential_optimize.csv");
  options.draws = 10;
  ASSERT_TRUE(run_laplace(testing::log_exponential(2), options, streams.io())) << streams.err.text();
}

TEST(Laplace, FindsItsOwnMode) {
  const OwnFolder dir;
  Streams streams;
  auto options = in<LaplaceOptions>(dir);
  options.draws = 20000;
  ASSERT_TRUE(run_laplace(testing::correlated_normal(), options, streams.io())) << streams.err.text();
  const CsvDraws d = read(dir.at("correlated_laplace.csv"));
  EXPECT_NEAR(cov_of(d, "x.1", "x.1"), 1, 0.05);
  EXPECT_NEAR(cov_of(d, "x.2", "x.2"), 4, 0.2);
  EXPECT_NE(streams.err.text().find("Found a mode in "), std::string::npos);
  EXPECT_EQ(streams.err.text().find("may not be a mode"), std::string::npos);
}

/// log density exp(x): rises until it overflows.
AnalyticModel exponential_rise() {
  return AnalyticModel("rise", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = std::exp(q[0]);
    g[0] = *lp;
    return std::isfinite(*lp);
  });
}

TEST(Laplace, SaysWhatOptimizeSaysWhereThereIsNoMode) {
  const AnalyticModel linear("linear", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = q[0] - (q[0] < 0 ? q[0] * q[0] : 0);
    g[0] = 1 - (q[0] < 0 ? 2 * q[0] : 0);
    return true;
  });
  const AnalyticModel rise = exponential_rise();
  const std::pair<const AnalyticModel*, std::string> cases[] = {
      {&linear, "Maximum number of iterations hit, may not be at an optima"},
      {&rise, "Line search failed to achieve a sufficient decrease: log density and gradient grow without bound, there is no mode to be found"}};
  for (const auto& [model, why] : cases) {
    const OwnFolder dir;
    Streams of_optimize, of_laplace;
    const Status result = run_optimize(*model, in<OptimizeOptions>(dir), of_optimize.io());
    EXPECT_EQ(bool(result), model != &rise);
    EXPECT_NE(of_optimize.err.text().find(why), std::string::npos) << of_optimize.err.text();
    EXPECT_FALSE(run_laplace(*model, in<LaplaceOptions>(dir), of_laplace.io()));
    EXPECT_NE(of_laplace.err.text().find("no mode was found: " + why), std::string::npos) << of_laplace.err.text();
    EXPECT_EQ(of_laplace.err.text().find("Found a mode"), std::string::npos) << of_laplace.err.text();
  }
}

TEST(Laplace, CallsAFlatPointNoMode) {
  const AnalyticModel flat("flat", 1, [](std::span<const double>, double* lp, std::span<double> g) { return *lp = g[0] = 0, true; });
  const OwnFolder dir;
  Streams streams;
  EXPECT_FALSE(run_laplace(flat, in<LaplaceOptions>(dir), streams.io()));
  EXPECT_NE(streams.err.text().find("is not negative definite, so there is no normal approximation"), std::string::npos) << streams.err.text();
  EXPECT_EQ(streams.err.text().find("Found a mode"), std::string::npos) << streams.err.text();
}

TEST(Laplace, RefusesASaddle) {
  const AnalyticModel model("saddle", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = q[0] * q[0];
    g[0] = 2 * q[0];
    return true;
  });
  const OwnFolder dir;
  Streams streams;
  std::ofstream(dir.at("mode.json")) << R"({"x": [0]})";
  auto options = in<LaplaceOptions>(dir);
  options.mode = dir.at("mode.json");
  EXPECT_FALSE(run_laplace(model, options, streams.io()));
  EXPECT_NE(streams.err.text().find("not negative definite"), std::string::npos);
}

// --- pathfinder -----------------------------------------------------------------------------------------------------

TEST(PathNormal, EqualsTheBfgsInverseHessian) {
  // Dense BFGS updates of diag(alpha) give the same covariance as the compact form, and Sigma grad the same mean.
  const std::size_t n = 4;
  const Vec alpha = {0.5, 1, 2, 0.7};
  const std::vector<Vec> s = {{1, 0.2, 0, -0.3}, {0.1, 1, 0.4, 0}, {0, -0.5, 1, 0.6}};
  const std::vector<Vec> z = {{2, 0.1, 0.2, 0}, {0, 1.5, 0.1, -0.2}, {0.3, 0, 0.8, 0.1}};
  std::vector<Vec> h(n, Vec(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) h[i][i] = alpha[i];
  for (std::size_t k = 0; k < s.size(); ++k) {
    const double rho = 1 / dot(s[k], z[k]);
    std::vector<Vec> next(n, Vec(n, 0.0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t a = 0; a < n; ++a)
          for (std::size_t b = 0; b < n; ++b)
            next[i][j] += ((i == a) - rho * s[k][i] * z[k][a]) * h[a][b] * ((j == b) - rho * z[k][b] * s[k][j]);
        next[i][j] += rho * s[k][i] * s[k][j];
      }
    h = next;
  }
  const Vec point = {1, 2, 3, 4}, gradient = {0.5, -1, 0.25, 2};
  PathNormal normal;
  ASSERT_TRUE(normal.build(point, gradient, alpha, s, z));
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(normal.mean()[i], point[i] + dot(h[i], gradient), 1e-10);
  Vec flat;
  for (const Vec& row : h) flat.insert(flat.end(), row.begin(), row.end());
  Vec factor = flat;
  ASSERT_TRUE(cholesky_in_place(factor, n));
  double log_det = 0;
  for (std::size_t i = 0; i < n; ++i) log_det += 2 * std::log(factor[i * n + i]);
  EXPECT_NEAR(normal.log_determinant(), log_det, 1e-10);
  // The log density of a draw, from the dense covariance.
  Rng rng(1);
  Vec x(n);
  for (int i = 0; i < 5; ++i) {
    const double log_q = normal.draw(rng, x);
    for (std::size_t k = 0; k < n; ++k) x[k] -= normal.mean()[k];
    solve_lower(factor, n, x);
    EXPECT_NEAR(log_q, -0.5 * (log_det + dot(x, x) + 4 * kLog2Pi), 1e-9);
  }
}

TEST(Pathfinder, RecoversANormal) {
  const OwnFolder dir;
  Streams streams;
  auto options = in<PathfinderOptions>(dir);
  options.num_psis_draws = 4000;
  options.num_draws = 2000;
  ASSERT_TRUE(run_pathfinder(testing::scaled_normal(3), options, streams.io())) << streams.err.text();
  const CsvDraws d = read(dir.at("scaled_normal_pathfinder.csv"));
  EXPECT_EQ(d.rows, 4000u);
  EXPECT_EQ(d.names[0], "lp_approx__");
  EXPECT_EQ(d.names[1], "lp__");
  const double sd[] = {0.1, 1, 10};
  for (int i = 0; i < 3; ++i) {
    const std::string name = "x." + std::to_string(i + 1);
    EXPECT_NEAR(mean_of(d, name), i, 0.2 * sd[i]) << name;
    EXPECT_NEAR(std::sqrt(cov_of(d, name, name)) / sd[i], 1, 0.15) << name;
  }
  EXPECT_NE(streams.err.text().find("Path [4] :Best Iter: ["), std::string::npos);
}

TEST(Pathfinder, DoesNotDependOnThreadsAndSavesPaths) {
  std::string first;
  for (const unsigned threads : {1u, 4u}) {
    const OwnFolder dir;
    Streams streams;
    auto options = in<PathfinderOptions>(dir);
    options.threads = threads;
    options.save_single_paths = true;
    options.num_draws = options.num_psis_draws = 50;
    ASSERT_TRUE(run_pathfinder(testing::correlated_normal(), options, streams.io()));
    EXPECT_EQ(read(dir.at("correlated_path_3.csv")).rows, 50u);
    const CsvDraws d = read(dir.at("correlated_pathfinder.csv"));
    std::ostringstream text;
    for (const double x : d.values) text << x << ' ';
    if (first.empty()) first = text.str();
    EXPECT_EQ(text.str(), first);
  }
}

TEST(Psis, ParetoFitRecoversTheShape) {
  // Exact quantiles of a generalised Pareto distribution with shape 0.4 and scale 2.
  Vec x;
  for (int i = 0; i < 2000; ++i) x.push_back(2 * std::expm1(-0.4 * std::log1p(-(i + 0.5) / 2000)) / 0.4);
  const ParetoFit fit = fit_generalised_pareto(x);
  EXPECT_NEAR(fit.k, 0.4, 0.02);
  EXPECT_NEAR(fit.sigma, 2, 0.05);
}

TEST(Psis, WeightsSumToOneAndKeepTheOrder) {
  Rng rng(3);
  Vec w(2000);
  for (double& x : w) x = 2 * rng.exponential();  // ratios with Pareto tails of shape 2: hopeless
  const Vec before = w;
  EXPECT_GT(psis_log_weights(w), 0.7);
  double sum = 0;
  for (const double x : w) sum += std::exp(x);
  EXPECT_NEAR(sum, 1, 1e-12);
  Vec flat(1000);
  for (double& x : flat) x = 0.1 * rng.normal();
  EXPECT_LT(psis_log_weights(flat), 0.5);
}

/// A chain that stays at a draw has its ratio twice, at the cutoff of the tail, too.
TEST(Psis, RepeatedDrawsHaveATailShape) {
  Rng rng(4);
  Vec once(2000);
  for (double& x : once) x = 0.2 * rng.exponential();
  std::ranges::sort(once);
  const auto shape = [](Vec x) { return psis_log_weights(x); };
  const double k = shape(once);
  const std::size_t tail = 135;  // 3 sqrt(2000)
  for (const std::size_t ties : {1, 5, 15}) {
    Vec twice = once;
    for (std::size_t i = 0; i < ties; ++i) twice[twice.size() - tail + i] = twice[twice.size() - tail - 1];
    EXPECT_NEAR(shape(twice), k, 0.1) << ties;
  }
  Vec most = once;
  for (std::size_t i = 0; i < 60; ++i) most[most.size() - tail + i] = most[most.size() - tail - 1];
  EXPECT_EQ(shape(most), kInf);
}

// --- variational ----------------------------------------------------------------------------------------------------

TEST(Variational, MeanFieldOnIndependentNormals) {
  const OwnFolder dir;
  Streams streams;
  auto options = in<VariationalOptions>(dir);
  options.output_samples = 4000;
  options.tol_rel_obj = 0.001;
  const AnalyticModel model("target", 2, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = -0.5 * ((q[0] - 1) * (q[0] - 1) / 0.25 + (q[1] + 2) * (q[1] + 2) / 4);
    g[0] = -(q[0] - 1) / 0.25;
    g[1] = -(q[1] + 2) / 4;
    return true;
  });
  ASSERT_TRUE(run_variational(model, options, streams.io())) << streams.err.text();
  const CsvDraws d = read(dir.at("target_variational.csv"));
  EXPECT_EQ(d.rows, 4001u);
  EXPECT_EQ((std::vector<std::string>(d.names.begin(), d.names.begin() + 3)),
            (std::vector<std::string>{"lp__", "log_p__", "log_g__"}));
  EXPECT_NEAR(mean_of(d, "x.1", 1), 1, 0.15);
  EXPECT_NEAR(mean_of(d, "x.2", 1), -2, 0.5);
  EXPECT_NEAR(std::sqrt(cov_of(d, "x.1", "x.1", 1)), 0.5, 0.15);
  EXPECT_NEAR(std::sqrt(cov_of(d, "x.2", "x.2", 1)), 2, 0.6);
  EXPECT_EQ(d.at(0, 1), 0);  // the first row is the mean of the approximation
  EXPECT_NE(streams.err.text().find("Success! Found best value [eta = "), std::string::npos);
}

TEST(Variational, FullRankFindsTheCorrelation) {
  const OwnFolder dir;
  Streams streams;
  auto options = in<VariationalOptions>(dir);
  options.algorithm = VariationalOptions::Algorithm::FullRank;
  options.output_samples = 4000;
  options.grad_samples = 10;
  options.tol_rel_obj = 1e-4;
  ASSERT_TRUE(run_variational(testing::correlated_normal(), options, streams.io())) << streams.err.text();
  const CsvDraws d = read(dir.at("correlated_variational.csv"));
  const double r = cov_of(d, "x.1", "x.2", 1) / std::sqrt(cov_of(d, "x.1", "x.1", 1) * cov_of(d, "x.2", "x.2", 1));
  EXPECT_NEAR(r, 0.95, 0.05);
}

// --- generate, diagnose, log_prob
// -------------------------------------------------------------------------------------

TEST(Generate, RepeatsTheGeneratedQuantitiesOfTheRun) {
  const OwnFolder dir, again;
  Streams streams;
  auto sampling = in<SampleOptions>(dir);
  sampling.num_samples = sampling.num_warmup = 50;
  sampling.chains = 2;
  sampling.sig_figs = 17;
  const SampleRun run = sample(testing::log_exponential(2), sampling, streams.io());
  auto options = in<GenerateOptions>(again);
  options.fitted_params = run.csv_files;
  options.sig_figs = 17;
  ASSERT_TRUE(run_generate(testing::log_exponential(2), options, streams.io())) << streams.err.text();
  for (int c = 1; c <= 2; ++c) {
    const CsvDraws fit = read(run.csv_files[c - 1]);
    const CsvDraws d = read(again.at("exponential_generate_" + std::to_string(c) + ".csv"));
    EXPECT_EQ(d.names, (std::vector<std::string>{"noise"}));
    ASSERT_EQ(d.rows, 50u);
    for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(d.at(i, 0), fit.at(i, fit.column("noise")));
  }
}

TEST(Generate, NamesTheMissingParameter) {
  const OwnFolder dir;
  Streams streams;
  std::ofstream(dir.at("fit.csv")) << "lp__,x.1\n0,1\n";
  auto options = in<GenerateOptions>(dir);
  options.fitted_params = {dir.at("fit.csv")};
  EXPECT_FALSE(run_generate(testing::std_normal(2), options, streams.io()));
  EXPECT_NE(streams.err.text().find("has no column 'x.2'"), std::string::npos);
}

TEST(Diagnose, GoodAndBadGradients) {
  const OwnFolder dir;
  Streams good, bad;
  auto options = in<DiagnoseOptions>(dir);
  EXPECT_TRUE(run_diagnose(testing::std_normal(3), options, good.io()));
  EXPECT_TRUE(good.out.text().starts_with("TEST GRADIENT MODE\n\n Log probability=-"));
  EXPECT_NE(good.out.text().find(" param idx           value           model     finite diff           error\n"
                                 "         0"),
            std::string::npos);
  const AnalyticModel wrong("wrong", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = -q[0] * q[0];
    g[0] = -q[0];
    return true;
  });
  EXPECT_FALSE(run_diagnose(wrong, options, bad.io()));
  EXPECT_NE(bad.err.text().find("1 of 1 gradients differ"), std::string::npos);
}

TEST(Diagnose, RoundingOfTheDifferenceIsNoError) {
  const AnalyticModel high("high", 1, [](std::span<const double> q, double* lp, std::span<double> g) {
    *lp = 1e8 - q[0] * q[0];
    if (!g.empty()) g[0] = -2 * q[0];
    return true;
  });
  const OwnFolder dir;
  Streams streams;
  EXPECT_TRUE(run_diagnose(high, in<DiagnoseOptions>(dir), streams.io())) << streams.err.text() << streams.out.text();
}

TEST(LogProb, BothScales) {
  const OwnFolder dir;
  Streams streams;
  std::ofstream(dir.at("u.json")) << "[[0, 1], [2, -1]]";
  std::ofstream(dir.at("c.json")) << R"({"x": [1, 2]})";
  auto options = in<LogProbOptions>(dir);
  options.unconstrained_params = dir.at("u.json");
  options.sig_figs = 17;
  ASSERT_TRUE(run_log_prob(testing::log_exponential(2), options, streams.io())) << streams.err.text();
  const CsvDraws d = read(dir.at("exponential_log_prob.csv"));
  EXPECT_EQ(d.names, (std::vector<std::string>{"lp__", "g_x.1", "g_x.2"}));
  ASSERT_EQ(d.rows, 2u);
  EXPECT_DOUBLE_EQ(d.at(0, 0), 1 - 1 - std::exp(1.0));
  EXPECT_DOUBLE_EQ(d.at(1, 1), 1 - std::exp(2.0));
  options.unconstrained_params.clear();
  options.constrained_params = dir.at("c.json");
  options.overwrite = true;
  ASSERT_TRUE(run_log_prob(testing::log_exponential(2), options, streams.io()));
  EXPECT_DOUBLE_EQ(read(dir.at("exponential_log_prob.csv")).at(0, 0), std::log(2.0) - 3);
}

TEST(RowAsJson, RebuildsNestedShapes) {
  EXPECT_EQ(row_as_json({"mu", "x.1", "x.2", "m.1.1", "m.2.1", "m.1.2", "m.2.2", "t:1", "t:2.1", "t:2.2", "z.1.real",
                         "z.1.imag", "a.1:1", "a.1:2", "a.2:1", "a.2:2"},
                        Vec{1, 2, 3, 11, 21, 12, 22, 5, 6, 7, 8, 9, 1, 2, 3, kInf}),
            R"({"mu":1,"x":[2,3],"m":[[11,12],[21,22]],"t":{"1":5,"2":[6,7]},"z":[[8,9]],)"
            R"("a":[{"1":1,"2":2},{"1":3,"2":"Infinity"}]})");
}

TEST(Hessian, MatchesTheAnalyticOne) {
  const AnalyticModel model = rosenbrock();
  Target target(model);
  Vec h;
  ASSERT_TRUE(hessian(target, Vec{0.5, -0.25}, &h));
  EXPECT_NEAR(h[0], -(2 - 400 * (-0.25 - 3 * 0.25)), 1e-6);
  EXPECT_NEAR(h[1], 400 * 0.5, 1e-6);
  EXPECT_NEAR(h[3], -200, 1e-6);
  EXPECT_EQ(h[1], h[2]);
}

}  // namespace
}  // namespace fermiac::inference
