// Missing ints summed out, against the same program bound to every combination of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interp/model/conditioned_model.h"
#include "interp/model/unknown_draws.h"
#include "interp/queries/pointwise.h"
#include "interp/queries/trace.h"
#include "support/base/render.h"
#include "support/base/rng.h"

namespace fermiac::interp {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A program with unknown ints `z`: what is known of the data, and the values that each z may have.
struct Case {
  const char* name;
  const char* program;
  const char* data;        // members besides z, with a comma behind them
  int count, low, high;    // of z: how many, from where to where
  std::vector<int> known;  // z by index, where it is known; kMissing elsewhere
};
constexpr int kMissing = -999;

std::string z_json(const std::vector<int>& z) {
  std::string out;
  for (const int k : z) out += (out.empty() ? "" : ",") + (k == kMissing ? "null" : std::to_string(k));
  return out;
}

std::shared_ptr<const CompiledModel> compiled(const char* text) {
  auto out = compile_model({.text = text, .path = "m.stan", .name = "m_model"});
  EXPECT_TRUE(*out) << render_errors(out->sources(), out->diagnostics);
  return out;
}

std::unique_ptr<ConditionedModel> bound(const CompiledModel& program, const Case& c, const std::vector<int>& z, const Conditioning& conditioning = {}) {
  return condition(program, DataSource::parse(fmt::format("{{{}\"z\": [{}]}}", c.data, z_json(z)), "data"), conditioning);
}

std::vector<int> unknown_z(const Case& c) {
  std::vector<int> out = c.known;
  out.resize(static_cast<std::size_t>(c.count), kMissing);
  return out;
}

/// Calls visit(z) for every completion.
template <class Visit>
void each_completion(const Case& c, Visit visit) {
  const std::vector<int> unknown = unknown_z(c);
  std::vector<int> z = unknown;
  for (int& k : z)
    if (k == kMissing) k = c.low;
  for (std::size_t i = 0; i < z.size();) {
    if (i == 0) visit(z);
    for (i = 0; i < z.size(); ++i) {
      if (unknown[i] != kMissing) continue;
      if (++z[i] <= c.high) break;
      z[i] = c.low;
    }
    if (i == z.size()) return;
    i = 0;
  }
}

double log_sum(const std::vector<double>& logs) {
  const double most = *std::ranges::max_element(logs);
  if (most == -kInfinity) return most;
  double sum = 0;
  for (const double x : logs) sum += std::exp(x - most);
  return most + std::log(sum);
}

std::vector<double> random_point(const InterpModel& model, Rng& rng) {
  std::vector<double> out(model.unconstrained_size());
  for (double& x : out) x = 3 * rng.uniform() - 1.5;
  return out;
}

/// Log density of each completion, minus infinity where it rejects.
std::vector<double> of_completions(const CompiledModel& program, const Case& c, std::span<const double> theta, const Conditioning& conditioning = {}) {
  std::vector<double> out;
  each_completion(c, [&](const std::vector<int>& z) {
    double lp = 0;
    const EvalStatus status = bound(program, c, z, conditioning)->log_density_plain(theta, true, &lp);
    out.push_back(status ? lp : -kInfinity);
  });
  return out;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"mixture", R"(data { int N; array[N] int<lower=1, upper=3> z; vector[N] y; }
parameters { simplex[3] p; ordered[3] mu; real<lower=0> s; }
model {
  mu ~ normal(0, 2);
  s ~ exponential(1);
  z ~ categorical(p);
  y ~ normal(mu[z], s);
})", R"("N": 4, "y": [-1, 0.4, 2, 0.3], )", 4, 1, 3, {kMissing, 2, kMissing, kMissing}},
      {"chain", R"(data { int N; array[N] int<lower=0, upper=1> z; vector[N] y; }
parameters { real a; real b; }
model {
  a ~ normal(0, 1);
  b ~ normal(0, 1);
  z[1] ~ bernoulli(0.3);
  for (t in 2:N) z[t] ~ bernoulli_logit(a * z[t - 1] + b * z[max(t - 2, 1)]);
  y ~ normal(2 * to_vector(z) + a, 1);
})", R"("N": 6, "y": [-1, 0.4, 2, 0.3, 1.2, 2.5], )", 6, 0, 1, {kMissing, kMissing, kMissing, 1}},
      {"control flow", R"(data { int N; array[N] int<lower=0, upper=2> z; vector[N] y; }
parameters { real mu; real<lower=0> s; }
model {
  mu ~ normal(0, 1);
  s ~ exponential(1);
  for (n in 1:N) {
    z[n] ~ binomial(2, 0.4);
    if (z[n] == 0) y[n] ~ normal(mu, s);
    else if (z[n] == 1) y[n] ~ student_t(4, mu, s);
    else if (n > 1 && z[n - 1] == 2) target += cauchy_lpdf(y[n] | 2 * mu, s) + 0.3;
    else for (k in 1:z[n]) y[n] ~ normal(mu + k, s + 1);
  }
})", R"("N": 4, "y": [-1, 0.4, 2, 0.3], )", 4, 0, 2, {}},
      {"grid", R"(data { int N; array[N] int<lower=-1, upper=1> z; vector[N] y; }
parameters { real J; }
model {
  J ~ normal(0, 1);
  for (i in 0:1) for (j in 1:3) {
    z[3 * i + j] ~ discrete_range(-1, 1);
    if (j < 3) target += J * z[3 * i + j] * z[3 * i + j + 1];
    if (i < 1) target += J * z[3 * i + j] * z[3 * i + 3 + j];
    y[3 * i + j] ~ normal(z[3 * i + j], 1);
  }
})", R"("N": 6, "y": [-1, 0.4, 2, 0.3, 0, 1], )", 6, -1, 1, {}},
      {"locals, truncation, transformed data", R"(data { int N; array[N] int<lower=1, upper=2> z; vector[N] y; }
transformed data { array[N] int w; for (n in 1:N) w[n] = 3 - z[n]; }
parameters { vector<lower=0>[2] m; }
model {
  m ~ gamma(2, 1);
  for (n in 1:N) {
    real loc = m[w[n]];
    z[n] ~ categorical([0.2, 0.8]');
    y[n] ~ normal(loc, 1) T[0, 4];
  }
})", R"("N": 3, "y": [1, 0.4, 2], )", 3, 1, 2, {}},
      {"impossible values", R"(data { int N; array[N] int<lower=0, upper=4> z; array[N] int y; }
parameters { real<lower=0, upper=1> p; }
model {
  p ~ beta(2, 2);
  z ~ binomial(4, 0.5);
  y ~ binomial(z, p);
})", R"("N": 3, "y": [1, 3, 0], )", 3, 0, 4, {}},
      {"rejection", R"(data { int N; array[N] int<lower=0, upper=1> z; vector[N] y; }
parameters { real mu; }
model {
  mu ~ normal(0, 1);
  z ~ bernoulli(0.4);
  if (z[1] > z[2]) reject("order");
  for (n in 1:N) y[n] ~ normal(z[n] * mu, 1);
})", R"("N": 3, "y": [1, 3, 0], )", 3, 0, 1, {}},
      {"indexes of the left side", R"(data { int N; array[N] int<lower=1, upper=3> z; vector[3] y; }
parameters { vector[3] m; }
model {
  m ~ normal(0, 1);
  z ~ categorical([0.2, 0.3, 0.5]');
  for (n in 1:N) y[z[n]] ~ normal(m[n], 1);
})", R"("N": 3, "y": [1, 3, 0], )", 3, 1, 3, {}},
  };
  return all;
}

TEST(UnknownInts, TheDensityIsTheSumOverAllCombinations) {
  Rng rng(5);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto program = compiled(c.program);
    const auto model = bound(*program, c, unknown_z(c));
    const auto workspace = model->workspace();
    for (int k = 0; k < 3; ++k) {
      const std::vector<double> theta = random_point(*model, rng);
      const double expected = log_sum(of_completions(*program, c, theta));
      double plain = 0, replayed = 0;
      ASSERT_TRUE(model->log_density_plain(theta, true, &plain));
      EXPECT_NEAR(plain, expected, 1e-10 * std::max(1.0, std::abs(expected)));
      std::vector<double> gradient(theta.size());
      ASSERT_TRUE(workspace->log_density_gradient(theta, {.propto = false, .jacobian = true}, &replayed, gradient));
      EXPECT_NEAR(replayed, expected, 1e-10 * std::max(1.0, std::abs(expected)));
      for (std::size_t i = 0; i < theta.size(); ++i) {
        constexpr double kStep = 1e-5;
        std::vector<double> moved = theta;
        double up = 0, down = 0;
        moved[i] += kStep;
        ASSERT_TRUE(model->log_density_plain(moved, true, &up));
        moved[i] -= 2 * kStep;
        ASSERT_TRUE(model->log_density_plain(moved, true, &down));
        EXPECT_NEAR(gradient[i], (up - down) / (2 * kStep), 1e-6 * std::max(1.0, std::abs(gradient[i])));
      }
    }
  }
}

TEST(UnknownInts, MarginalsAndDrawsFollowTheCombinations) {
  Rng rng(6);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto program = compiled(c.program);
    const auto model = bound(*program, c, unknown_z(c));
    const std::vector<double> theta = random_point(*model, rng);
    const std::vector<double> logs = of_completions(*program, c, theta);
    const double all = log_sum(logs);
    std::vector<std::vector<double>> expected(static_cast<std::size_t>(c.count), std::vector<double>(static_cast<std::size_t>(c.high - c.low + 1)));
    std::size_t at = 0;
    each_completion(c, [&](const std::vector<int>& z) {
      const double p = std::exp(logs[at++] - all);
      for (std::size_t i = 0; i < z.size(); ++i) expected[i][static_cast<std::size_t>(z[i] - c.low)] += p;
    });
    UnknownMarginals marginals;
    ASSERT_TRUE(unknown_marginals(model->context(), theta, &marginals));
    for (std::size_t k = 0; k < marginals.unknowns.size(); ++k) {
      const std::uint32_t i = model->conditioned().unknowns()[marginals.unknowns[k]].offset;
      for (std::size_t v = 0; v < expected[i].size(); ++v) EXPECT_NEAR(marginals.probability[k][v], expected[i][v], 1e-10);
    }
    constexpr int kDraws = 400;
    const auto workspace = model->workspace();
    std::vector<std::string> names = model->names(false, false);
    std::vector<double> row(names.size()), mean(names.size());
    for (int d = 0; d < kDraws; ++d) {
      ASSERT_TRUE(workspace->write_array(theta, false, false, rng, row));
      for (std::size_t k = 0; k < row.size(); ++k) mean[k] += row[k] / kDraws;
    }
    for (int i = 0; i < c.count; ++i) {
      double m = 0, square = 0;
      for (std::size_t v = 0; v < expected[static_cast<std::size_t>(i)].size(); ++v) {
        const double p = expected[static_cast<std::size_t>(i)][v], x = c.low + static_cast<double>(v);
        m += p * x, square += p * x * x;
      }
      const auto column = std::ranges::find(names, fmt::format("z.{}", i + 1)) - names.begin();
      EXPECT_NEAR(mean[static_cast<std::size_t>(column)], m, 5 * std::sqrt(std::max(0.0, square - m * m) / kDraws) + 1e-12);
    }
  }
}

TEST(UnknownInts, PriorAndLikelihoodAddUpToTheJoint) {
  Rng rng(7);
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const auto program = compiled(c.program);
    double lp[3] = {};
    std::vector<double> theta;
    for (const ContextKind kind : {ContextKind::Joint, ContextKind::Prior, ContextKind::Likelihood}) {
      Conditioning conditioning;
      conditioning.context = kind;
      if (std::string(c.name) == "grid") conditioning.roles = {{"@7", "prior"}, {"@8", "prior"}};
      std::unique_ptr<InterpModel> model;
      try {
        model = bound(*program, c, unknown_z(c), conditioning);
      } catch (const InputError&) {
        break;
      }
      if (theta.empty()) theta = random_point(*model, rng);
      ASSERT_TRUE(model->log_density_plain(theta, false, &lp[static_cast<int>(kind)]));
      if (kind != ContextKind::Likelihood) continue;
      EXPECT_NEAR(lp[0], lp[1] + lp[2], 1e-10 * std::max(1.0, std::abs(lp[0])));
      Trace traced;
      conditioning.context = ContextKind::Joint;
      const auto whole = bound(*program, c, unknown_z(c), conditioning);
      ASSERT_TRUE(trace(*whole, theta, false, false, &traced));
      EXPECT_NEAR(traced.target, lp[0], 1e-10 * std::max(1.0, std::abs(lp[0])));
      EXPECT_NEAR(traced.prior, lp[1], 1e-10 * std::max(1.0, std::abs(lp[1])));
      EXPECT_NEAR(traced.likelihood, lp[2], 1e-10 * std::max(1.0, std::abs(lp[2])));
    }
  }
}

TEST(UnknownInts, WeightsActBeforeTheSum) {
  const Case& c = cases()[0];
  const auto program = compiled(c.program);
  Conditioning conditioning;
  conditioning.weights = {{"y", {0.3}, false}, {"z[1]", {0.0}, false}};
  Rng rng(8);
  const auto model = bound(*program, c, unknown_z(c), conditioning);
  const std::vector<double> theta = random_point(*model, rng);
  double lp = 0;
  ASSERT_TRUE(model->log_density_plain(theta, true, &lp));
  EXPECT_NEAR(lp, log_sum(of_completions(*program, c, theta, conditioning)), 1e-10);
}

TEST(UnknownInts, ManyOfThemAreRecordedInLoops) {
  std::string y;
  for (int n = 0; n < 3000; ++n) y += fmt::format("{}{}", n > 0 ? "," : "", n % 7 * 0.4 - 1);
  const auto program = compiled(R"(data { int N; array[N] int<lower=1, upper=2> z; vector[N] y; }
parameters { real<lower=0, upper=1> p; ordered[2] mu; }
model {
  for (n in 1:N) {
    z[n] ~ categorical([p, 1 - p]');
    y[n] ~ normal(mu[z[n]], 1);
  }
})");
  const auto by_hand = compiled(R"(data { int N; vector[N] y; }
parameters { real<lower=0, upper=1> p; ordered[2] mu; }
model { for (n in 1:N) target += log_mix(p, normal_lpdf(y[n] | mu[1], 1), normal_lpdf(y[n] | mu[2], 1)); })");
  const auto model = condition(*program, DataSource::parse("{\"N\": 3000, \"z\": null, \"y\": [" + y + "]}", "data"), {});
  const InterpModel other(by_hand, DataSource::parse("{\"N\": 3000, \"y\": [" + y + "]}", "data"), 0);
  const auto a = model->workspace(), b = other.workspace();
  Rng rng(9);
  for (int k = 0; k < 3; ++k) {
    const std::vector<double> theta = random_point(other, rng);
    std::vector<double> da(3), db(3);
    double la = 0, lb = 0;
    ASSERT_TRUE(a->log_density_gradient(theta, {.propto = false, .jacobian = true}, &la, da));
    ASSERT_TRUE(b->log_density_gradient(theta, {.propto = false, .jacobian = true}, &lb, db));
    EXPECT_NEAR(la, lb, 1e-10 * std::abs(lb));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(da[i], db[i], 1e-9 * std::max(1.0, std::abs(db[i])));
  }
}

/// Written in ways that all read one int for each element: tables stay small.
TEST(UnknownInts, EachElementReadsItsOwn) {
  const char* bodies[] = {
      "y ~ normal(mu[z], 1);",
      "y ~ normal(a + 2 * mu[z] .* x, 1);",
      "for (n in 1:N) { real m; if (z[n] == 1) m = mu[1]; else m = mu[2] + a; y[n] ~ normal(m, 1); }",
      "for (n in 1:N) { int k = z[n]; real m = mu[k]; real s = 1; if (k == 2) { s = 2; m += a; } target += normal_lpdf(y[n] | m, s); }",
      "for (n in 1:N) { if (z[n] == 1) y[n] ~ normal(mu[1], 1); else y[n] ~ cauchy(mu[2], 1); }",
      "for (n in 1:N) { row_vector[2] m = [mu[z[n]], a]; target += normal_lpdf(y[n] | m[1], 1); }",
  };
  std::string y, x;
  for (int n = 0; n < 100; ++n) {
    y += fmt::format("{}{}", n > 0 ? "," : "", n % 9 * 0.4 - 1);
    x += fmt::format("{}{}", n > 0 ? "," : "", n % 4);
  }
  for (const char* body : bodies) {
    SCOPED_TRACE(body);
    const std::string text = fmt::format("data {{ int N; array[N] int<lower=1, upper=2> z; vector[N] y; vector[N] x; }}\n"
                                         "parameters {{ vector[2] mu; real a; }}\nmodel {{ z ~ categorical([0.4, 0.6]'); {} }}", body);
    const auto model = condition(*compiled(text.c_str()), DataSource::parse("{\"N\": 100, \"z\": null, \"y\": [" + y + "], \"x\": [" + x + "]}", "data"), {});
    EXPECT_EQ(components_met(*model).size(), 100u);
  }
}

TEST(UnknownInts, ALoopThatIsLeftEarlyIsRefused) {
  const auto program = compiled(R"(data { int N; array[N] int<lower=0, upper=1> z; vector[N] y; }
parameters { real mu; }
model {
  z ~ bernoulli(0.3);
  for (n in 1:N) {
    if (z[n] == 1) continue;
    y[n] ~ normal(mu, 1);
  }
})");
  try {
    condition(*program, DataSource::parse(R"({"N": 2, "z": null, "y": [1, 2]})", "data"), {});
    FAIL() << "what follows depends on z";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("a loop is left here as ints say that are missing"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace fermiac::interp
