// Tapes on a device (autodiff/tape/opencl): some maps and densities against the loops of the processor (all of them are
// device_formulas_slow_test's), gathers, products, generalised linear models, weights, what breaks a rule, and a device that fails.
// Where there is no device there is nothing to test, and the tests say so.
#include <array>
#include <cstdlib>
#include <utility>

#include "tests/shared/corner_table.h"
#include "tests/shared/failing_device.h"
#include "tests/unit/autodiff/device_maps.h"

namespace fermiac::ad {
namespace {

TEST_F(OnDevice, MapsAgreeWithTheLoops) {
  expect_maps_agree(use_, [](std::string_view name) { return name == "normal_lpdf" || name == "log1p_exp" || name == "gamma_lpdf" || name == "neg_binomial_2_lpmf" || name == "pow"; });
}

// ---------------------------------------------------------------- chains

constexpr Ref slot(std::size_t i) { return Ref::slot(static_cast<std::uint32_t>(i)); }
constexpr Operand column(Ref r) { return {.ref = r, .vector = true, .autodiff = !r.is_constant()}; }
constexpr Operand number(Ref r) { return {.ref = r, .vector = false, .autodiff = !r.is_constant()}; }

std::vector<double> numbers(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<double> x(n);
  for (double& v : x) v = rng.normal();
  return x;
}

Ref map_of(Recorder& r, const char* name, std::vector<Operand> x, std::uint32_t n) { return r.map_vector(find_map(name), x, n); }

/// A chain of random operations over columns of parameters and data, gathers and views that overlap.
class RandomChain {
 public:
  RandomChain(Recorder& r, std::uint64_t seed, std::uint32_t n, std::size_t parameters) : r_(r), rng_(seed), n_(n), parameters_(parameters) {}

  void record() {
    for (int i = 0; i < 3; ++i) known_.push_back(column(slot(below(parameters_ - n_))));  // they overlap
    known_.push_back(column(r_.constant_block(numbers(n_, 5).data(), n_)));
    for (int i = 0; i < 2; ++i) known_.push_back(column(gathered()));
    for (int i = 0; i < 6; ++i) known_.push_back(column(next()));
    for (std::size_t i = known_.size() - 3; i < known_.size(); ++i) r_.target(map_of(r_, "tanh", {known_[i]}, n_), n_);
    const std::vector<Operand> x{any(), any(), number(map1("exp", map1("tanh", slot(0))))};
    r_.sink(find_map("normal_lpdf"), x, n_);
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(rng_.uniform() * static_cast<double>(n)); }
  Operand any() { return known_[below(known_.size())]; }
  Ref map1(const char* name, Ref x) {
    const Ref operands[] = {x};
    return r_.map(find_map(name), operands);
  }
  Ref gathered() {
    std::vector<Ref> refs;
    for (std::uint32_t i = 0; i < n_; ++i) refs.push_back(slot(below(9)));
    return r_.gather(refs);
  }
  Ref next() {
    switch (below(7)) {
      case 0: return map_of(r_, "add", {any(), any()}, n_);
      case 1: return map_of(r_, "multiply", {any(), number(slot(below(parameters_)))}, n_);
      case 2: return map_of(r_, "inv_logit", {any()}, n_);
      case 3: return map_of(r_, "log1p_exp", {any()}, n_);
      case 4: return map_of(r_, "fma", {any(), number(r_.constant(0.3)), any()}, n_);
      case 5: return map_of(r_, "sin", {any()}, n_);
      default: return map_of(r_, "select_less__", {any(), number(slot(1)), any(), any()}, n_);
    }
  }

  Recorder& r_;
  Rng rng_;
  std::uint32_t n_;
  std::size_t parameters_;
  std::vector<Operand> known_;
};

TEST_F(OnDevice, RandomChainsAgree) {
  Program p{numbers(150, 1), {}, {}};
  p.body = [&](Recorder& r) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) RandomChain(r, seed, seed % 3 == 0 ? 40 : 61, p.theta.size()).record();
  };
  expect_same(p, use_, 12);
}

/// Sums by source: few sources with many numbers each, of which the device makes pieces, and sources that are used once.
TEST_F(OnDevice, GathersAgree) {
  constexpr std::uint32_t kN = 20'000;
  Program p{numbers(kN, 3), {}, {}};
  p.body = [](Recorder& r) {
    std::vector<Ref> few, once;
    for (std::uint32_t i = 0; i < kN; ++i) few.push_back(slot(i * i % 3)), once.push_back(slot(kN - 1 - i));
    const std::vector<double> y = numbers(kN, 4);
    const std::vector<Operand> x{column(r.constant_block(y.data(), kN)), column(map_of(r, "add", {column(r.gather(few)), column(r.gather(once))}, kN)), number(r.constant(2))};
    r.sink(find_map("normal_lpdf"), x, kN);
  };
  expect_same(p, use_, 3);
}

/// What the host reads is computed by the host; the rest is not kept from the device by it.
TEST_F(OnDevice, WhatTheHostReadsStaysThere) {
  constexpr std::uint32_t kN = 40;
  Program p{numbers(kN, 3), {}, {}};
  p.body = [](Recorder& r) {
    const Ref read = map_of(r, "exp", {column(slot(0))}, kN), chained = map_of(r, "sin", {column(read)}, kN);
    r.target(map_of(r, "tanh", {column(chained)}, kN), kN);
    const Ref x[] = {read + 3, slot(2)};
    r.target(r.map(find_map("multiply"), x));
  };
  const auto tape = tape_of(p, use_);
  EXPECT_NE(tape->dump().find("device site"), std::string::npos) << tape->dump();
  expect_same(p, use_, 1);
}

// ---------------------------------------------------------------- products and generalised linear models

struct Glm {
  const char* name;
  bool counts, trials, parameter;
};
constexpr Glm kGlms[] = {{"bernoulli_logit_glm_lpmf", true, false, false}, {"poisson_log_glm_lpmf", true, false, false},
                         {"binomial_logit_glm_lpmf", true, true, false}, {"neg_binomial_2_log_glm_lpmf", true, false, true},
                         {"normal_id_glm_lpdf", false, false, true}};

constexpr std::uint32_t kRows = 300, kColumns = 3;

/// One model; parameters from `first` on are its weights, its last parameter and its intercepts.
void record_glm(Recorder& r, const Glm& glm, std::size_t first, bool intercepts, Propto propto, bool known_parameter, std::uint32_t columns = kColumns) {
  std::vector<std::int32_t> y(kRows), trials(kRows);
  for (std::uint32_t i = 0; i < kRows; ++i) y[i] = static_cast<std::int32_t>(glm.parameter ? i % 5 : i % 2), trials[i] = 1 + static_cast<std::int32_t>(i % 3);
  const std::vector<double> x = numbers(std::size_t{kRows} * columns, 1), reals = numbers(kRows, 2);
  const Shape outcomes = Shape::array(kRows, Shape::scalar());
  std::vector<KernelOperand> operands;
  if (glm.counts) operands.push_back({.shape = outcomes, .ref = {}, .ints = y.data()});
  else operands.push_back({.shape = Shape::vector(kRows), .ref = r.constant_block(reals.data(), kRows)});
  if (glm.trials) operands.push_back({.shape = outcomes, .ref = {}, .ints = trials.data()});
  operands.push_back({.shape = Shape::matrix(kRows, columns), .ref = r.constant_block(x.data(), kRows * columns)});
  operands.push_back({.shape = intercepts ? Shape::vector(kRows) : Shape::scalar(), .ref = slot(first + columns + 1), .autodiff = true});
  operands.push_back({.shape = Shape::vector(columns), .ref = slot(first), .autodiff = true});
  if (glm.parameter) {
    const Ref at[] = {slot(first + columns)};
    operands.push_back({.shape = Shape::scalar(), .ref = known_parameter ? r.constant(1.7) : r.map(find_map("exp"), at), .autodiff = !known_parameter});
  }
  r.call_sink(*find_kernel(glm.name), glm.name, operands, propto);
}

TEST_F(OnDevice, LinearModelsAgree) {
  std::size_t placed = 0;
  Program p{{}, {}, {}};
  std::vector<std::function<void(Recorder&)>> models;
  for (const Glm& glm : kGlms)
    for (const bool intercepts : {false, true}) {
      const std::size_t first = p.theta.size();
      const auto more = numbers(4 + (intercepts ? kRows : 1), 7);
      p.theta.insert(p.theta.end(), more.begin(), more.end());
      for (const bool drops : {false, true}) {
        models.push_back([=, &glm](Recorder& r) { record_glm(r, glm, first, intercepts, Propto(drops), drops && intercepts); });
        placed += glm.counts || intercepts;  // of the other one the pass `linear` leaves a triangle
      }
    }
  p.body = [&](Recorder& r) {
    for (const auto& model : models) model(r);
  };
  expect_same(p, use_, placed);
}

/// One item for a row, or two, four, eight with as many columns each or fewer, or a kernel of its own for the columns.
TEST_F(OnDevice, MatricesOfManyWidthsAgree) {
  for (const std::uint32_t columns : {1u, 28u, 29u, 50u, 57u, 112u, 113u, 224u, 225u}) {
    SCOPED_TRACE(columns);
    Program p{numbers(columns + 2, 7), {}, {}};
    for (double& x : p.theta) x /= columns;
    p.body = [&](Recorder& r) { record_glm(r, kGlms[0], 0, false, Propto(false), false, columns); };
    expect_same(p, use_, 1);
  }
}

// ---------------------------------------------------------------- weights, rules, a device that fails

TEST_F(OnDevice, WeightsCountAndWhatWeighsNothingIsNotEvaluated) {
  constexpr std::uint32_t kN = 50;
  Program p{numbers(kN + 1, 3), {}, {}};
  p.theta[kN] = -0.5;  // a scale, at which the density is refused
  p.body = [](Recorder& r) {
    const double ones[] = {1, 0};
    r.declare_weights(ones);
    r.set_weight(Weight{1});
    const Ref square = map_of(r, "square", {column(slot(0))}, kN);
    r.target(map_of(r, "minus", {column(square)}, kN), kN);
    r.set_weight(Weight{2});
    r.sink(find_map("normal_lpdf"), std::vector<Operand>{column(slot(0)), number(r.constant(0)), number(r.constant(2))}, kN);
  };
  const auto on_device = tape_of(p, use_), on_host = tape_of(p, nullptr);
  ASSERT_GE(on_device->placed_count(), 2u) << on_device->dump();
  Workspace device(on_device), host(on_host);
  for (const std::array<double, 2> weights : {std::array{1.0, 0.0}, std::array{0.25, 3.0}, std::array{0.0, 0.0}}) {
    device.set_weights(weights);
    host.set_weights(weights);
    expect_close(p, answer_of(device, p.theta), answer_of(host, p.theta));
  }
}

Program with_scale() {
  constexpr std::uint32_t kN = 50;
  Program p{numbers(kN + 1, 3), {}, {}};
  p.theta[kN] = 0.5;
  p.body = [](Recorder& r) {
    const Ref mean = map_of(r, "sin", {column(slot(0))}, kN);
    r.sink(find_map("normal_lpdf"), std::vector<Operand>{column(slot(0)), column(mean), number(slot(kN))}, kN);
  };
  return p;
}

TEST_F(OnDevice, WhatBreaksARuleHasTheHostsMessage) {
  Program p = with_scale();
  const auto on_device = tape_of(p, use_), on_host = tape_of(p, nullptr);
  ASSERT_GE(on_device->placed_count(), 1u);
  Workspace device(on_device), host(on_host);
  p.theta[50] = -1;
  const Answer here = answer_of(host, p.theta), there = answer_of(device, p.theta);
  EXPECT_EQ(here.status.kind, ReplayStatus::Kind::DomainError);
  EXPECT_EQ(there.status.kind, ReplayStatus::Kind::DomainError);
  EXPECT_EQ(there.status.message, here.status.message);
  EXPECT_EQ(there.status.op, here.status.op);
  p.theta[50] = 1e-200;  // no rule is broken, but the sum is no finite number
  EXPECT_EQ(answer_of(device, p.theta).lp, answer_of(host, p.theta).lp);
  p.theta[50] = 0.5;  // and then it goes on
  expect_close(p, answer_of(device, p.theta), answer_of(host, p.theta));
  EXPECT_FALSE(use_->lost());
}

TEST_F(OnDevice, WhatFailsIsToldOnceAndTheHostGoesOn) {
  const Program p = with_scale();
  Workspace host(tape_of(p, nullptr));
  for (const bool has_room : {true, false}) {
    std::string told;
    int times = 0;
    const auto failing = std::make_shared<FailingDevice>(open_test_device().device, 2, has_room);
    const auto use = std::make_shared<DeviceUse>(failing, Placing::All, [&](const std::string& text) { told = text, ++times; });
    const auto tape = tape_of(p, use);
    Workspace first(tape), second(tape);
    for (int i = 0; i < 5; ++i) {
      expect_close(p, answer_of(first, p.theta), answer_of(host, p.theta));
      expect_close(p, answer_of(second, p.theta), answer_of(host, p.theta));
    }
    EXPECT_TRUE(use->lost());
    EXPECT_EQ(times, 1);
    EXPECT_NE(told.find(has_room ? "the device is gone" : "out of memory on the device"), std::string::npos) << told;
    EXPECT_EQ(tape_of(p, use)->placed_count(), 0u);
  }
}

TEST_F(OnDevice, IsMeasuredOnceForWhatPays) {
  const device::Profile& profile = use_->profile();
  EXPECT_FALSE(use_->lost()) << told_;
  EXPECT_GT(profile.call_ns, 0);
  EXPECT_GE(profile.launch_ns, 0);
  EXPECT_GT(profile.function_ns, 0);
  const DeviceUse other(open_test_device().device, Placing::Worth, {});
  EXPECT_EQ(const_cast<DeviceUse&>(other).profile().call_ns, profile.call_ns);  // kept in the cache
}

// ---------------------------------------------------------------- without a device

TEST(DeviceChoice, IsCheckedBeforeAnythingIsLoaded) {
  for (const char* good : {"none", "auto", "gpu", "cpu", "opencl:0:0", "opencl:12:3"}) EXPECT_TRUE(check_device_choice(good)) << good;
  for (const char* bad : {"", "GPU", "opencl", "opencl:", "opencl:0", "opencl:0:", "opencl:0:x", "opencl:-1:0", "opencl:0:0:0", "cuda"})
    EXPECT_EQ(check_device_choice(bad).message, "'" + std::string(bad) + "' is not a device: it is none, auto, gpu, cpu or opencl:PLATFORM:DEVICE");
}

DeviceInfo device(int number, DeviceKind kind, bool doubles, bool available = true) {
  DeviceInfo d;
  d.device = number, d.name = "Device " + std::to_string(number), d.kind = kind, d.doubles = doubles, d.available = available;
  return d;
}

TEST(DeviceChoice, TakesNoneThatHasNoDoubles) {
  const DeviceList list{{device(0, DeviceKind::Gpu, false), device(1, DeviceKind::Cpu, true), device(2, DeviceKind::Gpu, true, false)}, ""};
  const auto chosen = [](const DeviceList& from, const char* choice) {
    std::string problem;
    const DeviceInfo* const d = chosen_device(from, choice, &problem);
    return d ? d->name : problem;
  };
  const std::string without = "the device opencl:0:0 (Device 0) does not compute with doubles (cl_khr_fp64)";
  EXPECT_EQ(chosen(list, "gpu"), without);
  EXPECT_EQ(chosen(list, "opencl:0:0"), without);
  EXPECT_EQ(chosen(list, "auto"), "");
  EXPECT_EQ(chosen(list, "cpu"), "Device 1");
  EXPECT_EQ(chosen(list, "opencl:0:2"), "the device opencl:0:2 (Device 2) is not available");
  EXPECT_EQ(chosen(list, "opencl:1:0"), "there is no device opencl:1:0; there are opencl:0:0 (Device 0), opencl:0:1 (Device 1), opencl:0:2 (Device 2)");
  const DeviceList two{{device(0, DeviceKind::Gpu, false), device(1, DeviceKind::Gpu, true)}, ""};
  EXPECT_EQ(chosen(two, "gpu"), "Device 1");
  EXPECT_EQ(chosen(two, "auto"), "Device 1");
  EXPECT_EQ(chosen({{}, "nothing here"}, "gpu"), "nothing here");
}

/// What is done where, on paper: the same chains on three devices.
TEST(CostModel, ChoosesBySizeAndDevice) {
  const device::Profile discrete{20e3, 5e3, 0.08, 0.0015, 0.005}, integrated{15e3, 5e3, 0.03, 0.03, 0.2}, slow{5e6, 1e6, 1, 0.1, 5};
  const auto work = [](double n) { return device::Work{.host_ns = 12 * n, .functions = 3 * n, .read = 32 * n, .copied = 0, .launches = 2}; };
  const auto placed = [&](const device::Profile& p, double n) -> bool { return device::worth_placing(p, {work(n)})[0]; };
  EXPECT_FALSE(placed(discrete, 1000));
  EXPECT_TRUE(placed(discrete, 1e5));
  EXPECT_FALSE(placed(integrated, 1000));
  EXPECT_TRUE(placed(integrated, 1e5));
  EXPECT_FALSE(placed(slow, 1e6));
  // The call is paid once for all chains; a chain that loses is left out.
  const auto both = device::worth_placing(discrete, {work(1200), work(1200), work(10)});
  EXPECT_EQ(both, (std::vector<bool>{false, false, false}));
  const auto many = device::worth_placing(discrete, {work(1e4), work(1e4), work(10)});
  EXPECT_EQ(many, (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace fermiac::ad
