// Values at large counts and orders, where a loop of as many rounds would not do.
#include <gtest/gtest.h>
#include <math.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "autodiff/kernels/half_steps.h"
#include "autodiff/kernels/incomplete.h"
#include "autodiff/kernels/kernel.h"
#include "autodiff/kernels/large_order.h"
#include "autodiff/kernels/map_op.h"
#include "autodiff/kernels/special_scalar.h"
#include "support/base/errors.h"
#include "support/base/rng.h"

namespace fermiac::ad {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

void expect_close(double got, double want, double relative, const char* what) {
  EXPECT_NEAR(got, want, relative * std::fabs(want)) << what;
}

/// The recurrences of the C library, over as many steps as the order has units.
TEST(LargeArguments, BesselFunctionsContinueTheRecurrences) {
  const int n = 100000;
  for (const double x : {99700.0, 99990.0, 99999.5, 1e5, 100000.7, 100050.0, 120000.0, 1e7}) {
    const double phase = 1e-11 * (1 + 1e-4 * std::fabs(x));  // rounding of an argument of this size
    const double size = std::hypot(::jn(n, x), x > n ? ::yn(n, x) : 0);
    EXPECT_NEAR(scalar::bessel_first_kind(n, x), ::jn(n, x), phase * size) << x;
    EXPECT_NEAR(scalar::bessel_second_kind(n, x), ::yn(n, x), phase * std::fmax(size, std::fabs(::yn(n, x)))) << x;
  }
}

TEST(LargeArguments, ModifiedBesselFunctions) {
  const scalar::ModifiedExpansion<double> e(100000, 50);
  expect_close(e.log_i(), -729411.633162364488884803931599, 1e-15, "log I");
  for (const double n : {1e5, 3e6, 2e9})
    for (const double z : {0.5, 0.66, 0.6627434193}) {  // near where neither under- nor overflows, up to a common factor
      const double x = n * z;
      const scalar::ModifiedExpansion<double> here(n, x), next(n + 1, x);
      // log of x I_n K_(n+1) (1 + I_(n+1) K_n / (I_n K_(n+1))) = 0
      const double kLogRootHalfPi = 0.22579135264472743236;
      const auto log_k = [&](const auto& f) { return kLogRootHalfPi - f.exponent - f.log_root + std::log1p(f.second - f.first); };
      const double first = here.log_i() + log_k(next), second = next.log_i() + log_k(here);
      EXPECT_NEAR(std::log(x) + scalar::log_sum_exp(first, second), 0, 1e-15 * n + 1e-11) << n << " " << x;
    }
  EXPECT_EQ(scalar::modified_bessel_second_kind(2147483647, 5), kInf);
  EXPECT_EQ(scalar::modified_bessel_second_kind(3, 1e-300), kInf);
  EXPECT_EQ(scalar::bessel_second_kind(2147483647, 5), -kInf);
  EXPECT_EQ(scalar::bessel_second_kind(-2147483647, 5), kInf);
  expect_close(scalar::log_bessel_i(1e9, 1e9), 532839965.0 + 11.0, 1e-7, "log I_n(n)");
}

/// With 60 digits.
TEST(LargeArguments, GammaDensitiesFarBelowALargeShape) {
  const MapOp& gamma = map_op(find_map("gamma_lpdf"));
  const double low[] = {0.4726893185217329, 1e20, 1.6197823378924241}, lower[] = {0.75800627353571215, 9007199254740992.0, 1024};
  expect_close(gamma.value(low, Keep::everything()), -4531872701716601818245.85, 1e-14, "shape 1e20");
  expect_close(gamma.value(lower, Keep::everything()), -261950902980403128.7, 1e-14, "shape 2^53");
}

TEST(LargeArguments, NegativeBinomialsWithAHugeLogMean) {
  const double x[] = {32768, 4294967296.0, 0.25};  // n times it has no digits left for the rest
  const double choose = std::lgamma(32768.25) - std::lgamma(0.25) - std::lgamma(32769.0);
  expect_close(map_op(find_map("neg_binomial_2_log_lpmf")).value(x, Keep::everything()),
               choose + 0.25 * (std::log(0.25) - 4294967296.0), 1e-14, "lpmf");
}

/// A polynomial of a huge degree: its terms grow for as long as one cares to add.
TEST(LargeArguments, HypergeometricSeriesGoOnWhileTermsGrow) {
  const MapOp& f = map_op(find_map("hypergeometric_2F1"));
  const double x[] = {4.9406564584124654e-324, -1e20, 710, -44.791596523887563};
  EXPECT_EQ(f.value(x, Keep::everything()), kInf);
}

TEST(LargeArguments, SumsOverHalfSteps) {
  for (const double x : {3.25, 700.3, 5000.7, -2.3, 1e9}) {
    double log_sum = 0, slope = 0;
    const int n = 5001;
    for (int j = 0; j < n; ++j) {
      log_sum += scalar::lgamma(x - 0.5 * j);
      slope += scalar::digamma(x - 0.5 * j);
    }
    expect_close(scalar::lgamma_half_steps(x, n), log_sum, 1e-12, "lgamma");
    expect_close(scalar::digamma_half_steps(x, n), slope, 1e-11, "digamma");
  }
  EXPECT_EQ(scalar::lgamma_half_steps(3, 2147483647), kInf);
}

double value(const char* name, std::vector<double> x, std::vector<double>* partials = nullptr) {
  const MapOp& op = map_op(find_map(name));
  double d[kMaxMapArity]{};
  const double v = op.value_and_partials(x.data(), Keep::everything(), d);
  const double again = op.value(x.data(), Keep::everything());
  EXPECT_TRUE(v == again || (std::isnan(v) && std::isnan(again))) << name;
  if (partials) partials->assign(d, d + op.arity);
  return v;
}

TEST(LargeArguments, ProductsOfManyFactors) {
  std::vector<double> d;
  EXPECT_EQ(value("rising_factorial", {0, 2147483647}, &d), 0);
  EXPECT_EQ(d[0], kInf);
  EXPECT_EQ(value("falling_factorial", {0, 2147483647}, &d), 0);
  EXPECT_EQ(d[0], kInf);  // of (-1)(-2)...: an even number of factors
  EXPECT_EQ(value("falling_factorial", {0, 2147483646}, &d), 0);
  EXPECT_EQ(d[0], -kInf);
  EXPECT_EQ(value("rising_factorial", {-1000.5, 2000}), -kInf);  // 1001 negative factors
  EXPECT_EQ(value("rising_factorial", {-1001.5, 2000}), kInf);
  EXPECT_EQ(value("rising_factorial", {-1000, 2000}), 0);
  EXPECT_EQ(value("rising_factorial", {-3, 5}, &d), 0);
  EXPECT_EQ(d[0], -6);
  EXPECT_EQ(value("falling_factorial", {3.5, 200}), kInf);  // 196 negative factors
  EXPECT_EQ(value("falling_factorial", {3.5, 201}), -kInf);
}

/// Γ(a) Γ(b) / Γ(a + b) where the gamma functions are defined.
TEST(LargeArguments, BetaOfNegativeNumbers) {
  std::vector<double> d;
  for (const std::vector<double>& x : {std::vector{-0.5, 1.0}, {-0.5, 2.2}, {-1.5, -0.3}, {3.3, -2.6}}) {
    const auto of = [](double a, double b) { return std::tgamma(a) * std::tgamma(b) / std::tgamma(a + b); };
    expect_close(value("beta", x, &d), of(x[0], x[1]), 1e-13, "beta");
    const double h = 1e-6;
    expect_close(d[0], (of(x[0] + h, x[1]) - of(x[0] - h, x[1])) / (2 * h), 1e-7, "slope by a");
    expect_close(d[1], (of(x[0], x[1] + h) - of(x[0], x[1] - h)) / (2 * h), 1e-7, "slope by b");
  }
  EXPECT_EQ(value("beta", {-0.5, 0.5}, &d), 0);
  expect_close(d[0], std::tgamma(-0.5) * std::tgamma(0.5), 1e-14, "slope at a zero");
  EXPECT_EQ(value("beta", {0, 1}), kInf);
  EXPECT_THROW(value("beta", {-3, 1}), DomainError);
  EXPECT_THROW(value("beta", {-1e8, 2}), DomainError);
}

TEST(LargeArguments, SubnormalLambertW) {
  for (const double x : {-1e-308, -1e-320, -5e-324}) {
    const double w = scalar::lambert_wm1(x);
    EXPECT_NEAR(w + std::log(-w), std::log(-x), 1e-12) << x;
  }
  expect_close(scalar::std_normal_log_qf(-1e308), -std::sqrt(2.0) * 1e154, 1e-14, "quantile");
}

// ---------------------------------------------------------------- kernels

struct Call {
  std::vector<double> out, scratch;
  std::vector<double> run(const Kernel& k, std::vector<KernelArg> in, const std::vector<double>* out_a) {
    KernelCall c{.name = k.name, .in = in};
    const Plan p = k.plan(c);
    out.assign(p.out.size(), 0);
    scratch.assign(p.scratch, std::numeric_limits<double>::quiet_NaN());
    c.out_shape = p.out;
    c.out = out.data();
    c.scratch = scratch.data();
    k.forward(c);
    if (out_a) {
      c.out_a = out_a->data();
      k.reverse(c);
    }
    return out;
  }
};

TEST(LargeArguments, MatrixPowersAreDerivedByTheirBits) {
  const Kernel& k = *find_kernel("matrix_power");
  for (const std::int32_t power : {1, 2, 7, 8, 9, 10, 31, 1000}) {
    const double shrink = 1 - 3.0 / power;
    const std::vector<double> m = {shrink, 0.1 / power, -0.2 / power, 1 - 1.0 / power}, weights = {1, -0.5, 0.25, 2};
    std::vector<double> adjoints(4, 0);
    KernelArg a{.shape = Shape::matrix(2, 2), .v = m.data(), .a = adjoints.data(), .autodiff = true}, n{.i = &power};
    Call().run(k, {a, n}, &weights);
    for (std::size_t i = 0; i < 4; ++i) {
      const double h = 1e-5 / power;
      double by_difference = 0;
      for (const double side : {1.0, -1.0}) {
        std::vector<double> shifted = m;
        shifted[i] += side * h;
        KernelArg b{.shape = Shape::matrix(2, 2), .v = shifted.data()};
        const std::vector<double> y = Call().run(k, {b, n}, nullptr);
        for (std::size_t j = 0; j < 4; ++j) by_difference += side * weights[j] * y[j] / (2 * h);
      }
      EXPECT_NEAR(adjoints[i], by_difference, 1e-5 * power) << power << " element " << i;
    }
  }
}

/// Of diag(a): w_ij times the divided difference of x^k at a_i, a_j.
TEST(LargeArguments, TheLargestMatrixPowerIsDerived) {
  const std::int32_t power = 2147483647;
  const double k = power, a[] = {1 - 3 / k, 1 - 1 / k}, log_a[] = {std::log(a[0]), std::log(a[1])};
  const std::vector<double> m = {a[0], 0, 0, a[1]}, weights = {1, -0.5, 0.25, 2};
  std::vector<double> adjoints(4, 0);
  KernelArg base{.shape = Shape::matrix(2, 2), .v = m.data(), .a = adjoints.data(), .autodiff = true}, n{.i = &power};
  Call().run(*find_kernel("matrix_power"), {base, n}, &weights);
  const double across = (std::exp(k * log_a[1]) - std::exp(k * log_a[0])) / (a[1] - a[0]);
  expect_close(adjoints[0], weights[0] * k * std::exp((k - 1) * log_a[0]), 1e-6, "first");
  expect_close(adjoints[1], weights[1] * across, 1e-6, "below");
  expect_close(adjoints[2], weights[2] * across, 1e-6, "above");
  expect_close(adjoints[3], weights[3] * k * std::exp((k - 1) * log_a[1]), 1e-6, "last");
}

TEST(LargeArguments, FourierTransformsOfPrimeLengths) {
  for (const std::uint32_t n : {61u, 67u, 2u * 67u, 67u * 71u, 1009u}) {
    Rng rng(n);
    std::vector<double> x(2 * n), back;
    for (double& v : x) v = rng.normal();
    Shape s = Shape::vector(n);
    s.complex = true;
    const KernelArg in{.shape = s, .v = x.data()};
    const std::vector<double> y = Call().run(*find_kernel("fft"), {in}, nullptr);
    for (const std::uint32_t k : {0u, 1u, n / 2, n - 1}) {
      double re = 0, im = 0;
      for (std::uint64_t j = 0; j < n; ++j) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(j * k % n) / n;
        re += x[2 * j] * std::cos(angle) - x[2 * j + 1] * std::sin(angle);
        im += x[2 * j] * std::sin(angle) + x[2 * j + 1] * std::cos(angle);
      }
      EXPECT_NEAR(y[2 * k], re, 1e-11 * std::sqrt(n)) << n << " " << k;
      EXPECT_NEAR(y[2 * k + 1], im, 1e-11 * std::sqrt(n)) << n << " " << k;
    }
    const KernelArg there{.shape = s, .v = y.data()};
    back = Call().run(*find_kernel("inv_fft"), {there}, nullptr);
    for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(back[j], x[j], 1e-13) << n;
  }
}

}  // namespace
}  // namespace fermiac::ad
