// Every warning of pedantic mode: a program that deserves it, and one that is nearly the same and does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "mir/analysis/warnings.h"
#include "tests/unit/mir_test_support.h"

namespace fermiac::test {
namespace {

std::vector<std::string> warnings(const std::string& source) {
  SourceMap sources;
  Diagnostics diagnostics;
  const auto file = sources.add("test.stan", source);
  auto program = parse_program(sources, file, {}, diagnostics);
  EXPECT_TRUE(program && check_program(*program, {}, diagnostics))
      << source << (diagnostics.reports().empty() ? "" : diagnostics.reports().front().message);
  if (diagnostics.has_errors()) return {};
  std::vector<std::string> out;
  for (const mir::Warning& w : mir::pedantic_warnings(mir::lower(*program, "m", "test.stan"), sources))
    out.push_back(w.text);
  return out;
}

bool mentions(const std::vector<std::string>& texts, const std::string& part) {
  return std::ranges::any_of(texts, [&](const std::string& t) { return t.find(part) != std::string::npos; });
}

struct WarningCase {
  const char* name;
  const char* part;  // of the warning
  const char* bad;
  const char* good;
};

// Without a block: the model over p, q (reals), s (positive), u (in (0, 1)), v (vector[3]), data y, n (ints), d (real).
const WarningCase kWarnings[] = {
    {"uninitialised", "may not have been assigned a value before its use", "real a; target += a;",
     "real a; a = p; target += a;"},
    {"uninitialised_branch", "may not have been assigned a value before its use",
     "real a; if (d > 0) a = p; target += a;", "real a; if (d > 0) a = p; else a = q; target += a;"},
    {"unscaled_large", "Argument 100 suggests", "p ~ normal(0, 100);", "p ~ normal(0, 10);"},
    {"unscaled_small", "Argument 0.01 suggests", "p ~ normal(0, 0.01);", "p ~ normal(0, 0.1);"},
    {"unscaled_zero_is_fine", "suggests there may be parameters that are not unit scale", "p ~ normal(50, 1);",
     "p ~ normal(0, 1);"},
    {"several_tildes", "on the left-hand side of more than one distribution statement",
     "p ~ normal(0, 1); p ~ normal(1, 2);", "p ~ normal(0, 1); q ~ normal(1, 2);"},
    {"several_tildes_elements", "on the left-hand side of more than one distribution statement",
     "v ~ normal(0, 1); v ~ normal(1, 2);", "v[1] ~ normal(0, 1); v[2] ~ normal(1, 2);"},
    {"jacobian", "non-linear transform", "exp(p) ~ normal(0, 1);", "2 * p + 1 ~ normal(0, 1);"},
    {"hard_constraint", "with a lower and upper bound in its declaration",
     "parameters { real<lower=0, upper=5> r; } model { r ~ normal(0, 1); }",
     "parameters { real<lower=0, upper=1> r; } model { r ~ beta(2, 2); }"},
    {"nonsense_constraint", "has constraints that don't make sense",
     "parameters { real<lower=2, upper=1> r; } model { r ~ normal(0, 1); }",
     "parameters { real<lower=1, upper=2> r; } model { r ~ normal(0, 1); }"},
    {"unused", "was declared but was not used in the density calculation", "q ~ normal(0, 1);",
     "p ~ normal(0, 1); q ~ normal(0, 1); s ~ normal(0, 1); u ~ beta(2, 2); v ~ normal(0, 1);"},
    {"control_flow", "A control flow statement depends on parameter(s): p", "if (p > 0) target += q;",
     "if (d > 0) target += q + p;"},
    {"control_flow_loop", "A control flow statement depends on parameter(s): p", "while (p > 100) target += q;",
     "for (i in 1:y) target += p;"},
    {"control_flow_through_function", "A control flow statement inside function f depends on argument x",
     "functions { real f(real x) { if (x > 0) return 1; return 2; } } parameters { real p; } model { target += 2 * "
     "f(p); }",
     "functions { real f(real x) { if (x > 0) return 1; return 2; } } data { real d; } parameters { real p; } model { "
     "target += p * f(d); }"},
    {"no_prior", "The parameter p has no priors", "d ~ normal(p, 1);", "d ~ normal(p, 1); p ~ normal(0, 1);"},
    {"two_priors", "The parameter p has 2 priors", "p ~ normal(0, 1); target += normal_lpdf(p | 1, 2);",
     "p ~ normal(0, 1);"},
    {"scale_unconstrained",
     "A normal distribution is given parameter q as a scale parameter (argument 2), but q was not constrained",
     "p ~ normal(0, q);", "p ~ normal(0, s);"},
    {"scale_literal", "A normal distribution is given value -1 as a scale parameter", "p ~ normal(0, -1);",
     "p ~ normal(0, 1);"},
    {"probability_unconstrained", "chance of success", "y ~ bernoulli(p);", "y ~ bernoulli(u);"},
    {"variate_domain", "a lognormal distribution", "p ~ lognormal(0, 1);", "s ~ lognormal(0, 1);"},
    {"variate_open_unit", "a beta distribution", "p ~ beta(2, 2);", "u ~ beta(2, 2);"},
    {"rate", "A poisson distribution is given parameter p as a rate parameter", "y ~ poisson(p);", "y ~ poisson(s);"},
    {"simplex", "a vector of outcome probabilities",
     "data { int y; } parameters { vector[3] t; } model { y ~ categorical(t); }",
     "data { int y; } parameters { simplex[3] t; } model { y ~ categorical(t); }"},
    {"covariance", "a covariance matrix",
     "data { vector[2] y; } parameters { matrix[2, 2] S; } model { y ~ multi_normal([0, 0]', S); }",
     "data { vector[2] y; } parameters { cov_matrix[2] S; } model { y ~ multi_normal([0, 0]', S); }"},
    {"uniform", "is given a uniform distribution", "p ~ uniform(0, 1);",
     "parameters { real<lower=0, upper=1> r; } model { r ~ uniform(0, 1); }"},
    {"uniform_wrong_bound", "is given a uniform distribution",
     "parameters { real<lower=0, upper=1> r; } model { r ~ uniform(-1, 1); }",
     "parameters { real<lower=-1, upper=1> r; } model { r ~ uniform(-1, 1); }"},
    {"gamma", "There is a gamma or inverse-gamma distribution with parameters that are equal", "s ~ gamma(0.5, 0.5);",
     "s ~ gamma(2, 2);"},
    {"inv_gamma", "There is a gamma or inverse-gamma distribution with parameters that are equal",
     "s ~ inv_gamma(0.5, 0.5);", "s ~ inv_gamma(0.5, 0.6);"},
    {"lkj_corr", "replace lkj_corr with lkj_corr_cholesky",
     "parameters { corr_matrix[2] R; } model { R ~ lkj_corr(2); }",
     "parameters { cholesky_factor_corr[2] L; } model { L ~ lkj_corr_cholesky(2); }"},
};

std::string program(const std::string& text) {
  if (text.find("model {") != std::string::npos) return text;
  return "data { int<lower=0, upper=1> y; int n; real d; } parameters { real p; real q; real<lower=0> s; "
         "real<lower=0, upper=1> u; vector[3] v; } model { " +
         text + " }";
}

class PedanticWarning : public testing::TestWithParam<WarningCase> {};

TEST_P(PedanticWarning, IsGivenWhereItIsDue) {
  const auto found = warnings(program(GetParam().bad));
  std::string all;
  for (const std::string& text : found) all += text + "\n";
  EXPECT_TRUE(mentions(found, GetParam().part)) << all;
}

TEST_P(PedanticWarning, IsNotGivenWhereItIsNot) {
  const auto found = warnings(program(GetParam().good));
  std::string all;
  for (const std::string& text : found) all += text + "\n";
  EXPECT_FALSE(mentions(found, GetParam().part)) << all;
}

INSTANTIATE_TEST_SUITE_P(All, PedanticWarning, testing::ValuesIn(kWarnings),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace fermiac::test
