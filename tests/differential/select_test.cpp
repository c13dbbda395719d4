// Branches on parameters that are recorded on both sides: one tape serves all points, and what it computes is what the
// plain evaluator computes.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct SelectCase {
  const char* name;
  const char* text;        // two parameters x and y
  std::size_t most_tapes;  // for a grid of points
};

const SelectCase kSelects[] = {
    {"conditional", "parameters { real x; real y; } model { target += x < y ? 3 * x : y * y; }", 1},
    {"negated",
     "parameters { real x; real y; } model { target += (x != y ? 3 * x : y) + (x >= 0.1 ? x : -x) + (y == x ? x : y); "
     "}",
     1},
    {"assignment",
     "parameters { real x; real y; } model { real m; if (x > 0.3) m = x * y; else { m = 2 * y; } target += -square(m - "
     "x); }",
     1},
    {"element",
     R"(parameters { real x; real y; } model { vector[4] m = [x, y, 1, 2]'; for (k in 1:4) { if (0.5 * k - 1 < y) m[k] += x * k; }
       target += -dot_self(m); })",
     1},
    {"target",
     R"(parameters { real x; real y; } model { for (k in 1:9) { if (0.2 * k - 1 < x) target += normal_lpdf(0.1 * k | x, 2);
       else target += normal_lpdf(0.1 * k | y, 3); if (y < 0.1 * k) target += -x; } })",
     1},
    {"function", R"(functions { real hinge(real a, real b) { if (a < b) return 0; else return square(a - b); } }
       parameters { real x; real y; } model { target += hinge(x, 0.2) + hinge(y, x); })",
     1},
    {"nested",
     R"(parameters { real x; real y; } model { real m = 0; if (x < 0) m = y < 0 ? x * y : (x < -0.5 ? y : 2 * x); target += m - x * x; })",
     1},
    {"data_stay_branches", R"(transformed data { real d = 0.25; } parameters { real x; real y; }
       model { if (d > 0) target += x * y; else target += sqrt(-d); target += (d < 0 ? sqrt(d) : y) + (x < 0 ? x : y); })",
     1},
    // The other side cannot be computed everywhere: guards after all.
    {"other_side_fails",
     "parameters { real x; real y; } model { target += x > 0 ? normal_lpdf(y | 0, x) : -x * x + y; }", 16},
    {"index_only_there",
     R"(parameters { real x; real y; } model { vector[2] v = [x, y]'; for (k in 1:3) { real m = -1; if (k < x + 2.5) m = v[k > 2 ? 2 : k]; target += m * y; }
       int j = 3; if (x > 5) target += v[j]; })",
     16},
    {"infinite_slope",
     "parameters { real x; real y; } model { real z = x > 0 ? 0.0 : x; target += (x > 0 ? square(x) : y) + (y < 0 ? y "
     ": sqrt(z + (x > 0 ? 0 : -2 * x))); }",
     16},
    {"recursion", R"(functions { real halve(real a) { return a < 1 ? a : halve(a / 2); } }
       parameters { real x; real y; } model { target += halve(abs(x) * 5) * y; })",
     16},
    {"rejects", R"(functions { real f(real a) { if (a > 1e9) reject("large"); return a; } }
       parameters { real x; real y; } model { if (x < y) target += f(x); else target += f(-y); })",
     16},
};

void PrintTo(const SelectCase& c, std::ostream* out) {
  *out << c.name;
}

class Select : public ::testing::TestWithParam<SelectCase> {};

// Away from ties, where differences say nothing.
constexpr double kX[] = {-1.13, -0.45, 0.06, 0.33, 1.31};
constexpr double kY[] = {-1.02, -0.37, 0.14, 0.41, 1.22};

void compare_with_plain_evaluation(const interp::InterpModel* model) {
  const auto workspace = model->workspace();
  for (const double x : kX)
    for (const double y : kY) {
      const auto plain = [&](double a, double b) {
        double lp = 0;
        EXPECT_TRUE(model->log_density_plain(std::vector{a, b}, true, &lp));
        return lp;
      };
      std::vector<double> gradient(2);
      double lp = 0;
      ASSERT_TRUE(
          workspace->log_density_gradient(std::vector{x, y}, {.propto = false, .jacobian = true}, &lp, gradient));
      EXPECT_NEAR(lp, plain(x, y), 1e-12) << x << " " << y;
      const double h = 1e-6;
      EXPECT_NEAR(gradient[0], (plain(x + h, y) - plain(x - h, y)) / (2 * h), 1e-6 * (1 + std::abs(gradient[0])))
          << x << " " << y;
      EXPECT_NEAR(gradient[1], (plain(x, y + h) - plain(x, y - h)) / (2 * h), 1e-6 * (1 + std::abs(gradient[1])))
          << x << " " << y;
    }
}

TEST_P(Select, AgreesWithPlainEvaluationOnEveryPath) {
  const auto model = load(GetParam().text);
  ASSERT_TRUE(model);
  compare_with_plain_evaluation(model.get());
  EXPECT_LE(model->statistics({.propto = false, .jacobian = true}).tapes, GetParam().most_tapes);
}

TEST_P(Select, AgreesWithoutTapes) {
  const auto model = load(GetParam().text, "{}", {.tapes = false});
  ASSERT_TRUE(model);
  compare_with_plain_evaluation(model.get());
}

INSTANTIATE_TEST_SUITE_P(All, Select, ::testing::ValuesIn(kSelects),
                         [](const auto& c) { return std::string(c.param.name); });

TEST(SelectTies, FollowTheComparison) {
  const auto model = load(
      R"(parameters { real x; real y; } model { target += (x < y ? 2.0 : 3.0) * x + (x <= y ? 5.0 : 7.0) * x + (x == y ? 11.0 : 13.0) * x
    + (x > y ? 2.0 : 3.0) * y + (x >= y ? 5.0 : 7.0) * y + (x != y ? 11.0 : 13.0) * y; })");
  const auto workspace = model->workspace();
  double lp = 0;
  std::vector<double> gradient(2);
  for (const double tie : {0.5, 0.25}) {
    ASSERT_TRUE(workspace->log_density_gradient(std::vector{tie, tie}, {}, &lp, gradient));
    EXPECT_EQ(gradient, (std::vector<double>{3 + 5 + 11, 3 + 5 + 13}));
    ASSERT_TRUE(workspace->log_density_gradient(std::vector{tie, 1.0}, {}, &lp, gradient));
    EXPECT_EQ(gradient, (std::vector<double>{2 + 5 + 13, 3 + 7 + 11}));
  }
  EXPECT_EQ(model->statistics({}).tapes, 1U);
}

}  // namespace
}  // namespace fermiac::testing
