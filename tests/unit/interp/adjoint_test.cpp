// `@grad_adj_jac(f, n)`: the tape calls the user's function in its reverse pass. Adjoints that are deliberately twice
// the right one show that it does.
#include <gtest/gtest.h>

#include <cmath>

#include "interp/model/model_check.h"
#include "mir/passes/pass.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct Density {
  double value = 0, plain = 0;
  std::vector<double> gradient;
};

Density density(const std::string& source, const std::vector<double>& theta, const std::string& data = "{}",
                mir::OptLevel level = mir::OptLevel::O0) {
  const auto compiled = interp::compile_model({.text = source, .path = "m.stan", .include_paths = {}, .level = level});
  EXPECT_TRUE(*compiled) << (compiled->diagnostics.reports().empty() ? "" : compiled->diagnostics.reports()[0].message);
  const interp::InterpModel model(compiled, interp::DataSource::parse(data, "data"), 1);
  Density out;
  out.gradient.resize(theta.size());
  EXPECT_TRUE(model.log_density_plain(theta, true, &out.plain));
  const auto workspace = model.workspace();
  for (int replay = 0; replay < 2; ++replay)
    EXPECT_TRUE(workspace->log_density_gradient(theta, {.propto = false, .jacobian = true}, &out.value, out.gradient));
  return out;
}

/// f(a, b) = a^2 b with the adjoint for a, `scale` times the right one.
std::string scalar_model(const std::string& scale) {
  return "functions { real f(real a, real b) { return a * a * b; } @grad_adj_jac(f, 1) real f_a(real a, real b, real "
         "adj) { return " +
         scale + " * adj * 2 * a * b; } } parameters { real x; real y; } model { target += 3 * f(x, y); }";
}

TEST(Adjoint, TheTapeUsesIt) {
  const std::vector<double> theta = {0.5, -1.25};
  const Density right = density(scalar_model("1"), theta), twice = density(scalar_model("2"), theta);
  EXPECT_DOUBLE_EQ(right.value, 3 * 0.25 * -1.25);
  EXPECT_DOUBLE_EQ(right.value, right.plain);
  EXPECT_DOUBLE_EQ(right.gradient[0], 3 * 2 * 0.5 * -1.25);
  EXPECT_DOUBLE_EQ(right.gradient[1], 3 * 0.25);
  EXPECT_DOUBLE_EQ(twice.value, right.value);
  EXPECT_DOUBLE_EQ(twice.gradient[0], 2 * right.gradient[0]);
  EXPECT_DOUBLE_EQ(twice.gradient[1], right.gradient[1]) << "the other argument is differentiated";
}

TEST(Adjoint, OptimisedProgramsKeepIt) {
  const std::vector<double> theta = {0.5, -1.25};
  for (const mir::OptLevel level : {mir::OptLevel::O1, mir::OptLevel::Oexperimental}) {
    const Density twice = density(scalar_model("2"), theta, "{}", level);
    EXPECT_DOUBLE_EQ(twice.gradient[0], 2 * 3 * 2 * 0.5 * -1.25);
  }
}

TEST(Adjoint, BothArgumentsMayHaveOne) {
  const Density d = density(
      "functions { real f(real a, real b) { return a * b; } @grad_adj_jac(f, 1) real fa(real a, real b, real adj) { "
      "return 10 * adj; } @grad_adj_jac(f, 2) real fb(real a, real b, real adj) { return 20 * adj; } } parameters { "
      "real x; real y; } model { target += f(x, y) + f(x, 2); target += f(1, 2); }",
      {0.5, 3});
  EXPECT_DOUBLE_EQ(d.value, 0.5 * 3 + 0.5 * 2 + 2);
  EXPECT_DOUBLE_EQ(d.gradient[0], 20);
  EXPECT_DOUBLE_EQ(d.gradient[1], 20);
}

// Containers, int and data arguments, a result of another size than the argument, guards that need a second path.
std::string vector_model(const std::string& scale) {
  return "functions { vector f(int k, vector v, data matrix m) { vector[rows(m)] out = m * v; if (v[1] > 0) out[k] += "
         "square(v[1]); return out; } @grad_adj_jac(f, 2) vector f_v(int k, vector v, data matrix m, vector adj) { "
         "vector[rows(v)] out = m' * adj; if (v[1] > 0) out[1] += 2 * v[1] * adj[k]; return " +
         scale +
         " * out; } } data { matrix[3, 2] m; } parameters { vector[2] p; } model { target += dot_self(f(2, p, m)); }";
}

TEST(Adjoint, ContainersAndBranches) {
  const std::string data = R"({"m": [[1, 2], [3, 4], [5, 6]]})";
  for (const double first : {0.7, -0.7}) {
    const std::vector<double> theta = {first, 0.2};
    const Density right = density(vector_model("1"), theta, data), half = density(vector_model("0.5"), theta, data);
    double r[3], expected[2] = {0, 0};
    const double m[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    for (int i = 0; i < 3; ++i) r[i] = m[i][0] * first + m[i][1] * 0.2 + (i == 1 && first > 0 ? first * first : 0);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 2; ++j) expected[j] += 2 * r[i] * (m[i][j] + (i == 1 && j == 0 && first > 0 ? 2 * first : 0));
    for (int j = 0; j < 2; ++j) {
      EXPECT_NEAR(right.gradient[static_cast<std::size_t>(j)], expected[j], 1e-12 * std::fabs(expected[j]));
      EXPECT_NEAR(half.gradient[static_cast<std::size_t>(j)], expected[j] / 2, 1e-12 * std::fabs(expected[j]));
    }
    EXPECT_NEAR(right.value, r[0] * r[0] + r[1] * r[1] + r[2] * r[2], 1e-12 * right.value);
  }
}

TEST(Adjoint, OneTapeServesBothSidesOfABranch) {
  const auto compiled = interp::compile_model({.text = vector_model("1"), .path = "m.stan", .include_paths = {}});
  const interp::InterpModel model(compiled, interp::DataSource::parse(R"({"m": [[1, 2], [3, 4], [5, 6]]})", "data"), 1);
  const auto workspace = model.workspace();
  for (const double first : {0.7, -0.7, 0.3}) {
    const std::vector<double> theta = {first, 0.2};
    std::vector<double> gradient(2);
    double lp = 0, plain = 0;
    ASSERT_TRUE(workspace->log_density_gradient(theta, {.propto = false, .jacobian = true}, &lp, gradient));
    ASSERT_TRUE(model.log_density_plain(theta, true, &plain));
    EXPECT_NEAR(lp, plain, 1e-12 * std::fabs(plain));
  }
}

// Functions that only the solver, reduce_sum or map_rect calls: an adjoint that is twice the right one shows in the
// gradient.
void expect_twice(const std::string& before, const std::string& after, const std::vector<double>& theta) {
  const Density right = density(before + "1" + after, theta), twice = density(before + "2" + after, theta);
  EXPECT_DOUBLE_EQ(right.value, right.plain);
  EXPECT_NEAR(twice.value, right.value, 1e-9);
  for (std::size_t i = 0; i < theta.size(); ++i)
    EXPECT_NEAR(twice.gradient[i], 2 * right.gradient[i], 1e-7 * std::fabs(right.gradient[i])) << i;
}

TEST(Adjoint, ReduceSumUsesIt) {
  const std::string functions =
      "functions { real part(array[] real x, int first, int last, real p) { return p * p * sum(x); } "
      "@grad_adj_jac(part, "
      "4) real part_p(array[] real x, int first, int last, real p, real adj) { return ";
  const std::string sum = "reduce_sum(part, {1.5, 2, 3, 4}, 1, p)";
  const std::vector<std::string> uses = {"target += " + sum, "real s = 2 * " + sum + "; target += s"};
  for (const std::string& use : uses)
    expect_twice(functions, " * adj * 2 * p * sum(x); } } parameters { real p; } model { " + use + "; }", {0.75});
}

TEST(Adjoint, MapRectUsesIt) {
  const std::vector<std::string> all = {"{[1.0]'}, {{1.5}}, {{1}}", "{[1.0]', [2.0]'}, {{1.5}, {2.5}}, {{1}, {2}}"};
  for (const std::string& jobs : all)
    expect_twice(
        "functions { vector job(vector p, vector t, data array[] real x, data array[] int n) { return p * t[1] * x[1]; "
        "} "
        "@grad_adj_jac(job, 1) vector job_p(vector p, vector t, data array[] real x, data array[] int n, vector adj) { "
        "return ",
        " * adj * t[1] * x[1]; } } parameters { vector[2] p; } model { target += sum(map_rect(job, p, " + jobs +
            ")); }",
        {0.75, -0.5});
}

TEST(Adjoint, SolversUseIt) {  // y' = p does not depend on y, so what is doubled is the sensitivity to p
  expect_twice(
      "functions { vector rate(real t, vector y, real p) { return [p * p]'; } @grad_adj_jac(rate, 3) real rate_p(real "
      "t, "
      "vector y, real p, vector adj) { return ",
      " * 2 * p * adj[1]; } } parameters { real p; } model { target += sum(ode_rk45(rate, [1]', 0, {1, 2}, p)[2]); }",
      {0.75});
}

TEST(Adjoint, AWrongSizeIsAnError) {
  const auto compiled = interp::compile_model(
      {.text =
           "functions { real f(vector v) { return sum(v); } @grad_adj_jac(f, 1) vector g(vector v, real adj) { return "
           "[adj]'; } } parameters { vector[3] p; } model { target += f(p); }",
       .path = "m.stan",
       .include_paths = {}});
  const interp::InterpModel model(compiled, interp::DataSource(), 1);
  std::vector<double> gradient(3);
  double lp = 0;
  const EvalStatus status = model.workspace()->log_density_gradient(std::vector<double>{1, 2, 3}, {}, &lp, gradient);
  EXPECT_FALSE(status);
  EXPECT_NE(status.message.find("g: returned 1 values, but there must be 3"), std::string::npos) << status.message;
}

TEST(Adjoint, RejectionsInsideTheFunctionAreRejections) {
  const auto compiled = interp::compile_model(
      {.text =
           "functions { real f(real a) { if (a > 1) reject(\"too large\"); return a; } @grad_adj_jac(f, 1) real g(real "
           "a, real adj) { return adj; } } parameters { real x; } model { target += f(x); }",
       .path = "m.stan",
       .include_paths = {}});
  const interp::InterpModel model(compiled, interp::DataSource(), 1);
  std::vector<double> gradient(1);
  double lp = 0;
  const auto workspace = model.workspace();
  EXPECT_TRUE(workspace->log_density_gradient(std::vector<double>{0.5}, {}, &lp, gradient));
  EXPECT_EQ(workspace->log_density_gradient(std::vector<double>{2}, {}, &lp, gradient).kind,
            EvalStatus::Kind::Rejected);
}

std::string findings(const std::string& source, const std::string& data = "{}") {
  std::string out;
  for (const interp::ModelFinding& f : interp::check_model(compile(source), interp::DataSource::parse(data, "data")))
    out += f.text + "\n";
  return out;
}

TEST(Adjoint, CheckModelComparesItWithDifferentiation) {
  const std::string data = R"({"m": [[1, 2], [3, 4], [5, 6]]})";
  EXPECT_NE(findings(vector_model("0.5"), data)
                .find("With @grad_adj_jac(f, 2) the gradient differs from that of automatic differentiation at 5 of 6 "
                      "points: for p it is "),
            std::string::npos)
      << findings(vector_model("0.5"), data);
  EXPECT_EQ(findings(vector_model("1"), data).find("grad_adj_jac"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::testing
