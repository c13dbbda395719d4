// What maps say about operands outside their domain, and what they do at its edges.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Applies a map to scalars: its value, or the message.
std::string apply(const char* name, std::vector<double> x, double* value = nullptr) {
  const MapOp& op = map_op(find_map(name));
  MapArgs args;
  for (std::size_t j = 0; j < x.size(); ++j) args.x[j] = &x[j];
  try {
    if (!op.valid(x.data())) explain_domain(op, args);
    const double v = op.value(x.data(), Keep::everything());
    if (value) *value = v;
    return "";
  } catch (const DomainError& error) {
    return error.what();
  }
}
double value_of(const char* name, std::vector<double> x) {
  double v = kNan;
  EXPECT_EQ(apply(name, std::move(x), &v), "");
  return v;
}

TEST(Domain, MessagesNameFunctionOperandAndRequirement) {
  EXPECT_EQ(apply("normal_lpdf", {0, 0, -1}), "normal_lpdf: Scale parameter is -1, but must be positive!");
  EXPECT_EQ(apply("normal_lpdf", {kNan, 0, 1}), "normal_lpdf: Random variable is nan, but must be not nan!");
  EXPECT_EQ(apply("normal_lpdf", {0, kInf, 1}), "normal_lpdf: Location parameter is inf, but must be finite!");
  EXPECT_EQ(apply("bernoulli_lpmf", {1, 1.5}), "bernoulli_lpmf: Probability parameter is 1.5, but must be in the interval [0, 1]!");
  EXPECT_EQ(apply("binomial_lpmf", {5, 3, 0.5}),
            "binomial_lpmf: Successes variable is 5, but must be less than or equal to Population size parameter, which is 3!");
  EXPECT_EQ(apply("uniform_lpdf", {0, 2, 1}),
            "uniform_lpdf: Upper bound parameter is 1, but must be greater than Lower bound parameter, which is 2!");
  EXPECT_EQ(apply("log1p", {-2}), "log1p: x is -2, but must be greater than or equal to -1!");
  EXPECT_EQ(apply("tgamma", {-3}), "tgamma: x is -3, but must not be a pole!");
}

TEST(Domain, TheFirstBadElementIsNamed) {
  const MapOp& op = map_op(find_map("normal_lpdf"));
  const double y = 0, mu = 0;
  std::vector<double> sigma = {1, 1, -2, 1, -3, 0, 0, 0};
  MapArgs args;
  args.x[0] = &y;
  args.x[1] = &mu;
  args.x[2] = sigma.data();
  args.vector_mask = 0b100;
  args.n = 5;
  double sum = 0;
  EXPECT_FALSE(op.reduce(args, &sum));
  EXPECT_FALSE(op.fused(args, &sum));
  try {
    explain_domain(op, args);
    ADD_FAILURE();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "normal_lpdf: Scale parameter[3] is -2, but must be positive!");
  }
  args.n = 2;  // what lies behind the end does not count
  EXPECT_TRUE(op.reduce(args, &sum));
}

TEST(Domain, FunctionsThatCheckThemselvesNameTheElementToo) {
  const MapOp& op = map_op(find_map("lambert_w0"));
  const std::vector<double> x = {0.5, 1, kNan, 2, 0, 0, 0, 0};
  std::vector<double> out(8);
  MapArgs args{.n = 4, .vector_mask = 1};
  args.x[0] = x.data();
  args.out = out.data();
  try {
    op.map(args);
    ADD_FAILURE();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "lambert_w0: x[3] is nan, but must not be nan!");
  }
}

TEST(Domain, OutsideTheSupportIsDecidedPerFunction) {
  EXPECT_EQ(value_of("inv_gamma_lpdf", {-1, 2, 3}), -kInf);
  EXPECT_EQ(value_of("pareto_lpdf", {0.5, 1, 2}), -kInf);
  EXPECT_EQ(value_of("weibull_lpdf", {-1, 2, 3}), -kInf);
  EXPECT_EQ(value_of("uniform_lpdf", {3, 0, 1}), -kInf);
  EXPECT_EQ(value_of("beta_binomial_lpmf", {5, 3, 1, 1}), -kInf);
  EXPECT_NE(apply("poisson_lpmf", {-1, 2}), "");
  EXPECT_NE(apply("gamma_lpdf", {0, 2, 3}), "");
  EXPECT_NE(apply("double_exponential_lpdf", {kInf, 0, 1}), "");
  EXPECT_EQ(value_of("poisson_cdf", {-1, 2}), 0);
  EXPECT_EQ(value_of("poisson_lccdf", {-1, 2}), 0);
}

TEST(Domain, CdfsOfContainersMultiply) {
  const MapOp& op = map_op(find_map("std_normal_cdf"));
  EXPECT_TRUE(op.product);
  std::vector<double> y = {-0.5, 0.3, 1.2, 0, 0, 0, 0, 0}, a(8);
  MapArgs args;
  args.x[0] = y.data();
  args.a[0] = a.data();
  args.vector_mask = 1;
  args.n = 3;
  args.g = 2;
  double product = 0;
  ASSERT_TRUE(op.fused(args, &product));
  const auto phi = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  EXPECT_NEAR(product, phi(-0.5) * phi(0.3) * phi(1.2), 1e-15);
  EXPECT_NEAR(a[1], 2 * phi(-0.5) * std::exp(-0.045) / std::sqrt(2 * M_PI) * phi(1.2), 1e-14);
}

TEST(Domain, NoKeptOperandMeansNoDensity) {
  const double x[] = {1.5, 0.3, 2};
  const MapOp& op = map_op(find_map("normal_lpdf"));
  EXPECT_EQ(op.value(x, Keep::propto(0)), 0);
  EXPECT_NEAR(op.value(x, Keep::propto(0b010)), -0.5 * 0.6 * 0.6, 1e-15);
  EXPECT_NEAR(op.value(x, Keep::propto(0b100)), -0.5 * 0.6 * 0.6 - std::log(2.0), 1e-15);
}

}  // namespace
}  // namespace fermiac::ad
