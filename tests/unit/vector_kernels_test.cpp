// The samplers' loops: the bits of plain loops with four accumulators, from every instruction set that this processor has.
#include "inference/vector_kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <functional>
#include <vector>

#include "inference/weight.h"
#include "support/isa.h"
#include "support/rng.h"

namespace fermiac::inference {
namespace {

using Vec = std::vector<double>;

/// What a kernel leaves behind and returns.
using Outcome = std::vector<std::uint64_t>;

Outcome bits_of(const std::vector<Vec>& vectors, double result = 0) {
  Outcome out = {std::bit_cast<std::uint64_t>(result)};
  for (const Vec& v : vectors)
    for (const double x : v) out.push_back(std::bit_cast<std::uint64_t>(x));
  return out;
}

/// The order of additions that vector_kernels.h promises: term(i) to accumulator i % 4, what is left over to the first.
double sum_of(std::size_t n, const std::function<double(std::size_t)>& term) {
  std::array<double, 4> sums{};
  const std::size_t whole = n / 4 * 4;
  for (std::size_t i = 0; i < n; ++i) {
    const volatile double product = term(i);  // rounded before it is added
    sums[i < whole ? i % 4 : 0] += product;
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
double rounded(double x) {
  const volatile double y = x;
  return y;
}

constexpr double kKick = 0.37, kEps = 0.21;

/// Eight vectors of arguments and a place for rho.
struct Arguments {
  explicit Arguments(std::size_t size, Rng& rng) : n(size), v(8, Vec(size)), rho(size) {
    for (Vec& x : v)
      for (double& value : x) value = rng.normal();
  }
  std::size_t n;
  std::vector<Vec> v;
  Vec rho;
};

using Case = std::function<Outcome(const VectorKernels* kernels, Arguments a)>;  // without kernels: by plain loops

const std::vector<std::pair<const char*, Case>>& cases() {
  static const std::vector<std::pair<const char*, Case>> all = {
      {"dot",
       [](const VectorKernels* k, Arguments a) {
         const double plain = sum_of(a.n, [&](std::size_t i) { return a.v[0][i] * a.v[1][i]; });
         return bits_of({}, k ? k->dot(a.v[0].data(), a.v[1].data(), a.n) : plain);
       }},
      {"axpy",
       [](const VectorKernels* k, Arguments a) {
         if (k) k->axpy(kKick, a.v[0].data(), a.v[1].data(), a.n);
         else for (std::size_t i = 0; i < a.n; ++i) a.v[1][i] += rounded(kKick * a.v[0][i]);
         return bits_of(a.v);
       }},
      {"axpy_and_dot",
       [](const VectorKernels* k, Arguments a) {
         if (k) {
           const double sum = k->axpy_and_dot(kKick, a.v[0].data(), a.v[1].data(), a.v[2].data(), a.n);
           return bits_of(a.v, sum);
         }
         for (std::size_t i = 0; i < a.n; ++i) a.v[2][i] += rounded(kKick * a.v[0][i]);
         return bits_of(a.v, sum_of(a.n, [&](std::size_t i) { return a.v[1][i] * a.v[2][i]; }));
       }},
      {"kick_and_drift, squared",
       [](const VectorKernels* k, Arguments a) {
         if (k) k->kick_and_drift(kKick, kEps, a.v[0].data(), {a.v[1].data(), true}, a.v[2].data(), a.v[3].data(), a.n);
         else
           for (std::size_t i = 0; i < a.n; ++i) {
             a.v[2][i] += rounded(kKick * a.v[0][i]);
             a.v[3][i] += rounded(rounded(kEps * a.v[1][i]) * a.v[2][i]);
           }
         return bits_of(a.v);
       }},
      {"kick_and_drift, scales",
       [](const VectorKernels* k, Arguments a) {
         if (k) k->kick_and_drift(kKick, kEps, a.v[0].data(), {a.v[1].data(), false}, a.v[2].data(), a.v[3].data(), a.n);
         else
           for (std::size_t i = 0; i < a.n; ++i) {
             a.v[2][i] += rounded(kKick * a.v[0][i]);
             a.v[3][i] += rounded(kEps * rounded(a.v[1][i] * rounded(a.v[1][i] * a.v[2][i])));
           }
         return bits_of(a.v);
       }},
      {"kick_and_square, squared",
       [](const VectorKernels* k, Arguments a) {
         if (k) {
           const double sum = k->kick_and_square(kKick, a.v[0].data(), {a.v[1].data(), true}, a.v[2].data(), a.v[3].data(), a.n);
           return bits_of(a.v, sum);
         }
         for (std::size_t i = 0; i < a.n; ++i) {
           a.v[2][i] += rounded(kKick * a.v[0][i]);
           a.v[3][i] = a.v[1][i] * a.v[2][i];
         }
         return bits_of(a.v, sum_of(a.n, [&](std::size_t i) { return a.v[2][i] * a.v[3][i]; }));
       }},
      {"kick_and_square, scales",
       [](const VectorKernels* k, Arguments a) {
         if (k) {
           const double sum = k->kick_and_square(kKick, a.v[0].data(), {a.v[1].data(), false}, a.v[2].data(), a.v[3].data(), a.n);
           return bits_of(a.v, sum);
         }
         for (std::size_t i = 0; i < a.n; ++i) {
           a.v[2][i] += rounded(kKick * a.v[0][i]);
           a.v[3][i] = a.v[1][i] * rounded(a.v[1][i] * a.v[2][i]);
         }
         return bits_of(a.v, sum_of(a.n, [&](std::size_t i) { return a.v[2][i] * a.v[3][i]; }));
       }},
      {"kick_and_scale",
       [](const VectorKernels* k, Arguments a) {
         if (k) k->kick_and_scale(kKick, a.v[0].data(), a.v[1].data(), a.v[2].data(), a.v[3].data(), a.n);
         else
           for (std::size_t i = 0; i < a.n; ++i) {
             a.v[2][i] += rounded(kKick * a.v[0][i]);
             a.v[3][i] = a.v[1][i] * a.v[2][i];
           }
         return bits_of(a.v);
       }},
      {"drift_scaled",
       [](const VectorKernels* k, Arguments a) {
         if (k) k->drift_scaled(kEps, a.v[0].data(), a.v[1].data(), a.v[2].data(), a.n);
         else for (std::size_t i = 0; i < a.n; ++i) a.v[2][i] += rounded(kEps * rounded(a.v[0][i] * a.v[1][i]));
         return bits_of(a.v);
       }},
      {"scale_and_dot",
       [](const VectorKernels* k, Arguments a) {
         if (k) {
           const double sum = k->scale_and_dot(a.v[0].data(), a.v[1].data(), a.v[2].data(), a.n);
           return bits_of(a.v, sum);
         }
         for (std::size_t i = 0; i < a.n; ++i) a.v[2][i] *= a.v[0][i];
         return bits_of(a.v, sum_of(a.n, [&](std::size_t i) { return a.v[1][i] * a.v[2][i]; }));
       }},
      {"join",
       [](const VectorKernels* k, Arguments a) {
         // All of one sign and few of the other, so that either answer comes about.
         for (Vec& x : a.v)
           for (double& value : x) value += 0.4;
         const auto& v = a.v;
         if (k) {
           const bool on = k->join({v[0].data(), v[1].data(), v[2].data(), v[3].data(), v[4].data(), v[5].data(), v[6].data(), v[7].data()},
                                   a.rho.data(), a.n);
           return bits_of({a.rho}, on);
         }
         for (std::size_t i = 0; i < a.n; ++i) a.rho[i] = v[0][i] + v[1][i];
         const auto along = [&](const Vec& velocity, const Vec& p, const Vec& q) {
           return sum_of(a.n, [&](std::size_t i) { return velocity[i] * rounded(p[i] + q[i]); }) > 0;
         };
         const bool on = along(v[2], v[0], v[1]) && along(v[7], v[0], v[1]) && along(v[2], v[0], v[5]) && along(v[6], v[0], v[5]) &&
                         along(v[4], v[1], v[3]) && along(v[7], v[1], v[3]);
         return bits_of({a.rho}, on);
       }},
      {"join_states",
       [](const VectorKernels* k, Arguments a) {
         const auto& v = a.v;
         if (k) {
           const bool on = k->join_states(v[0].data(), v[1].data(), v[2].data(), v[3].data(), a.rho.data(), a.n);
           return bits_of({a.rho}, on);
         }
         for (std::size_t i = 0; i < a.n; ++i) a.rho[i] = v[0][i] + v[2][i];
         const auto along = [&](const Vec& velocity) { return sum_of(a.n, [&](std::size_t i) { return velocity[i] * a.rho[i]; }) > 0; };
         const bool on = along(v[1]) && along(v[3]);
         return bits_of({a.rho}, on);
       }},
  };
  return all;
}

TEST(VectorKernels, HaveTheBitsOfPlainLoopsOnEveryInstructionSet) {
  Rng rng(20261125);
  for (const auto& [name, run] : cases())
    for (std::size_t n = 0; n <= 41; ++n) {
      const Arguments arguments(n, rng);
      const Outcome plain = run(nullptr, arguments);
      for (std::size_t level = 0; level <= active_isa_place(); ++level)
        EXPECT_EQ(run(all_vector_kernels()[level], arguments), plain) << name << ", " << n << " elements, " << isas_of_build()[level];
    }
}

TEST(VectorKernels, ThereIsOneForEveryInstructionSet) {
  EXPECT_EQ(all_vector_kernels().size(), isas_of_build().size());
  EXPECT_EQ(&vector_kernels(), all_vector_kernels()[active_isa_place()]);
}

TEST(Weight, SumsAndRatiosAreThoseOfExponentials) {
  const Weight one = Weight::of_log(0), half = Weight::of_log(std::log(0.5));
  EXPECT_DOUBLE_EQ(half.over(one), 0.5);
  EXPECT_DOUBLE_EQ(half.over(one + half), 1.0 / 3);
  EXPECT_DOUBLE_EQ((one + half).over(half), 3);
  EXPECT_EQ(half.at_most_one(), Weight::of_log(std::log(0.5)).over(one));
  EXPECT_EQ((one + half).at_most_one(), 1);
}

TEST(Weight, WhatADoubleCannotHoldIsWeighedToo) {
  const Weight one = Weight::of_log(0), huge = Weight::of_log(2000), more = Weight::of_log(2001), least = Weight::of_log(-2000);
  EXPECT_EQ(one.over(huge), 0);
  EXPECT_EQ(huge.over(one), std::exp(2000.0));  // infinity
  EXPECT_DOUBLE_EQ(huge.over(more), std::exp(-1.0));
  EXPECT_DOUBLE_EQ(huge.over(huge + more), 1 / (1 + std::exp(1.0)));
  EXPECT_DOUBLE_EQ((huge + one).over(huge), 1);
  EXPECT_DOUBLE_EQ((one + huge).over(huge), 1);
  EXPECT_DOUBLE_EQ(Weight::of_log(599).over(Weight::of_log(601)), std::exp(-2.0));
  EXPECT_EQ(huge.at_most_one(), 1);
  EXPECT_EQ(least.at_most_one(), 0);
  EXPECT_EQ(Weight::of_log(-HUGE_VAL).over(one), 0);
  EXPECT_EQ((one + least).over(one), 1);
  // A density that is infinite at a point: it is all that there is.
  const Weight infinite = Weight::of_log(HUGE_VAL);
  EXPECT_GT(infinite.over(one), 1);
  EXPECT_EQ(infinite.over(one + infinite), 1);
  EXPECT_EQ(one.over(one + infinite), 0);
}

TEST(Weight, OfNoNumberIsNone) {
  const Weight none = Weight::of_log(std::nan(""));
  EXPECT_TRUE(std::isnan(none.at_most_one()));
  EXPECT_FALSE(none.over(Weight::of_log(0)) > 1);
}

}  // namespace
}  // namespace fermiac::inference
