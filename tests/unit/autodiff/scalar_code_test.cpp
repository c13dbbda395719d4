// Machine code of scalar ops against the sweeps: the same log density and gradient bit for bit, the same outcome where a point
// takes another path or leaves a domain. Random recordings: FERMIAC_SCALAR_CODE_SEED and FERMIAC_SCALAR_CODE_TAPES make the run
// another or a longer one.
#include "autodiff/tape/replay/scalar_code.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "jit/emit.h"
#include "support/base/errors.h"
#include "tests/shared/map_corners.h"
#include "tests/shared/random_trace.h"
#include "tests/shared/setting.h"

namespace fermiac::ad {
namespace {

using testing::RandomTrace;
using testing::setting;

using Numbers = std::vector<double>;

/// What a sweep gives, as text that holds every bit.
std::string said(Workspace& w, const Numbers& theta) {
  Numbers gradient(theta.size());
  double lp = 0;
  w.poison();
  const ReplayStatus status = w.gradient(theta, &lp, gradient);
  std::string out = std::to_string(static_cast<int>(status.kind)) + " " + std::to_string(status.op) + " " + status.message;
  if (status.kind != ReplayStatus::Kind::Ok) return out;
  gradient.push_back(lp);
  double value = 0;
  EXPECT_EQ(w.value(theta, &value).kind, ReplayStatus::Kind::Ok);
  gradient.push_back(value);
  for (const double x : gradient) out += " " + std::to_string(std::isnan(x) ? 0x7ff8u : std::bit_cast<std::uint64_t>(x));
  return out;
}

struct Both {
  Both(Trace trace) {
    Trace copy = trace;
    plain = std::make_unique<Workspace>(std::make_shared<const Tape>(std::move(trace), Jit::Never));
    code = std::make_unique<Workspace>(std::make_shared<const Tape>(std::move(copy), Jit::Always));
  }
  std::unique_ptr<Workspace> plain, code;
};

TEST(ScalarCode, SaysWhatTheSweepsSay) {
  const std::uint64_t first = setting("FERMIAC_SCALAR_CODE_SEED", 1), tapes = setting("FERMIAC_SCALAR_CODE_TAPES", 300);
  for (std::uint64_t seed = first; seed < first + tapes; ++seed) {
    SCOPED_TRACE(seed);
    RandomTrace random(seed, 1 + seed % 9);
    Both both(random.density(10 + seed % 191));
    Numbers theta = random.theta;
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(said(*both.code, theta), said(*both.plain, theta)) << "point " << k;
      for (double& x : theta) x += k == 2 ? -3 : 1e-7;
    }
    theta[0] = seed % 2 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    EXPECT_EQ(said(*both.code, theta), said(*both.plain, theta)) << "not finite";
  }
}

/// Comparisons of what is not a number are false.
TEST(ScalarCode, GuardsStopWhereTheSweepsStop) {
  for (const Compare compare : {Compare::Less, Compare::LessOrEqual, Compare::Equal})
    for (const double recorded : {-1.0, 0.0, 1.0}) {
      const Numbers start = {recorded, 0.0};
      Recorder r(start);
      const Ref square[] = {Ref::slot(0)};
      for (int i = 0; i < 6; ++i) r.target(r.map(find_map("square"), square));
      r.guard(compare, Ref::slot(0), Ref::slot(1));
      Both both(std::move(r).finish());
      for (const double x : {-2.0, -0.0, 0.0, 3.0, std::numeric_limits<double>::quiet_NaN()})
        EXPECT_EQ(said(*both.code, {x, 0.0}), said(*both.plain, {x, 0.0})) << static_cast<int>(compare) << " " << recorded << " " << x;
    }
}

/// The map among ops that become machine code, as a number or as a term of target.
std::optional<Trace> among_others(const MapOp& f, MapCode code, const Numbers& point, bool as_sink) try {
  Recorder r(point);
  std::vector<Ref> x;
  std::vector<Operand> operands;
  for (std::uint32_t j = 0; j < point.size(); ++j) x.push_back(Ref::slot(j)), operands.push_back({.ref = x.back(), .autodiff = true});
  const Ref square[] = {x[0], x[0]};
  for (int i = 0; i < 6; ++i) r.target(r.map(find_map("multiply"), square));
  if (as_sink) r.sink(code, operands, 1);
  else r.target(r.map(code, x));
  return std::isfinite(point[0]) && f.valid(point.data()) ? std::optional(std::move(r).finish()) : std::nullopt;
} catch (const EvalError&) {
  return std::nullopt;
}

/// Functions that check their operands themselves throw; nothing can be thrown through machine code.
TEST(ScalarCode, EveryMapFailsAsInTheSweeps) {
  std::size_t failures = 0;
  for (std::size_t i = 0; i < all_maps().size(); ++i) {
    const MapOp& f = all_maps()[i];
    const auto points = testing::corners(f.arity);
    for (const bool as_sink : {false, true}) {
      SCOPED_TRACE(std::string(f.name) + (as_sink ? ", a term" : ""));
      std::optional<Trace> trace;
      for (std::size_t k = 0; k < points.size() && !trace; ++k) trace = among_others(f, static_cast<MapCode>(i), points[k], as_sink);
      if (!trace) continue;  // of integers, or of operands unlike these
      Both both(std::move(*trace));
      for (const Numbers& point : points) {
        const std::string expected = said(*both.plain, point);
        EXPECT_EQ(said(*both.code, point), expected);
        failures += expected[0] != '0';
      }
    }
  }
  EXPECT_GT(failures, 1000u);
}

TEST(ScalarCode, OnlyWhereThereIsMachineCode) {
  const Numbers start = {0.5};
  Recorder r(start);
  Ref x = Ref::slot(0);
  for (int i = 0; i < 50; ++i) {
    const Ref operands[] = {x, Ref::slot(0)};
    x = r.map(find_map("multiply"), operands);
  }
  r.target(x);
  const Tape tape(std::move(r).finish(), Jit::Never);
  const auto code = make_scalar_code(tape.ops(), 0, 100);
  ASSERT_EQ(code != nullptr, jit::has_machine_code());
  if (!code) return;
  EXPECT_EQ(code->runs.size(), 1u);
  EXPECT_EQ(code->ops.front().kind, OpKind::Run);
  EXPECT_EQ(code->ops.back().kind, OpKind::Run);
  EXPECT_EQ(code->ops.size(), tape.ops().size());
}

}  // namespace
}  // namespace fermiac::ad
