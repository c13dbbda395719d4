// reduce_sum and map_rect, whose parts are tapes of their own: against the same sum in one piece and differences of the
// plain evaluator's values; the same bits for any number of threads; what a part prints or refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "support/platform/threads.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct Answer {
  EvalStatus status;
  double lp = 0;
  std::vector<double> gradient;
};

std::vector<double> point(std::size_t n, int k) {
  std::vector<double> theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.4 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k);
  return theta;
}

Answer evaluate(ModelWorkspace& workspace, const std::vector<double>& theta, unsigned threads) {
  Answer out;
  out.gradient.resize(theta.size());
  run_parallel(threads, 1, [&](std::size_t) {
    out.status = workspace.log_density_gradient(theta, {.propto = false, .jacobian = true}, &out.lp, out.gradient);
  });
  return out;
}

const std::string kFunctions = R"(functions {
    real loop(array[] real y, int first, int last, vector x, real a, vector u) {
      real s = 0;
      for (i in 1:size(y)) s += student_t_lpdf(y[i] | 4, a * x[first + i - 1] + u[1 + (first + i) % 5], exp(u[1]));
      return s;
    }
    real vec(array[] real y, int first, int last, vector x, real a, vector u) {
      return normal_lpdf(y | a * x[first:last], exp(u[1]));
    }
    real vec_lpdf(array[] real y, int first, int last, vector x, real a, vector u) {
      return normal_lupdf(y | a * x[first:last], exp(u[1]));
    }
    real branch(array[] real y, int first, int last, vector x, real a, vector u) {
      real s = 0;
      for (i in 1:size(y)) s += (a + u[2] > y[i] ? a * square(y[i]) : exp(u[3] * y[i]));
      return s;
    }
    real counts(array[] int k, int first, int last, vector x, real a, vector u) {
      real s = 0;
      for (i in 1:size(k))
        s += poisson_log_lpmf(k[i] | a * x[first + i - 1]) + gamma_lpdf(k[i] + 0.5 | exp(u[1]), exp(u[2])) + student_t_lpdf(k[i] | exp(u[3]), a, 2);
      return s;
    }
    real inner(array[] real y, int first, int last, real a) { return sum(cos(a * to_vector(y))); }
    real nested(array[] real y, int first, int last, vector x, real a, vector u) {
      return reduce_sum(inner, y, 3, a) + reduce_sum(inner, y, 100, u[2]);
    }
    real sliced(array[] vector p, int first, int last, vector x) {
      real s = 0;
      for (i in 1:size(p))
        for (k in 1:9) s += log_sum_exp(k * p[i]) * x[first + i - 1] + normal_lpdf(p[i] | k, 2);
      return s;
    }
    real few(array[] int g, int first, int last, vector b) { return normal_lpdf(b[g] | 0, 1) + sum(exp(b[g])); }
    real tuples(array[] real y, int first, int last, tuple(real, vector) t, array[] tuple(real, int) w) {
      real s = 0;
      for (i in 1:size(y)) s += t.1 * w[first + i - 1].1 * y[i] + t.2[w[first + i - 1].2] ^ 2;
      return s;
    }
    vector job(vector phi, vector theta, data array[] real x, data array[] int n) {
      return [normal_lpdf(x | phi[1] + theta[1], exp(theta[2])) + n[1] * sum(log1p_exp(phi[2] * to_vector(x)))]';
    }
    vector jobs(vector phi, vector theta, data array[] real x, data array[] int n) {
      return exp(0.1 * theta[1] * head(to_vector(x), n[1])) + phi[1] * sum(log1p_exp(phi[2] * to_vector(x)));
    }
  }
  transformed data {
    int N = 30000; array[N] real y; vector[N] x; array[N] int g; array[N] tuple(real, int) w;
    array[40, 400] real rx; array[40, 1] int rn;
    for (n in 1:N) { y[n] = sin(n); x[n] = cos(3 * n); g[n] = 1 + n * 7 % 1000 %/% 100 + 100 * (n %/% 3000); w[n] = (sin(n), 1 + n % 5); }
    for (i in 1:40) { rn[i, 1] = 1 + i % 3; for (k in 1:400) rx[i, k] = sin(i * k); }
  }
  parameters { real a; vector[5] u; vector[2000] b; array[300] vector[3] p; array[40] vector[2] th; }
  model { a ~ normal(0, 1); u ~ normal(0, 1); b ~ normal(0, 1); for (i in 1:40) th[i] ~ normal(0, 1); )";

struct Case {
  const char* name;
  const char* sharded;
  const char* whole;  // the same without parts
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"Loop", "target += reduce_sum(loop, y, 1, x, a, u);", "target += loop(y, 1, N, x, a, u);"},
      {"Static", "target += reduce_sum_static(loop, y, 250, x, a, u);", "target += loop(y, 1, N, x, a, u);"},
      {"Vector", "target += reduce_sum(vec, y, 1, x, a, u);", "target += vec(y, 1, N, x, a, u);"},
      {"Density", "target += reduce_sum(vec_lpdf, y, 1, x, a, u);", "target += vec_lpdf(y | 1, N, x, a, u);"},
      {"Dropping", "target += reduce_sum(vec_lupdf, y, 1, x, a, u);", "target += vec_lupdf(y | 1, N, x, a, u);"},
      {"Product", "target += a * reduce_sum(loop, y, 100, x, a, u);", "target += a * loop(y, 1, N, x, a, u);"},
      {"Branches", "target += 0.01 * reduce_sum(branch, y, 10, x, a, u);", "target += 0.01 * branch(y, 1, N, x, a, u);"},
      {"Counts", "target += reduce_sum(counts, g, 10, x, a, u);", "target += counts(g, 1, N, x, a, u);"},
      {"Nested", "target += reduce_sum(nested, y, 500, x, a, u);", "target += inner(y, 1, N, a) + inner(y, 1, N, u[2]);"},
      {"Sliced", "target += reduce_sum(sliced, append_array(p, append_array(p, append_array(p, p))), 1, x);",
       "target += sliced(append_array(p, append_array(p, append_array(p, p))), 1, 1200, x);"},
      {"FewOfMany", "target += reduce_sum(few, g, 1, b);", "target += few(g, 1, N, b);"},
      {"Tuples", "target += reduce_sum(tuples, y, 5, (a, u), w);", "target += tuples(y, 1, N, (a, u), w);"},
      {"Jobs", "target += sum(map_rect(job, u[1:2], th, rx, rn));",
       "for (i in 1:40) target += job(u[1:2], th[i], rx[i], rn[i])[1];"},
      {"JobsOfSeveralResults", "target += sum(sin(map_rect(jobs, u[1:2], th, rx, rn)));",
       "for (i in 1:40) target += sum(sin(jobs(u[1:2], th[i], rx[i], rn[i])));"},
  };
  return all;
}

class Shards : public ::testing::TestWithParam<Case> {};

TEST_P(Shards, AgreeWithOnePieceForAnyNumberOfThreads) {
  const auto sharded = load(kFunctions + GetParam().sharded + " }"), whole = load(kFunctions + GetParam().whole + " }");
  ASSERT_TRUE(sharded && whole);
  const std::size_t n = whole->unconstrained_size();
  const std::string tape = sharded->dump_tape(point(n, 0), {.propto = false, .jacobian = true});
  const bool jobs = std::string(GetParam().sharded).find("map_rect") != std::string::npos;
  EXPECT_NE(tape.find(jobs ? "map_rect" : "reduce_sum"), std::string::npos) << "no parts:\n" << tape.substr(0, 2000);
  const auto one = sharded->workspace(), two = sharded->workspace(), four = sharded->workspace(), reference = whole->workspace();
  for (int k : {0, 1, 2, 0}) {
    SCOPED_TRACE(k);
    const std::vector<double> theta = point(n, k);
    const Answer expected = evaluate(*reference, theta, 1), serial = evaluate(*one, theta, 1);
    ASSERT_TRUE(expected.status && serial.status) << serial.status.message;
    EXPECT_NEAR(serial.lp, expected.lp, 1e-11 * (1 + std::abs(expected.lp)));
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_NEAR(serial.gradient[i], expected.gradient[i], 1e-10 * (1 + std::abs(expected.lp))) << i;
    for (const auto& [workspace, threads] : {std::pair{two.get(), 2U}, {four.get(), 4U}}) {
      static_cast<interp::InterpWorkspace*>(workspace)->poison();
      const Answer threaded = evaluate(*workspace, theta, threads);
      EXPECT_EQ(threaded.lp, serial.lp) << threads;
      EXPECT_EQ(threaded.gradient, serial.gradient) << threads;
    }
    double value = 0;
    ASSERT_TRUE(one->log_density(theta, {.propto = false, .jacobian = true}, &value));
    EXPECT_EQ(value, serial.lp);
  }
}

TEST_P(Shards, GradientsAreThoseOfThePlainValues) {
  const auto model = load(kFunctions + GetParam().sharded + " }");
  ASSERT_TRUE(model);
  const auto workspace = model->workspace();
  std::vector<double> theta = point(model->unconstrained_size(), 1);
  const Answer answer = evaluate(*workspace, theta, 2);
  ASSERT_TRUE(answer.status) << answer.status.message;
  const double h = 1e-4;
  for (const std::size_t i : {0U, 1U, 2U, 3U, 6U, 107U, 2006U, 2010U, 2906U, 2907U}) {
    const double x = theta[i];
    const auto at = [&](double shift) {
      theta[i] = x + shift;
      double lp = 0;
      EXPECT_TRUE(model->log_density_plain(theta, true, &lp));
      return lp;
    };
    const double slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    theta[i] = x;
    if (std::string(GetParam().name) == "Branches" && i < 3) continue;  // has steps
    EXPECT_NEAR(answer.gradient[i], slope, 1e-6 * (1 + std::abs(slope)) + 1e-9 * std::abs(answer.lp)) << i;
  }
}

/// Chains share tapes or record their own, as time has it: draws must not depend on that.
TEST_P(Shards, TheTapeIsTheSameWhereverItWasRecorded) {
  for (const char* form : {GetParam().sharded, GetParam().whole}) {
    SCOPED_TRACE(form);
    Answer first;
    const int points = std::string(GetParam().name) == "Counts" ? 4 : 2;  // the densities there have constants
    for (int k = 0; k < points; ++k) {
      const auto model = load(kFunctions + form + " }");
      ASSERT_TRUE(model);
      const auto workspace = model->workspace();
      const std::size_t n = model->unconstrained_size();
      evaluate(*workspace, point(n, k), 2);
      const Answer here = evaluate(*workspace, point(n, 7), 2);
      ASSERT_TRUE(here.status) << here.status.message;
      if (k == 0) first = here;
      EXPECT_EQ(here.lp, first.lp) << k;
      EXPECT_EQ(here.gradient, first.gradient) << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Shards, ::testing::ValuesIn(cases()), [](const auto& c) { return std::string(c.param.name); });

// ---------------------------------------------------------------- what a part says

const std::string kSpeaking = R"(functions {
    real part(array[] real y, int first, int last, real a) {
      if (first > 4000) print("part from ", first);
      return sum(cos(a * to_vector(y)) + sin(a * to_vector(y)));
    }
    real picky(array[] real y, int first, int last, real a) {
      if (first > 4000 && a > 0.5)
        reject("no, part ", first);
      return normal_lpdf(y | 0, exp(a)) + sum(sqrt(a + 1.3 - to_vector(y)));
    }
  }
  transformed data { int N = 12000; array[N] real y; for (n in 1:N) y[n] = sin(n); }
  parameters { real a; } model { )";

TEST(ShardReports, WhatIsPrintedComesOnceAnEvaluationInOrder) {
  std::string printed;
  const auto compiled = compile(kSpeaking + "a ~ normal(0, 1); target += reduce_sum(part, y, 2000, a); }");
  const interp::InterpModel model(compiled, interp::DataSource(), 1, [&](std::string_view text) { printed += text; });
  const auto workspace = model.workspace();
  const std::string once = "part from 4001\npart from 6001\npart from 8001\npart from 10001\n";
  std::string expected;
  for (const double a : {0.1, 0.2, 0.3}) {
    ASSERT_TRUE(evaluate(*workspace, {a}, 4).status);
    expected += once;
    EXPECT_EQ(printed, expected);
  }
}

TEST(ShardReports, FailuresSayOnceWhatAndWhere) {
  const auto model = load(kSpeaking + "target += reduce_sum(picky, y, 2000, a); }");
  ASSERT_TRUE(model);
  for (const double first : {0.1, 0.7}) {  // a tape that is there already, and none
    const auto workspace = model->workspace();
    evaluate(*workspace, {first}, 2);
    const Answer refused = evaluate(*workspace, {0.7}, 4);
    EXPECT_EQ(refused.status.kind, EvalStatus::Kind::Rejected);
    EXPECT_EQ(refused.status.message, "no, part 4001 (in 'test.stan', line 8, column 8 to column 35)");
  }
  const auto workspace = model->workspace();
  EXPECT_TRUE(evaluate(*workspace, {0.2}, 2).status);
  EXPECT_TRUE(std::isnan(evaluate(*workspace, {-3}, 2).lp) || !evaluate(*workspace, {-3}, 2).status);
  EXPECT_TRUE(evaluate(*workspace, {0.3}, 2).status);
}

TEST(ShardReports, ADomainErrorNamesTheStatementOfThePart) {
  const auto model = load(R"(functions { real part(array[] real y, int first, int last, real s) {
      return normal_lpdf(y | 0, s - first * 1e-5);
    } }
    transformed data { int N = 40000; array[N] real y = rep_array(1.5, N); }
    parameters { real a; } model { target += reduce_sum(part, y, 1000, a); })");
  ASSERT_TRUE(model);
  const auto workspace = model->workspace();
  ASSERT_TRUE(evaluate(*workspace, {1}, 2).status);
  const Answer refused = evaluate(*workspace, {0.2}, 2);
  EXPECT_EQ(refused.status.kind, EvalStatus::Kind::Rejected);
  EXPECT_NE(refused.status.message.find("normal_lpdf"), std::string::npos) << refused.status.message;
  EXPECT_NE(refused.status.message.find("(in 'test.stan', line 2, column 6"), std::string::npos) << refused.status.message;
  EXPECT_EQ(refused.status.message.find("line 2"), refused.status.message.rfind("line 2")) << refused.status.message;
}

TEST(ShardReports, TheGrainSizeMustBePositive) {
  const auto model = load(kSpeaking + "target += reduce_sum(part, y, 0, a); }");
  const auto workspace = model->workspace();
  EXPECT_NE(evaluate(*workspace, {1}, 1).status.message.find("grainsize is 0, but must be positive"), std::string::npos);
}

}  // namespace
}  // namespace fermiac::testing
