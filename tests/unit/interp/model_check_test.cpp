// What `fermiac check-model` finds: each finding once where it is due, and silence on a model that is fine.
#include <gtest/gtest.h>

#include <algorithm>

#include "interp/model/model_check.h"
#include "tests/shared/program_runner.h"

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

TEST(ModelCheck, ADensityThatIsZeroEverywhereIsFatal) {
  const auto fatal = [](const std::string& upper) {
    const auto found = interp::check_model(compile("data { real y; } parameters { real<lower=0" + upper + "> t; } model { t ~ exponential(1); y ~ uniform(0, t); }"),
                                           interp::DataSource::parse(R"({"y": 3.2})", "data"));
    return std::ranges::count_if(found, [](const interp::ModelFinding& f) { return f.fatal && f.text.find("at each of 6 typical points") != std::string::npos; });
  };
  EXPECT_EQ(fatal(", upper=1"), 1);
  EXPECT_EQ(fatal(", upper=100"), 0);
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
  EXPECT_EQ(count(found, "in the direction beta (0.71), gamma (0.71), as far out as 1e+08"), 1u) << joined(found);
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

// ---- tails, priors and scores, with what is right known

struct Judged {
  const char* why;
  const char* program;
  bool improper;
};

constexpr const char* kRow = R"({"N": 4, "x": [-1, 0, 1, 2], "y": [-1.1, 0.1, 0.5, 2.4]})";
constexpr const char* kData = "data { int N; vector[N] x; vector[N] y; } ";

TEST(ModelCheck, TailsAreJudgedByTheScaleOfTheModel) {
  const Judged cases[] = {
      {"wide", "parameters { real m; } model { m ~ normal(0, 100); y ~ normal(m, 1); }", false},
      {"wider", "parameters { real m; } model { m ~ normal(0, 1e4); }", false},
      {"widest", "parameters { real m; } model { m ~ normal(0, 1e9); }", false},
      {"heavy", "parameters { real m; } model { m ~ cauchy(0, 1e5); }", false},
      {"scales", "parameters { real<lower=0> s; real m; } model { s ~ cauchy(0, 1000); m ~ normal(0, s); }", false},
      {"sums", "parameters { real a; real b; } model { a ~ normal(0, 1e6); b ~ normal(0, 1e6); y ~ normal(a + b, 1); }", false},
      {"centered", "parameters { real m; real<lower=0> t; vector[N] z; } model { m ~ normal(0, 100); t ~ normal(0, 100); z ~ normal(m, t); y ~ normal(z, 1); }", false},
      {"not centered", "parameters { real m; real<lower=0> t; vector[N] z; } model { m ~ normal(0, 1e4); t ~ cauchy(0, 100); z ~ std_normal(); y ~ normal(m + t * z, 1); }", false},
      {"horseshoe", "parameters { vector[2] b; vector<lower=0>[2] l; real<lower=0> t; } model { l ~ cauchy(0, 1); t ~ cauchy(0, 1); b ~ normal(0, l * t); y ~ normal(b[1] + b[2] * x, 1); }", false},
      {"nothing", "parameters { real m; } model { y ~ normal(0, 1); }", true},
      {"sum alone", "parameters { real a; real b; } model { y ~ normal(a + b, 1); }", true},
      {"difference", "parameters { real a; real b; } model { a ~ normal(0, 1); y ~ normal(a * x, 1); target += -0.0 * b; }", true},
      {"one datum", "parameters { real m; real<lower=0> s; } model { m ~ normal(0, 10); y[1] ~ normal(m, s); }", true},
      {"as 1/x", "parameters { real m; } model { target += -log(1 + abs(m)); }", true},
      {"separated", "transformed data { array[N] int k; for (n in 1:N) k[n] = x[n] > 0; } parameters { real b; } model { k ~ bernoulli_logit(b * (x - 0.5)); }", true},
      {"separated, with a prior", "transformed data { array[N] int k; for (n in 1:N) k[n] = x[n] > 0; } parameters { real b; } model { b ~ normal(0, 1000); k ~ bernoulli_logit(b * (x - 0.5)); }", false},
  };
  for (const Judged& c : cases) {
    const auto found = findings(std::string(kData) + c.program, kRow);
    EXPECT_EQ(count(found, "hardly falls") > 0, c.improper) << c.why << "\n" << joined(found);
  }
}

TEST(ModelCheck, PriorsAreThoseThatRun) {
  const std::pair<const char*, std::size_t> cases[] = {
      {"transformed data { real m0 = mean(y); } parameters { real a; } model { a ~ normal(m0, 1); y ~ normal(a, 1); }", 0},
      {"parameters { real a; } transformed parameters { real lprior = 0; lprior += normal_lpdf(a | 0, 1); } model { y ~ normal(a, 1); target += lprior; }", 0},
      {"parameters { real a; } model { if (N > 3) a ~ normal(0, 1); else a ~ cauchy(0, 1); y ~ normal(a, 1); }", 0},
      {"parameters { real a; } model { if (N > 3) a ~ normal(0, 1); y ~ normal(a, 1); }", 0},
      {"parameters { real<lower=0> a; } model { target += -0.5 * square(a); y ~ normal(a, 1); }", 0},
      {"parameters { real<lower=0, upper=5> a; } model { y ~ normal(a, 1); }", 0},
      {"parameters { simplex[3] p; } model { y ~ normal(p[1], 1); }", 0},
      {"parameters { real<lower=0> a; } model { log(a) ~ normal(0, 1); target += -log(a); y ~ normal(a, 1); }", 0},
      {"parameters { real a; } model { y ~ normal(a, 1); }", 1},
      {"parameters { real a; } model { if (N > 7) a ~ normal(0, 1); y ~ normal(a, 1); }", 1},
      {"parameters { vector[3] a; } model { a[1:2] ~ normal(0, 1); y ~ normal(sum(a), 1); }", 1},
  };
  for (const auto& [program, missing] : cases) {
    const auto found = findings(std::string(kData) + program, kRow);
    EXPECT_EQ(count(found, "no prior:"), missing) << program << "\n" << joined(found);
    EXPECT_EQ(count(found, "priors"), 0u) << program << "\n" << joined(found);
  }
  EXPECT_EQ(count(findings("parameters { real a; } model { a ~ normal(0, 1);\n a ~ normal(1, 1); }"), "a has 2 priors, in lines 1, 2"), 1u);
}

TEST(ModelCheck, NumbersThatAreScoredAgainForEachElementOfAnArgument) {
  const std::string head = std::string(kData) + "parameters { real a; real b; } model { a ~ normal(0, 1); b ~ normal(0, 1); ";
  EXPECT_EQ(count(findings(head + "for (n in 1:N) y[n] ~ normal(a + b * x, 1); }", kRow), "y[1] is scored 4 times"), 1u);
  EXPECT_EQ(count(findings(head + "for (n in 1:N) target += normal_lpdf(y[n] | a + b * x, 1); }", kRow), "y[1] is scored 4 times"), 1u);
  EXPECT_EQ(count(findings(head + "for (n in 1:N) y[n] ~ normal(a + b * x[n], 1); }", kRow), "is scored"), 0u);
  EXPECT_EQ(count(findings(head + "y ~ normal(a + b * x, 1); }", kRow), "is scored"), 0u);
  EXPECT_EQ(count(findings(head + "y[{1, 1, 2}] ~ normal(a + b * x[1:3], 1); }", kRow), "is scored"), 0u);
}

TEST(ModelCheck, UnassignedVariablesAreNamed) {
  const auto found = findings(std::string(kData) + "parameters { real a; } model { vector[N] mu; for (n in 1:N - 1) mu[n] = a; a ~ normal(0, 1); y ~ normal(mu, 1); }", kRow);
  EXPECT_EQ(count(found, "mu[4] has no value here"), 1u) << joined(found);
}

TEST(ModelCheck, DataMayBeMissing) {
  const auto found = findings(std::string(kData) + "parameters { real a; } model { a ~ normal(0, 1); y ~ normal(a, 1); }", R"({"N": 2, "x": [-1, 0], "y": [-1.1, null]})");
  EXPECT_TRUE(found.empty()) << joined(found);
}

}  // namespace
}  // namespace fermiac::testing
