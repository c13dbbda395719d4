// A tape at several points at once against the same tape at each of them: the same numbers bit for bit. Random recordings, every map
// in every form, and what has no form. FERMIAC_LANES_SEED and FERMIAC_LANES_TAPES make the run another or a longer one.
#include "autodiff/kernels/isa.h"
#include "autodiff/tape/replay/lanes.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "autodiff/kernels/kernel.h"
#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "tests/shared/map_points.h"
#include "tests/shared/random_trace.h"
#include "tests/shared/setting.h"

namespace fermiac::ad {
namespace {

using testing::RandomTrace;
using testing::setting;
using Numbers = std::vector<double>;

std::string bits(const Numbers& numbers) {
  std::string out;
  for (const double x : numbers)
    out += " " + std::to_string(std::isnan(x) ? 0x7ff8u : x == 0 ? 0 : std::bit_cast<std::uint64_t>(x));
  return out;
}

/// The gradient and the log density, or nothing.
Numbers alone(Workspace& w, const Numbers& theta) {
  Numbers out(theta.size() + 1);
  w.poison();
  const ReplayStatus status = w.gradient(theta, &out.back(), std::span(out).first(theta.size()));
  return status.kind == ReplayStatus::Kind::Ok ? out : Numbers();
}

std::vector<Numbers> together(Lanes& lanes, const std::vector<Numbers>& thetas) {
  std::vector<Numbers> out;
  std::vector<Lanes::Point> points;
  for (const Numbers& theta : thetas) out.emplace_back(theta.size() + 1);
  for (std::size_t k = 0; k < thetas.size(); ++k)
    points.push_back({thetas[k], &out[k].back(), std::span(out[k]).first(thetas[k].size())});
  lanes.poison();
  const std::uint64_t good = lanes.gradients(points);
  for (std::size_t k = 0; k < thetas.size(); ++k)
    if ((good >> k & 1u) == 0) out[k].clear();
  return out;
}

/// Bit for bit where the instruction set cannot fuse products with sums; else the compiler fuses other ones than for one point.
void expect_equal(const Numbers& got, const Numbers& expected, const std::string& what) {
  static const bool kExact = isa_name(active_isa()) == "sse2";
  if (kExact || got.size() != expected.size()) {
    EXPECT_EQ(bits(got), bits(expected)) << what;
    return;
  }
  double largest = 1;
  for (const double x : expected)
    if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < got.size(); ++i)
    if (bits({got[i]}) != bits({expected[i]})) {
      EXPECT_NEAR(got[i], expected[i], 1e-13 * largest) << what;
    }
}

void expect_same(const std::shared_ptr<const Tape>& tape, const std::vector<Numbers>& thetas, const std::string& what) {
  ASSERT_TRUE(Lanes::fit(*tape)) << what;
  Lanes lanes(tape);
  Workspace workspace(tape);
  for (std::size_t begin = 0, n; begin < thetas.size(); begin += n) {
    n = std::min<std::size_t>(begin == 0 ? 1 : Lanes::width(), thetas.size() - begin);  // one lane alone, then all
    const std::vector<Numbers> some(thetas.begin() + static_cast<std::ptrdiff_t>(begin), thetas.begin() + static_cast<std::ptrdiff_t>(begin + n));
    const std::vector<Numbers> got = together(lanes, some);
    for (std::size_t k = 0; k < n; ++k) {
      const Numbers expected = alone(workspace, some[k]);
      EXPECT_EQ(got[k].empty(), expected.empty()) << what << ": point " << begin + k << " is refused by one";
      expect_equal(got[k], expected, what + ": point " + std::to_string(begin + k) + "\n" + tape->dump());
    }
  }
}

std::shared_ptr<const Tape> tape_of(Trace trace) { return std::make_shared<const Tape>(std::move(trace), Jit::Never); }

TEST(Lanes, SayWhatEachPointSays) {
  const std::uint64_t first = setting("FERMIAC_LANES_SEED", 1), tapes = setting("FERMIAC_LANES_TAPES", 200);
  for (std::uint64_t seed = first; seed < first + tapes; ++seed) {
    SCOPED_TRACE(seed);
    RandomTrace random(seed, 1 + seed % 9);
    Trace trace = random.density(10 + seed % 191);
    if (seed % 2 == 0) rewrite(trace, {});
    std::vector<Numbers> thetas;
    for (int k = 0; k < 13; ++k) {
      thetas.push_back(random.theta);
      for (double& x : thetas.back()) x += k < 9 ? 1e-7 * k : 0.2 * k - 2;  // some take another path
    }
    thetas[3][0] = seed % 3 == 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    const auto tape = tape_of(std::move(trace));
    if (Lanes::fit(*tape)) expect_same(tape, thetas, "random");
    if (HasFailure()) return;
  }
}

// ---- every map

constexpr std::uint32_t kLengths[] = {1, 3, 8, 19, 70};

/// Operands of one application: parameters, or constants where the function takes ints or `data` says so.
class Application {
 public:
  Application(const MapOp& op, const bench::Points& points, std::uint32_t n, unsigned vectors, unsigned data)
      : op_(op), points_(points), n_(n), vectors_(vectors), data_(data) {
    for (int j = 0; j < op.arity; ++j)
      for (std::uint32_t i = 0; !is_data(j) && i < length(j); ++i) theta_.push_back(number(j, i));
  }
  bool has_parameters() const { return !theta_.empty(); }

  /// All forms: vectors of results, their sum, terms of target.
  std::shared_ptr<const Tape> tape() {
    Recorder r(theta_);
    const MapCode code = find_map(op_.name);
    const std::vector<Operand> x = operands(r);
    std::uint8_t autodiff = 0;
    for (int j = 0; j < op_.arity; ++j) autodiff |= static_cast<std::uint8_t>(x[static_cast<std::size_t>(j)].autodiff << j);
    const Keep keep = op_.density ? Keep{n_ % 2 ? autodiff : std::uint8_t{0xff}, autodiff} : Keep{0xff, autodiff};
    if (vectors_ != 0 && !op_.product) {
      r.sink(code, x, n_, keep);
      const Ref sum = r.reduce(code, x, n_, keep);
      const Ref sums[] = {sum, sum};
      r.target(r.map(find_map("multiply"), sums));
    }
    if (vectors_ != 0) {
      const Ref results = r.map_vector(code, x, n_, keep);
      const Operand product[] = {{results, true, true}, {results, true, true}};
      r.target(r.map_vector(find_map("multiply"), product, n_), n_);
    } else {
      std::vector<Ref> refs;
      for (const Operand& o : x) refs.push_back(o.ref);
      const Ref result = r.map(code, refs, keep);
      const Ref two[] = {result, result};
      r.target(r.map(find_map("multiply"), two));
      if (!op_.product) r.sink(code, x, 1, keep);
    }
    return tape_of(std::move(r).finish());
  }
  /// Parameters of other points: each operand takes numbers that the finder found together.
  Numbers theta(std::size_t k) const {
    Numbers out;
    for (int j = 0; j < op_.arity; ++j)
      for (std::uint32_t i = 0; !is_data(j) && i < length(j); ++i) out.push_back(number(j, i, 7 * k));
    return out;
  }

 private:
  bool is_vector(int j) const { return (vectors_ >> j & 1u) != 0; }
  bool is_data(int j) const { return points_.kinds[static_cast<std::size_t>(j)] == 'i' || (data_ >> j & 1u) != 0; }
  std::uint32_t length(int j) const { return is_vector(j) ? n_ : 1; }
  double number(int j, std::uint32_t i, std::size_t shift = 0) const {
    const auto& column = points_.x[static_cast<std::size_t>(j)];
    return column[(i + shift) % column.size()];
  }
  std::vector<Operand> operands(Recorder& r) const {
    std::vector<Operand> out;
    std::uint32_t slot = 0;
    for (int j = 0; j < op_.arity; ++j) {
      if (is_data(j)) {
        Numbers block;
        for (std::uint32_t i = 0; i < length(j); ++i) block.push_back(number(j, i));
        out.push_back({is_vector(j) ? r.constant_block(block.data(), n_) : r.constant(block[0]), is_vector(j), false});
      } else {
        std::vector<Ref> refs;
        for (std::uint32_t i = 0; i < length(j); ++i) refs.push_back(Ref::slot(slot++));
        out.push_back({is_vector(j) ? r.gather(refs) : refs[0], is_vector(j), true});
      }
    }
    return out;
  }

  const MapOp& op_;
  const bench::Points& points_;
  std::uint32_t n_;
  unsigned vectors_, data_;
  Numbers theta_;
};

/// Combinations of operands may lie outside the domain: the recording says so.
std::shared_ptr<const Tape> recorded(Application& a) {
  try {
    return a.tape();
  } catch (const std::exception&) {
    return nullptr;
  }
}

TEST(Lanes, EveryMapInEveryForm) {
  std::size_t tried = 0, with_forms = 0;
  for (const MapOp& op : all_maps()) {
    const bench::Points points = [&] {
      const auto kinds = bench::scalar_kinds(op.function(), op.arity);
      const auto found = bench::PointFinder(op, kinds ? *kinds : std::string(op.arity, 'r')).find(97);
      return found ? *found : bench::Points{};
    }();
    if (points.x.empty() || op.flat) continue;
    with_forms += bool(lane_forms(find_map(op.name)));
    for (unsigned vectors = 0; vectors < 1u << op.arity; ++vectors)
      for (unsigned data = 0; data + 1 < 1u << op.arity; data += 1 + (op.arity > 2 ? 2 : 0))
        for (const std::uint32_t n : kLengths) {
          if (vectors == 0 && n > 3) continue;
          Application application(op, points, n, vectors, data);
          if (!application.has_parameters()) continue;
          const auto tape = recorded(application);
          if (!tape) continue;
          std::vector<Numbers> thetas;
          for (std::size_t k = 0; k < 1 + Lanes::width(); ++k) thetas.push_back(application.theta(k));
          ++tried;
          expect_same(tape, thetas, std::string(op.name) + " n " + std::to_string(n) + " vectors " + std::to_string(vectors) + " data " + std::to_string(data));
          if (HasFailure()) return;
        }
  }
  EXPECT_GT(tried, 1000u);
  EXPECT_GT(with_forms, 80u);
}

// ---- gathers, calls, views that overlap

TEST(Lanes, GathersOfAllPlans) {
  for (const std::uint32_t n : {5u, 40u, 300u})
    for (const std::uint32_t sources : {1u, 2u, 4u, 7u, 30u})
      for (const bool runs : {false, true}) {
        Numbers start(sources);
        for (std::uint32_t i = 0; i < sources; ++i) start[i] = 0.1 * i - 0.3;
        Recorder r(start);
        std::vector<Ref> refs;
        for (std::uint32_t i = 0; i < n; ++i) refs.push_back(Ref::slot(runs ? i * sources / n : (i * 7) % sources));
        const Operand x[] = {{r.gather(refs), true, true}};
        r.target(r.map_vector(find_map("exp"), x, n), n);
        std::vector<Numbers> thetas;
        for (int k = 0; k < 10; ++k) {
          thetas.push_back(start);
          for (double& t : thetas.back()) t += 0.01 * k * k;
        }
        expect_same(tape_of(std::move(r).finish()), thetas, "gather of " + std::to_string(n) + " from " + std::to_string(sources));
      }
}

/// y[2:] and y[:n-1] as operands of one op: adjoints meet.
TEST(Lanes, OverlappingViews) {
  for (const std::uint32_t n : {3u, 9u, 33u}) {
    Numbers start(n + 1);
    for (std::uint32_t i = 0; i <= n; ++i) start[i] = std::sin(i + 1.0);
    for (const bool first_behind : {false, true}) {
      Recorder r(start);
      const Operand x[] = {{Ref::slot(first_behind ? 1 : 0), true, true}, {Ref::slot(first_behind ? 0 : 1), true, true}, {r.constant(0.7), false, false}};
      r.sink(find_map("normal_lpdf"), x, n, Keep::propto(0b11));
      r.target(r.map_vector(find_map("multiply"), std::span(x, 2), n), n);
      std::vector<Numbers> thetas;
      for (int k = 0; k < 10; ++k) {
        thetas.push_back(start);
        for (double& t : thetas.back()) t = t * (1 + 0.1 * k) - 0.03 * k;
      }
      expect_same(tape_of(std::move(r).finish()), thetas, "views of " + std::to_string(n));
    }
  }
}

/// Kernels run point by point; one whose point they refuse does not keep the others.
TEST(Lanes, CallsRunPointByPoint) {
  const Numbers start = {1.5, 0.2, 0.2, 1.1, 0.4, -0.3};
  Recorder r(start);
  const auto result = r.call(*find_kernel("cholesky_decompose"), "cholesky_decompose", std::vector<KernelOperand>{{.shape = Shape::matrix(2, 2), .ref = Ref::slot(0), .autodiff = true}});
  const Operand x[] = {{result.ref, true, true}, {result.ref, true, true}};
  r.target(r.map_vector(find_map("multiply"), x, 4), 4);
  const Operand y[] = {{Ref::slot(4), true, true}, {r.constant(0), false, false}, {result.ref, false, true}};
  r.sink(find_map("normal_lpdf"), y, 2);
  std::vector<Numbers> thetas;
  for (int k = 0; k < 12; ++k) {
    thetas.push_back(start);
    thetas.back()[0] += 0.1 * k;
    if (k % 4 == 2) thetas.back()[0] = -1;  // not positive definite
  }
  expect_same(tape_of(std::move(r).finish()), thetas, "Cholesky");
}

TEST(Lanes, WhatDoesNotFitSaysSo) {
  const Numbers start(5000, 0.1);
  Recorder r(start);
  const Operand x[] = {{Ref::slot(0), true, true}, {r.constant(0), false, false}, {r.constant(1), false, false}};
  r.sink(find_map("normal_lpdf"), x, 5000);
  EXPECT_FALSE(Lanes::fit(*tape_of(std::move(r).finish())));
  Recorder weighed(Numbers{1.0});
  weighed.declare_weights(Numbers{2.0});
  weighed.set_weight(Weight{1});
  weighed.target(Ref::slot(0));
  EXPECT_FALSE(Lanes::fit(*tape_of(std::move(weighed).finish())));
}

}  // namespace
}  // namespace fermiac::ad
