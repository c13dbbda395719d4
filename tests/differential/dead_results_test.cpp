// A point that a program refuses is refused by replays, also where nothing reads what could not be computed:
// transformed parameters that are for the output alone.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "inference/model/model.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct DeadCase {
  const char* name;
  const char* transformed;  // of the parameter `real x`, which is 0.5 where the program runs and -2 where it fails
  const char* error;        // how its message begins
  const char* functions = "";
};

const DeadCase kCases[] = {
    {"kernel", "matrix[2, 2] L = cholesky_decompose([[1, x], [x, 1]]);", "cholesky_decompose: "},
    {"kernel_after_ops", "matrix[2, 2] L = cholesky_decompose([[1, square(x)], [square(x), 1]]); real s = sum(L);",
     "cholesky_decompose: "},
    {"scalar_map", "real d = normal_lpdf(0.1 | 0, x);", "normal_lpdf: Scale parameter is -2"},
    {"scalar_maps_of_a_loop", "vector[20] d; for (n in 1:20) d[n] = normal_lpdf(0.1 * n | 0, x + 0.01 * n);",
     "normal_lpdf: Scale parameter is -1.99"},
    {"vector_map", "real d = exponential_lpdf(linspaced_vector(20, 1, 2) | rep_vector(x, 20));",
     "exponential_lpdf: Inverse scale parameter[1] is -2"},
    {"function_that_throws", "real t = tgamma(x);", "tgamma: "},
    {"empty_container", "matrix[0, 0] K = gp_exp_quad_cov(rep_array(0.0, 0), x, 1.0);", "gp_exp_quad_cov: "},
    {"in_a_function", "real t = f(x) * 2;", "gamma_lpdf: Shape parameter is -2",
     "functions { real f(real a) { real u = gamma_lpdf(1 | a, 2); return u + square(u); } }"},
};

class DeadResults : public ::testing::TestWithParam<DeadCase> {};

std::string program(const DeadCase& c) {
  return std::string(c.functions) + "parameters { real x; } transformed parameters { " + c.transformed +
         " } model { x ~ normal(0, 1); }";
}

TEST_P(DeadResults, RefuseThePoint) {
  const auto model = load(program(GetParam()));
  ASSERT_TRUE(model);
  const auto workspace = model->workspace();
  double lp = 0;
  std::vector<double> gradient(1);
  for (int round = 0; round < 2; ++round) {  // the first evaluation records, the second replays
    const EvalStatus fine = workspace->log_density_gradient(std::vector{0.5}, {}, &lp, gradient);
    EXPECT_TRUE(fine) << fine.message;
    EXPECT_EQ(lp, -0.125);
    EXPECT_EQ(gradient[0], -0.5);
    const EvalStatus status = workspace->log_density_gradient(std::vector{-2.0}, {}, &lp, gradient);
    EXPECT_EQ(status.kind, EvalStatus::Kind::Rejected);
    EXPECT_EQ(status.message.substr(0, std::string(GetParam().error).size()), GetParam().error);
    EXPECT_EQ(workspace->log_density(std::vector{-2.0}, {}, &lp).message, status.message);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DeadResults, ::testing::ValuesIn(kCases),
                         [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace fermiac::testing
