// What `~` and `_lupdf` leave out: what no operand counts for that carries derivatives by the text of the program. What a parameter
// decides through a branch counts, though it is a number on every path.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct Case {
  const char* functions;
  const char* model;
  std::function<double(double)> expected;  // of the parameter
};

/// Beside the functions and the model block.
std::string program_of(const Case& c) {
  return std::string("functions { ") + c.functions + " } data { real two; } transformed data { real also_two = two; vector[3] twos = " +
         "rep_vector(two, 3); } parameters { real p; } model { " + c.model + " }";
}

const auto kNormal = [](double p, double s) { return -0.5 * p * p / (s * s); };
const double kLog2 = std::log(2.0);

const Case kCases[] = {
    // what is data by the text is dropped
    {"", "p ~ normal(0, 2);", [](double p) { return kNormal(p, 2); }},
    {"", "p ~ normal(0, also_two);", [](double p) { return kNormal(p, 2); }},
    {"", "p ~ normal(0, twos);", [](double p) { return 3 * kNormal(p, 2); }},
    {"", "two ~ normal(0, 1);", [](double) { return 0.0; }},
    {"", "target += normal_lupdf(p | 0, to_vector({two, 2}));", [](double p) { return 2 * kNormal(p, 2); }},
    // local variables of the model count
    {"", "real s = 2; p ~ normal(0, s);", [](double p) { return kNormal(p, 2) - kLog2; }},
    {"", "vector[3] s = rep_vector(2, 3); p ~ normal(0, s);", [](double p) { return 3 * (kNormal(p, 2) - kLog2); }},
    {"", "real t = 2; t ~ normal(0, 1);", [](double) { return -2.0; }},
    {"", "vector[2] t = [2, 1]'; t ~ normal(0, two);", [](double) { return -0.5 * (1 + 0.25); }},
    {"", "array[2] real s = {2, 2}; [p, p] ~ normal(0, exp(log(s)));", [](double p) { return 2 * (kNormal(p, 2) - kLog2); }},
    // and so does what a parameter decides
    {"", "vector[3] s; for (i in 1:3) s[i] = p > 0 ? 1 : 2; p ~ normal(0, s);",
     [](double p) { return 3 * (p > 0 ? kNormal(p, 1) : kNormal(p, 2) - kLog2); }},
    {"", "vector[3] s; if (p > 0) for (i in 1:3) s[i] = 1; else s = twos; p ~ normal(0, exp(log(s)));",
     [](double p) { return 3 * (p > 0 ? kNormal(p, 1) : kNormal(p, 2) - kLog2); }},
    {"", "real s = 1; int i = -1; while (p < i + 1 && i > -5) { s *= 2; i -= 1; } p ~ normal(0, s);",
     [](double p) { return p < 0 ? kNormal(p, 2) - kLog2 : kNormal(p, 1); }},
    {"", "tuple(real, vector[1]) s; s.2[1] = p > 0 ? 1 : 2; s.1 = p; s.1 ~ normal(0, s.2);",
     [](double p) { return p > 0 ? kNormal(p, 1) : kNormal(p, 2) - kLog2; }},
    {"", "p ~ normal(0, p > 0 ? 1 : two);", [](double p) { return p > 0 ? kNormal(p, 1) : kNormal(p, 2) - kLog2; }},
    {"", "(p > 0 ? twos : 3 * twos) ~ normal(0, two);", [](double p) { return -1.5 * (p > 0 ? 1 : 9); }},
    {"", "p ~ normal(0, two > 1 ? two : 1);", [](double p) { return kNormal(p, 2); }},
    // functions are templates over their arguments
    {"real f_lpdf(real y, real s) { return normal_lupdf(y | 0, s); }", "p ~ f(two);", [](double p) { return kNormal(p, 2); }},
    {"real f_lpdf(real y, real s) { return normal_lupdf(y | 0, s); }", "real t = two; p ~ f(t);",
     [](double p) { return kNormal(p, 2) - kLog2; }},
    {"real f_lpdf(real y, real s) { real t = s; return normal_lupdf(y | 0, t); }", "p ~ f(two);",
     [](double p) { return kNormal(p, 2) - kLog2; }},
    {"real f_lpdf(real y, real s) { real t = s; return normal_lupdf(1 | 0, t) * y; }", "target += f_lpdf(p | two);",
     [](double p) { return p * (-0.125 - kLog2 - 0.5 * std::log(2 * M_PI)); }},
    {"real g_lpdf(real y, real s) { return normal_lupdf(y | 0, s); } real f_lpdf(real y, real s) { return g_lupdf(y | s); }",
     "real t = 2; p ~ f(t);", [](double p) { return kNormal(p, 2) - kLog2; }},
    {"real g_lpdf(real y, real s) { return normal_lupdf(y | 0, s); } real f_lpdf(real y, real s) { return g_lpdf(y | s); }",
     "p ~ f(two);", [](double p) { return kNormal(p, 2) - kLog2 - 0.5 * std::log(2 * M_PI); }},
    {"void f_lp(real y, real s) { y ~ normal(0, s); }", "f_lp(p, two); real t = 2; f_lp(p, t);",
     [](double p) { return 2 * kNormal(p, 2) - kLog2; }},
    {"real part_lpdf(array[] real y, int i, int j, real p, real s) { return normal_lupdf(p | 0, s) * size(y); }",
     "real t = 2; target += reduce_sum(part_lupdf, {1, 2, 3}, 10, p, t);", [](double p) { return 3 * (kNormal(p, 2) - kLog2); }},
    {"real part_lpdf(array[] real y, int i, int j, real p, real s) { return normal_lupdf(p | 0, s) * size(y); }",
     "target += reduce_sum(part_lupdf, {1, 2, 3}, 1, p, two);", [](double p) { return 3 * kNormal(p, 2); }},
    {"real part_lpdf(array[] real y, int i, int j, real p, real s) { return normal_lupdf(p | 0, s) * size(y); }",
     "real t = 2; target += reduce_sum(part_lupdf, {1, 2, 3}, 1, p, t);", [](double p) { return 3 * (kNormal(p, 2) - kLog2); }},
    // densities of vectors
    {"", "matrix[2, 2] l = diag_matrix([2, 2]'); [p, p]' ~ multi_normal_cholesky([0, 0]', l);",
     [](double p) { return 2 * (kNormal(p, 2) - kLog2); }},
    {"", "[p, p]' ~ multi_normal_cholesky([0, 0]', diag_matrix([two, two]'));", [](double p) { return 2 * kNormal(p, 2); }},
    {"", "vector[1] s = [2]'; twos ~ normal_id_glm(rep_matrix(1, 3, 1), 0, [p]', s[1]);",
     [](double p) { return 3 * (kNormal(2 - p, 2) - kLog2); }},
};

class Propto : public ::testing::TestWithParam<Case> {};

TEST_P(Propto, DropsWhatIsDataByTheText) {
  const auto model = load(program_of(GetParam()), R"({"two": 2})");
  const auto workspace = model->workspace();
  for (const double p : {0.5, -0.5, 0.5, -0.25}) {
    double lp = 0, gradient = 0;
    const EvalStatus status = workspace->log_density_gradient({&p, 1}, {.propto = true}, &lp, {&gradient, 1});
    ASSERT_TRUE(status) << status.message;
    EXPECT_NEAR(lp, GetParam().expected(p), 1e-13) << program_of(GetParam()) << " at " << p;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Propto, ::testing::ValuesIn(kCases),
                         [](const auto& program) { return "Program" + std::to_string(program.index); });

}  // namespace
}  // namespace fermiac::testing
