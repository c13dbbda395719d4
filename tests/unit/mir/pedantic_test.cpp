// Every warning of pedantic mode: a program that deserves it, and one that is nearly the same and does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/shared/mir_test_support.h"

namespace fermiac::test {
namespace {

std::vector<std::string> warnings(const std::string& source) {
  Compilation compilation({.text = source, .path = "test.stan", .name = "m", .warn_pedantic = true});
  EXPECT_TRUE(compilation.lowered_mir()) << source;
  std::vector<std::string> out;
  for (const Report& report : compilation.diagnostics().reports())
    if (report.group != WarningGroup::Deprecation) out.push_back(report.message);
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
    {"scale_divides_ints", "but 0 is not strictly positive. 1 / 2 is a division of ints, which drops the fraction; write 1.0 / 2.",
     "p ~ normal(0, 1/2);", "p ~ normal(0, 1.0/2);"},
    {"shape_divides_ints", "3 / 4 is a division of ints, which drops the fraction; write 3.0 / 4.", "s ~ gamma((3 / 4), 1);", "s ~ gamma(3.0 / 4, 1);"},
    {"zero_divides_nothing", "A normal distribution is given value 0 as a scale parameter (argument 2), but 0 is not strictly positive.",
     "p ~ normal(0, 0);", "p ~ normal(0, 1);"},
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
    // ---- domains of what is no bare parameter
    {"element", "given v[1] as a scale parameter (argument 2), but v was not constrained to be strictly positive",
     "p ~ normal(0, v[1]);",
     "parameters { real p; vector<lower=0>[3] w; } model { p ~ normal(0, w[1]); w ~ normal(0, 1); }"},
    {"slice", "given v[1:2] as a scale parameter (argument 2), but v was not constrained", "d ~ normal(0, v[1:2]);",
     "data { real d; } parameters { vector<lower=0>[3] w; } model { d ~ normal(0, w[1:2]); }"},
    {"variate_element", "v[2] is given a lognormal distribution, which has strictly positive support, but v was not",
     "v[2] ~ lognormal(0, 1);",
     "parameters { positive_ordered[3] w; } model { w[2] ~ lognormal(0, 1); }"},
    {"element_of_simplex", "chance of success", "y ~ bernoulli(v[1]);",
     "data { int y; } parameters { simplex[3] t; } model { y ~ bernoulli(t[1]); }"},
    {"element_keeps_structure", "given t[1] as a vector of outcome probabilities (argument 1), but t was not",
     "data { int y; } parameters { array[2] vector[3] t; } model { y ~ categorical(t[1]); }",
     "data { int y; } parameters { array[2] simplex[3] t; } model { y ~ categorical(t[1]); }"},
    {"data", "given d as a scale parameter (argument 2), but d was not declared to be strictly positive",
     "p ~ normal(0, d);",
     "data { real<lower=0> e; } parameters { real p; } model { p ~ normal(0, e); }"},
    {"data_element", "given e[1] as a scale parameter (argument 2), but e was not declared to be strictly positive",
     "data { vector[2] e; } parameters { real p; } model { p ~ normal(0, e[1]); }",
     "data { vector<lower=0>[2] e; } parameters { real p; } model { p ~ normal(0, e[1]); }"},
    {"data_variate", "e is given a lognormal distribution, which has strictly positive support, but e was not declared",
     "data { vector[2] e; } parameters { real p; } model { e ~ lognormal(p, 1); }",
     "data { vector<lower=0>[2] e; } parameters { real p; } model { e ~ lognormal(p, 1); }"},
    {"data_never", "e is never [0,1]",
     "data { real<lower=2> e; int y; } parameters { real p; } model { y ~ bernoulli(e); p ~ normal(0, 1); }",
     "data { real<lower=0, upper=1> e; int y; } parameters { real p; } model { y ~ bernoulli(e); }"},
    {"data_matrix", "given S as a covariance matrix (argument 2), but S was not declared to be covariance",
     "data { matrix[2, 2] S; } parameters { vector[2] p; } model { p ~ multi_normal([0, 0]', S); }",
     "data { cov_matrix[2] S; } parameters { vector[2] p; } model { p ~ multi_normal([0, 0]', S); }"},
    {"computed_bound_is_trusted", "scale parameter",
     "data { real l; real<upper=l> e; } parameters { real p; } model { p ~ normal(0, e); }",
     "data { real l; real<lower=l> e; } parameters { real p; } model { p ~ normal(0, e); }"},
    {"negated", "given -s as a scale parameter (argument 2), but -s is never strictly positive", "p ~ normal(0, -s);",
     "p ~ normal(0, -(-s));"},
    {"difference", "given s - 1 as a scale parameter (argument 2), but s - 1 is not constrained to be strictly positive",
     "p ~ normal(0, s - 1);", "p ~ normal(0, s + 1);"},
    {"bounded_function", "given tanh(p) as a scale parameter", "q ~ normal(0, tanh(p));", "q ~ normal(0, exp(p));"},
    {"square", "scale parameter", "q ~ normal(0, -square(p));", "q ~ normal(0, square(p) + p * p + p ^ 2);"},
    {"product", "given -2 * s as a scale parameter", "q ~ normal(0, -2 * s);", "q ~ normal(0, 2 * s * u);"},
    {"quotient", "never strictly positive", "q ~ normal(0, -1 / s);", "q ~ normal(0, 1 / s);"},
    {"complement", "chance of success", "y ~ bernoulli(u - 1);", "y ~ bernoulli(1 - u);"},
    {"probability_too_large", "chance of success", "y ~ bernoulli(u + 1e-3);", "y ~ bernoulli(0.5 * u + 0.5 * u);"},
    {"greater", "given fmax(-s, -u) as a scale parameter", "q ~ normal(0, fmax(-s, -u));",
     "q ~ normal(0, fmax(p, 0.1));"},
    {"unbounded_arithmetic_is_trusted", "s is never", "q ~ normal(0, 0 * p - s);", "q ~ normal(0, p + v[1]);"},
    {"same_variable_twice", "scale parameter", "q ~ normal(0, s - 2);", "q ~ normal(0, s - 0.5 * s);"},
    {"list", "given [s, -1] as a scale parameter", "q ~ normal(0, [s, -1]);", "q ~ normal(0, [s, u]);"},
    {"local", "given a as a scale parameter (argument 2), but a is never strictly positive",
     "real a = -exp(p); q ~ normal(0, a);", "real a = exp(p); q ~ normal(0, a);"},
    {"local_by_elements", "given a as a scale parameter (argument 2), but a is never strictly positive",
     "vector[2] a; for (i in 1:2) a[i] = -exp(v[i]); q ~ normal(0, a);",
     "vector[2] a; for (i in 1:2) a[i] = exp(v[i]); q ~ normal(0, a);"},
    {"local_on_two_ways", "is never strictly positive",
     "real a = -s; if (d > 0) a = -u; q ~ normal(0, a);", "real a = p; if (p < 0) a = -p; q ~ normal(0, a);"},
    {"transformed_parameter", "given t as a scale parameter (argument 2), but t is not constrained",
     "parameters { real<lower=0> s; real p; } transformed parameters { real t = s - 1; } model { p ~ normal(0, t); }",
     "parameters { real<lower=0> s; real p; } transformed parameters { real<lower=0> t = s - 1; } model { p ~ normal(0, "
     "t); }"},
    {"transformed_parameter_with_two_bounds", "chance of success",
     "data { int y; } parameters { vector[2] p; } transformed parameters { vector<lower=0>[2] t; t[1] = p[1]; t[2] = 1; } "
     "model { y ~ bernoulli(t[1]); }",
     "data { int y; } parameters { vector[2] p; } transformed parameters { vector<lower=0, upper=1>[2] t; t[1] = p[1]; "
     "t[2] = 1; } model { y ~ bernoulli(t[1]); }"},
    // ---- functions of the program
    {"function_result", "given f(s) as a scale parameter (argument 2), but f(s) is not constrained",
     "functions { real f(real x) { return x - 1; } } parameters { real<lower=0> s; real p; } model { p ~ normal(0, f(s)); "
     "}",
     "functions { real f(real x) { return x + 1; } } parameters { real<lower=0> s; real p; } model { p ~ normal(0, f(s)); "
     "}"},
    {"function_result_by_argument", "f(p) is never strictly positive",
     "functions { real f(real x) { real y = exp(x); return -y; } } parameters { real p; real q; } model { q ~ normal(0, "
     "f(p)); }",
     "functions { real f(real x) { real y = exp(x); return y; } } parameters { real p; real q; } model { q ~ normal(0, "
     "f(p)); }"},
    {"function_argument", "A normal distribution in function f_lp is given x as a scale parameter (argument 2). At",
     "functions { void f_lp(real x) { 1.0 ~ normal(0, x); } } parameters { real p; } model { f_lp(p); }",
     "functions { void f_lp(real x) { 1.0 ~ normal(0, x); } } parameters { real<lower=0> p; } model { f_lp(p); }"},
    {"function_variate", "y in function f_lpdf is given a lognormal distribution, which has strictly positive support. At",
     "functions { real f_lpdf(real y) { return lognormal_lpdf(y | 0, 1); } } parameters { real p; } model { p ~ f(); }",
     "functions { real f_lpdf(real y) { return lognormal_lpdf(y | 0, 1); } } parameters { real<lower=0> p; } model { p ~ "
     "f(); }"},
    {"function_in_function", "in function g_lp is given -y as a scale parameter",
     "functions { void g_lp(real y) { 1.0 ~ normal(0, -y); } void f_lp(real x) { g_lp(exp(x)); } } parameters { real p; } "
     "model { f_lp(p); }",
     "functions { void g_lp(real y) { 1.0 ~ normal(0, y); } void f_lp(real x) { g_lp(exp(x)); } } parameters { real p; } "
     "model { f_lp(p); }"},
    {"function_with_a_test", "in function f_lp is given x as a scale parameter",
     "functions { void f_lp(real x, int n) { 1.0 ~ normal(0, x); } } parameters { real p; } model { f_lp(p, 1); }",
     "functions { void f_lp(real x, int n) { if (n > 1) 1.0 ~ normal(0, x); } } parameters { real p; } model { f_lp(p, "
     "1); }"},
    {"recursive_function", "in function f_lp is given x as a scale parameter",
     "functions { void f_lp(real x) { 1.0 ~ normal(0, x); f_lp(x); } } parameters { real p; } model { f_lp(p); }",
     "functions { real f(real x); real f(real x) { return x > 1 ? f(x - 1) : f(x + 1); } } parameters { real p; } model { "
     "p ~ normal(0, f(p)); }"},
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

TEST(PedanticDomains, EndOnLongChainsOfDefinitions) {
  std::string text = "real a0 = s;";
  for (int i = 1; i <= 60; ++i) {
    const std::string last = "a" + std::to_string(i - 1);
    text += " real a" + std::to_string(i) + " = " + last + " + " + last + ";";
  }
  EXPECT_FALSE(mentions(warnings(program(text + " p ~ normal(0, a60);")), "a60"));
}

TEST(PedanticDomains, FollowDeepExpressionsThroughManyDefinitions) {
  std::string text = "real a0 = s;";
  for (int i = 1; i <= 30; ++i) {
    std::string deep = "a" + std::to_string(i - 1);
    for (int level = 0; level < 400; ++level) deep = "exp(" + deep + ")";
    text += " real a" + std::to_string(i) + " = -" + deep + ";";
  }
  EXPECT_TRUE(mentions(warnings(program(text + " p ~ normal(0, a2);")), "a2 is never strictly positive"));
  EXPECT_FALSE(mentions(warnings(program(text + " p ~ normal(0, a30);")), "given a30"));  // too far to follow
}

TEST(PedanticDomains, EndOnFunctionsThatCallEachOtherOften) {
  std::string functions = "real f0(real x) { return x; }";
  for (int i = 1; i <= 20; ++i) {
    const std::string last = "f" + std::to_string(i - 1) + "(x)";
    functions += " real f" + std::to_string(i) + "(real x) { return " + last + " + " + last + "; }";
  }
  const auto found = warnings("functions {" + functions +
                              "} parameters { real p; real q; } model { p ~ normal(0, f20(q)); q ~ normal(0, 1); }");
  EXPECT_FALSE(mentions(found, "f20"));
}

INSTANTIATE_TEST_SUITE_P(All, PedanticWarning, testing::ValuesIn(kWarnings),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace fermiac::test
