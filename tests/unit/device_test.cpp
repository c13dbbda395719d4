// Tapes on a device (autodiff/tape/device): every map and density that has a formula against the loops of the processor, gathers,
// products, generalised linear models, weights, what breaks a rule, and a device that fails. Where no device is, there is nothing
// to test, and the tests say so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "autodiff/symbols/map_formula.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "support/device.h"
#include "support/rng.h"

namespace fermiac::ad {
namespace {

using device::DeviceUse;
using device::Placing;

/// Of the tests: a processor by OpenCL.
std::shared_ptr<DeviceUse> any_device(std::string* why, std::function<void(const std::string&)> tell = {}) {
  const OpenedDevice opened = open_device("cpu");
  *why = opened.problem;
  return opened.device ? std::make_shared<DeviceUse>(opened.device, Placing::All, std::move(tell)) : nullptr;
}

class OnDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    use_ = any_device(&why, [this](const std::string& text) { told_ += text; });
    if (!use_) GTEST_SKIP() << why;
  }
  std::shared_ptr<DeviceUse> use_;
  std::string told_;
};

/// Parameters as they come, and what is recorded of them.
struct Program {
  std::vector<double> theta;
  std::vector<std::string> names;  // of the parameters, for messages
  std::function<void(Recorder&)> body;
};

struct Answer {
  ReplayStatus status;
  double lp = 0;
  std::vector<double> gradient;
};

std::shared_ptr<const Tape> tape_of(const Program& p, const std::shared_ptr<DeviceUse>& use) {
  Recorder r(p.theta);
  p.body(r);
  Trace trace = std::move(r).finish();
  rewrite(trace, {.short_tiles = true});
  return std::make_shared<const Tape>(std::move(trace), Jit::Never, use);
}

Answer answer_of(Workspace& w, const std::vector<double>& theta) {
  Answer a{{}, 0, std::vector<double>(theta.size())};
  a.status = w.gradient(theta, &a.lp, a.gradient);
  return a;
}

void expect_close(const Program& p, const Answer& device, const Answer& host) {
  ASSERT_EQ(host.status.kind, ReplayStatus::Kind::Ok) << host.status.message;
  ASSERT_EQ(device.status.kind, ReplayStatus::Kind::Ok) << device.status.message;
  EXPECT_NEAR(device.lp, host.lp, 1e-10 * std::max(1.0, std::fabs(host.lp)));
  for (std::size_t i = 0; i < p.theta.size(); ++i)
    EXPECT_NEAR(device.gradient[i], host.gradient[i], 1e-10 * std::max(1.0, std::fabs(host.gradient[i]))) << (i < p.names.size() ? p.names[i] : std::to_string(i));
}

/// The same numbers as without a device, the same bits twice; `placed` ops are there.
void expect_same(const Program& p, const std::shared_ptr<DeviceUse>& use, std::size_t placed) {
  const auto on_device = tape_of(p, use), on_host = tape_of(p, nullptr);
  EXPECT_GE(on_device->placed_count(), placed) << on_device->dump();
  Workspace mine(on_device), other(on_device), host(on_host);
  const Answer first = answer_of(mine, p.theta), second = answer_of(mine, p.theta), third = answer_of(other, p.theta);
  EXPECT_FALSE(use->lost());
  expect_close(p, first, answer_of(host, p.theta));
  EXPECT_EQ(first.lp, second.lp);
  EXPECT_EQ(first.gradient, second.gradient);
  EXPECT_EQ(first.gradient, third.gradient);
  double lp = 0;
  EXPECT_EQ(mine.value(p.theta, &lp).kind, ReplayStatus::Kind::Ok);
  EXPECT_EQ(lp, first.lp);
}

// ---------------------------------------------------------------- maps and densities

constexpr std::uint32_t kElements = 21;  // a tail for every number of lanes

bool is_count(std::string_view name) { return name.ends_with("_lpmf") || name == "binary_log_loss"; }
/// Whole numbers, by name of the map.
unsigned int_operands(std::string_view name) {
  if (!is_count(name)) return 0;
  return name.starts_with("beta_binomial") || name.starts_with("binomial") ? 0b11 : name.starts_with("categorical") ? 0 : 1;
}

/// Operands at which every rule holds and the map is a finite number.
bool draw_operands(const MapOp& op, Rng& rng, double* x) {
  const unsigned ints = int_operands(op.name);
  for (int attempt = 0; attempt < 5000; ++attempt) {
    for (int j = 0; j < op.arity; ++j) {
      if (ints >> j & 1u) x[j] = std::floor(6 * rng.uniform());
      else if (attempt % 3 == 0) x[j] = rng.uniform();
      else if (attempt % 3 == 1) x[j] = 4 * rng.uniform() + 0.05;
      else x[j] = 3 * rng.normal();
    }
    double d[kMaxMapArity];
    if (op.valid(x) && std::isfinite(op.value_and_partials(x, Keep::everything(), d))) return true;
  }
  return false;
}

/// The map over a column for each operand, or with all but the first as scalars; times a parameter, so that its derivative is the sum.
class MapProgram {
 public:
  MapProgram(Program& p, const MapOp& op, bool scalars, Rng& rng) : op_(op), first_(p.theta.size()) {
    double x[kMaxMapArity]{}, same[kMaxMapArity]{};
    found_ = draw_operands(op, rng, same);
    std::vector<std::vector<double>> columns(static_cast<std::size_t>(op.arity));
    for (std::uint32_t i = 0; i < kElements && found_; ++i) {
      for (int tries = 0; tries < 1000; ++tries) {
        if (!draw_operands(op, rng, x)) break;
        if (scalars) std::copy(same + 1, same + op.arity, x + 1);
        double d[kMaxMapArity];
        if (op.valid(x) && std::isfinite(op.value_and_partials(x, Keep::everything(), d))) break;
        std::copy_n(same, op.arity, x);
      }
      for (int j = 0; j < op.arity; ++j) columns[static_cast<std::size_t>(j)].push_back(x[j]);
    }
    if (!found_) return;
    for (int j = 0; j < op.arity; ++j) add(p, columns[static_cast<std::size_t>(j)], int_operands(op.name) >> j & 1u, scalars && j > 0);
    factor_ = p.theta.size();
    p.theta.push_back(0.7);
    p.names.push_back(std::string(op.name) + (scalars ? " of scalars" : " of columns") + ", its sum");
  }
  bool found() const { return found_; }

  void record(Recorder& r) const {
    std::vector<Operand> x;
    for (const Column& c : columns_) {
      const Ref ref = !c.data ? Ref::slot(static_cast<std::uint32_t>(c.place)) : c.scalar ? r.constant(c.numbers[0]) : r.constant_block(c.numbers.data(), kElements);
      x.push_back({.ref = ref, .vector = !c.scalar, .autodiff = !c.data});
    }
    const Ref values = r.map_vector(find_map(op_.name), x, kElements);
    const Operand product[] = {{.ref = values, .vector = true, .autodiff = true}, {.ref = Ref::slot(static_cast<std::uint32_t>(factor_)), .vector = false, .autodiff = true}};
    r.target(r.map_vector(find_map("multiply"), product, kElements), kElements);
    if (op_.density) r.sink(find_map(op_.name), x, kElements);
  }

 private:
  struct Column {
    std::vector<double> numbers;
    bool data = false, scalar = false;
    std::size_t place = 0;
  };
  /// Blocks of parameters begin anywhere.
  void add(Program& p, const std::vector<double>& numbers, bool data, bool scalar) {
    columns_.push_back({numbers, data, scalar, p.theta.size()});
    if (data) return;
    const std::size_t n = scalar ? 1 : numbers.size();
    p.theta.insert(p.theta.end(), numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(n));
    p.names.insert(p.names.end(), n, std::string(op_.name) + (scalar ? " of a scalar" : "") + ", operand " + std::to_string(columns_.size()));
  }

  const MapOp& op_;
  std::size_t first_, factor_ = 0;
  bool found_ = false;
  std::vector<Column> columns_;
};

/// Some of all maps in one program, which takes less time than one for each.
class FormulasOnDevice : public OnDevice, public ::testing::WithParamInterface<int> {};
constexpr int kBatches = 4;

TEST_P(FormulasOnDevice, AgreeWithTheLoops) {
  Program p;
  Rng rng(7);
  std::vector<MapProgram> maps;
  int number = 0;
  for (const symbols::MapFormula* f : symbols::all_formulas()) {
    const MapOp& op = map_op(find_map(f->name));
    if (op.flat || number++ % kBatches != GetParam()) continue;
    for (const bool scalars : {false, true}) {
      if (scalars && op.arity == 1) continue;
      maps.emplace_back(p, op, scalars, rng);
      EXPECT_TRUE(maps.back().found()) << op.name;
    }
  }
  p.body = [&](Recorder& r) {
    for (const MapProgram& m : maps) m.record(r);
  };
  expect_same(p, use_, maps.size());
}
INSTANTIATE_TEST_SUITE_P(Batches, FormulasOnDevice, ::testing::Range(0, kBatches));

}  // namespace
}  // namespace fermiac::ad
