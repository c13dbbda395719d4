// The samplers' loops: the bits of plain loops with four accumulators, from every instruction set that this processor has.
#include "inference/math/vector_kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "inference/mcmc/weight.h"
#include "support/base/rng.h"
#include "support/platform/isa.h"

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
  };
  return all;
}

// Where velocities are computed: v[0] is M^-1, of whatever kind.

struct OfInverse {
  InverseKind kind;
  const Arguments& a;
  Inverse inverse() const { return {kind, kind == InverseKind::Unit ? nullptr : a.v[0].data()}; }
  double velocity(const Vec& p, std::size_t i) const {
    if (kind == InverseKind::Unit) return p[i];
    const double once = rounded(a.v[0][i] * p[i]);
    return kind == InverseKind::Elements ? once : rounded(a.v[0][i] * once);
  }
  double drift(const Vec& p, std::size_t i) const {
    return rounded(kind == InverseKind::Elements ? rounded(kEps * a.v[0][i]) * p[i] : kEps * velocity(p, i));
  }
  double square(const Vec& p) const {
    return sum_of(a.n, [&](std::size_t i) { return p[i] * velocity(p, i); });
  }
  /// Whether the velocity at p goes along with the sum of two vectors.
  bool along(const Vec& p, const Vec& x, const Vec& y) const {
    return sum_of(a.n, [&](std::size_t i) { return velocity(p, i) * rounded(x[i] + y[i]); }) > 0;
  }
  bool pair(const Vec& p, const Vec& q) const { return along(p, p, q) && along(q, p, q); }
  bool halves(const Vec& rho_first, const Vec& rho_second, const Vec& begin, const Vec& first_end, const Vec& second_begin, const Vec& end) const {
    return along(begin, rho_first, rho_second) && along(end, rho_first, rho_second) && along(begin, rho_first, second_begin) &&
           along(second_begin, rho_first, second_begin) && along(first_end, rho_second, first_end) && along(end, rho_second, first_end);
  }
};

Vec sum(const Vec& x, const Vec& y) {
  Vec out(x.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = x[i] + y[i];
  return out;
}

using InverseCase = std::function<Outcome(const VectorKernels* kernels, InverseKind kind, Arguments a)>;

/// The last state of `before` + 1, and the first half of the next step.
Outcome step_on(const VectorKernels* k, InverseKind kind, Arguments a, int before) {
  Vec here(a.n), next(a.n);
  auto& v = a.v;
  if (k) {
    const SteppedOn on = k->step_on({.kick = kKick, .eps = kEps, .m = OfInverse{kind, a}.inverse(), .g = v[1].data(), .q = v[2].data(), .p = v[3].data(),
                                     .p_here = here.data(), .q_next = next.data(), .before = before,
                                     .earlier = {v[4].data(), v[5].data(), v[6].data()}, .rho = a.rho.data()},
                                    a.n);
    return bits_of({here, next, v[3], a.rho, {double(on.pair), double(on.four)}}, on.square);
  }
  const OfInverse m{kind, a};
  for (std::size_t i = 0; i < a.n; ++i) {
    here[i] = v[3][i] + rounded(kKick * v[1][i]);
    v[3][i] = here[i] + rounded(kKick * v[1][i]);
    next[i] = v[2][i] + m.drift(v[3], i);
  }
  const bool pair = before == 0 || m.pair(before == 1 ? v[4] : v[6], here);
  if (before == 3) a.rho = sum(sum(v[4], v[5]), sum(v[6], here));
  const bool four = before < 3 || m.halves(sum(v[4], v[5]), sum(v[6], here), v[4], v[5], v[6], here);
  return bits_of({here, next, v[3], a.rho, {double(pair), double(four)}}, m.square(here));
}

const std::vector<std::pair<const char*, InverseCase>>& inverse_cases() {
  static const std::vector<std::pair<const char*, InverseCase>> all = {
      {"square",
       [](const VectorKernels* k, InverseKind kind, Arguments a) {
         const OfInverse m{kind, a};
         return bits_of({}, k ? k->square(m.inverse(), a.v[1].data(), a.n) : m.square(a.v[1]));
       }},
      {"kick_and_drift",
       [](const VectorKernels* k, InverseKind kind, Arguments a) {
         const OfInverse m{kind, a};
         Vec p = a.v[2], q = a.v[3], p_next(a.n), q_next(a.n);
         if (k) {
           k->kick_and_drift(kKick, kEps, a.v[1].data(), m.inverse(), {p.data(), q.data(), p_next.data(), q_next.data()}, a.n);
           k->kick_and_drift(kKick, kEps, a.v[1].data(), m.inverse(), {p.data(), q.data(), p.data(), q.data()}, a.n);
           return bits_of({p_next, q_next, p, q});
         }
         for (std::size_t i = 0; i < a.n; ++i) {
           p[i] += rounded(kKick * a.v[1][i]);
           q[i] += m.drift(p, i);
         }
         return bits_of({p, q, p, q});
       }},
      {"kick_and_square",
       [](const VectorKernels* k, InverseKind kind, Arguments a) {
         const OfInverse m{kind, a};
         Vec p = a.v[2];
         if (k) {
           const double square = k->kick_and_square(kKick, a.v[1].data(), m.inverse(), p.data(), a.n);
           return bits_of({p}, square);
         }
         for (std::size_t i = 0; i < a.n; ++i) p[i] += rounded(kKick * a.v[1][i]);
         return bits_of({p}, m.square(p));
       }},
      {"step_on", [](const VectorKernels* k, InverseKind kind, Arguments a) { return step_on(k, kind, std::move(a), 0); }},
      {"step_on, a pair", [](const VectorKernels* k, InverseKind kind, Arguments a) { return step_on(k, kind, std::move(a), 1); }},
      {"step_on, four", [](const VectorKernels* k, InverseKind kind, Arguments a) { return step_on(k, kind, std::move(a), 3); }},
      {"join_states",
       [](const VectorKernels* k, InverseKind kind, Arguments a) {
         const OfInverse m{kind, a};
         const Motion first{a.v[1].data(), nullptr}, last{a.v[2].data(), nullptr};
         return bits_of({}, k ? k->join_states(first, last, m.inverse(), a.n) : m.pair(a.v[1], a.v[2]));
       }},
      {"join",
       [](const VectorKernels* k, InverseKind kind, Arguments a) {
         const auto& v = a.v;
         const OfInverse m{kind, a};
         if (k) {
           const Halves halves{v[1].data(), v[2].data(), {v[3].data(), nullptr}, {v[4].data(), nullptr}, {v[5].data(), nullptr}, {v[6].data(), nullptr}};
           const bool on = k->join(halves, m.inverse(), a.rho.data(), a.n);
           return bits_of({a.rho}, on);
         }
         return bits_of({sum(v[1], v[2])}, m.halves(v[1], v[2], v[3], v[4], v[5], v[6]));
       }},
      {"join, of pairs",
       [](const VectorKernels* k, InverseKind kind, Arguments a) {
         const auto& v = a.v;
         const OfInverse m{kind, a};
         if (k) {
           const Halves halves{nullptr, nullptr, {v[3].data(), nullptr}, {v[4].data(), nullptr}, {v[5].data(), nullptr}, {v[6].data(), nullptr}};
           const bool on = k->join(halves, m.inverse(), a.rho.data(), a.n);
           return bits_of({a.rho}, on);
         }
         const Vec first = sum(v[3], v[4]), second = sum(v[5], v[6]);
         return bits_of({sum(first, second)}, m.halves(first, second, v[3], v[4], v[5], v[6]));
       }},
  };
  return all;
}

/// What run(kernels, arguments) gives is the same from plain loops and on every instruction set.
template <class Run>
void expect_the_same_bits(const Run& run, const Arguments& arguments, const std::string& what) {
  const Outcome plain = run(nullptr, arguments);
  for (std::size_t level = 0; level <= active_isa_place(); ++level)
    EXPECT_EQ(run(all_vector_kernels()[level], arguments), plain) << what << ", " << arguments.n << " elements, " << isas_of_build()[level];
}

TEST(VectorKernels, HaveTheBitsOfPlainLoopsOnEveryInstructionSet) {
  Rng rng(20261125);
  for (const auto& [name, run] : cases())
    for (std::size_t n = 0; n <= 41; ++n) expect_the_same_bits(run, Arguments(n, rng), name);
}

TEST(VectorKernels, ComputeVelocitiesWithTheBitsOfPlainLoops) {
  Rng rng(20261126);
  for (const auto& [name, run] : inverse_cases())
    for (const InverseKind kind : {InverseKind::Unit, InverseKind::Elements, InverseKind::Roots})
      for (std::size_t n = 0; n <= 41; ++n) {
        Arguments arguments(n, rng);
        // All of one sign and few of the other, so that either answer comes about.
        for (Vec& x : arguments.v)
          for (double& value : x) value += 0.4;
        const auto of_kind = [&run = run, kind](const VectorKernels* k, const Arguments& a) { return run(k, kind, a); };
        expect_the_same_bits(of_kind, arguments, name);
      }
}

TEST(VectorKernels, VelocitiesMayBeStored) {
  Rng rng(20261127);
  for (std::size_t n = 0; n <= 41; ++n) {
    const Arguments a(n, rng);
    const auto& v = a.v;
    Vec stored[7];
    for (std::size_t k = 0; k < 7; ++k) {
      stored[k].resize(n);
      for (std::size_t i = 0; i < n; ++i) stored[k][i] = v[0][i] * v[k][i];
    }
    const auto motion = [&](std::size_t k) { return Motion{v[k].data(), stored[k].data()}; };
    const Halves halves{v[1].data(), v[2].data(), motion(3), motion(4), motion(5), motion(6)};
    for (std::size_t level = 0; level <= active_isa_place(); ++level) {
      const VectorKernels& kernels = *all_vector_kernels()[level];
      const Inverse elements{InverseKind::Elements, v[0].data()}, none{InverseKind::Stored, nullptr};
      Vec rho(n), same(n);
      EXPECT_EQ(kernels.join(halves, none, rho.data(), n), kernels.join(halves, elements, same.data(), n));
      EXPECT_EQ(rho, same);
      EXPECT_EQ(kernels.join_states(motion(1), motion(2), none, n), kernels.join_states(motion(1), motion(2), elements, n));
    }
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
