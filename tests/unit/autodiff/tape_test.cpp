// Recorder, layout and replay on small hand-made recordings: values, gradients against central differences, guards,
// dead ops, gathers, evaluation twice and on poisoned workspaces.
#include "autodiff/tape/replay/tape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "autodiff/tape/record/recorder.h"
#include "autodiff/tape/rewrite/rewrite.h"
#include "support/base/errors.h"

namespace fermiac::ad {
namespace {

using Recording = std::function<void(Recorder&)>;

std::unique_ptr<Workspace> record(const Recording& body, const std::vector<double>& theta, bool rewritten = true) {
  Recorder r(theta);
  body(r);
  Trace trace = std::move(r).finish();
  if (rewritten) rewrite(trace);
  return std::make_unique<Workspace>(std::make_shared<const Tape>(std::move(trace)));
}

double lp_at(Workspace& w, const std::vector<double>& theta) {
  double lp = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(w.value(theta, &lp).kind, ReplayStatus::Kind::Ok);
  return lp;
}

void expect_gradient(const Recording& body, const std::vector<double>& at, const std::vector<double>& theta) {
  for (const bool rewritten : {false, true}) {
    const auto w = record(body, at, rewritten);
    std::vector<double> grad(theta.size());
    double lp = 0;
    w->poison();
    ASSERT_EQ(w->gradient(theta, &lp, grad).kind, ReplayStatus::Kind::Ok);
    EXPECT_DOUBLE_EQ(lp, lp_at(*w, theta));
    std::vector<double> again(theta.size());
    ASSERT_EQ(w->gradient(theta, &lp, again).kind, ReplayStatus::Kind::Ok);
    EXPECT_EQ(grad, again);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      std::vector<double> up = theta, down = theta;
      const double h = 1e-6 * std::max(1.0, std::fabs(theta[i]));
      up[i] += h;
      down[i] -= h;
      EXPECT_NEAR(grad[i], (lp_at(*w, up) - lp_at(*w, down)) / (2 * h), 1e-6 * std::max(1.0, std::fabs(grad[i])))
          << "parameter " << i << (rewritten ? " rewritten" : " as recorded");
    }
  }
}

/// Parameter i.
constexpr Ref p(std::size_t i) { return Ref::slot(i); }

Ref map1(Recorder& r, const char* name, Ref x) {
  const Ref operands[] = {x};
  return r.map(find_map(name), operands);
}
Ref map2(Recorder& r, const char* name, Ref x, Ref y) {
  const Ref operands[] = {x, y};
  return r.map(find_map(name), operands);
}

/// A density whose one parameter is link(p), observed twice, so that `statistics` takes it.
struct Linked {
  const char* density;
  const char* link;
  int operand;
  std::vector<double> operands;
};
Recording two_observations(const Linked& l) {
  return [&l](Recorder& r) {
    const Ref theta = map1(r, l.link, p(0));
    for (int times = 0; times < 2; ++times) {
      Operand operands[kMaxMapArity];
      int n = 0;
      for (const double x : l.operands) {
        operands[n] = n == l.operand ? Operand{theta, false, true} : Operand{r.constant(x), false, false};
        ++n;
      }
      r.sink(find_map(l.density), {operands, static_cast<std::size_t>(n)}, 1, Keep::everything());
    }
  };
}
/// Where the link has reached an end of its range.
bool saturated(const Linked& l, double p) {
  const MapOp& link = map_op(find_map(l.link));
  const double theta = link.value(&p, Keep::everything());
  return theta == 0 || theta == 1 || std::isinf(theta);
}

/// Else the density is not finite or the point is refused, so that the program decides.
TEST(Tape, RewritingAnswersWhatTheTextAnswers) {
  const Linked densities[] = {{"bernoulli_lpmf", "inv_logit", 1, {1, 0}}, {"bernoulli_lpmf", "inv_logit", 1, {0, 0}},
                              {"binomial_lpmf", "inv_logit", 2, {2, 5, 0}}, {"beta_lpdf", "inv_logit", 0, {0, 2, 3}},
                              {"poisson_lpmf", "exp", 1, {3, 0}}, {"poisson_lpmf", "exp", 1, {0, 0}},
                              {"exponential_lpdf", "exp", 1, {0.7, 0}}, {"exponential_lpdf", "exp", 0, {0, 1.5}},
                              {"gamma_lpdf", "exp", 2, {0.7, 2, 0}}, {"gamma_lpdf", "exp", 0, {0, 2, 1.5}}};
  for (const Linked& l : densities)
    for (const double p : {-1e300, -1e4, -746.0, -708.0, -38.0, -30.0, -2.0, 0.0, 2.0, 30.0, 36.0, 37.0, 40.0, 709.0, 710.0,
                           1e4, 1e300}) {
      SCOPED_TRACE(std::string(l.density) + " of " + l.link + " at " + std::to_string(p));
      double text = 0, rewritten = 0;
      const auto passes_at = [&](bool rewriting, double* lp) {
        return record(two_observations(l), {0.1}, rewriting)->value(std::vector{p}, lp).kind == ReplayStatus::Kind::Ok;
      };
      const bool text_passes = passes_at(false, &text), passes = passes_at(true, &rewritten);
      const bool answers = passes && std::isfinite(rewritten), text_answers = text_passes && std::isfinite(text);
      if (!saturated(l, p)) {
        EXPECT_EQ(answers, text_answers);
      }
      if (!answers || rewritten == text) continue;
      EXPECT_TRUE(text_answers);
      // 1 - inv_logit(p) has but so many digits.
      const double slack = std::string_view(l.link) == "inv_logit" ? 1e-15 * std::exp(std::min(std::fabs(p), 37.0)) : 1e-12;
      EXPECT_NEAR(rewritten, text, (1e-12 + slack) * std::max(1.0, std::fabs(text)));
    }
}

TEST(Tape, NormalSinkWithDataVector) {
  const std::vector<double> y{1.5, -0.3, 0.2, 2.5, 1.1, 0.7, -1.2, 0.4, 0.9, 3.1};
  const Recording body = [&](Recorder& r) {
    const Ref sigma = map1(r, "exp", p(1));
    const Operand operands[] = {{r.constant_block(y.data(), 10), true, false}, {p(0), false, true}, {sigma, false, true}};
    r.sink(find_map("normal_lpdf"), operands, 10, Keep::propto(0b110));
    r.target(p(1));
  };
  expect_gradient(body, {0.1, 0.2}, {0.4, -0.3});
  const auto w = record(body, {0.1, 0.2});
  double expected = -0.3;
  for (const double yi : y) expected += -0.5 * std::pow((yi - 0.4) / std::exp(-0.3), 2) + 0.3;
  EXPECT_NEAR(lp_at(*w, {0.4, -0.3}), expected, 1e-12 * std::fabs(expected));
}

TEST(Tape, ScalarOpsAndRepeatedOperands) {
  expect_gradient(
      [](Recorder& r) {
        const Ref square = map2(r, "multiply", p(0), p(0));
        const Ref ratio = map2(r, "divide", square, map1(r, "exp", p(1)));
        const Ref mixed = map2(r, "subtract", map1(r, "log1p_exp", ratio), map2(r, "multiply", p(1), r.constant(3)));
        r.target(mixed);
        r.target(map1(r, "inv_logit", mixed));
      },
      {0.3, 0.7}, {-1.2, 0.4});
}

TEST(Tape, VectorMapsGatherAndReduce) {
  expect_gradient(
      [](Recorder& r) {
        const Ref picked[] = {p(2), p(0), p(1), p(2), p(2), p(0), p(1), p(1), p(0), p(2)};
        const Ref block = r.gather(picked);
        EXPECT_EQ(r.gather(picked), block) << "the same gather is recorded once";
        const Operand exp_operand[] = {{block, true, true}};
        const Ref e = r.map_vector(find_map("exp"), exp_operand, 10);
        const Operand product[] = {{e, true, true}, {p(1), false, true}};
        const Ref scaled = r.map_vector(find_map("multiply"), product, 10);
        const Operand density[] = {{scaled, true, true}, {block, true, true}, {e, true, true}};
        r.target(r.reduce(find_map("normal_lpdf"), density, 10));
        r.target(scaled, 10);
      },
      {0.1, 0.2, 0.3}, {-0.4, 0.9, 0.25});
}

TEST(Tape, GatherOfConsecutiveNumbersIsAView) {
  const std::vector<double> theta(12, 0.5);
  Recorder r(theta);
  const Ref consecutive[] = {p(3), p(4), p(5), p(6)};
  EXPECT_EQ(r.gather(consecutive), p(3));
  EXPECT_EQ(r.op_count(), 0u);
}

TEST(Tape, GuardStopsTheReplayOnTheOtherSide) {
  const auto w = record(
      [](Recorder& r) {
        EXPECT_TRUE(r.guard(Compare::Less, p(0), r.constant(1)));
        r.target(map1(r, "square", p(0)));
      },
      {0.5});
  double lp = 0;
  EXPECT_EQ(w->value(std::vector{0.9}, &lp).kind, ReplayStatus::Kind::Ok);
  EXPECT_DOUBLE_EQ(lp, 0.81);
  EXPECT_EQ(w->value(std::vector{1.0}, &lp).kind, ReplayStatus::Kind::GuardFailed);
}

TEST(Tape, DomainErrorNamesArgumentAndValue) {
  const auto w = record(
      [](Recorder& r) {
        const Operand operands[] = {{r.constant(1), false, false}, {r.constant(0), false, false}, {p(0), false, true}};
        r.sink(find_map("normal_lpdf"), operands, 1);
      },
      {0.5});
  double lp = 0;
  const ReplayStatus status = w->value(std::vector{-2.0}, &lp);
  EXPECT_EQ(status.kind, ReplayStatus::Kind::DomainError);
  EXPECT_EQ(status.message, "normal_lpdf: Scale parameter is -2, but must be positive!");
}

TEST(Tape, LoopsBecomeVectorOps) {
  const Recording loop = [](Recorder& r) {
    for (int i = 0; i < 20; ++i) {
      r.set_site(Site{1});
      const Ref mu = map2(r, "add", p(0), map2(r, "multiply", p(i % 3), r.constant(0.3 * i)));
      r.set_site(Site{2});
      const Ref sigma = map1(r, "exp", p(1));
      const Operand operands[] = {{r.constant(std::sin(i)), false, false}, {mu, false, true}, {sigma, false, true}};
      r.sink(find_map("normal_lpdf"), operands, 1);
    }
  };
  expect_gradient(loop, {0.1, 0.2, 0.3}, {-0.4, 0.9, 0.25});
  EXPECT_LE(record(loop, {0.1, 0.2, 0.3})->tape().op_count(), 6u);
}

/// Ops that are alike but for what reads them: each becomes a vector, and nothing is gathered. Few of them stay one.
TEST(Tape, OpsOfARoundGroupByTheirReaders) {
  const auto mixture = [](int rounds) {
    return [rounds](Recorder& r) {
      r.set_site(Site{1});
      const Ref share = map1(r, "inv_logit", p(0)), twice = map2(r, "add", p(1), p(1));
      for (int i = 0; i < rounds; ++i) {
        const Ref y = r.constant(std::sin(i));
        const Ref first = r.map(find_map("normal_lpdf"), std::vector{y, p(1), r.constant(1)});
        const Ref second = r.map(find_map("normal_lpdf"), std::vector{y, twice, r.constant(2)});
        r.target(r.map(find_map("log_mix"), std::vector{share, first, second}));
      }
    };
  };
  const auto gathers = [](const Workspace& w) { return std::ranges::count(w.tape().ops(), OpKind::Gather, &TapeOp::kind); };
  expect_gradient(mixture(200), {0.1, 0.2}, {-0.4, 0.9});
  const auto w = record(mixture(200), {0.1, 0.2});
  EXPECT_EQ(gathers(*w), 0);
  EXPECT_LE(w->tape().op_count(), 8u);
  EXPECT_GT(gathers(*record(mixture(60), {0.1, 0.2})), 0);
}

/// One term that is there often - all who were never seen - is computed once.
TEST(Tape, ATermThatRepeatsIsAMultiple) {
  const Recording repeated = [](Recorder& r) {
    const Ref x = map1(r, "inv_logit", p(0));
    for (int i = 0; i < 150; ++i) {
      r.set_site(Site{1});
      r.target(map2(r, "log_sum_exp", x, p(1)));
    }
  };
  expect_gradient(repeated, {0.1, 0.2}, {-0.4, 0.9});
  const auto w = record(repeated, {0.1, 0.2});
  EXPECT_TRUE(std::ranges::none_of(w->tape().ops(), [](const TapeOp& op) { return op.n > 1; }));
  EXPECT_LE(w->tape().op_count(), 3u);
}

TEST(Tape, RecurrencesKeepTheirOrder) {
  const Recording recurrence = [](Recorder& r) {
    Ref state;
    for (int t = 0; t < 30; ++t) {
      r.set_site(Site{1});
      state = map2(r, "add", map2(r, "multiply", state, p(1)), r.constant(std::cos(t)));
      r.set_site(Site{2});
      const Ref side = map1(r, "exp", map1(r, "minus", map1(r, "square", state)));
      const Operand operands[] = {{r.constant(0.1 * t), false, false}, {side, false, true}, {r.constant(2), false, false}};
      r.sink(find_map("normal_lpdf"), operands, 1);
      r.target(side);
    }
  };
  expect_gradient(recurrence, {0.1, 0.2}, {-0.4, 0.5});
  EXPECT_LE(record(recurrence, {0.1, 0.2})->tape().op_count(), 30u * 2 + 8);
}

TEST(Tape, ViewsOfScalarResultsSurviveGrouping) {
  expect_gradient(
      [](Recorder& r) {
        std::vector<Ref> made;
        for (int i = 0; i < 12; ++i) made.push_back(map2(r, "multiply", p(i % 2), r.constant(i + 1.0)));
        const Ref block = r.gather(made);
        const Operand operand[] = {{block, true, true}};
        r.target(r.map_vector(find_map("exp"), operand, 12), 12);
        std::vector<Ref> reversed(made.rbegin(), made.rend());
        r.target(r.gather(reversed), 12);
      },
      {0.1, 0.2}, {-0.04, 0.05});
}

// Elements that passing by a gather turns into constants: blocks of constants have no adjoints, so nobody may add to
// them.
TEST(Tape, ConstantsFromGathersHaveNoAdjoints) {
  constexpr int kRounds = 12;
  const std::vector<double> theta = {0.3, -0.2, 0.5, 0.7, -0.4, 0.1, 0.9, -0.8, 0.25, 0.35, -0.15, 0.6};
  const Recording body = [&](Recorder& r) {
    r.set_site(Site{7});
    for (int i = 0; i < kRounds; ++i) {
      const Ref pair[] = {r.constant(0.1 * i), p(i)};
      const Ref both = r.gather(pair);
      const Ref operands[] = {both, both + 1};
      r.target(r.map(find_map("log_sum_exp"), operands));
    }
  };
  Recorder r(theta);
  body(r);
  Trace trace = std::move(r).finish();
  rewrite(trace);
  for (const Op& op : trace.ops)
    for (int j = 0; j < place_operands(op); ++j)
      EXPECT_FALSE(op.x[j].is_constant() && (op.ad_mask >> j & 1u)) << "operand " << j;
  for (const Ref element : trace.index) EXPECT_FALSE(element.is_const_vector());
  expect_gradient(body, theta, theta);
}

TEST(Tape, EqualSubexpressionsAreShared) {
  const Recording twice = [](Recorder& r) {
    for (int i = 0; i < 2; ++i) r.target(map2(r, "multiply", map1(r, "sqrt", map1(r, "exp", p(0))), p(1)));
  };
  expect_gradient(twice, {0.1, 0.2}, {0.7, -0.3});
  EXPECT_EQ(record(twice, {0.1, 0.2})->tape().op_count(), 5u);
}

TEST(Tape, ProductsJoinTheirSum) {
  const Recording scalars = [](Recorder& r) { r.target(map2(r, "add", map2(r, "multiply", p(0), p(1)), p(2))); };
  expect_gradient(scalars, {0.1, 0.2, 0.3}, {0.7, -0.3, 1.1});
  EXPECT_EQ(record(scalars, {0.1, 0.2, 0.3})->tape().op_count(), 2u);
  const Recording vectors = [](Recorder& r) {
    const Operand product[] = {{p(0), true, true}, {p(10), false, true}};
    const Operand sum[] = {{p(11), false, true}, {r.map_vector(find_map("multiply"), product, 10), true, true}};
    r.target(r.map_vector(find_map("add"), sum, 10), 10);
  };
  const std::vector<double> theta{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0.5, -0.25};
  expect_gradient(vectors, theta, theta);
  EXPECT_EQ(record(vectors, theta)->tape().op_count(), 2u);
  const Recording read_twice = [](Recorder& r) {
    const Ref product = map2(r, "multiply", p(0), p(1));
    r.target(map2(r, "add", product, p(1)));
    r.target(product);
  };
  expect_gradient(read_twice, {0.1, 0.2}, {0.7, -0.3});
}

TEST(Tape, SmallReductionsBecomeLanes) {
  for (const char* name : {"log_sum_exp", "sum", "log_softmax", "softmax"}) {
    SCOPED_TRACE(name);
    const Recording rows = [&](Recorder& r) {
      for (int n = 0; n < 16; ++n) {
        std::vector<Ref> row;
        for (int k = 0; k < 5; ++k) row.push_back(map2(r, "multiply", p(k), r.constant(std::sin(n + k))));
        const KernelOperand operand[] = {{Shape::vector(5), r.gather(row), true, nullptr}};
        const auto result = r.call(*find_kernel(name), name, operand);
        r.target(map1(r, "square", result.ref));
      }
    };
    expect_gradient(rows, {0.1, 0.2, 0.3, 0.4, 0.5}, {0.7, -0.3, 1.1, 0.2, -0.8});
    EXPECT_LE(record(rows, {0.1, 0.2, 0.3, 0.4, 0.5})->tape().op_count(), 30u);
  }
}

/// y[n] ~ normal(a + b x1[n] - 2 c x2[n] + 0.5, exp(s)), as scalars in a loop.
void regression(Recorder& r, int group_count) {
  const Ref sigma = map1(r, "exp", p(3));
  for (int n = 0; n < 64; ++n) {
    r.set_site(Site{1});
    const Ref first = map2(r, "add", p(0), map2(r, "multiply", p(1), r.constant(std::sin(n))));
    r.set_site(Site{2});
    const Ref twice = map2(r, "multiply", map2(r, "multiply", p(2), r.constant(std::cos(3 * n))), r.constant(2));
    const Ref second = map2(r, "subtract", first, twice);
    r.set_site(Site{3});
    const Ref grouped = group_count == 0 ? second : map2(r, "add", second, p(4 + n % group_count));
    r.set_site(Site{4});
    const Ref mu = map2(r, "add", grouped, r.constant(0.5));
    const Operand operands[] = {{r.constant(std::sin(2 * n)), false, false}, {mu, false, true}, {sigma, false, true}};
    r.sink(find_map("normal_lpdf"), operands, 1);
  }
}

TEST(Tape, NormalRegressionIsReducedToATriangle) {
  for (const int groups : {0, 3}) {
    SCOPED_TRACE(groups);
    const Recording body = [&](Recorder& r) { regression(r, groups); };
    const std::vector<double> at{0.1, 0.2, 0.3, 0.1, 0.5, -0.5, 0.2}, theta{0.7, -0.3, 1.1, 0.2, -0.8, 0.1, 0.4};
    expect_gradient(body, at, theta);
    const auto plain = record(body, at, false);
    const auto reduced = record(body, at);
    EXPECT_NEAR(lp_at(*plain, theta), lp_at(*reduced, theta), 1e-13 * std::fabs(lp_at(*plain, theta)));
    EXPECT_LE(reduced->tape().op_count(), 3u);
    // Neither the observations nor the linear predictor are kept: far less than 64 numbers of each.
    EXPECT_LT(reduced->tape().workspace_bytes() * 4, plain->tape().workspace_bytes());
  }
}

/// So far out that the constant is lost beside the rest: nothing may be split off.
TEST(Tape, ConstantsOfDensitiesAreTakenWhereTheyAreKnown) {
  const Recording body = [](Recorder& r) {
    const Ref x[] = {r.constant(0.25), r.constant(0.5), p(0), r.constant(2147483648.0)};
    const Ref first = r.map(find_map("skew_normal_lpdf"), x);
    r.target(map1(r, "exp", first));
  };
  const std::vector<double> theta = {1.25};
  EXPECT_DOUBLE_EQ(lp_at(*record(body, theta, true), theta), lp_at(*record(body, theta, false), theta));
}

TEST(Tape, PeepholesShortenRecurrences) {
  const Recording arma = [](Recorder& r) {
    Ref error = map2(r, "subtract", r.constant(0.3), p(0));
    for (int t = 1; t < 40; ++t) {
      r.set_site(Site{1});
      const Ref mean = map2(r, "add", map2(r, "multiply", p(1), r.constant(std::sin(t))), map2(r, "multiply", p(2), error));
      error = map2(r, "subtract", r.constant(std::cos(t)), mean);
      r.set_site(Site{2});
      r.target(map1(r, "minus", map1(r, "square", error)));
    }
  };
  expect_gradient(arma, {0.1, 0.2, 0.3}, {0.5, -0.3, 0.4});
  EXPECT_LE(record(arma, {0.1, 0.2, 0.3})->tape().op_count(), 50u);
  const Recording volatility = [](Recorder& r) {
    Ref sd = map1(r, "exp", p(0));
    for (int t = 1; t < 40; ++t) {
      r.set_site(Site{1});
      sd = map1(r, "sqrt", map2(r, "add", r.constant(0.1 + t), map2(r, "multiply", p(1), map1(r, "square", sd))));
      r.target(map1(r, "log", sd));
    }
  };
  expect_gradient(volatility, {0.1, 0.2}, {0.5, 0.3});
  EXPECT_LE(record(volatility, {0.1, 0.2})->tape().op_count(), 48u);
}

TEST(Tape, ConstantsOfDensitiesAreComputedOnce) {
  const Recording body = [](Recorder& r) {
    const Ref rate = map1(r, "exp", p(0));
    std::vector<Ref> terms;
    for (int n = 0; n < 6; ++n) {
      const Ref x[] = {r.constant(n), rate};
      terms.push_back(r.map(find_map("poisson_lpmf"), x));
    }
    r.target(map2(r, "log_sum_exp", terms[2], terms[4]));
    r.target(map2(r, "log_sum_exp", terms[1], terms[3]));
  };
  expect_gradient(body, {0.4}, {-0.3});
  EXPECT_DOUBLE_EQ(lp_at(*record(body, {0.4}, false), {1.1}), lp_at(*record(body, {0.4}), {1.1}));
}

TEST(Tape, DeadOpsDisappear) {
  const std::vector<double> theta{0.5};
  Recorder r(theta);
  map1(r, "exp", map1(r, "exp", p(0)));
  r.target(map1(r, "square", p(0)));
  Trace trace = std::move(r).finish();
  EXPECT_EQ(trace.ops.size(), 4u);
  rewrite(trace);
  EXPECT_EQ(trace.ops.size(), 2u);
}

TEST(Tape, TargetCanBeReadWhileRecording) {
  expect_gradient(
      [](Recorder& r) {
        const Operand operands[] = {{r.constant(1), false, false}, {p(0), false, true}, {r.constant(2), false, false}};
        r.sink(find_map("normal_lpdf"), operands, 1);
        r.target(map1(r, "exp", p(1)));
        r.target_constant(2.5);
        r.target(map1(r, "square", r.target_ref()));
      },
      {0.5, 0.1}, {0.7, -0.2});
}

/// The slope of 1 / x overflows at 1e-200, its value does not.
TEST(Tape, ReportsWhichGradientsAreFinite) {
  for (std::size_t n = 1; n <= 9; ++n) {
    const std::vector<double> inside(n, 0.5);
    const auto w = record([&](Recorder& r) { for (std::size_t i = 0; i < n; ++i) r.target(map1(r, "inv", p(i))); }, inside);
    std::vector<double> grad(n);
    double lp = 0;
    EXPECT_TRUE(w->gradient(inside, &lp, grad).finite);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> edge = inside;
      edge[i] = 1e-200;
      EXPECT_FALSE(w->gradient(edge, &lp, grad).finite) << i << " of " << n;
      EXPECT_TRUE(std::isinf(grad[i]));
      EXPECT_TRUE(w->value(edge, &lp).finite);
    }
  }
}

TEST(Tape, ReportsInfiniteDensities) {
  const auto w = record([](Recorder& r) { r.target(map1(r, "exp", p(0))); }, {0.0});
  double lp = 0;
  EXPECT_TRUE(w->value(std::vector<double>{1.0}, &lp).finite);
  EXPECT_FALSE(w->value(std::vector<double>{1000.0}, &lp).finite);
}

}  // namespace
}  // namespace fermiac::ad
