// Coefficients of multistep methods: the classical ones at constant steps, exactness for polynomials at random ones.
#include "autodiff/solvers/multistep_coefficients.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace fermiac::ad {
namespace {

using enum MultistepFamily;

PastTimes constant_steps() {
  PastTimes past{};
  for (std::size_t i = 0; i < past.size(); ++i) past[i] = static_cast<double>(i);
  return past;
}
PastTimes random_steps(std::mt19937& random) {
  std::uniform_real_distribution<double> length(0.3, 2);
  PastTimes past{0, 1};
  for (std::size_t i = 2; i < past.size(); ++i) past[i] = past[i - 1] + length(random);
  return past;
}
double at(const StepPolynomial& p, double x) {
  double sum = 0;
  for (std::size_t j = p.size(); j-- > 0;) sum = x * sum + p[j];
  return sum;
}
double slope(const StepPolynomial& p, double x) {
  double sum = 0;
  for (std::size_t j = p.size(); j-- > 1;) sum = x * sum + static_cast<double>(j) * p[j];
  return sum;
}
void expect_polynomial(const StepPolynomial& p, std::initializer_list<double> expected) {
  std::size_t j = 0;
  for (const double e : expected) EXPECT_NEAR(p[j++], e, 1e-14);
  for (; j < p.size(); ++j) EXPECT_EQ(p[j], 0);
}

TEST(MultistepCoefficients, ConstantSteps) {
  const PastTimes past = constant_steps();
  expect_polynomial(correction(Bdf, 1, past), {1, 1});
  expect_polynomial(correction(Bdf, 2, past), {1, 1.5, 0.5});
  expect_polynomial(correction(Bdf, 3, past), {1, 11.0 / 6, 1, 1.0 / 6});
  expect_polynomial(correction(Adams, 1, past), {1, 1});
  expect_polynomial(correction(Adams, 2, past), {1, 2, 1});
  expect_polynomial(correction(Adams, 3, past), {1, 12.0 / 5, 9.0 / 5, 2.0 / 5});
}

/// The error constants of the formulas, as multiples of h^{q+1} y^{(q+1)}, by J. D. Lambert, "Numerical Methods for Ordinary Differential
/// Systems", tables in sections 3.9 and 3.12.
TEST(MultistepCoefficients, ErrorConstants) {
  const PastTimes past = constant_steps();
  const auto constant = [&](MultistepFamily family, int q) { return error_of_leading(family, q, past) / std::tgamma(q + 2); };
  const double adams[] = {1.0 / 2, 1.0 / 12, 1.0 / 24, 19.0 / 720, 3.0 / 160};
  for (int q = 1; q <= 5; ++q) {
    EXPECT_NEAR(constant(Adams, q), adams[q - 1], 1e-14) << q;
    double h = 0;
    for (int i = 1; i <= q; ++i) h += 1.0 / i;
    EXPECT_NEAR(constant(Bdf, q), 1 / ((q + 1) * h), 1e-14) << q;
  }
}

/// What the correction leaves alone, and its value where it counts.
TEST(MultistepCoefficients, CorrectionsLeaveThePastAlone) {
  std::mt19937 random(20261126);
  for (int round = 0; round < 50; ++round) {
    const PastTimes past = random_steps(random);
    for (const MultistepFamily family : {Adams, Bdf})
      for (int q = 1; q <= max_order(family); ++q) {
        const StepPolynomial l = correction(family, q, past);
        EXPECT_NEAR(at(l, 0), 1, 1e-12);
        EXPECT_NEAR(family == Adams ? at(l, -1) : slope(l, 0) - slope(correction(Bdf, q, constant_steps()), 0), 0, 1e-10) << q;
        for (std::size_t i = 1; i + 1 <= static_cast<std::size_t>(q); ++i)
          EXPECT_NEAR(family == Adams ? slope(l, -past[i]) : at(l, -past[i]), 0, 1e-6 * std::pow(past[i], q)) << q << ' ' << i;
      }
  }
}

/// x^m + ... with the zeros of a history of order m - 1.
TEST(MultistepCoefficients, OrderChangesLeaveThePastAlone) {
  std::mt19937 random(20261127);
  for (int round = 0; round < 50; ++round) {
    const PastTimes past = random_steps(random);
    for (const MultistepFamily family : {Adams, Bdf})
      for (int m = 2; m <= max_order(family); ++m) {
        const StepPolynomial p = order_change(family, m, past);
        const auto degree = static_cast<std::size_t>(m);
        EXPECT_NEAR(p[degree], 1, 1e-14);
        EXPECT_EQ(p[0], 0);
        EXPECT_EQ(p[1], 0);
        for (std::size_t i = 1; i + 2 <= degree; ++i)
          EXPECT_NEAR((family == Adams ? slope(p, -past[i]) : at(p, -past[i])) / std::pow(past[degree], m), 0, 1e-12) << m << ' ' << i;
      }
  }
}

/// Steps along x^{q+1} with its own history: the coefficient is found from the correction. For BDF at constant steps alone, where the
/// history interpolates all values that the divided difference takes.
TEST(MultistepCoefficients, LeadingCoefficient) {
  std::mt19937 random(20261128);
  for (int q = 1; q <= 6; ++q) {
    const PastTimes past = random_steps(random);
    // f = (q + 1) x^q is interpolated at past[1..q]; what the interpolation leaves at 0 is the product of the distances
    double left = q + 1;
    for (std::size_t i = 1; i <= static_cast<std::size_t>(q); ++i) left *= past[i];
    EXPECT_NEAR(leading(Adams, q, past) * left / correction(Adams, q, past)[1], 1, 1e-11) << q;
  }
  for (int q = 1; q <= 5; ++q) {
    double left = 1;  // x^{q+1} interpolated at 1..q+1, at 0
    for (int i = 1; i <= q + 1; ++i) left *= i;
    EXPECT_NEAR(leading(Bdf, q, constant_steps()) * left, 1, 1e-14) << q;
  }
}

}  // namespace
}  // namespace fermiac::ad
