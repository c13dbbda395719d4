// What counts as one observation: terms of one row of the data are one, and where rows cannot be told apart, nothing is guessed. Right values
// are log likelihoods that the programs compute of themselves, row by row.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "interp/model/conditioned_model.h"
#include "interp/queries/component_sums.h"
#include "interp/queries/observed.h"
#include "support/base/render.h"
#include "support/base/rng.h"

namespace fermiac::interp {
namespace {

constexpr const char* kHead = R"(
functions {
  real hand_lpdf(real y, real mu) { return -0.5 * square(y - mu); }
  real kernel(real y, real mu) { return -0.5 * square(y - mu); }
  real slice(array[] real y, int first, int last, real mu) {
    real sum = 0;
    for (i in 1:size(y)) sum += -0.5 * square(y[i] - mu);
    return sum;
  }
  void row_lp(real y, real mu) { target += -0.5 * square(y - mu); }
}
data {
  int N;
  array[N] int k;
  vector[N] y;
  vector[N] x;
  array[N, 3] int m;
  array[N] int half;
  array[N] int whole;
  array[2 * N] int pairs;
}
transformed data {
  array[N] int z;
  array[N] int ones = rep_array(1, N);
  int zeros = 0;
  array[N] int above;
  for (n in 1:N) { z[n] = k[n] > 0; zeros += k[n] == 0; above[n] = m[n, 1] + m[n, 2]; }
}
parameters { real<lower=0, upper=1> p; real<lower=0> l; real mu; }
model {
)";

struct Program {
  const char* name;
  const char* model;               // from line 31 on
  const char* row;                 // the log likelihood of row n; empty: the program is refused
  const char* role = "";           // of this line
  const char* group = "";
  const char* names = "";          // of the first two observations, if they are tested
  const char* refused = "";        // a part of the message
  std::size_t observations = 0;    // 0: one for each row
};

constexpr const char* kZeroInflated = "k[n] == 0 ? log_sum_exp(log(p), log1m(p) + poisson_lpmf(0 | l)) : log1m(p) + poisson_lpmf(k[n] | l)";
constexpr const char* kHurdle = "k[n] == 0 ? log(p) : log1m(p) + poisson_lpmf(k[n] | l) - log1m_exp(-l)";
constexpr const char* kKernel = "-0.5 * square(y[n] - mu)";

constexpr Program kPrograms[] = {
    // zero-inflated
    {"zero-inflated", "for (n in 1:N) { if (k[n] == 0) target += log_sum_exp(log(p), log1m(p) + poisson_lpmf(k[n] | l)); else target += log1m(p) + poisson_lpmf(k[n] | l); }", kZeroInflated, "@31", "", "k[1], k[2]"},
    {"zero-inflated, in doubt", "for (n in 1:N) { if (k[n] == 0) target += log_sum_exp(log(p), log1m(p) + poisson_lpmf(k[n] | l)); else target += log1m(p) + poisson_lpmf(k[n] | l); }", "", "", "", "", "--role '@31=likelihood'"},
    {"zero-inflated, of constants", "for (n in 1:N) { if (k[n] == 0) target += log_sum_exp(bernoulli_lpmf(1 | p), bernoulli_lpmf(0 | p) + poisson_lpmf(0 | l)); else target += bernoulli_lpmf(0 | p) + poisson_lpmf(k[n] | l); }", kZeroInflated, "@31"},
    {"zero-inflated, of constants, in doubt", "for (n in 1:N) { if (k[n] == 0) target += log_sum_exp(bernoulli_lpmf(1 | p), bernoulli_lpmf(0 | p) + poisson_lpmf(0 | l)); else target += bernoulli_lpmf(0 | p) + poisson_lpmf(k[n] | l); }", "", "", "", "", "depends on k"},
    {"zero-inflated, in two loops", "for (n in 1:N) if (k[n] == 0) target += log_sum_exp(log(p), log1m(p) - l); for (n in 1:N) if (k[n] > 0) target += log1m(p) + poisson_lpmf(k[n] | l);", kZeroInflated, "@31"},
    {"zero-inflated, in an accumulator", "real lp = 0; for (n in 1:N) { if (k[n] == 0) lp += log_sum_exp(log(p), log1m(p) - l); else lp += log1m(p) + poisson_lpmf(k[n] | l); } target += lp;", kZeroInflated, "@31"},
    // hurdles
    {"hurdle", "for (n in 1:N) { if (k[n] == 0) 1 ~ bernoulli(p); else { 0 ~ bernoulli(p); k[n] ~ poisson(l) T[1, ]; } }", kHurdle, "", "", "k[1], k[2]"},
    {"hurdle of a condition", "for (n in 1:N) { (k[n] == 0) ~ bernoulli(p); if (k[n] > 0) k[n] ~ poisson(l) T[1, ]; }", kHurdle, "", "", "k[1], k[2]"},
    {"hurdle of transformed data", "for (n in 1:N) { z[n] ~ bernoulli(1 - p); if (z[n]) k[n] ~ poisson(l) T[1, ]; }", kHurdle, "", "", "k[1], k[2]"},
    {"hurdle of transformed data as a vector", "z ~ bernoulli(1 - p); for (n in 1:N) if (k[n] > 0) k[n] ~ poisson(l) T[1, ];", kHurdle},
    {"hurdle of a count", "zeros ~ binomial(N, p); for (n in 1:N) if (k[n] > 0) k[n] ~ poisson(l) T[1, ];", "", "", "", "", "computed from the same data"},
    {"hurdle of while", "{ int n = 1; while (n <= N) { if (k[n] == 0) 1 ~ bernoulli(p); else { 0 ~ bernoulli(p); k[n] ~ poisson(l) T[1, ]; } n += 1; } }", kHurdle},
    // capture and recapture
    {"rows of rows", "for (n in 1:N) { for (t in 1:3) { 1 ~ bernoulli(p); m[n, t] ~ poisson(l); } 1 ~ bernoulli(inv_logit(mu)); }", "3 * log(p) + poisson_lpmf(m[n] | l) + log_inv_logit(mu)", "", "", "m[1], m[2]"},
    {"rows of no element", "for (n in 1:N) { for (t in 1:m[n, 1]) { 1 ~ bernoulli(p); m[n, t + 1] ~ poisson(l); } 1 ~ bernoulli(inv_logit(mu * above[n])); }", "m[n, 1] * log(p) + poisson_lpmf(m[n, 2:1 + m[n, 1]] | l) + log_inv_logit(mu * above[n])"},
    {"elements of rows", "for (n in 1:N) for (t in 1:3) { 1 ~ bernoulli(p); m[n, t] ~ poisson(l); }", "3 * log(p) + poisson_lpmf(m[n] | l)", "", "whole3", "", "", 18},
    // by hand
    {"kernels", "for (n in 1:N) target += -0.5 * square(y[n] - mu);", kKernel, "@31", "", "y[1], y[2]"},
    {"kernels, in doubt", "for (n in 1:N) target += -0.5 * square(y[n] - mu);", "", "", "", "", "--role '@31=likelihood'"},
    {"kernels of functions", "for (n in 1:N) target += kernel(y[n], mu);", kKernel, "@31", "", "y[1], y[2]"},
    {"kernels in functions", "for (n in 1:N) row_lp(y[n], mu);", kKernel, "@10", "", "y[1], y[2]"},
    {"kernels with covariates", "for (n in 1:N) target += -0.5 * square(y[n] - mu * x[n]);", "-0.5 * square(y[n] - mu * x[n])", "@31", "", "y[1], x[1]"},
    {"kernels through locals", "for (n in 1:N) { real r = y[n] - mu; target += -0.5 * square(r); }", kKernel, "@31", "", "y[1], y[2]"},
    {"kernels of elements", "for (v in y) target += -0.5 * square(v - mu);", kKernel, "@31", "", "y[1], y[2]"},
    {"kernels and constants", "for (n in 1:N) { target += -log(l); target += -0.5 * square((y[n] - mu) / l); }", "-log(l) - 0.5 * square((y[n] - mu) / l)", "@31", "", "y[1], y[2]"},
    {"series", "for (n in 2:N) target += -0.5 * square(y[n] - mu * y[n - 1]); target += -0.5 * square(y[1]);", "-0.5 * square(y[n] - (n > 1 ? mu * y[n - 1] : 0))", "@31", "", "y[1], y[2]"},
    {"slices", "target += reduce_sum(slice, to_array_1d(y), 1, mu);", kKernel, "@31", "", "y[1], y[2]"},
    {"a whole", "target += -0.5 * dot_self(y - mu);", "", "@31", "", "", "--group"},
    {"rounds of the whole", "for (j in 1:3) target += -0.5 * dot_self(y - j * mu);", "", "@31", "", "", "--group"},
    // densities of a row
    {"censored", "for (n in 1:N) { if (k[n] > 1) target += normal_lccdf(1 | mu, 1); else y[n] ~ normal(mu, 1); }", "k[n] > 1 ? normal_lccdf(1 | mu, 1) : normal_lpdf(y[n] | mu, 1)"},
    {"two outcomes", "for (n in 1:N) { y[n] ~ normal(mu, 1); x[n] ~ normal(mu, 2); }", "normal_lpdf(y[n] | mu, 1) + normal_lpdf(x[n] | mu, 2)", "", "rows", "", "", 12},
    {"two outcomes and a constant", "for (n in 1:N) { y[n] ~ normal(mu, 1); x[n] ~ normal(mu, 2); 1 ~ bernoulli(p); }", "normal_lpdf(y[n] | mu, 1) + normal_lpdf(x[n] | mu, 2) + log(p)"},
    {"two outcomes in a term", "for (n in 1:N) target += log_mix(p, normal_lpdf(y[n] | mu, 1), normal_lpdf(x[n] | mu, 2));", "log_mix(p, normal_lpdf(y[n] | mu, 1), normal_lpdf(x[n] | mu, 2))"},
    {"constants as a vector", "ones ~ bernoulli(p); k ~ poisson(l);", "log(p) + poisson_lpmf(k[n] | l)", "", "pairs", "", "", 0},
    {"repeated constants", "rep_array(1, N) ~ bernoulli(p);", "log(p)"},
    {"repeated constants beside data", "rep_array(1, N) ~ bernoulli(p); k ~ poisson(l);", "", "", "", "", "--group"},
    // groups
    {"a mixture of the whole", "target += log_mix(p, normal_lpdf(y | mu, 1), normal_lpdf(y | 0, 2));", "", "", "", "", "cannot be split by observation"},
    {"a mixture of the whole as a group", "target += log_mix(p, normal_lpdf(y | mu, 1), normal_lpdf(y | 0, 2));", "", "", "half", "", "are in groups 1 and 2 of half"},
    {"nothing", "mu ~ normal(0, 1);", "", "", "", "", "there are 0 observations"},
};

constexpr const char* kData = R"({"N": 6, "k": [0, 2, 0, 3, 1, 0], "y": [0.4, -1.2, 0.3, 2.2, 0.9, -0.6], "x": [1, 0.5, -1, 2, 0.1, 0.2],
  "m": [[0, 2, 1], [1, 0, 2], [2, 1, 0], [0, 0, 3], [2, 2, 1], [1, 1, 1]], "half": [1, 1, 1, 2, 2, 2], "whole": [1, 1, 1, 1, 1, 1],
  "pairs": [1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]})";
constexpr std::size_t kRows = 6;

std::unique_ptr<ConditionedModel> bound(const Program& p) {
  const std::string rows = *p.row ? fmt::format("generated quantities {{ vector[N] ll; for (n in 1:N) ll[n] = {}; }}", p.row) : "";
  const auto compiled = compile_model({.text = std::string(kHead) + p.model + "\n}\n" + rows, .path = "m.stan", .name = "m_model"});
  EXPECT_TRUE(*compiled) << render_errors(compiled->sources(), compiled->diagnostics);
  Conditioning conditioning;
  if (*p.role) conditioning.roles.emplace_back(p.role, "likelihood");
  return condition(*compiled, DataSource::parse(kData, "data"), conditioning);
}

std::vector<double> row_values(const InterpModel& model, const std::vector<double>& theta) {
  Rng rng(1);
  std::vector<double> out(model.names(false, true).size());
  EXPECT_TRUE(model.workspace()->write_array(theta, false, true, rng, out));
  return {out.end() - kRows, out.end()};
}

double target_of(const Model& model, const std::vector<double>& theta) {
  double lp = 0;
  EXPECT_TRUE(dynamic_cast<const InterpModel&>(model).log_density_plain(theta, false, &lp));
  return lp;
}

/// What leaving an observation out takes away from target, of a program without dropped constants up to these.
void expect_left_out(const InterpModel& model, const Observed& observed, std::size_t i, const std::vector<double>& origin, const std::vector<double>& theta) {
  const auto without = observed.without({i});
  const double there = target_of(model, theta) - target_of(*without, theta), here = target_of(model, origin) - target_of(*without, origin);
  std::vector<double> at(observed.observations().size()), from(at);
  ASSERT_TRUE(observed.pointwise(theta, at) && observed.pointwise(origin, from));
  EXPECT_NEAR(there - here, at[i] - from[i], 1e-10);
}

TEST(LikelihoodRows, AreThoseOfTheData) {
  const std::vector<std::vector<double>> points = {{0.3, -0.4, 0.7}, {-0.5, 0.2, 0.1}, {1.1, 0.6, -0.8}};
  for (const Program& p : kPrograms) {
    if (!*p.row) continue;
    SCOPED_TRACE(p.name);
    const auto model = bound(p);
    const bool by_row = p.observations == 0;
    const Observed observed(*model, by_row && *p.group ? p.group : "");
    const std::size_t n = observed.observations().size();
    ASSERT_EQ(n, by_row ? kRows : p.observations);
    if (*p.names) {
      const std::vector<std::string>& names = observed.observations();
      const bool two = std::string(p.names).find("[2]") != std::string::npos;
      EXPECT_EQ(names[0] + (two ? ", " + names[1] : ""), p.names);
    }
    for (const std::vector<double>& theta : points) {
      std::vector<double> values(n);
      ASSERT_TRUE(observed.pointwise(theta, values));
      const std::vector<double> right = row_values(*model, theta);
      double sum = 0, whole = 0;
      for (const double v : values) sum += v;
      for (const double v : right) whole += v;
      EXPECT_NEAR(sum, whole, 1e-10);
      for (std::size_t i = 0; by_row && i < n; ++i) EXPECT_NEAR(values[i], right[i], 1e-11) << "row " << i + 1;
    }
    for (std::size_t i = 0; i < n; ++i) expect_left_out(*model, observed, i, points[0], points[1]);
  }
}

TEST(LikelihoodRows, WhatCannotBeKnownIsAsked) {
  for (const Program& p : kPrograms) {
    if (*p.row) continue;
    SCOPED_TRACE(p.name);
    const auto model = bound(p);
    try {
      const Observed observed(*model, p.group);
      ADD_FAILURE() << observed.observations().size() << " observations";
    } catch (const std::runtime_error& e) {
      EXPECT_NE(std::string(e.what()).find(p.refused), std::string::npos) << e.what();
    }
  }
}

TEST(LikelihoodRows, AWholeIsOneGroup) {
  const Program p = {"mixture", "target += log_mix(p, normal_lpdf(y | mu, 1), normal_lpdf(y | 0, 2));", ""};
  const auto model = bound(p);
  const Observed observed(*model, "whole");
  ASSERT_EQ(observed.observations(), std::vector<std::string>{"whole=1"});
  EXPECT_EQ(observed.of_what(), std::vector<std::string>{"y in groups of whole"});
  std::vector<double> value(1);
  const std::vector<double> theta = {0.3, -0.4, 0.7};
  ASSERT_TRUE(observed.pointwise(theta, value));
  EXPECT_NEAR(value[0], target_of(*model, theta), 1e-11);
}

TEST(LikelihoodRows, SensitivityGuessesNothing) {
  const Program unclear = {"unclear", "for (n in 1:N) target += -0.5 * square(y[n] - mu);", ""};
  const auto model = bound(unclear);
  try {
    scaled_draws(*model, {{0.3, -0.4, 0.7}}, "", 1);
    ADD_FAILURE();
  } catch (const std::runtime_error& e) {
    EXPECT_NE(std::string(e.what()).find("--role '@31=likelihood'"), std::string::npos) << e.what();
  }
}

/// A prior that looks at a switch is none of the data; a term that looks at observations is in doubt.
TEST(LikelihoodRows, SwitchesAreNoObservations) {
  const auto role_of = [](const char* text) {
    const auto model = bound({"", text, ""});
    return elements_met(*model)[0].role;
  };
  EXPECT_EQ(role_of("if (N > 2) target += -square(mu); k ~ poisson(l);"), SiteRole::Prior);
  EXPECT_EQ(role_of("for (n in 1:N) target += -square(mu); k ~ poisson(l);"), SiteRole::Prior);
  EXPECT_EQ(role_of("for (n in 1:N) if (k[n] == 0) target += log(p);"), SiteRole::Unclear);
  EXPECT_EQ(role_of("for (n in 1:N) for (j in 1:k[n]) target += log(p); k ~ poisson(l);"), SiteRole::Unclear);
}

}  // namespace
}  // namespace fermiac::interp
