// Outcomes among categories on a device (autodiff/tape/opencl): regressions with a matrix of weights, ordered outcomes with cut points,
// several products of one matrix. What breaks a rule has the host's message.
#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "autodiff/kernels/kernel.h"
#include "autodiff/tape/opencl/find_chains.h"
#include "support/base/rng.h"
#include "tests/unit/autodiff/device_program.h"

namespace fermiac::ad {
namespace {

constexpr Ref slot(std::size_t i) { return Ref::slot(static_cast<std::uint32_t>(i)); }

std::vector<double> numbers(std::size_t n, std::uint64_t seed, double scale = 1) {
  Rng rng(seed);
  std::vector<double> x(n);
  for (double& v : x) v = scale * rng.normal();
  return x;
}
/// 1 … most, the k-th of them k times as often as the first, so that adjoints of neighbouring cut points do not cancel.
std::vector<std::int32_t> outcomes(std::uint32_t rows, std::uint32_t most) {
  std::vector<std::int32_t> all, y(rows);
  for (std::uint32_t k = 1; k <= most; ++k) all.insert(all.end(), k, static_cast<std::int32_t>(k));
  for (std::uint32_t i = 0; i < rows; ++i) y[i] = all[i * 7 % all.size()];
  return y;
}
Shape array_of(std::uint32_t n) { return Shape::array(n, Shape::scalar()); }

void sink(Recorder& r, const char* name, const std::vector<KernelOperand>& operands, Propto propto = Propto(true)) {
  r.call_sink(*find_kernel(name), name, operands, propto);
}
KernelOperand matrix_of(Recorder& r, std::uint32_t rows, std::uint32_t columns) {
  const std::vector<double> x = numbers(std::size_t{rows} * columns, 1);
  return {.shape = Shape::matrix(rows, columns), .ref = r.constant_block(x.data(), rows * columns)};
}

// ---------------------------------------------------------------- categories

struct Sizes {
  std::uint32_t rows, columns, categories;
};

/// Parameters: the intercepts, then the weights category after category.
Program categorical(Sizes s) {
  Program p{numbers(s.categories * (1 + s.columns), 7, 1.0 / s.columns), {}, {}};
  p.body = [s](Recorder& r) {
    const std::vector<std::int32_t> y = outcomes(s.rows, s.categories);
    sink(r, "categorical_logit_glm_lpmf",
         {{.shape = array_of(s.rows), .ref = {}, .ints = y.data()}, matrix_of(r, s.rows, s.columns),
          {.shape = Shape::vector(s.categories), .ref = slot(0), .autodiff = true},
          {.shape = Shape::matrix(s.columns, s.categories), .ref = slot(s.categories), .autodiff = true}});
  };
  return p;
}

class OutcomesOnDevice : public OnDevice {};

/// Rows of a matrix in registers of one item, of two, four, eight; too wide for that; too many categories; fewer rows than a group has.
TEST_F(OutcomesOnDevice, CategoriesAgree) {
  for (const Sizes s : {Sizes{300, 1, 2}, {2, 3, 3}, {300, 29, 2}, {257, 20, 5}, {300, 43, 5}, {300, 113, 5}, {200, 7, 16}, {150, 2, 30}}) {
    SCOPED_TRACE(testing::Message() << s.rows << " x " << s.columns << ", " << s.categories);
    expect_same(categorical(s), use_, 1);
  }
}
TEST_F(OutcomesOnDevice, WhatIsNoTaskForItStaysOnTheHost) {
  for (const Sizes s : {Sizes{1, 3, 3}, {40, 3, 31}, {40, 3, 1}}) EXPECT_EQ(tape_of(categorical(s), use_)->placed_count(), 0u) << s.rows << " " << s.categories;
}

/// The largest predictor of a row is far above the others, or far below 0.
TEST_F(OutcomesOnDevice, CategoriesWithLargePredictorsAgree) {
  Program p = categorical({100, 3, 4});
  for (std::size_t i = 0; i < p.theta.size(); ++i) p.theta[i] *= 900;
  expect_same(p, use_, 1);
}

// ---------------------------------------------------------------- ordered outcomes

/// Parameters: the cut points, the weights.
Program ordered_glm(Sizes s) {
  Program p{numbers(s.categories - 1 + s.columns, 7, 1.0 / s.columns), {}, {}};
  for (std::uint32_t k = 0; k + 1 < s.categories; ++k) p.theta[k] = 0.7 * k - 1;
  p.body = [s](Recorder& r) {
    const std::vector<std::int32_t> y = outcomes(s.rows, s.categories);
    sink(r, "ordered_logistic_glm_lpmf",
         {{.shape = array_of(s.rows), .ref = {}, .ints = y.data()}, matrix_of(r, s.rows, s.columns),
          {.shape = Shape::vector(s.columns), .ref = slot(s.categories - 1), .autodiff = true},
          {.shape = Shape::vector(s.categories - 1), .ref = slot(0), .autodiff = true}});
  };
  return p;
}

TEST_F(OutcomesOnDevice, OrderedRegressionsAgree) {
  for (const Sizes s : {Sizes{300, 1, 2}, {2, 3, 5}, {300, 50, 5}, {5000, 3, 3}, {300, 2, 10}, {5000, 2, 9}, {300, 225, 4}}) {
    SCOPED_TRACE(testing::Message() << s.rows << " x " << s.columns << ", " << s.categories);
    expect_same(ordered_glm(s), use_, 1);
  }
  EXPECT_EQ(tape_of(ordered_glm({1, 3, 4}), use_)->placed_count(), 0u);
}

constexpr std::uint32_t kRows = 400, kCuts = 4;

enum class Location { Number, Parameters, Chain };
/// Parameters: cut points, then the locations. `cuts_by_row`: of each outcome others, and those are parameters too.
Program ordered(const char* name, Location location, bool cuts_by_row) {
  const std::uint32_t cuts = cuts_by_row ? kCuts * kRows : kCuts;
  Program p{numbers(cuts + kRows, 3), {}, {}};
  for (std::uint32_t k = 0; k < cuts; ++k) p.theta[k] = 0.6 * (k % kCuts) - 1 + 0.0001 * (k / kCuts);
  p.body = [=](Recorder& r) {
    const std::vector<std::int32_t> y = outcomes(kRows, kCuts + 1);
    const Shape shape = location == Location::Number ? Shape::scalar() : Shape::vector(kRows);
    const Operand parameters{.ref = slot(cuts), .vector = true, .autodiff = true};
    const Ref at = location == Location::Chain ? r.map_vector(find_map("sin"), std::vector<Operand>{parameters}, kRows) : slot(cuts);
    sink(r, name,
         {{.shape = array_of(kRows), .ref = {}, .ints = y.data()}, {.shape = shape, .ref = at, .autodiff = true},
          {.shape = cuts_by_row ? Shape::array(kRows, Shape::vector(kCuts)) : Shape::vector(kCuts), .ref = slot(0), .autodiff = true}});
  };
  return p;
}

TEST_F(OutcomesOnDevice, OrderedOutcomesAgree) {
  for (const char* name : {"ordered_logistic_lpmf", "ordered_probit_lpmf"})
    for (const Location location : {Location::Number, Location::Parameters, Location::Chain})
      for (const bool cuts_by_row : {false, true}) {
        SCOPED_TRACE(testing::Message() << name << static_cast<int>(location) << cuts_by_row);
        expect_same(ordered(name, location, cuts_by_row), use_, location == Location::Chain ? 2 : 1);
      }
}
/// Far from all cut points, and with cut points close to one another.
TEST_F(OutcomesOnDevice, OrderedOutcomesInTailsAgree) {
  for (const char* name : {"ordered_logistic_lpmf", "ordered_probit_lpmf"})
    for (const double scale : {1e-3, 12.0}) {
      SCOPED_TRACE(testing::Message() << name << scale);
      Program p = ordered(name, Location::Parameters, false);
      for (double& x : p.theta) x *= scale;
      for (std::size_t i = 0; i < 20; ++i) p.theta[kCuts + i] = scale * (3.0 * static_cast<double>(i) - 30);
      expect_same(p, use_, 1);
    }
}

// ---------------------------------------------------------------- several products of one matrix

/// A mean and a scale that each have weights of their own.
TEST_F(OutcomesOnDevice, ProductsOfOneMatrixAgree) {
  constexpr std::uint32_t kColumns = 9;
  Program p{numbers(2 * kColumns, 3, 0.2), {}, {}};
  p.body = [](Recorder& r) {
    const KernelOperand matrix = matrix_of(r, kRows, kColumns);
    const auto product = [&](std::uint32_t first) {
      const KernelOperand operands[] = {matrix, {.shape = Shape::vector(kColumns), .ref = slot(first), .autodiff = true}};
      return Operand{.ref = r.call(*find_kernel("multiply"), "multiply", operands).ref, .vector = true, .autodiff = true};
    };
    const std::vector<double> y = numbers(kRows, 5);
    const Operand scale{.ref = r.map_vector(find_map("exp"), std::vector<Operand>{product(kColumns)}, kRows), .vector = true, .autodiff = true};
    r.sink(find_map("normal_lpdf"), std::vector<Operand>{{.ref = r.constant_block(y.data(), kRows), .vector = true, .autodiff = false}, product(0), scale}, kRows);
  };
  expect_same(p, use_, 3);
}

// ---------------------------------------------------------------- rules

/// Where the host refuses the numbers, so does the device, in the same words; where it does not, it goes on.
void expect_same_refusals(const Program& p, const std::shared_ptr<DeviceUse>& use, const std::vector<std::pair<std::size_t, double>>& changes) {
  const auto on_device = tape_of(p, use), on_host = tape_of(p, nullptr);
  ASSERT_GE(on_device->placed_count(), 1u);
  Workspace device(on_device), host(on_host);
  for (const auto& [at, number] : changes) {
    std::vector<double> theta = p.theta;
    theta[at] = number;
    const Answer here = answer_of(host, theta), there = answer_of(device, theta);
    EXPECT_EQ(here.status.kind, ReplayStatus::Kind::DomainError) << at;
    EXPECT_EQ(there.status.kind, here.status.kind) << at;
    EXPECT_EQ(there.status.message, here.status.message);
    EXPECT_EQ(there.status.op, here.status.op);
    expect_close(p, answer_of(device, p.theta), answer_of(host, p.theta));
  }
  EXPECT_FALSE(use->lost());
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST_F(OutcomesOnDevice, CutPointsOutOfOrderHaveTheHostsMessage) {
  for (const bool by_row : {false, true}) {
    const std::size_t first = by_row ? 4 * kCuts : 0;
    expect_same_refusals(ordered("ordered_logistic_lpmf", Location::Parameters, by_row), use_,
                         {{first, 7.0}, {first + 3, -0.3}, {first + 1, std::nan("")}, {first + 3, kInfinity}, {by_row ? kCuts * kRows : kCuts, kInfinity}});
  }
  expect_same_refusals(ordered_glm({60, 3, 4}), use_, {{0, 3.0}, {2, kInfinity}, {4, -kInfinity}});
}
TEST_F(OutcomesOnDevice, WeightsThatAreNoNumbersHaveTheHostsMessage) { expect_same_refusals(categorical({60, 3, 4}), use_, {{1, -kInfinity}, {6, std::nan("")}, {15, kInfinity}}); }

// ---------------------------------------------------------------- without a device

/// The maps among the densities that Stan's devices have are device_formulas_slow_test's.
TEST(ChainDensities, AreThoseThatStansDevicesHave) {
  const std::vector<std::string_view> known = device::densities_with_steps();
  for (const std::string_view name : {"bernoulli_logit_glm_lpmf", "binomial_logit_glm_lpmf", "categorical_logit_glm_lpmf", "neg_binomial_2_log_glm_lpmf", "normal_id_glm_lpdf",
                                      "ordered_logistic_glm_lpmf", "poisson_log_glm_lpmf"})
    EXPECT_NE(std::ranges::find(known, name), known.end()) << name;
}

/// On paper: five categories, 20 columns.
device::Work work_of_categories(std::uint32_t n, bool one_matrix) {
  device::Chain chain{.n = n};
  device::Step step{.kind = device::Step::Kind::Categories, .vector_mask = 1};
  step.x.push_back({device::Source::Kind::Extra, 0});
  for (std::uint32_t k = 0; k < 5; ++k) {
    chain.products.push_back({{device::Source::Kind::Vector, one_matrix ? 0 : k}, 20 * k, 20, true});
    step.x.push_back({device::Source::Kind::Product, k});
  }
  chain.steps.push_back(step);
  return device::work_of(chain);
}
TEST(ChainDensities, ArePlacedWhereThatPays) {
  const device::Profile card{20e3, 5e3, 0.08, 0.0015, 0.005};
  EXPECT_FALSE(device::worth_placing(card, {work_of_categories(100, true)})[0]);
  EXPECT_TRUE(device::worth_placing(card, {work_of_categories(10'000, true)})[0]);
  EXPECT_LT(device::nanoseconds(card, work_of_categories(1'000'000, true)), device::nanoseconds(card, work_of_categories(1'000'000, false)));
}

}  // namespace
}  // namespace fermiac::ad
