// First passage times with up to seven parameters: values against integrals with 25 digits, gradients against
// differences, vectors against their elements.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/battery/gradient_check.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

double value_of(const std::string& expression) {
  return results(fmt::format("real r = {};", expression)).at(0);
}

/// Values of nested quadrature of the series in 25 digits.
TEST(Wiener, KnownValues) {
  EXPECT_NEAR(value_of("wiener_lpdf(1.2 | 1.5, 0.2, 0.4, 0.7, 0.3, 0.2, 0.1)"), -1.459247532067102309583814, 1e-12);
  EXPECT_NEAR(value_of("wiener_lcdf_unnorm(1.2, 1.5, 0.2, 0.4, 0.7, 0.3, 0.2, 0.1)"), -0.6100205055075667996949606,
              1e-12);
  EXPECT_NEAR(value_of("wiener_lccdf_unnorm(1.2, 1.5, 0.2, 0.4, 0.7, 0.3, 0.2, 0.1)"), -2.364312208102044624784065,
              1e-12);
  EXPECT_NEAR(value_of("wiener_lcdf_unnorm(1.2, 1.5, 0.2, 0.4, 0.7)"), -0.582776050171332889976399, 1e-12);
  EXPECT_NEAR(value_of("wiener_lccdf_unnorm(1.2, 1.5, 0.2, 0.4, 0.7)"), -2.416370293143705144161586, 1e-12);
}

/// Both distribution functions add up to the probability of leaving at the upper boundary.
TEST(Wiener, DistributionFunctionsAreComplements) {
  for (const double v : {-8.0, -1.0, 0.4, 3.0, 20.0})
    for (const double y : {0.11, 0.2, 0.5, 1.0, 4.0, 50.0}) {
      const std::string args = fmt::format("({}, 1.3, 0.1, 0.35, {})", y, v);
      const double lower = std::exp(value_of("wiener_lcdf_unnorm" + args));
      const double upper = std::exp(value_of("wiener_lccdf_unnorm" + args));
      const double all = std::expm1(-2 * v * 1.3 * 0.35) / std::expm1(-2 * v * 1.3);
      EXPECT_NEAR(lower + upper, all, 1e-11 * all) << args;
    }
}

/// Without variability the forms with more arguments are those with fewer.
TEST(Wiener, FormsAgree) {
  for (const char* name : {"wiener_lcdf_unnorm(", "wiener_lccdf_unnorm(", "wiener_lpdf("}) {
    const std::string bar = std::string(name) == "wiener_lpdf(" ? "0.9 | " : "0.9, ";
    const std::string call = name + bar + "1.5, 0.2, 0.4, 0.7";
    const double plain = value_of(call + ")");
    EXPECT_NEAR(value_of(call + ", 0, 0, 0)"), plain, 1e-13 * std::abs(plain));
    EXPECT_NEAR(value_of(call + ", 0, 0, 0, 1e-6)"), plain, 1e-13 * std::abs(plain));
    EXPECT_NEAR(value_of(call + ", 1e-7, 1e-5, 1e-5, 1e-6)"), plain, 1e-4);
  }
  EXPECT_EQ(value_of("wiener_lpdf(0.9 | 1.5, 0.2, 0.4, 0.7, 0.3, 1e-4)"),
            value_of("wiener_lpdf(0.9 | 1.5, 0.2, 0.4, 0.7, 0.3)"));
}

struct Case {
  const char* name;
  int parameters;
};
class EveryForm : public ::testing::TestWithParam<Case> {};

TEST_P(EveryForm, GradientsAndVectors) {
  const auto [name, parameters] = GetParam();
  std::string declarations, scalars, vectors;
  for (int i = 1; i <= parameters; ++i) {
    declarations += fmt::format("real p{};", i);
    scalars += fmt::format("{}p{}", i == 1 ? "" : i == 2 && std::string(name) == "wiener_lpdf" ? " | " : ", ", i);
    vectors += fmt::format("{}[p{}, {}p{}]'",
                           i == 1                                         ? ""
                           : i == 2 && std::string(name) == "wiener_lpdf" ? " | "
                                                                          : ", ",
                           i, i == 1 ? "0.2 + " : "", i);
  }
  const auto model =
      load(fmt::format("parameters {{ {} }} model {{ target += {}({}); }}", declarations, name, scalars));
  const auto pair = load(fmt::format("parameters {{ {} }} model {{ target += {}({}); }}", declarations, name, vectors));
  for (const std::vector<double>& all :
       {std::vector{0.7, 1.4, 0.2, 0.45, 0.8, 0.5, 0.3, 0.2}, std::vector{0.42, 1.1, 0.1, 0.6, -2.0, 0.3, 0.15, 0.5},
        std::vector{3.1, 2.0, 0.3, 0.3, 0.1, 1.2, 0.1, 0.1}}) {
    const std::vector<double> at(all.begin(), all.begin() + parameters);
    std::vector<double> later = at;
    later[0] += 0.2;
    SCOPED_TRACE(at[0]);
    expect_gradient(*model, at, 1e-6, 5e-4);
    EXPECT_NEAR(evaluate(*pair, at).lp, evaluate(*model, at).lp + evaluate(*model, later).lp, 1e-12);
    expect_gradient(*pair, at, 1e-6, 5e-4);
  }
}
INSTANTIATE_TEST_SUITE_P(Forms, EveryForm,
                         ::testing::Values(Case{"wiener_lpdf", 5}, Case{"wiener_lpdf", 6}, Case{"wiener_lpdf", 8},
                                           Case{"wiener_lcdf_unnorm", 5}, Case{"wiener_lcdf_unnorm", 8},
                                           Case{"wiener_lccdf_unnorm", 5}, Case{"wiener_lccdf_unnorm", 8}));

TEST(Wiener, Errors) {
  const auto message = [](const std::string& args) { return error_of(fmt::format("real r = wiener_lpdf({});", args)); };
  EXPECT_NE(message("0.1 | 1.5, 0.2, 0.4, 0.7, 0.3, 0.2, 0.1").find("greater than the non-decision time"),
            std::string::npos);
  EXPECT_NE(message("1.1 | 1.5, 0.2, 0.4, 0.7, -0.3").find("variability in drift rate is -0.3"), std::string::npos);
  EXPECT_NE(message("1.1 | 1.5, 0.2, 0.4, 0.7, 0.3, 0.9, 0.1").find("variability in A-priori bias is 0.9"),
            std::string::npos);
  EXPECT_NE(message("[1.1, 1.2]' | [1.5, -1]', [0.2, 0.2]', [0.4, 0.4]', [0.7, 0.7]', [0.1, 0.1]'")
                .find("Boundary separation[2] is -1"),
            std::string::npos);
}

}  // namespace
}  // namespace fermiac::testing
