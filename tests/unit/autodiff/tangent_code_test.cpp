// Machine code of functions and their tangents against the sweeps: the same numbers bit for bit, the same outcome where a point takes
// another path or leaves a domain. Random recordings: FERMIAC_TANGENT_CODE_SEED and FERMIAC_TANGENT_CODE_TAPES make the run another
// or a longer one.
#include "autodiff/solvers/tangent_code.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "autodiff/solvers/tangent_run.h"
#include "autodiff/tape/record/recorder.h"
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

std::unique_ptr<const TangentProgram> program(const Trace& trace, Jit jit) {
  return TangentProgram::make(Tape(trace, jit));
}

/// Results and rows as text that holds every bit.
std::string said(TangentRun& run, std::size_t outputs, const Numbers& x, std::size_t lanes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Numbers tangents(run.tangent_rows() * lanes, nan), out(outputs, nan), rows(outputs * lanes, nan);
  for (std::size_t i = 0; i < x.size() * lanes; ++i) tangents[i] = std::sin(static_cast<double>(i + 1));
  if (!run.run(x.data(), tangents.data(), lanes, out.data(), rows.data())) return "stopped";
  out.insert(out.end(), rows.begin(), rows.end());
  std::string text;
  for (const double y : out) text += " " + std::to_string(std::isnan(y) ? 0x7ff8u : std::bit_cast<std::uint64_t>(y));
  return text;
}

std::optional<Trace> function_of(MapCode code, const Numbers& point) try {
  Recorder r(point);
  std::vector<Ref> x;
  for (std::uint32_t j = 0; j < point.size(); ++j) x.push_back(Ref::slot(j));
  const Ref result[] = {r.map(code, x)};
  r.outputs(result);
  return std::move(r).finish();
} catch (const EvalError&) {
  return std::nullopt;
}

TEST(TangentCode, SaysWhatTheSweepsSay) {
  const std::uint64_t first = setting("FERMIAC_TANGENT_CODE_SEED", 1), tapes = setting("FERMIAC_TANGENT_CODE_TAPES", 300);
  std::size_t went_through = 0;
  for (std::uint64_t seed = first; seed < first + tapes; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t outputs = 1 + seed % 7;
    RandomTrace random(seed, 1 + seed % 9);
    const Trace trace = random.function(3 + seed % 191, outputs);
    TangentRun code(program(trace, Jit::Always)), plain(program(trace, Jit::Never));
    Numbers x = random.theta;
    for (int k = 0; k < 5; ++k) {
      for (const std::size_t lanes : {0, 8, 24}) {
        const std::string expected = said(plain, outputs, x, lanes);
        EXPECT_EQ(said(code, outputs, x, lanes), expected) << "point " << k << ", lanes " << lanes;
        went_through += expected != "stopped";
      }
      for (double& xi : x) xi += k == 2 ? -3 : 1e-7;
      if (k == 3) x[0] = seed % 2 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    }
  }
  EXPECT_GT(went_through, 4 * tapes);
}

/// More rows than there are registers, all of them read again at the end.
TEST(TangentCode, RowsThatDoNotFitInRegisters) {
  const Numbers x(60, 0.7);
  Recorder r(x);
  std::vector<Ref> squares;
  for (std::uint32_t i = 0; i < x.size(); ++i) {
    const Ref own[] = {Ref::slot(i)};
    squares.push_back(r.map(find_map("square"), own));
  }
  Ref sum = squares[0];
  for (std::size_t i = 1; i < squares.size(); ++i) {
    const Ref terms[] = {sum, squares[i]};
    sum = r.map(find_map("multiply"), terms);
  }
  squares.push_back(sum);
  r.outputs(squares);
  const Trace trace = std::move(r).finish();
  TangentRun code(program(trace, Jit::Always)), plain(program(trace, Jit::Never));
  for (const std::size_t lanes : {8, 16}) EXPECT_EQ(said(code, squares.size(), x, lanes), said(plain, squares.size(), x, lanes));
}

/// Functions that check their operands themselves throw: the point is one that stops.
TEST(TangentCode, EveryMapFailsAsInTheSweeps) {
  std::size_t stops = 0;
  for (std::size_t i = 0; i < all_maps().size(); ++i) {
    const MapOp& f = all_maps()[i];
    SCOPED_TRACE(f.name);
    const auto points = testing::corners(f.arity);
    std::optional<Trace> trace;
    for (std::size_t k = 0; k < points.size() && !trace; ++k) trace = function_of(static_cast<MapCode>(i), points[k]);
    if (!trace) continue;  // of integers, or of operands unlike these
    TangentRun code(program(*trace, Jit::Always)), plain(program(*trace, Jit::Never));
    for (const Numbers& point : points) {
      const std::string expected = said(plain, 1, point, 8);
      EXPECT_EQ(said(code, 1, point, 8), expected);
      stops += expected == "stopped";
    }
  }
  EXPECT_GT(stops, 500u);
}

TEST(TangentCode, OnlyWhereThereIsMachineCode) {
  RandomTrace random(7, 3);
  const auto function = program(random.function(20, 2), Jit::Never);
  ASSERT_TRUE(function);
  const auto code = make_tangent_code(*function, 8);
  ASSERT_EQ(code != nullptr, jit::has_machine_code());
  if (!code) return;
  EXPECT_EQ(code->lanes(), 8u);
}

}  // namespace
}  // namespace fermiac::ad
