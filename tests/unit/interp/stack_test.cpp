// Recursion of user programs ends by an error with its place, wherever it happens and however much stack one call takes.
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "support/platform/process_memory.h"
#include "support/platform/threads.h"
#include "tests/shared/program_runner.h"

namespace fermiac {
namespace {

using testing::Outcome;

/// f(f(…)) with the inner call below 20 levels of an expression.
std::string nested_call(const std::string& inner) {
  std::string text = inner;
  for (int i = 0; i < 20; ++i) text = "fma(1.0, sqrt(square(abs(" + text + "))), 0.0)";
  return text;
}

const std::string kRecursions = R"(functions {
  real forever(real x) { return forever(x + 1); }
  real deep(int n, real x) { return n == 0 ? x : )" + nested_call("deep(n - 1, x)") + R"(; }
  real grows(array[] real x) { return grows(append_array(x, x)); }
  vector rhs(real t, vector y) { return rep_vector(forever(t), 1); }
  vector own(real t, vector y) { return ode_rk45(own, y, 0.0, {1.0})[1]; }
  vector own_stiff(real t, vector y) { return ode_bdf(own_stiff, y, 0.0, {1.0})[1]; }
  real area(real x, real xc, array[] real theta, data array[] real xr, data array[] int xi) {
    return integrate_1d(area, 0.0, 1.0, theta, xr, xi);
  }
  vector root(vector y) { return solve_newton(root, y); }
}
)";

Outcome run_on(const std::string& statement) {
  return testing::run(kRecursions + "generated quantities {\n" + statement + "\n}\n");
}

/// The same statement on four threads at once.
std::vector<Outcome> run_on_threads(const std::string& statement) {
  std::vector<Outcome> out(4);
  run_parallel(4, out.size(), [&](std::size_t i) { out[i] = run_on(statement); });
  return out;
}

void expect_too_deep(const Outcome& done, const std::string& statement) {
  EXPECT_NE(done.error.find("calls nest"), std::string::npos) << statement << ": " << done.error;
  EXPECT_NE(done.error.find("(in 'test.stan', line"), std::string::npos) << statement << ": " << done.error;
}

TEST(Stack, EndlessRecursionIsAnErrorOnEveryThread) {
  for (const std::string statement :
       {"real r = forever(1);", "real r = deep(2000, 1);", "vector[1] r = ode_rk45(rhs, [1]', 0.0, {1.0})[1];",
        "vector[1] r = ode_bdf(rhs, [1]', 0.0, {1.0})[1];", "vector[1] r = ode_rk45(own, [1]', 0.0, {1.0})[1];",
        "vector[1] r = ode_bdf(own_stiff, [1]', 0.0, {1.0})[1];",
        "real r = integrate_1d(area, 0.0, 1.0, {1.0}, {1.0}, {1});", "vector[1] r = solve_newton(root, [1]');"}) {
    expect_too_deep(run_on(statement), statement);
    for (const Outcome& done : run_on_threads(statement)) expect_too_deep(done, statement);
  }
}

TEST(Stack, AThousandCallsOfOrdinaryFunctionsWorkOnEveryThread) {
  const std::string statement = "real r = deep(990, 3);";
  EXPECT_EQ(run_on(statement).error, "");
  for (const Outcome& done : run_on_threads(statement)) {
    EXPECT_EQ(done.error, "");
    EXPECT_EQ(done.values.at("r"), 3);
  }
}

TEST(Stack, ArgumentsThatGrowEndByTheLimitOnMemory) {
  const ad::MemoryScope limited(ad::memory_in_use() + (std::size_t{100} << 20));
  const Outcome done = run_on("real r = grows({1.0, 2.0});");
  EXPECT_NE(done.error.find("out of memory"), std::string::npos) << done.error;
  EXPECT_NE(done.error.find("(in 'test.stan', line 4"), std::string::npos) << done.error;
}

TEST(Stack, WhileRecordingToo) {
  const auto model = testing::load(kRecursions + "parameters { real x; } model { target += forever(x) + deep(2000, x); }");
  double lp = 0;
  std::vector<double> gradient(1);
  const EvalStatus status = model->workspace()->log_density_gradient(std::vector<double>{0.5}, {}, &lp, gradient);
  EXPECT_EQ(status.kind, EvalStatus::Kind::Fatal);
  EXPECT_NE(status.message.find("calls nest"), std::string::npos) << status.message;
}

}  // namespace
}  // namespace fermiac
