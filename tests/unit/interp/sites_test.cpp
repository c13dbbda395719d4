// Sites of programs as people and code generators write them: which statements, of what, with which role.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "interp/model/conditioned_model.h"
#include "interp/queries/predict.h"
#include "interp/queries/site_list.h"
#include "interp/queries/trace.h"

namespace fermiac::interp {
namespace {

std::shared_ptr<const CompiledModel> compiled(const std::string& text) {
  auto out = compile_model({.text = text, .path = "m.stan", .name = "m"});
  EXPECT_TRUE(*out);
  return out;
}

/// `line kind variable role distribution`, one line for each site.
std::string sites_of(const std::string& program) {
  std::string out;
  for (const SiteRow& row : site_rows(*conditioned_program(*compiled(program), {})))
    out += fmt::format("{} {} {} {} {}\n", row.line, row.kind, row.variable.empty() ? "-" : row.variable, row.role,
                       row.distribution.empty() ? "-" : row.distribution);
  return out;
}

TEST(Sites, StatementsAndIncrements) {
  EXPECT_EQ(sites_of(R"(data { int N; vector[N] y; }
parameters { real mu; real<lower=0> s; }
model {
  y ~ normal(mu, s);
  target += normal_lpdf(mu | 0, 1) + exponential_lpdf(s | 2);
  target += -log(s);
})"),
            "4 density y likelihood normal\n5 density mu prior normal\n5 density s prior exponential\n6 term - prior -\n");
}

TEST(Sites, AccumulatedPriorOfCodeGenerators) {
  EXPECT_EQ(sites_of(R"(data { int N; vector[N] Y; int K; matrix[N, K] X; int prior_only; }
transformed data { matrix[N, K] Xc = X; }
parameters { vector[K] b; real Intercept; real<lower=0> sigma; }
transformed parameters {
  real lprior = 0;
  lprior += normal_lpdf(b | 0, 1);
  lprior += student_t_lpdf(Intercept | 3, 0, 2.5);
  lprior += student_t_lpdf(sigma | 3, 0, 2.5) - 1 * student_t_lccdf(0 | 3, 0, 2.5);
}
model {
  if (!prior_only) {
    target += normal_id_glm_lpdf(Y | Xc, Intercept, b, sigma);
  }
  target += lprior;
})"),
            "6 density b prior normal\n7 density Intercept prior student_t\n8 density sigma prior student_t\n"
            "12 density Y likelihood normal_id_glm\n");
}

TEST(Sites, WhatIsAddedTooLateDoesNotCount) {
  EXPECT_EQ(sites_of(R"(parameters { real a; }
model {
  real lp = normal_lpdf(a | 0, 1);
  target += lp;
  lp += normal_lpdf(a | 0, 2);
})"),
            "4 term a prior -\n");
}

TEST(Sites, LikelihoodInPartialSums) {
  EXPECT_EQ(sites_of(R"(functions {
  real part(array[] int seq, int start, int end, data vector Y, vector mu, real s) {
    int N = end - start + 1;
    return normal_lpdf(Y[start:end] | mu[start:end], s);
  }
}
data { int N; vector[N] Y; array[N] int seq; }
parameters { vector[N] mu; real<lower=0> s; }
model { target += reduce_sum(part, seq, 1, Y, mu, s); mu ~ std_normal(); })"),
            "9 term Y likelihood -\n9 density mu prior std_normal\n");
}

TEST(Sites, MixturesThroughLocals) {
  EXPECT_EQ(sites_of(R"(data { int N; int K; vector[N] y; }
parameters { simplex[K] w; ordered[K] mu; }
model {
  vector[K] log_w = log(w);
  for (n in 1:N) {
    vector[K] lps = log_w;
    for (k in 1:K) lps[k] += normal_lpdf(y[n] | mu[k], 1);
    target += log_sum_exp(lps);
  }
})"),
            "8 term y likelihood -\n");
}

TEST(Sites, LogLikelihoodKeptByElement) {
  EXPECT_EQ(sites_of(R"(data { int N; vector[N] y; array[N] int c; }
parameters { real mu; }
model {
  vector[N] ll;
  for (n in 1:N) {
    if (c[n]) ll[n] = normal_lccdf(y[n] | mu, 1);
    else ll[n] = normal_lpdf(y[n] | mu, 1);
  }
  target += sum(ll);
})"),
            "6 censored y likelihood normal\n7 density y likelihood normal\n");
}

TEST(Sites, FunctionsThatAddToTarget) {
  EXPECT_EQ(sites_of(R"(functions { void f_lp(vector x, real centre) { for (i in 1:size(x)) x[i] ~ normal(centre, 1); } }
data { int N; vector[N] y; }
parameters { real mu; }
model { f_lp(y, mu); f_lp([mu]', 0); })"),
            "1 density y likelihood normal\n1 density mu prior normal\n");
}

TEST(Sites, ATermThatReadsDataIsUnclear) {
  EXPECT_EQ(sites_of("data { vector[2] y; }\nparameters { real mu; }\nmodel { target += -dot_self(y - mu); }"), "3 term - unclear -\n");
}

TEST(Sites, ReadElsewhereIsNoAccumulator) {
  EXPECT_EQ(sites_of(R"(data { real y; }
parameters { real mu; }
model {
  real lp = normal_lpdf(y | mu, 1);
  if (lp > -100) target += lp;
})"),
            "5 term y likelihood -\n");
}

// ---------------------------------------------------------------- invariants

struct Parts {
  double prior, likelihood, jacobian, target;
};

Parts parts_of(const std::string& program, const std::string& data, const Conditioning& conditioning, const std::vector<double>& at) {
  const auto model = condition(*compiled(program), DataSource::parse(data, "data"), conditioning);
  Trace t;
  const EvalStatus status = trace(*model, at, true, false, &t);
  EXPECT_TRUE(status) << status.message;
  double lp = 0;
  EXPECT_TRUE(model->log_density_plain(at, true, &lp));
  EXPECT_NEAR(lp, t.target, 1e-12 * std::max(1.0, std::fabs(lp)));
  double replayed = 0;
  EXPECT_TRUE(model->workspace()->log_density(at, {.propto = false, .jacobian = true}, &replayed));
  EXPECT_NEAR(replayed, t.target, 1e-10 * std::max(1.0, std::fabs(lp)));
  return {t.prior, t.likelihood, t.jacobian, t.target};
}

constexpr const char* kTruncated = R"(data { int N; vector<lower=0>[N] y; array[N] int<lower=0> k; }
parameters { real mu; real<lower=0> s; simplex[3] p; }
model {
  mu ~ normal(0, 3) T[-4, ];
  s ~ exponential(1);
  y ~ normal(mu, s) T[0, 9];
  for (n in 1:N) k[n] ~ poisson(exp(mu)) T[1, ];
  p ~ dirichlet(rep_vector(2, 3));
})";
constexpr const char* kTruncatedData = R"({"N": 3, "y": [1, 2.5, 0.4], "k": [1, 4, 2]})";

TEST(Conditioning, PartsAddUp) {
  const std::vector<double> at = {0.3, -0.2, 0.1, 0.5};
  Conditioning prior, likelihood, joint;
  prior.context = ContextKind::Prior;
  likelihood.context = ContextKind::Likelihood;
  joint.weights = {{"*", {1.0}, false}};
  const Parts all = parts_of(kTruncated, kTruncatedData, joint, at);
  EXPECT_NEAR(parts_of(kTruncated, kTruncatedData, prior, at).target, all.prior + all.jacobian, 1e-12);
  EXPECT_NEAR(parts_of(kTruncated, kTruncatedData, likelihood, at).target, all.likelihood + all.jacobian, 1e-12);
  const auto plain = InterpModel(compiled(kTruncated), DataSource::parse(kTruncatedData, "data"), 0);
  double lp = 0;
  ASSERT_TRUE(plain.log_density_plain(at, true, &lp));
  EXPECT_NEAR(lp, all.target, 1e-12);
}

TEST(Conditioning, WeightsAreLinear) {
  const std::vector<double> at = {0.3, -0.2, 0.1, 0.5};
  const auto target = [&](double w) {
    Conditioning c;
    c.weights = {{"y[2]", {w}, false}, {"k", {w}, false}};
    return parts_of(kTruncated, kTruncatedData, c, at).target;
  };
  const double none = target(0), one = target(1);
  EXPECT_NEAR(target(0.25), none + 0.25 * (one - none), 1e-11);
  EXPECT_NEAR(target(3), none + 3 * (one - none), 1e-11);
}

TEST(Predict, DrawnDataHaveADensity) {
  const auto program = compiled(kTruncated);
  const DataSource data = DataSource::parse(kTruncatedData, "data");
  Predictor predictor(*program, data, {}, {.prior = true, .what = {}, .only_ask = false});
  std::vector<double> row(predictor.names().size());
  for (int i = 0; i < 50; ++i) {
    Rng rng(7, static_cast<std::uint64_t>(i));
    predictor.draw({}, rng, row);
    EXPECT_GT(row[0], -4);       // mu
    for (int n = 0; n < 3; ++n) EXPECT_TRUE(row[5 + static_cast<std::size_t>(n)] >= 0 && row[5 + static_cast<std::size_t>(n)] <= 9);
    for (int n = 0; n < 3; ++n) EXPECT_GE(row[8 + static_cast<std::size_t>(n)], 1);
  }
}

}  // namespace
}  // namespace fermiac::interp
