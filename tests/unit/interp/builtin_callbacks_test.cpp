// Built-in functions passed to functions of functions do what functions of the program that call them do.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/shared/program_runner.h"

namespace fermiac {
namespace {

struct Case {
  const char* functions;  // what the program would have to define; `{}` in `call` is `own` then
  const char* builtin;
  const char* call;
};
constexpr Case kCases[] = {
    {"matrix own(array[] real x, real s, real l) { return gp_exp_quad_cov(x, s, l); }", "gp_exp_quad_cov",
     "laplace_marginal(lik, (y, ), 1, {}, ({1.0, 2.0, 3.5}, exp(p), 0.7))"},
    {"vector own(real t, vector y) { return multiply(t, y); }", "multiply",
     "sum(ode_rk45({}, [p, 1]', 0.0, {0.5, 1.0})[2])"},
    {"vector own(real t, vector y) { return multiply(t, y); }", "multiply",
     "sum(ode_bdf({}, [p, 1]', 0.0, {0.5, 1.0})[2])"},
    {"vector own(vector y) { return log(y); }", "log", "sum(solve_newton({}, [0.9, 1.1]')) + p"},
    {"real own_lpmf(array[] int k, int a, int b) { return discrete_range_lpmf(k | a, b); }", "discrete_range_lpmf",
     "reduce_sum_static({}, y, 3) + p"},
};

std::string program(const Case& c, bool builtin) {
  std::string call = c.call;
  const std::string functions = c.functions;
  const std::string own = functions.find("own_lpmf(") != std::string::npos ? "own_lpmf" : "own";
  call.replace(call.find("{}"), 2, builtin ? c.builtin : own);
  return "functions {\n real lik(vector theta, array[] int y) { return poisson_log_lpmf(y | theta); }\n" + functions +
         "}\ntransformed data { array[3] int y = {1, 2, 3}; }\nparameters { real p; }\nmodel { target += " + call +
         "; }\ngenerated quantities { real r = " + call + "; }\n";
}

struct Numbers {
  double lp = 0, gradient = 0, generated = 0;
};

Numbers evaluated(const std::string& text) {
  Numbers out;
  const auto model = testing::load(text);
  if (!model) return out;
  const double theta[] = {0.4};
  const auto workspace = model->workspace();
  EXPECT_EQ(workspace->log_density_gradient(theta, {}, &out.lp, {&out.gradient, 1}).message, "");
  std::vector<double> row(2);
  Rng rng(1);
  EXPECT_EQ(workspace->write_array(theta, true, true, rng, row).message, "");
  out.generated = row[1];
  return out;
}

TEST(BuiltinCallbacks, DoWhatAFunctionDoesThatCallsThem) {
  for (const Case& c : kCases) {
    const Numbers builtin = evaluated(program(c, true)), own = evaluated(program(c, false));
    EXPECT_EQ(builtin.lp, own.lp) << c.call;
    EXPECT_EQ(builtin.gradient, own.gradient) << c.call;
    EXPECT_EQ(builtin.generated, own.generated) << c.call;
    EXPECT_NE(builtin.lp, 0) << c.call;
  }
}

TEST(BuiltinCallbacks, DropConstantsWhereTheirNameSaysSo) {
  const std::string start = "parameters { real p; } model { target += p + reduce_sum_static(discrete_range_";
  const std::string end = "pmf, {1, 2, 3}, 3); }";
  const auto normalised = testing::load(start + "l" + end), unnormalised = testing::load(start + "lu" + end);
  ASSERT_TRUE(normalised && unnormalised);
  const double theta[] = {0.5};
  double all = 0, some = 0, gradient = 0;
  EXPECT_EQ(normalised->workspace()->log_density_gradient(theta, {}, &all, {&gradient, 1}).message, "");
  EXPECT_EQ(unnormalised->workspace()->log_density_gradient(theta, {}, &some, {&gradient, 1}).message, "");
  EXPECT_NEAR(all, 0.5 - 3 * std::log(3), 1e-12);
  EXPECT_EQ(some, 0.5);
}

}  // namespace
}  // namespace fermiac
