// The slopes of tests/golden/map_corners.txt by every engine that has derivatives of its own: the sweeps of a tape and its machine code,
// evaluation without a tape, several points at once, tangents of functions and their machine code, second derivatives; and in programs:
// functions of solvers, user functions in machine code, tapes that have been replayed often.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "autodiff/kernels/map_op.h"
#include "autodiff/solvers/tangent_run.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "autodiff/tape/second_order/second_order.h"
#include "tests/battery/program_gradient.h"
#include "tests/shared/corner_table.h"

namespace fermiac::ad {
namespace {

using testing::MapCorner;
using testing::expect_as_in_table;
using testing::map_corners;
using Numbers = std::vector<double>;

constexpr double kFactor = 3;
constexpr std::uint32_t kTimes = 4;  // runs of four scalar ops become machine code

Ref apply(Recorder& r, const MapCorner& c) {
  std::vector<Ref> x;
  for (std::uint32_t j = 0; j < c.x.size(); ++j) x.push_back(Ref::slot(j));
  return r.map(find_map(c.map), x);
}
Ref times(Recorder& r, Ref x, double factor) {
  const Ref operands[] = {x, r.constant(factor)};
  return r.map(find_map("multiply"), operands);
}

/// target += 3 f(x), some times over.
void record(Recorder& r, const MapCorner& c) {
  for (std::uint32_t k = 0; k < kTimes; ++k) r.target(times(r, apply(r, c), kFactor));
}
std::shared_ptr<const Tape> density(const MapCorner& c, Jit jit, bool rewriting) {
  Recorder r(c.x);
  record(r, c);
  Trace trace = std::move(r).finish();
  if (rewriting) rewrite(trace);
  return std::make_shared<const Tape>(std::move(trace), jit);
}

void expect_gradient(const MapCorner& c, double lp, const Numbers& gradient, const std::string& engine) {
  expect_as_in_table(lp, kTimes * kFactor * c.value, c.name() + engine);
  for (std::size_t j = 0; j < c.x.size(); ++j)
    expect_as_in_table(gradient[j], kTimes * kFactor * c.slopes[j], c.name() + engine + ", slope " + std::to_string(j));
}

class CornerEngines : public ::testing::TestWithParam<bool> {};

TEST_P(CornerEngines, SweepsAndMachineCode) {
  for (const MapCorner& c : map_corners())
    for (const Jit jit : {Jit::Never, Jit::Always}) {
      Workspace workspace(density(c, jit, GetParam()));
      double lp = 0;
      Numbers gradient(c.x.size());
      ASSERT_EQ(workspace.gradient(c.x, &lp, gradient).kind, ReplayStatus::Kind::Ok) << c.name();
      expect_gradient(c, lp, gradient, jit == Jit::Always ? " in machine code" : " by sweeps");
    }
}

TEST(CornerEnginesOfOnePoint, WithoutATape) {
  for (const MapCorner& c : map_corners()) {
    Recorder r(c.x);
    r.evaluate(c.x, true, false);
    record(r, c);
    const double lp = r.target_value();
    Numbers gradient(c.x.size());
    r.pull_back(gradient);
    expect_gradient(c, lp, gradient, " without a tape");
  }
}

/// The gradient, and products that are finite; where a slope of 0 takes the place of an infinite one its own slope is 0.
TEST_P(CornerEngines, SecondDerivatives) {
  std::size_t covered = 0;
  for (const MapCorner& c : map_corners()) {
    const auto tape = density(c, Jit::Never, GetParam());
    if (SecondOrder::not_covered(*tape)) continue;
    ++covered;
    SecondOrder second(tape);
    double lp = 0;
    Numbers gradient(c.x.size()), product(c.x.size());
    ASSERT_EQ(second.move_to(c.x, &lp, gradient).kind, ReplayStatus::Kind::Ok) << c.name();
    expect_gradient(c, lp, gradient, " of second order");
    for (std::size_t j = 0; j < c.x.size(); ++j) {
      Numbers direction(c.x.size());
      if (std::isnan(c.slopes[j])) continue;
      direction[j] = 1;
      second.times(direction, product);
      if (c.reason == "infinite") {
        EXPECT_EQ(product[j], 0) << c.name();
      }
      EXPECT_TRUE(std::isfinite(product[j])) << c.name() << " moved along " << j;
    }
  }
  EXPECT_GT(covered, 20u);
}
INSTANTIATE_TEST_SUITE_P(All, CornerEngines, ::testing::Bool(), [](const auto& p) { return p.param ? "Rewritten" : "AsRecorded"; });

TEST(CornerEnginesOfOnePoint, SecondDerivativesOfPowers) {
  for (const double exponent : {0.5, 1.0, 1.5, 2.0, 3.0}) {
    Recorder r(Numbers{0.0});
    const Ref x[] = {Ref::slot(0), r.constant(exponent)};
    r.target(r.map(find_map("pow"), x));
    SecondOrder second(std::make_shared<const Tape>(std::move(r).finish(), Jit::Never));
    double lp = 0;
    Numbers gradient(1), product(1);
    ASSERT_EQ(second.move_to(Numbers{0.0}, &lp, gradient).kind, ReplayStatus::Kind::Ok);
    second.times(Numbers{1.0}, product);
    EXPECT_EQ(gradient[0], exponent == 1 ? 1 : 0) << exponent;
    EXPECT_EQ(product[0], exponent == 2 ? 2 : 0) << exponent;
  }
}

/// Directions are unit vectors: rows of tangents are the slopes.
TEST(CornerEnginesOfOnePoint, Tangents) {
  constexpr std::size_t kLanes = 8;
  std::size_t covered = 0;
  for (const MapCorner& c : map_corners())
    for (const Jit jit : {Jit::Never, Jit::Always}) {
      if (std::ranges::any_of(c.slopes, [](double s) { return std::isnan(s); })) continue;
      Recorder r(c.x);
      const Ref results[] = {times(r, apply(r, c), kFactor)};
      r.outputs(results);
      auto program = TangentProgram::make(Tape(std::move(r).finish(), jit));
      if (!program) continue;
      ++covered;
      TangentRun run(std::move(program));
      for (int again = 0; again < 3; ++again) {
        Numbers tangents(run.tangent_rows() * kLanes), rows(kLanes);
        for (std::size_t j = 0; j < c.x.size(); ++j) tangents[j * kLanes + j] = 1;
        double value = 0;
        ASSERT_TRUE(run.run(c.x.data(), tangents.data(), kLanes, &value, rows.data())) << c.name();
        expect_as_in_table(value, kFactor * c.value, c.name());
        for (std::size_t j = 0; j < c.x.size(); ++j)
          expect_as_in_table(rows[j], kFactor * c.slopes[j], c.name() + (jit == Jit::Always ? " tangents in machine code" : " tangents"));
        for (std::size_t j = c.x.size(); j < kLanes; ++j) EXPECT_EQ(rows[j], 0) << c.name() << " where nothing moves";
      }
    }
  EXPECT_GT(covered, 40u);
}

}  // namespace
}  // namespace fermiac::ad

namespace fermiac::interp {
namespace {

/// A function of k whose right derivative is known; u = 0 * k.
struct Solved {
  const char* name;
  const char* functions;
  const char* expression;
  double value, derivative;
};

class CornersInSolvers : public ::testing::TestWithParam<Solved> {};

TEST_P(CornersInSolvers, HaveFiniteSlopes) {
  const Solved& s = GetParam();
  const std::string program = std::string("functions { ") + s.functions + " } parameters { real k; } transformed parameters { real u = 0 * k; } model { target += " +
                              s.expression + "; }";
  for (const double first : {0.3, 0.7}) {
    const Gradient g = evaluate(program, {first}, {0.3});
    ASSERT_EQ(g.error, "");
    EXPECT_NEAR(g.lp, s.value, 1e-6 * (1 + std::fabs(s.value)));
    EXPECT_NEAR(g.grad.at(0), s.derivative, 1e-6 * (1 + std::fabs(s.derivative)));
  }
}

/// From y = 0 there is no way out: y' = -k sqrt(y).
constexpr const char* kDecay = "vector f(real t, vector y, real k) { return -k * sqrt(y); } vector steps(real t, vector y, real k) "
                               "{ vector[1] d; d[1] = y[1] > 2 ? 0 : -k * sqrt(fmax(y[1], 0)); return d; }";
/// y = 1 - k t + (k t)²/4 from 1, and cbrt, hypot and pow of what is 0 at the start.
constexpr const char* kCorners = "vector f(real t, vector y, real k) { return [k + cbrt(0 * y[1]) + hypot(0 * y[1], 0 * k) + pow(0 * y[1], 0.5) + asin(1 - 0 * y[1]) - pi() / 2]'; }";
constexpr const char* kRoot = "vector f(vector x, real k, real u) { return [x[1] - k - sqrt(u) - cbrt(0 * x[1])]'; }";
INSTANTIATE_TEST_SUITE_P(
    All, CornersInSolvers,
    ::testing::Values(
        Solved{"Rk45", kDecay, "ode_rk45(f, [u]', 0, {1.0}, k)[1][1]", 0, 0}, Solved{"Ckrk", kDecay, "ode_ckrk(f, [u]', 0, {1.0}, k)[1][1]", 0, 0},
        Solved{"Bdf", kDecay, "ode_bdf(f, [u]', 0, {1.0}, k)[1][1]", 0, 0}, Solved{"Adams", kDecay, "ode_adams(f, [u]', 0, {1.0}, k)[1][1]", 0, 0},
        Solved{"Branching", kDecay, "ode_rk45(steps, [u]', 0, {1.0}, k)[1][1]", 0, 0},
        Solved{"Adjoint", kDecay,
               "ode_adjoint_tol_ctl(f, [u]', 0, {1.0}, 1e-8, [1e-8]', 1e-8, [1e-8]', 1e-8, 1e-8, 10000, 100, 1, 1, 1, k)[1][1]", 0, 0},
        Solved{"OtherMaps", kCorners, "ode_rk45(f, [0]', 0, {1.0}, k)[1][1]", 0.3, 1}, Solved{"OtherMapsByBdf", kCorners, "ode_bdf(f, [0]', 0, {1.0}, k)[1][1]", 0.3, 1},
        Solved{"Newton", kRoot, "solve_newton(f, [0.1]', k, u)[1]", 0.3, 1}, Solved{"Powell", kRoot, "solve_powell(f, [0.1]', k, u)[1]", 0.3, 1},
        Solved{"Quadrature", "real f(real x, real xc, array[] real theta, array[] real xr, array[] int xi) { return theta[1] + sqrt(0 * theta[1] * x); }",
               "integrate_1d(f, 0.0, 1.0, {k}, {0.0}, {1})", 0.3, 1},
        Solved{"Dae", "vector f(real t, vector y, vector yp, real k) { return [yp[1] - k - sqrt(0 * y[1])]'; }", "dae(f, [u]', [k]', 0, {1.0}, k)[1][1]", 0.3, 1},
        Solved{"MapRect", "vector f(vector phi, vector theta, data array[] real xr, data array[] int xi) { return [sqrt(phi[1] * 0) + theta[1]]'; }",
               "sum(map_rect(f, [k]', {[k]', [k]'}, {{0.0}, {0.0}}, {{1}, {1}}))", 0.6, 2}),
    [](const auto& s) { return std::string(s.param.name); });

/// A tape has machine code after 64 replays.
TEST(CornersInPrograms, StayAfterManyReplays) {
  const auto compiled = compile_model({.text = "parameters { real k; } transformed parameters { real u = 0 * k; } model { real s = k; for (i in 1:20) "
                                               "s = s * 0.5 + sqrt(u) + cbrt(u) + hypot(u, u) + pow(u, 0.5) - square(sqrt(u)) * s; target += s; }",
                                       .path = "test.stan", .name = "test"});
  ASSERT_TRUE(*compiled);
  const InterpModel model(compiled, DataSource::parse("{}", "test"), 1);
  const auto workspace = model.workspace();
  for (int i = 0; i < 200; ++i) {
    const Gradient g = testing::evaluate(*workspace, {0.3 + 0.001 * i});
    ASSERT_EQ(g.error, "");
    ASSERT_NEAR(g.grad.at(0), std::ldexp(1.0, -20), 1e-15) << "replay " << i;
  }
}

}  // namespace
}  // namespace fermiac::interp
