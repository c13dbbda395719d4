// Terms of target that count more or less than once: each kind of term, as recorded, under every rewriting pass and without each,
// and evaluated without a tape, is what it is without a weight times the weight.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/replay/tape.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

constexpr std::size_t kParameters = 16;

constexpr Ref p(std::size_t i) { return Ref::slot(i); }

Ref map(Recorder& r, const char* name, std::vector<Ref> x) { return r.map(find_map(name), x); }

std::vector<double> waves(std::size_t n, double step) {
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(std::sin(step * static_cast<double>(i)));
  return out;
}

void normal(Recorder& r, Operand y, Operand mu, Operand sigma, std::uint32_t n = 1) {
  const Operand x[] = {y, mu, sigma};
  r.sink(find_map("normal_lpdf"), x, n, Keep::everything());
}
Operand number(Recorder& r, double x) { return {r.constant(x), false, false}; }
Operand active(Ref r) { return {r, false, true}; }
Operand data(Recorder& r, const std::vector<double>& x) {
  return {r.constant_block(x.data(), static_cast<std::uint32_t>(x.size())), true, false};
}

struct Terms {
  const char* name;
  std::function<void(Recorder&)> add;
  bool is_long = false;  // takes a while
};

/// a + b x for data x, with a and b parameters.
Ref line(Recorder& r, std::size_t n) {
  const auto m = static_cast<std::uint32_t>(n);
  const Operand product[] = {active(p(1)), data(r, waves(n, 0.7))};
  const Operand sum[] = {active(p(0)), {r.map_vector(find_map("multiply"), product, m), true, true}};
  return r.map_vector(find_map("add"), sum, m);
}

void bernoullis(Recorder& r) {
  const Ref theta = map(r, "inv_logit", {p(0)});
  for (int i = 0; i < 5; ++i) {
    const Operand x[] = {number(r, i % 2), active(theta)};
    r.sink(find_map("bernoulli_lpmf"), x, 1, Keep::everything());
  }
}

void multivariate(Recorder& r) {
  const double mean[] = {0.2, -0.1}, factor[] = {1.1, 0.3, 0, 0.8};
  const KernelOperand x[] = {{.shape = Shape::vector(2), .ref = p(0), .autodiff = true},
                             {.shape = Shape::vector(2), .ref = r.constant_block(mean, 2)},
                             {.shape = Shape::matrix(2, 2), .ref = r.constant_block(factor, 4)}};
  r.call_sink(*find_kernel("multi_normal_cholesky_lpdf"), "multi_normal_cholesky_lpdf", x);
}

/// Sums a loop over data up: `sum += …; target += sum`.
void running_sum(Recorder& r, int rounds) {
  Ref sum = r.constant(0);
  const LoopNest::Id loop = r.begin_loop(Site{3}, rounds);
  for (int i = 0; i < rounds; ++i) {
    if (loop != 0) r.next_round(loop);
    const Ref mu = map(r, "multiply", {p(0), r.operand(0.01 * (i % 7))});
    sum = map(r, "add", {sum, map(r, "normal_lpdf", {r.operand(std::sin(i)), mu, p(2)})});
  }
  if (loop != 0) r.end_loop(loop);
  r.target(sum);
}

void long_loop(Recorder& r, int rounds) {
  const LoopNest::Id loop = r.begin_loop(Site{4}, rounds);
  for (int i = 0; i < rounds; ++i) {
    if (loop != 0) r.next_round(loop);
    const Ref mu = map(r, "add", {p(0), map(r, "multiply", {p(1), r.operand(0.001 * i)})});
    normal(r, {r.operand(std::sin(i)), false, false}, active(mu), active(p(2)));
    r.target(mu);
  }
  if (loop != 0) r.end_loop(loop);
}

void scalar_terms(Recorder& r) {
  for (std::size_t i = 4; i < kParameters; ++i) {
    normal(r, active(p(i)), active(p(0)), active(p(2)));
    r.target(map(r, "exp", {p(i)}));
  }
}

const std::vector<Terms>& kinds() {
  static const std::vector<Terms> kKinds = {
      {"one density of scalars", [](Recorder& r) { normal(r, number(r, 1.5), active(p(0)), active(p(2))); }},
      {"densities of scalars, and numbers", scalar_terms},
      {"densities of one probability", bernoullis},
      {"a density of a vector of parameters", [](Recorder& r) { normal(r, {p(8), true, true}, active(p(0)), active(p(2)), 8); }},
      {"a regression", [](Recorder& r) { normal(r, data(r, waves(40, 1.3)), {line(r, 40), true, true}, active(p(2)), 40); }},
      {"a regression on the log scale", [](Recorder& r) {
         const Operand x[] = {data(r, std::vector<double>(600, 2)), {line(r, 600), true, true}};
         r.sink(find_map("poisson_log_lpmf"), x, 600, Keep::everything());
       }},
      {"the numbers of a vector", [](Recorder& r) { r.target(line(r, 600), 600); }},
      {"a sum", [](Recorder& r) {
         const Operand x[] = {{line(r, 600), true, true}, number(r, 0)};
         const Ref pair[] = {r.reduce(find_map("add"), x, 600), r.constant(0.7)};
         r.target(r.map(find_map("add"), pair));
       }},
      {"a multivariate density", multivariate},
      {"a number", [](Recorder& r) { r.target(p(3)); }},
      {"a block", [](Recorder& r) { r.target(p(8), 8); }},
      {"a constant", [](Recorder& r) { r.target_constant(-2.5), r.target(r.constant(1.25)); }},
      {"a short sum of densities", [](Recorder& r) { running_sum(r, 40); }},
      {"a long sum of densities", [](Recorder& r) { running_sum(r, 60000); }, true},
      {"a long loop", [](Recorder& r) { long_loop(r, 60000); }, true},
      {"a long vector", [](Recorder& r) { normal(r, data(r, waves(70000, 1.3)), active(p(0)), active(p(2)), 70000); }, true},
  };
  return kKinds;
}

std::vector<double> start() {
  std::vector<double> theta = waves(kParameters, 0.9);
  theta[2] = 1.4;
  return theta;
}
std::vector<double> elsewhere() {
  std::vector<double> theta = waves(kParameters, 1.7);
  theta[2] = 0.8;
  return theta;
}

struct Result {
  double lp = 0;
  std::vector<double> gradient = std::vector<double>(kParameters);
};

/// With terms that count once before, between and behind, so that nothing that has a weight may join them.
void around(Recorder& r, const std::function<void(Recorder&)>& body) {
  r.target(p(3));
  normal(r, number(r, 0.4), active(p(0)), active(p(2)));
  body(r);
  bernoullis(r);
}

Result result_of(Workspace& w) {
  Result out;
  w.poison();
  const ReplayStatus status = w.gradient(elsewhere(), &out.lp, out.gradient);
  EXPECT_EQ(status.kind, ReplayStatus::Kind::Ok) << status.message;
  double lp = 0;
  EXPECT_EQ(w.value(elsewhere(), &lp).kind, ReplayStatus::Kind::Ok);
  EXPECT_NEAR(lp, out.lp, 1e-12 * (1 + std::fabs(lp)));
  return out;
}

std::unique_ptr<Workspace> workspace(const std::function<void(Recorder&)>& body, const RewriteOptions& options) {
  Recorder r(start());
  body(r);
  Trace trace = std::move(r).finish();
  RewriteOptions checked = options;
  checked.verify = true;
  rewrite(trace, checked);
  return std::make_unique<Workspace>(std::make_shared<const Tape>(std::move(trace), Jit::Never));
}

Result direct(const std::function<void(Recorder&)>& body, bool keeps_terms) {
  Result out;
  Recorder r({});
  r.evaluate(elsewhere(), true, keeps_terms);
  body(r);
  out.lp = r.target_value();
  r.pull_back(out.gradient);
  return out;
}

/// `with` = without + Σ (weight - 1) alone, where `alone` is what the terms are by themselves.
void expect_weighed(const Result& with, const Result& without, const std::vector<std::pair<double, Result>>& alone) {
  const auto expect = [](double got, double plain, double change) {
    EXPECT_NEAR(got, plain + change, 1e-10 * (1 + std::fabs(plain) + std::fabs(change)));
  };
  double change = 0;
  for (const auto& [weight, terms] : alone) change += (weight - 1) * terms.lp;
  expect(with.lp, without.lp, change);
  for (std::size_t i = 0; i < kParameters; ++i) {
    change = 0;
    for (const auto& [weight, terms] : alone) change += (weight - 1) * terms.gradient[i];
    expect(with.gradient[i], without.gradient[i], change);
  }
}

/// All passes, none, each left out, and tiles of few elements.
std::vector<std::pair<std::string, RewriteOptions>> ways(const Terms& terms) {
  static std::vector<std::string_view> skipped;
  if (skipped.empty())
    for (const RewritePass& pass : rewrite_passes()) skipped.push_back(pass.name);
  std::vector<std::pair<std::string, RewriteOptions>> out = {{"all", {}}, {"none", {.enabled = false}}, {"short tiles", {.short_tiles = true}}};
  if (terms.is_long) return out;
  for (const std::string_view& name : skipped) out.push_back({"without " + std::string(name), {.skip = {&name, 1}}});
  return out;
}

void weighed(Recorder& r, double weight, const Terms& terms) {
  const WeightScope scope(r, r.constant_weight(weight));
  terms.add(r);
}

TEST(WeighedTarget, ConstantWeightsScaleEachKindOfTermUnderEachPass) {
  for (const Terms& terms : kinds()) {
    const Result alone = result_of(*workspace(terms.add, {.enabled = false}));
    const Result plain = result_of(*workspace([&](Recorder& r) { around(r, terms.add); }, {.enabled = false}));
    for (const auto& [way, options] : ways(terms))
      for (const double weight : {0.3, 1.0, 2.5}) {
        SCOPED_TRACE(std::string(terms.name) + ", " + way + ", weight " + std::to_string(weight));
        const auto w = workspace([&](Recorder& r) { around(r, [&](Recorder& s) { weighed(s, weight, terms); }); }, options);
        expect_weighed(result_of(*w), plain, {{weight, alone}});
      }
  }
}

TEST(WeighedTarget, TermsOfDifferentWeightsStayApart) {
  for (const Terms& terms : kinds()) {
    const Result alone = result_of(*workspace(terms.add, {.enabled = false}));
    for (const auto& [way, options] : ways(terms)) {
      SCOPED_TRACE(std::string(terms.name) + ", " + way);
      const auto w = workspace(
          [&](Recorder& r) {
            terms.add(r);
            weighed(r, 0.5, terms);
            weighed(r, 4, terms);
            weighed(r, 0.5, terms);
          },
          options);
      expect_weighed(result_of(*w), alone, {{1 + 0.5 + 4 + 0.5, alone}});
    }
  }
}

TEST(WeighedTarget, WeightsMayBeSetBetweenReplays) {
  for (const Terms& terms : kinds())
    for (const auto& [way, options] : ways(terms)) {
      SCOPED_TRACE(std::string(terms.name) + ", " + way);
      const Result alone = result_of(*workspace(terms.add, {.enabled = false}));
      const Result plain = result_of(*workspace([&](Recorder& r) { around(r, terms.add); }, {.enabled = false}));
      const auto w = workspace(
          [&](Recorder& r) {
            const double ones[] = {1, 0.25};
            r.declare_weights(ones);
            around(r, [&](Recorder& s) {
              const WeightScope scope(s, Weight{1});
              terms.add(s);
            });
            const WeightScope scope(r, Weight{2});
            terms.add(r);
          },
          options);
      ASSERT_EQ(w->tape().settable_weights(), 2u);
      expect_weighed(result_of(*w), plain, {{1.25, alone}});
      for (const auto& weights : std::vector<std::vector<double>>{{0.3, 2.0}, {0.0, 0.0}, {1.0, 0.0}, {0.0, 3.0}}) {
        w->set_weights(weights);
        expect_weighed(result_of(*w), plain, {{weights[0] + weights[1], alone}});
      }
    }
}

TEST(WeighedTarget, PointsWithoutATape) {
  for (const Terms& terms : kinds())
    for (const bool keeps_terms : {false, true})
      for (const double weight : {0.3, 1.0, 2.5}) {
        SCOPED_TRACE(std::string(terms.name) + (keeps_terms ? ", as terms" : "") + ", weight " + std::to_string(weight));
        const Result alone = direct(terms.add, keeps_terms);
        const Result plain = direct([&](Recorder& r) { around(r, terms.add); }, keeps_terms);
        expect_weighed(direct([&](Recorder& r) { around(r, [&](Recorder& s) { weighed(s, weight, terms); }); }, keeps_terms), plain, {{weight, alone}});
      }
}

TEST(WeighedTarget, ManyWeightsOfFewTermsAreAVector) {
  const auto body = [](Recorder& r, bool by_weights) {
    const Ref sd = map(r, "exp", {p(1)});
    for (int i = 0; i < 40; ++i) {
      const double weight = 0.1 * (i % 13 + 1);
      const auto terms = [&](Recorder& s) {
        normal(s, number(s, std::sin(i)), active(p(static_cast<std::size_t>(i) % 4 + 4)), active(sd));
        s.target(map(s, "exp", {p(static_cast<std::size_t>(i) % 8 + 8)}));
      };
      if (by_weights) weighed(r, weight, {"", terms});
      else terms(r);
    }
  };
  Result plain;
  for (int i = 0; i < 40; ++i) {
    const Result one = result_of(*workspace([&](Recorder& r) {
      normal(r, number(r, std::sin(i)), active(p(static_cast<std::size_t>(i) % 4 + 4)), active(map(r, "exp", {p(1)})));
      r.target(map(r, "exp", {p(static_cast<std::size_t>(i) % 8 + 8)}));
    }, {.enabled = false}));
    plain.lp += 0.1 * (i % 13 + 1) * one.lp;
    for (std::size_t k = 0; k < kParameters; ++k) plain.gradient[k] += 0.1 * (i % 13 + 1) * one.gradient[k];
  }
  for (const auto& [way, options] : ways({"", {}})) {
    SCOPED_TRACE(way);
    expect_weighed(result_of(*workspace([&](Recorder& r) { body(r, true); }, options)), plain, {});
  }
  const auto ops = [&](bool by_weights) { return workspace([&](Recorder& r) { body(r, by_weights); }, {})->tape().op_count(); };
  EXPECT_LE(ops(true), ops(false) + 4);
}

/// Half of target so far, added to it.
void add_half(Recorder& r) { r.target(map(r, "multiply", {r.target_ref(), r.constant(0.5)})); }

TEST(WeighedTarget, ProgramsReadTheWeighedTarget) {
  for (const Terms& terms : kinds()) {
    SCOPED_TRACE(terms.name);
    const auto body = [&](Recorder& r) {
      weighed(r, 0.3, terms);
      add_half(r);
    };
    const Result alone = result_of(*workspace(terms.add, {.enabled = false}));
    expect_weighed(result_of(*workspace(body, {})), alone, {{0.45, alone}});
    expect_weighed(direct(body, true), alone, {{0.45, alone}});
  }
}

TEST(WeighedTarget, WhatDoesNotCountIsNotEvaluated) {
  const auto body = [](Recorder& r) {
    const double one[] = {1};
    r.declare_weights(one);
    const WeightScope scope(r, Weight{1});
    normal(r, number(r, 0.4), active(p(0)), active(p(2)));
    normal(r, {p(8), true, true}, active(p(0)), active(p(2)), 8);
  };
  const auto w = workspace(body, {});
  std::vector<double> theta = start();
  theta[2] = -1;  // no standard deviation
  double lp = 0;
  EXPECT_EQ(w->value(theta, &lp).kind, ReplayStatus::Kind::DomainError);
  w->set_weights(std::vector{0.0});
  EXPECT_EQ(w->value(theta, &lp).kind, ReplayStatus::Kind::Ok);
  EXPECT_EQ(lp, 0);
}

TEST(WeighedTarget, NoWeightIsNegativeOrInfinite) {
  Recorder r(start());
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const double one[] = {1};
  r.declare_weights(one);
  r.target(p(0));
  Workspace w(std::make_shared<const Tape>(std::move(r).finish(), Jit::Never));
  for (const double weight : {-1.0, -HUGE_VAL, HUGE_VAL, std::nan("")}) {
    EXPECT_DEATH((void)Recorder(start()).constant_weight(weight), "finite and not negative");
    EXPECT_DEATH(w.set_weights(std::vector{weight}), "finite and not negative");
  }
}

}  // namespace
}  // namespace fermiac::ad
