// What `fermiac check-model` finds: each finding once where it is due, and silence on a model that is fine.
#include <gtest/gtest.h>

#include <algorithm>

#include "interp/model/model_check.h"
#include "tests/unit/program_runner.h"

namespace fermiac::testing {
namespace {

std::vector<std::string> findings(const std::string& source, const std::string& json = "{}") {
  std::vector<std::string> out;
  for (const interp::ModelFinding& f : interp::check_model(compile(source), interp::DataSource::parse(json, "data")))
    out.push_back(f.text);
  return out;
}

std::size_t count(const std::vector<std::string>& texts, const std::string& part) {
  return static_cast<std::size_t>(
      std::ranges::count_if(texts, [&](const std::string& t) { return t.find(part) != std::string::npos; }));
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += text + "\n";
  return out;
}

TEST(ModelCheck, AGoodModelGetsNoRemark) {
  const auto found = findings(R"(data { int N; vector[N] y; } parameters { real m; real<lower=0> s; }
    model { m ~ normal(0, 2); s ~ normal(0, 1); y ~ normal(m, s); })",
                              R"({"N": 3, "y": [1, 0.5, -1]})");
  EXPECT_TRUE(found.empty()) << joined(found);
}

TEST(ModelCheck, ConstantsThatDataMakeLarge) {
  const auto found =
      findings("data { real scale; } parameters { real m; } model { m ~ normal(0, 10 * scale); }", R"({"scale": 25})");
  EXPECT_EQ(count(found, "is 250 with these data"), 1u) << joined(found);
  EXPECT_TRUE(
      findings("data { real scale; } parameters { real m; } model { m ~ normal(0, 10 * scale); }", R"({"scale": 0.2})")
          .empty());
}

TEST(ModelCheck, ConstantsInLoopsAreReportedOnce) {
  const auto found = findings("parameters { vector[3] m; } model { for (i in 1:3) m[i] ~ normal(0, 50 * i); }");
  EXPECT_EQ(count(found, "is 150 with these data"), 1u) << joined(found);
  EXPECT_EQ(count(found, "with these data"), 1u) << joined(found);
}

TEST(ModelCheck, ParametersThatDoNothing) {
  const auto found =
      findings("parameters { real a; real<lower=0> b; vector[2] v; } model { a ~ normal(0, 1); v[1] ~ normal(0, 1); }");
  EXPECT_EQ(count(found, "does not depend on parameter b"), 1u) << joined(found);
  EXPECT_EQ(count(found, "does not depend on 1 of 2 elements of v"), 1u) << joined(found);
  EXPECT_EQ(count(found, "parameter a"), 0u);
}

TEST(ModelCheck, StatementsThatAreNotFinite) {
  const auto found = findings(
      "parameters { real a; } transformed parameters { real b = log(a - 5); } model { a ~ normal(0, 1); target += "
      "log(a - 5); }");
  EXPECT_EQ(count(found, "makes the log density undefined"), 1u) << joined(found);
  EXPECT_EQ(count(found, "Values of b are not finite"), 1u) << joined(found);
}

TEST(ModelCheck, PointsThatAreRefused) {
  const auto found =
      findings("parameters { real a; } model { a ~ normal(0, 1); if (a < 0.9) reject(\"a is small\"); }");
  EXPECT_EQ(count(found, "the model refuses: a is small"), 1u) << joined(found);
}

TEST(ModelCheck, TailsThatDoNotFall) {
  const auto found = findings(
      "parameters { real a; real<lower=0> b; real c; real<lower=0> d; } model { target += -0.5 * square(a) - 2 * "
      "log1p(square(c)) - d; }");
  EXPECT_EQ(count(found, "The density hardly falls as b"), 1u) << joined(found);
  EXPECT_EQ(count(found, "hardly falls"), 1u) << joined(found);
}

TEST(ModelCheck, DirectionsInWhichParametersMoveTogether) {
  const auto found = findings("parameters { real beta; real gamma; real c; } model { beta ~ normal(gamma, 1); c ~ normal(0, 1); }");
  EXPECT_EQ(count(found, "hardly falls"), 1u) << joined(found);
  EXPECT_EQ(count(found, "in the direction beta (0.71), gamma (0.71), as far out as 200"), 1u) << joined(found);
  const auto proper = findings("parameters { real beta; real gamma; } model { gamma ~ normal(0, 1); beta ~ normal(gamma, 1); }");
  EXPECT_TRUE(proper.empty()) << joined(proper);
}

TEST(ModelCheck, ACentredHierarchyIsProper) {
  const auto found = findings(R"(data { int J; vector[J] y; } parameters { real mu; real<lower=0> tau; vector[J] theta; }
    model { mu ~ normal(0, 5); tau ~ normal(0, 5); theta ~ normal(mu, tau); y ~ normal(theta, 1); })",
                              R"({"J": 3, "y": [1, 2, 4]})");
  EXPECT_TRUE(found.empty()) << joined(found);
}

TEST(ModelCheck, AnInterceptIsNoScale) {
  const auto found = findings("data { matrix[3, 2] x; } parameters { vector[2] b; } model { b ~ normal(x[1]', 1); }",
                              R"({"x": [[1.1, 0.3], [1.1, -2], [1.1, 1.7]]})");
  EXPECT_EQ(count(found, "different scales"), 0u) << joined(found);
}

TEST(ModelCheck, ArgumentsAreToldAsTheyAreWritten) {
  const auto found = findings("parameters { real m; } model { m ~ normal(90, 1); }");
  EXPECT_EQ(count(found, "Argument 90 of a distribution is 90"), 1u) << joined(found);
}

TEST(ModelCheck, AModelThatCannotRunIsFatal) {
  const auto found = interp::check_model(compile("parameters { real a; } model { reject(\"never\"); }"), interp::DataSource::parse("{}", "data"));
  EXPECT_TRUE(std::ranges::any_of(found, &interp::ModelFinding::fatal));
}

TEST(ModelCheck, DataOnDifferentScales) {
  const auto found =
      findings("data { matrix[3, 2] x; } parameters { real a; } model { a ~ normal(sum(x[, 1] - x[, 1]), 1); }",
               R"({"x": [[1, 30000], [2, 10000], [3, 80000]]})");
  EXPECT_EQ(count(found, "x[, 2]"), 1u) << joined(found);
}

}  // namespace
}  // namespace fermiac::testing
