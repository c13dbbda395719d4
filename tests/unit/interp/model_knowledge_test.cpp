// What a model says of itself besides densities: pure draws, advice on refused arguments, the stage of an evaluation.
#include <gtest/gtest.h>

#include <algorithm>

#include "inference/model/variable_blocks.h"
#include "support/base/evaluation_progress.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

std::string advice(const std::string& statements, const std::string& before = "") {
  const auto model = load("data { int n; array[2] int k; real d; } " + before +
                              " parameters { real y; vector[2] x; real<lower=0> a; }\nmodel {\n  " + statements + "\n}",
                          R"({"n": 3, "k": [1, 2], "d": 0})");
  double lp = 0;
  const EvalStatus status = model->workspace()->log_density(std::vector<double>(4, 0.5), {}, &lp);
  EXPECT_FALSE(status) << statements;
  return model->refusal_advice(status.message);
}

TEST(RefusalAdvice, NamesTheDivisionOfInts) {
  const std::string half = "1 / 2 is a division of ints, which drops the fraction and gives 0; write 1.0 / 2.";
  EXPECT_EQ(advice("y ~ normal(0, 1/2);"), half);
  EXPECT_EQ(advice("y ~ normal(0, (1 / 2));"), half);
  EXPECT_EQ(advice("target += normal_lpdf(y | 0, 1/2);"), half);
  EXPECT_EQ(advice("a ~ exponential(1/2);"), half);
  EXPECT_EQ(advice("a ~ gamma(1/2, 2);"), half);
  EXPECT_EQ(advice("a ~ gamma(2, 1/2);"), half);
  EXPECT_EQ(advice("a ~ weibull(1/2, y);"), half);
  EXPECT_EQ(advice("y ~ student_t(1/2, 0, 1);"), half);
  EXPECT_EQ(advice("x ~ normal(0, rep_vector(1/2, 2));"), half);
  EXPECT_EQ(advice("x ~ normal(0, [1/2, 1]');"), half);
  EXPECT_EQ(advice("y ~ normal(0, s);", "transformed data { real s = 1/2; }"), half);
  EXPECT_EQ(advice("y ~ normal(0, s);", "transformed data { real s; s = 1 / 2; }"), half);
  EXPECT_EQ(advice("real s = 1/2; y ~ normal(0, s);"), half);
  EXPECT_EQ(advice("y ~ normal(0, 3/4);"), "3 / 4 is a division of ints, which drops the fraction and gives 0; write 3.0 / 4.");
  EXPECT_EQ(advice("y ~ normal(0, 1/n);"), "1 / n is a division of ints, which drops the fraction; write 1.0 / n.");
  EXPECT_EQ(advice("y ~ normal(0, k[1] / k[2]);"), "k[1] / k[2] is a division of ints, which drops the fraction; write k[1] * 1.0 / k[2].");
  EXPECT_EQ(advice("y ~ normal(0, k[1] / 2);"), "k[1] / 2 is a division of ints, which drops the fraction; write k[1] / 2.0.");
}

TEST(RefusalAdvice, NamesArgumentsThatDoNotDependOnParameters) {
  EXPECT_EQ(advice("y ~ normal(0, 0);"), "0 does not depend on parameters, so no starting values help: change it in the program.");
  EXPECT_EQ(advice("y ~ normal(0, d);"), "d does not depend on parameters, so no starting values help: look at the data that it is computed from.");
}

TEST(RefusalAdvice, SaysNothingOfParameters) {
  EXPECT_EQ(advice("y ~ normal(0, -a);"), "");
  EXPECT_EQ(advice("y ~ normal(1/2, -a);"), "");
  EXPECT_EQ(advice("reject(\"must be positive\");"), "");
}

TEST(PureDraws, DependOnParametersThroughGeneratorsAlone) {
  const auto model = load(R"(
    functions { real noise_rng(real m) { return normal_rng(m, 1); } }
    data { int n; }
    parameters { real mu; real<lower=0> s; }
    transformed parameters { real twice = 2 * mu; }
    generated quantities {
      vector[2] rep; array[2] int count; real whole = normal_rng(twice, s); real own = noise_rng(mu); real mean_rep; int zero;
      real shifted; real same = mu; real mixed; real gate; real data_only = n; vector[2] part;
      for (i in 1:2) { real local = mu + s; rep[i] = normal_rng(local, s); count[i] = poisson_rng(s); }
      mean_rep = mean(rep);
      if (bernoulli_rng(inv_logit(mu))) zero = 0; else zero = poisson_rng(s);
      shifted = normal_rng(0, 1) + mu;
      mixed = mean_rep; mixed = mixed + s;
      if (mu > 0) gate = normal_rng(0, 1); else gate = 0;
      part[1] = normal_rng(mu, s); part[2] = mu;
    })", R"({"n": 3})");
  std::vector<std::string> drawn, generated;
  for (const ModelVariable& v : model->variables()) {
    if (v.block == VariableBlock::Simulated) drawn.push_back(v.name);
    if (v.block == VariableBlock::Generated) generated.push_back(v.name);
  }
  EXPECT_EQ(drawn, (std::vector<std::string>{"rep", "count", "whole", "own", "mean_rep", "zero"}));
  EXPECT_EQ(generated, (std::vector<std::string>{"shifted", "same", "mixed", "gate", "data_only", "part"}));
}

TEST(PureDraws, BlocksSurviveTheCommentsOfAFile) {
  const auto model = load("parameters { real mu; } transformed parameters { real t = mu; } generated quantities { real g = mu; real y = normal_rng(mu, 1); real z = y; }");
  const inference::VariableBlocks blocks = inference::variable_blocks(*model);
  EXPECT_EQ(inference::blocks_comment(blocks), "# transformed_variables = t\n# generated_variables = g\n# simulated_variables = y z\n");
  EXPECT_EQ(inference::read_blocks({{"model", "m"}, {"transformed_variables", "t"}, {"generated_variables", "g"}, {"simulated_variables", "y z"}}), blocks);
  EXPECT_EQ(inference::block_of(blocks, "y.1.2"), VariableBlock::Simulated);
  EXPECT_EQ(inference::block_of(blocks, "mu"), VariableBlock::Parameters);
}

TEST(EvaluationProgress, CountsRecordedOperations) {
  const auto model = load("parameters { vector[3000] x; } model { for (i in 1:3000) x[i] ~ normal(sin(i), exp(x[1 + (i * 7) % 3000])); }");
  EvaluationProgress progress;
  const auto workspace = model->workspace();
  std::vector<double> theta(3000, 0.1), gradient(3000);
  double lp = 0;
  {
    const EvaluationProgressScope scope(&progress);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(workspace->log_density_gradient(theta, {}, &lp, gradient));
  }
  EXPECT_GE(progress.operations, 3000u);
  EXPECT_EQ(progress.stage, EvaluationProgress::Stage::Evaluating);
}

TEST(SolvesDifferentialEquations, WhereTheProgramCallsASolver) {
  const std::string f = "functions { vector f(real t, vector y, real a) { return -a * y; } ";
  const auto direct = load(f + "} parameters { real<lower=0> a; } model { array[1] vector[1] y = ode_rk45(f, [1]', 0, {1.0}, a); y[1] ~ normal(0, 1); }");
  EXPECT_TRUE(direct->solves_differential_equations());
  const auto inside = load(f + "real g(real a) { return ode_bdf(f, [1]', 0, {1.0}, a)[1][1]; } } parameters { real<lower=0> a; } model { g(a) ~ normal(0, 1); }");
  EXPECT_TRUE(inside->solves_differential_equations());
  EXPECT_FALSE(load("parameters { real ode_x; } model { ode_x ~ normal(0, 1); }")->solves_differential_equations());
}

}  // namespace
}  // namespace fermiac::testing
