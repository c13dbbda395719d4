// Tapes of conditioned models: they are what the program is without a tape, and weights, missing numbers and log likelihoods cost
// no other ops than the program as it is.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"
#include "interp/queries/pointwise_runs.h"
#include "support/base/render.h"
#include "support/base/rng.h"

namespace fermiac::interp {
namespace {

constexpr int kRows = 60;

std::string numbers(int n, double step, bool ints = false) {
  std::string out;
  for (int i = 1; i <= n; ++i) out += (i == 1 ? "" : ",") + (ints ? std::to_string(i % 3 == 0) : fmt::format("{:.3f}", std::sin(step * i)));
  return "[" + out + "]";
}

/// `y` with every `nth` number unknown.
std::string data(int nth_missing = 0) {
  std::string y;
  for (int i = 1; i <= kRows; ++i)
    y += (i == 1 ? "" : ",") + (nth_missing > 0 && i % nth_missing == 0 ? std::string("null") : fmt::format("{:.3f}", std::cos(1.7 * i)));
  std::string rows;
  for (int i = 1; i <= kRows; ++i) rows += fmt::format("{}[{:.3f},{:.3f},{:.3f}]", i == 1 ? "" : ",", std::sin(i), std::cos(2.3 * i), std::sin(0.7 * i));
  return fmt::format(R"({{"N": {}, "x": {}, "y": [{}], "z": {}, "X": [{}]}})", kRows, numbers(kRows, 1.3), y, numbers(kRows, 0, true), rows);
}

constexpr const char* kHead = R"(
functions {
  real own_lpdf(vector y, real mu) { return -0.5 * dot_self(y - mu) + log1p_exp(mu); }
  real part_lpdf(array[] real y, int start, int end, real mu, real s) { return normal_lpdf(y | mu, s); }
}
data { int N; vector[N] x; vector[N] y; array[N] int<lower=0, upper=1> z; matrix[N, 3] X; }
parameters { real a; vector[3] b; real<lower=0> s; }
model { a ~ normal(0, 2); b ~ normal(0, 1); s ~ exponential(1);
)";

struct Program {
  const char* name;
  const char* model;
  bool missing = true;  // y may be
};
constexpr Program kPrograms[] = {
    {"vector", "y ~ normal(a + b[1] * x, s);"},
    {"matrix", "y ~ normal(a + X * b, s);"},
    {"loop", "for (n in 1:N) y[n] ~ normal(a + b[1] * x[n], s);"},
    {"student", "y ~ student_t(4, a + b[1] * x, s);"},
    {"truncated", "for (n in 1:N) y[n] ~ normal(a, s) T[-2, ];"},
    {"factor", "target += 0.7 * normal_lpdf(y | a + b[2] * x, s);"},
    {"own density", "y ~ own(a);", false},
    {"own density of pieces", "target += reduce_sum(part_lpdf, to_array_1d(y), 7, a, s);", false},
    {"generalised linear model", "y ~ normal_id_glm(X, a, b, s);", false},
    {"logistic regression", "z ~ bernoulli_logit(a + X * b); y ~ normal(0, 1);", false},
    {"one probability", "z ~ bernoulli(inv_logit(a)); y ~ normal(b[1], 1);", false},
    {"target is read", "y ~ normal(a + b[1] * x, s); if (target() < -1e10) reject(1); target += 0.01 * target();", false},
};

std::unique_ptr<InterpModel> bound(const Program& p, const Conditioning& conditioning, const std::string& with) {
  const auto compiled = compile_model({.text = std::string(kHead) + p.model + "}", .path = "m.stan", .name = "m_model"});
  EXPECT_TRUE(*compiled) << render_errors(compiled->sources(), compiled->diagnostics);
  return condition(*compiled, DataSource::parse(with, "data"), conditioning);
}

Conditioning weights(const std::string& pattern, std::vector<double> values) {
  Conditioning out;
  out.weights.push_back({pattern, std::move(values), false});
  out.weights.back().list = out.weights.back().values.size() > 1;
  return out;
}

std::vector<double> point(std::size_t n, std::uint64_t seed) {
  Rng rng(seed, 0);
  std::vector<double> out(n);
  for (double& x : out) x = 0.5 * rng.normal();
  return out;
}

/// Differences of the log density between points, for constants are dropped from tapes; and of it the gradient.
void expect_is_the_program(const InterpModel& model) {
  const std::size_t n = model.unconstrained_size();
  const auto workspace = model.workspace();
  const std::vector<double> origin = point(n, 1);
  double lp0 = 0, plain0 = 0;
  std::vector<double> gradient(n), unused(n);
  ASSERT_TRUE(workspace->log_density_gradient(origin, {}, &lp0, gradient));
  ASSERT_TRUE(model.log_density_plain(origin, true, &plain0));
  for (const std::uint64_t seed : {2, 3}) {
    const std::vector<double> theta = point(n, seed);
    double lp = 0, plain = 0;
    ASSERT_TRUE(workspace->log_density_gradient(theta, {}, &lp, unused));
    ASSERT_TRUE(model.log_density_plain(theta, true, &plain));
    EXPECT_NEAR(lp - lp0, plain - plain0, 1e-9 * (1 + std::fabs(plain) + std::fabs(plain0)));
  }
  for (std::size_t i = 0; i < n; ++i) {
    double up = 0, down = 0;
    std::vector<double> theta = origin;
    const double h = 1e-5;
    theta[i] = origin[i] + h;
    ASSERT_TRUE(model.log_density_plain(theta, true, &up));
    theta[i] = origin[i] - h;
    ASSERT_TRUE(model.log_density_plain(theta, true, &down));
    EXPECT_NEAR(gradient[i], (up - down) / (2 * h), 1e-5 * (1 + std::fabs(gradient[i]))) << "parameter " << i;
  }
}

std::vector<double> different(double from, double step) {
  std::vector<double> out;
  for (int i = 0; i < kRows; ++i) out.push_back(from + step * i);
  return out;
}

TEST(ConditionedTapes, AreTheProgram) {
  std::vector<double> some = different(1, 0);
  some[3] = some[40] = 0.25, some[7] = 0;
  const std::pair<const char*, Conditioning> ways[] = {{"one weight", weights("y", {0.3})},
                                                       {"a large one", weights("y", {3})},
                                                       {"a role", weights("prior", {0.5})},
                                                       {"all", weights("*", {0.5})}};
  for (const Program& p : kPrograms)
    for (const bool tapes : {true, false})
      for (const auto& [name, conditioning] : ways) {
        SCOPED_TRACE(std::string(p.name) + ", " + name + (tapes ? "" : ", without a tape"));
        expect_is_the_program(*bound(p, conditioning, data())->with_settings({.tapes = tapes}));
      }
  for (const Program& p : kPrograms) {
    if (!p.missing) continue;
    for (const auto& list : {some, different(0.1, 0.05)}) {
      SCOPED_TRACE(std::string(p.name) + ", weights by element");
      expect_is_the_program(*bound(p, weights("y", list), data()));
    }
    for (const int nth : {2, 7, 60}) {
      SCOPED_TRACE(std::string(p.name) + ", every " + std::to_string(nth) + "th missing");
      expect_is_the_program(*bound(p, {}, data(nth)));
    }
  }
}

std::size_t ops_of(const InterpModel& model) {
  double lp = 0;
  std::vector<double> gradient(model.unconstrained_size());
  EXPECT_TRUE(model.workspace()->log_density_gradient(point(gradient.size(), 1), {}, &lp, gradient));
  return model.statistics({}).ops;
}

TEST(ConditionedTapes, WeightsLeaveTheOpsAsTheyAre) {
  for (const Program& p : kPrograms) {
    if (std::string_view(p.name) == "target is read") continue;
    SCOPED_TRACE(p.name);
    EXPECT_EQ(ops_of(*bound(p, weights("y", {0.3}), data())), ops_of(*bound(p, weights("y", {1}), data())));
  }
}

/// The predictor of the observed outcomes becomes a triangle, that of the others a density of few numbers.
TEST(ConditionedTapes, ObservedOutcomesStaySufficientStatistics) {
  for (const Program& p : {kPrograms[0], kPrograms[1]})
    for (const int nth : {2, 7, 60}) {
      SCOPED_TRACE(std::string(p.name) + ", every " + std::to_string(nth) + "th missing");
      const auto model = bound(p, {}, data(nth));
      const std::string tape = model->dump_tape(point(model->unconstrained_size(), 1), {});
      EXPECT_NE(tape.find("normal_lpdf ->"), std::string::npos) << tape;
    }
}

TEST(ConditionedTapes, LogLikelihoodsAreThoseOfNodes) {
  for (const Program& p : kPrograms) {
    if (!p.missing) continue;
    for (const int nth : {0, 7}) {
      SCOPED_TRACE(std::string(p.name) + ", every " + std::to_string(nth) + "th missing");
      const auto model = bound(p, weights("y", {0.5}), data(nth));
      const ConditionedModel& conditioned = *as_conditioned(*model);
      const Pointwise densities(conditioned, "");
      const std::size_t n = densities.observations().size();
      std::vector<std::vector<double>> points, by_nodes;
      for (const std::uint64_t seed : {4, 5, 6}) {
        points.push_back(point(model->unconstrained_size(), seed));
        by_nodes.emplace_back(n + 1);
        const Pointwise fresh(conditioned, "");  // the first point needs no tape
        ASSERT_TRUE(fresh(points.back(), std::span(by_nodes.back()).first(n), &by_nodes.back()[n]));
        EXPECT_EQ(fresh.tape_ops(), 0u);
      }
      for (std::size_t k = 0; k < 2 * points.size(); ++k) {
        std::vector<double> row(n + 1);
        ASSERT_TRUE(densities(points[k % 3], std::span(row).first(n), &row[n]));
        for (std::size_t i = 0; i <= n; ++i) EXPECT_NEAR(row[i], by_nodes[k % 3][i], 1e-11 * (1 + std::fabs(row[i]))) << i;
      }
      EXPECT_GT(densities.tape_ops(), 0u);
    }
  }
}

}  // namespace
}  // namespace fermiac::interp
