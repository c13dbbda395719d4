// Programs far larger than anybody writes by hand: compiled in time that grows with their length, and without nesting
// deeper than the stack. What tells quadratic from linear here is the limit of processor time.
#include <gtest/gtest.h>

#include <ctime>
#include <functional>
#include <string>

#include "interp/model/interp_model.h"
#include "interp/model/model_check.h"
#include "mir/lower/lower.h"
#include "mir/text/text.h"
#include "mir/warnings/warnings.h"
#include "support/base/render.h"
#include "support/platform/stack.h"

namespace fermiac {
namespace {

using mir::OptLevel;

#if defined(FERMIAC_SANITIZED)
constexpr int kMany = 3000;
#else
constexpr int kMany = 10000;
#endif
constexpr double kSeconds = 15;  // linear: below one

std::string repeated(int n, const std::function<std::string(const std::string&)>& piece,
                     const std::string& between = "") {
  std::string out;
  for (int i = 0; i < n; ++i) out += (i > 0 ? between : "") + piece(std::to_string(i));
  return out;
}

std::shared_ptr<const interp::CompiledModel> compile(const std::string& text, OptLevel level = OptLevel::O0) {
  const std::clock_t start = std::clock();
  auto compiled = interp::compile_model({.text = text, .path = "m.stan", .include_paths = {}, .level = level});
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kSeconds) << text.substr(0, 200);
  EXPECT_TRUE(*compiled) << render_errors(compiled->sources(), compiled->diagnostics).substr(0, 500);
  return compiled;
}

std::string priors(int n) {
  return "parameters {" + repeated(n, [](auto i) { return "real a" + i + ";\n"; }) + "} model {" +
         repeated(n, [](auto i) { return "a" + i + " ~ normal(0, 1);\n"; }) + "}";
}

TEST(LargePrograms, ManyDeclarationsAndStatements) {
  const std::string names[] = {
      priors(kMany),
      "data {" + repeated(kMany, [](auto i) { return "real a" + i + ";\n"; }) + "}",
      "generated quantities {" + repeated(kMany, [](auto i) { return "real a" + i + " = " + i + ";\n"; }) + "}",
      "parameters { real p; } model { real x = p;" + repeated(kMany, [](auto) { return "x = x + 1;\n"; }) +
          "target += x; }",
      "parameters { real p; } model {" +
          repeated(kMany / 10, [](auto i) { return "if (p > " + i + ") target += p; else target += 1;\n"; }) + "}",
      "functions { real f(real x) { return x; }" +
          repeated(kMany, [](auto i) { return "real f" + i + "(real x) { return f(x) + 1; }\n"; }) + "}",
  };
  for (const std::string& text : names)
    for (const OptLevel level : {OptLevel::O0, OptLevel::O1}) compile(text, level);
}

TEST(LargePrograms, ChainsOfCallsAreInlinedAsFarAsThereIsRoom) {
  const std::string once =
      "functions { real f0(real x) { return x; }" +
      repeated(kMany / 20,
               [](auto i) {
                 return "real f" + std::to_string(std::stoi(i) + 1) + "(real x) { return f" + i + "(x) + 1; }\n";
               }) +
      "}";
  const std::string twice = "functions { real f0(real x) { return x; }" +
                            repeated(100,
                                     [](auto i) {
                                       return "real f" + std::to_string(std::stoi(i) + 1) + "(real x) { return f" + i +
                                              "(x) + f" + i + "(x); }\n";
                                     }) +
                            "}";
  compile(once + "parameters { real p; } model { target += f" + std::to_string(kMany / 20) + "(p); }", OptLevel::O1);
  compile(twice + "parameters { real p; } model { target += f100(p); }", OptLevel::O1);
}

TEST(LargePrograms, PedanticModeTakesManyPriors) {
  const auto compiled = compile(priors(kMany));
  const std::clock_t start = std::clock();
  EXPECT_TRUE(mir::pedantic_warnings(compiled->program, compiled->sources()).empty());
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kSeconds);
}

TEST(LargePrograms, ModelsAreChecked) {
  const auto compiled = compile(priors(kMany));
  const std::clock_t start = std::clock();
  const auto findings = interp::check_model(compiled, interp::DataSource());
  EXPECT_LT(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC, kSeconds);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_NE(findings[0].text.find("of " + std::to_string(kMany) + " coordinates only"), std::string::npos);
}

class LongChains : public testing::TestWithParam<OptLevel> {};

double generated(const std::string& declaration, OptLevel level) {
  const auto compiled =
      compile("data { real p; int n; vector[2] v; matrix[2, 2] m; } generated quantities {" + declaration + "}", level);
  if (!*compiled) return -1;
  const interp::InterpModel model(
      compiled, interp::DataSource::parse(R"({"p": 1, "n": 1, "v": [1, 2], "m": [[1, 2], [3, 4]]})", "data"), 1);
  Rng rng(1);
  double out = 0;
  EXPECT_EQ(model.workspace()->write_array({}, true, true, rng, {&out, 1}).message, "");
  return out;
}

std::string chain(const std::string& operand, const std::string& op, int n = kMany) {
  return repeated(
      n, [&](auto) { return operand; }, " " + op + " ");
}

TEST_P(LongChains, AreNoNesting) {
  EXPECT_EQ(generated("real r = " + chain("p", "+") + ";", GetParam()), kMany);
  EXPECT_EQ(generated("int r = " + chain("n", "*") + ";", GetParam()), 1);
  EXPECT_EQ(generated("int r = " + chain("n", "&&") + ";", GetParam()), 1);
  EXPECT_EQ(generated("int r = " + chain("0", "||") + " || n;", GetParam()), 1);
  EXPECT_EQ(generated("real r = sum(" + chain("v", "+") + ");", GetParam()), 3 * kMany);
  EXPECT_EQ(generated("real r = (m" + std::string(kMany, '\'') + ")[1, 2];", GetParam()), 2);
  EXPECT_EQ(generated("real r = v" + repeated(kMany, [](auto) { return "[:]"; }) + "[2];", GetParam()), 2);
}

TEST_P(LongChains, AreRecorded) {
  const auto compiled = compile("parameters { real p; } model { target += " + chain("p", "+") + "; }", GetParam());
  const interp::InterpModel model(compiled, interp::DataSource::parse("{}", "data"), 1);
  const double theta[] = {2};
  double lp = 0, gradient = 0;
  EXPECT_EQ(model.workspace()->log_density_gradient(theta, {}, &lp, {&gradient, 1}).message, "");
  EXPECT_EQ(lp, 2.0 * kMany);
  EXPECT_EQ(gradient, kMany);
}

INSTANTIATE_TEST_SUITE_P(Levels, LongChains, testing::Values(OptLevel::O0, OptLevel::O1));

TEST(LargePrograms, ChainsArePrinted) {
  const auto compiled = compile("data { real p; } transformed data { real r = " + chain("p", "+") + "; }");
  on_large_stack([&](int) {
    EXPECT_GT(mir::to_text(compiled->program).size(), std::size_t{kMany});
    EXPECT_GT(mir::to_pretty(mir::transform_for_backend(compiled->program)).size(), std::size_t{kMany});
  });
}

TEST(LargePrograms, RealNestingAndEndlessChainsAreOneDiagnostic) {
  const auto error = [](const std::string& expression) {
    const auto compiled =
        interp::compile_model({.text = "transformed data { int x = " + expression + "; }", .path = "m.stan"});
    EXPECT_EQ(compiled->diagnostics.error_count(), 1u);
    return compiled->diagnostics.reports().back().message;
  };
  EXPECT_EQ(error(std::string(100000, '(') + "1" + std::string(100000, ')')),
            "Ill-formed phrase. It is nested more than 1000 levels deep.");
  EXPECT_EQ(error(chain("1", "+", 200002)), "Ill-formed expression. More than 200000 operators follow one another.");
}

}  // namespace
}  // namespace fermiac
