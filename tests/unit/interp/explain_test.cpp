// What lines and elements add to a log density and its gradient, against the model's own gradient; what is not finite; lines of some
// draws against those of others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "interp/model/conditioned_model.h"
#include "interp/queries/explain.h"
#include "interp/queries/explain_text.h"
#include "interp/queries/line_differences.h"

namespace fermiac::interp {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

std::unique_ptr<ConditionedModel> model_of(const std::string& text, const std::string& data = "{}", const Conditioning& conditioning = {}) {
  const auto compiled = compile_model({.text = text, .path = "m.stan", .name = "m"});
  EXPECT_TRUE(*compiled);
  return condition(*compiled, DataSource::parse(data, "d.json"), conditioning, 0);
}

const char* const kSchools = R"(data { int J; vector[J] y; vector<lower=0>[J] sigma; }
parameters { real mu; real<lower=0> tau; vector[J] theta; }
model {
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 5);
  theta ~ normal(mu, tau);
  for (j in 1:J) y[j] ~ normal(theta[j], sigma[j]);
})";
const char* const kSchoolsData = R"({"J": 3, "y": [28, 8, -3], "sigma": [15, 10, 16]})";
const std::vector<double> kPoint = {4, 1.1, 6.5, 4, 1.25};

std::vector<double> gradient_of(const Explanation& x, const std::vector<const Contribution*>& shares, std::size_t n) {
  std::vector<double> out(n);
  for (const Contribution* share : shares)
    for (const Pull& pull : share->pulls) out[pull.parameter] += pull.gradient;
  EXPECT_TRUE(x.status) << x.status.message;
  return out;
}

/// The model's own gradient with all constants.
std::vector<double> own_gradient(const InterpModel& model, const std::vector<double>& theta, double* lp) {
  std::vector<double> out(theta.size());
  EXPECT_TRUE(model.workspace()->log_density_gradient(theta, {.propto = false, .jacobian = true}, lp, out));
  return out;
}

/// Lines add up to target and its gradient, elements to their lines.
void expect_adds_up(const ConditionedModel& model, const std::vector<double>& theta) {
  const Explanation x = explain(model, theta, {kAll, kAll});
  double lp = 0, sum = 0;
  const std::vector<double> own = own_gradient(model, theta, &lp);
  std::vector<const Contribution*> lines;
  for (const ExplainedLine& line : x.lines) {
    lines.push_back(&line.share);
    sum += line.share.lp;
    std::vector<const Contribution*> elements;
    double of_elements = 0;
    for (const ExplainedElement& e : line.largest) {
      elements.push_back(&e.share);
      of_elements += e.share.lp;
    }
    if (elements.empty()) continue;
    EXPECT_NEAR(of_elements, line.share.lp, 1e-12 * std::abs(lp));
    const std::vector<double> all = gradient_of(x, {&line.share}, theta.size()), each = gradient_of(x, elements, theta.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i], each[i], 1e-12 * (1 + std::abs(all[i])));
  }
  EXPECT_NEAR(sum, lp, 1e-12 * std::abs(lp));
  EXPECT_EQ(x.target.lp, sum);
  const std::vector<double> whole = gradient_of(x, {&x.target}, theta.size()), added = gradient_of(x, lines, theta.size());
  double squares = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    EXPECT_NEAR(whole[i], own[i], 1e-12 * (1 + std::abs(own[i]))) << i;
    EXPECT_NEAR(added[i], own[i], 1e-12 * (1 + std::abs(own[i]))) << i;
    squares += own[i] * own[i];
  }
  EXPECT_NEAR(x.target.norm, std::sqrt(squares), 1e-12 * (1 + std::sqrt(squares)));
}

TEST(Explain, LinesAndElementsAddUp) {
  expect_adds_up(*model_of(kSchools, kSchoolsData), kPoint);
  expect_adds_up(*model_of("parameters { simplex[3] p; real x; } transformed parameters { real s = exp(x); }\n"
                           "model { p ~ dirichlet([2, 3, 4]'); target += normal_lpdf(x | 0, s) - square(x); for (k in 1:3) target += log(p[k]); }"),
                 {0.3, -0.4, 0.2});
  expect_adds_up(*model_of("parameters { real a; real<lower=0> b; } model { a ~ normal(0, b) T[-1, ]; b ~ gamma(2, 1); target += target() * 1e-3; }"),
                 {0.3, -0.4});
}

TEST(Explain, WithUnknownIntsSummedOut) {
  const auto model = model_of("data { int N; array[N] int<lower=1, upper=2> z; vector[N] y; } parameters { real<lower=0, upper=1> p; ordered[2] mu; }\n"
                              "model { mu ~ normal(0, 3); for (n in 1:N) { z[n] ~ categorical([p, 1 - p]'); y[n] ~ normal(mu[z[n]], 1); } }",
                              R"({"N": 3, "z": null, "y": [-1.3, 0.6, 2.5]})");
  expect_adds_up(*model, {-0.4, -1, 1.1});
}

TEST(Explain, WeightsCount) {
  Conditioning conditioning;
  conditioning.weights = {{"y[2]", {0}}, {"y[1]", {0.5}}};
  expect_adds_up(*model_of(kSchools, kSchoolsData, conditioning), kPoint);
}

TEST(Explain, LargestFirst) {
  const auto model = model_of(kSchools, kSchoolsData);
  const Explanation x = explain(*model, kPoint, {.elements = 2, .pulls = 1});
  ASSERT_EQ(x.lines.size(), 5u);
  for (std::size_t i = 1; i < x.lines.size(); ++i) EXPECT_GE(std::abs(x.lines[i - 1].share.lp), std::abs(x.lines[i].share.lp));
  EXPECT_EQ(x.lines[0].role, "likelihood");
  EXPECT_EQ(x.lines[0].elements, 3u);
  ASSERT_EQ(x.lines[0].largest.size(), 2u);
  EXPECT_EQ(x.lines[0].largest[0].name, "y[1]");
  ASSERT_EQ(x.lines[0].largest[0].share.pulls.size(), 1u);
  EXPECT_NEAR(x.lines[0].largest[0].share.pulls[0].gradient, (28 - 6.5) / 225, 1e-15);
  EXPECT_FALSE(x.bad_value || x.bad_element);
}

TEST(Explain, FirstValueThatIsNotFinite) {
  const auto model = model_of("data { vector[2] y; } parameters { real a; real b; }\n"
                              "transformed parameters {\n  real u = exp(a);\n  vector[2] v = [b / (u - u), 1]';\n}\n"
                              "model {\n  y ~ normal(v, 1);\n}", R"({"y": [1, 2]})");
  const Explanation x = explain(*model, std::vector<double>{0.5, 3}, {});
  ASSERT_TRUE(x.bad_value);
  EXPECT_EQ(x.bad_value->function, "divide");
  EXPECT_EQ(x.bad_value->value, kInf);
  ASSERT_EQ(x.bad_value->operands.size(), 2u);
  EXPECT_EQ(x.bad_value->operands[0], (std::pair<std::string, std::string>("b", "3")));
  EXPECT_EQ(x.bad_value->operands[1].second, "0 = subtract(u = 1.64872, u = 1.64872)");
  EXPECT_NE(model->compiled().place(x.bad_value->site).find("line 4"), std::string::npos);
}

TEST(Explain, RefusedPointsTellTheArguments) {
  const auto model = model_of("data { vector[2] y; } parameters { real mu; real s; }\nmodel {\n  mu ~ normal(0, 1);\n  y ~ normal(mu, s);\n}", R"({"y": [1, 2]})");
  const Explanation x = explain(*model, std::vector<double>{0.5, -3}, {});
  EXPECT_EQ(x.status.kind, EvalStatus::Kind::Rejected);
  ASSERT_TRUE(x.bad_element);
  EXPECT_EQ(x.bad_element->name, "y[1]");
  ASSERT_EQ(x.bad_element->arguments.size(), 3u);
  EXPECT_EQ(x.bad_element->arguments[2], (std::pair<std::string, std::string>("sigma", "-3")));
  ASSERT_EQ(x.lines.size(), 1u);  // what came before
  EXPECT_EQ(explanation_text(*model, x).substr(0, 87), "normal of y[1] cannot be evaluated: y[1] = 1; arguments of normal: mu = 0.5, sigma = -3");
}

/// Arguments of a distribution may have the names of parameters.
TEST(Explain, ArgumentsAreToldFromParametersOfTheirNames) {
  const auto model = model_of("parameters { real alpha; real y_min; real beta; }\nmodel {\n  alpha ~ pareto(3, 100);\n  y_min ~ uniform(beta, alpha);\n}");
  const Explanation x = explain(*model, std::vector<double>{1.75, 0.5, 0.25}, {});
  EXPECT_EQ(point_text(*model, std::vector<double>{1.75, 0.5, 0.25}), "at alpha = 1.75, y_min = 0.5, beta = 0.25\n");
  EXPECT_NE(problem_text(*model, x).find("pareto of alpha is not finite: alpha = 1.75; arguments of pareto: y_min = 3, alpha = 100"), std::string::npos)
      << problem_text(*model, x);
  const std::string json = explanation_json(*model, std::vector<double>{1.75, 0.5, 0.25}, x);
  EXPECT_NE(json.find(R"("variate": {"name": "alpha", "value": 1.75})"), std::string::npos) << json;
}

TEST(Explain, InfiniteDensitiesComeFirst) {
  const auto model = model_of("data { vector[2] y; } parameters { real b; }\nmodel {\n  b ~ normal(0, 1);\n  y ~ uniform(0, b);\n}", R"({"y": [1, 2]})");
  const Explanation x = explain(*model, std::vector<double>{1.5}, {});
  ASSERT_TRUE(x.status);
  EXPECT_EQ(x.lines[0].share.lp, -kInf);
  EXPECT_EQ(x.lines[0].largest[0].name, "y[2]");
  ASSERT_TRUE(x.bad_element);
  EXPECT_EQ(x.bad_element->name, "y[2]");
}

/// One line that is not finite leaves the gradients of the others as they are.
TEST(Explain, GradientsBesideWhatIsNotFinite) {
  const auto model = model_of("parameters { real x; real<lower=0> s; }\nmodel {\n  target += pow(-1.0, 2 + x);\n  x ~ normal(1, s);\n}");
  const Explanation x = explain(*model, std::vector<double>{0, std::log(2)}, {});
  ASSERT_TRUE(x.status);
  for (const ExplainedLine& line : x.lines) {
    ASSERT_TRUE(line.share.has_gradient) << line.what;
    if (!line.site) EXPECT_EQ(line.share.norm, 1);
    else if (line.site->distribution.empty()) EXPECT_TRUE(std::isnan(line.share.norm));
    else EXPECT_NEAR(line.share.norm, std::hypot(0.25, -1 + 0.25), 1e-15);
  }
}

TEST(Explain, ProgramsWithNothingToSay) {
  EXPECT_EQ(explanation_text(*model_of("parameters { real x; } model { }"), explain(*model_of("parameters { real x; } model { }"), std::vector<double>{1}, {})),
            "the program adds nothing to target\n");
  const auto constant = model_of("data { int N; } model { target += N; }", R"({"N": 3})");
  const Explanation x = explain(*constant, {}, {});
  EXPECT_EQ(x.target.lp, 3);
  EXPECT_FALSE(x.target.has_gradient);
}

TEST(LineDifferences, StandardisedAndOrdered) {
  const auto model = model_of("parameters { real a; real b; } model { a ~ normal(0, 1); b ~ normal(0, 1); }");
  std::vector<std::vector<double>> draws;
  std::vector<bool> chosen;
  for (int k = 0; k < 20; ++k) draws.push_back({0.1 * k, 1}), chosen.push_back(k >= 18);
  LineDifferences d;
  ASSERT_TRUE(line_differences(*model, draws, chosen, &d));
  EXPECT_EQ(d.chosen, 2u);
  EXPECT_EQ(d.others, 18u);
  ASSERT_EQ(d.lines.size(), 2u);
  double mean = 0, squares = 0;
  for (int k = 0; k < 18; ++k) mean += -0.005 * k * k / 18;
  for (int k = 0; k < 18; ++k) squares += std::pow(-0.005 * k * k - mean, 2);
  const double of_chosen = -0.005 * (18 * 18 + 19 * 19) / 2;
  EXPECT_NEAR(d.lines[0].difference, (of_chosen - mean) / std::sqrt(squares / 17), 1e-9);
  EXPECT_EQ(d.lines[1].difference, 0);  // b never moves
}

}  // namespace
}  // namespace fermiac::interp
