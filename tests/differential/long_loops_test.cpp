// Loops that are recorded by columns (autodiff/tape/loop.h): what they compute is what the plain evaluator computes, and
// the tape is short. Loops that do not fit - recurrences, guards, containers - fall back without a difference.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "tests/unit/program_runner.h"

namespace fermiac::testing {
namespace {

struct LoopCase {
  const char* name;
  const char* text;
  std::size_t most_ops;  // after recording, before rewriting
};

constexpr std::size_t kUnrolled = 10'000'000;

const LoopCase kLoops[] = {
    {"regression", R"(transformed data { int N = 60000; vector[N] x; vector[N] y; for (n in 1:N) { x[n] = sin(n); y[n] = 1 + x[n] + cos(3 * n); } }
      parameters { real a; real b; real<lower=0> s; } model { for (n in 1:N) y[n] ~ normal(a + b * x[n], s); })", 20},
    {"groups", R"(transformed data { int N = 60000; array[N] int g; array[N] int y; for (n in 1:N) { g[n] = n * 7 % 5 + 1; y[n] = n * 11 % 3 == 0; } }
      parameters { vector[5] a; real b; } model { for (n in 1:N) { real eta = a[g[n]] + b * (n % 4); y[n] ~ bernoulli_logit(eta); } })", 40},
    {"container", R"(transformed data { int N = 60000; vector[N] x; for (n in 1:N) x[n] = cos(n); }
      parameters { real a; real<lower=0> s; } model { vector[N] mu; for (n in 1:N) mu[n] = a * x[n]; x ~ normal(mu, s); target += -0.5 * mu[7] * mu[N]; })", 20},
    {"paths", R"(transformed data { int N = 60000; vector[N] x; for (n in 1:N) x[n] = sin(2 * n); }
      parameters { real a; real b; real<lower=0> s; }
      model { for (n in 1:N) { if (n % 3 == 0) { x[n] ~ normal(a, s); } else if (n % 1000 == 1) { target += a * b; x[n] ~ cauchy(b, s); } else { real t = exp(b * x[n]); target += -t * s; } } })", 60},
    {"invariants", R"(transformed data { int N = 60000; vector[N] x; for (n in 1:N) x[n] = sin(2 * n) > 0.5; }
      parameters { real a; real b; } model { for (n in 1:N) target += normal_lpdf(x[n] | exp(a) * x[n], exp(b)); for (n in 1:N) target += -1e-5 * square(a); })", 20},
    {"inner_loop", R"(transformed data { int N = 60000; matrix[N, 3] x; for (n in 1:N) for (k in 1:3) x[n, k] = sin(n + k); }
      parameters { vector[3] b; } model { for (n in 1:N) { real eta = 0; for (k in 1:3) eta += b[k] * x[n, k]; target += -square(eta - 1); } })", 30},
    {"early_end", R"(transformed data { int N = 60000; } parameters { real a; }
      model { for (n in 1:N) { if (n > 50000) break; target += -square(a - 1e-4 * n); } target += a; })", 20},
    {"densities_as_values", R"(transformed data { int N = 60000; vector[N] y; for (n in 1:N) y[n] = sin(n) * 3; }
      parameters { ordered[2] m; real<lower=0, upper=1> p; } model { for (n in 1:N) target += log_mix(p, normal_lpdf(y[n] | m[1], 1), normal_lpdf(y[n] | m[2], 2)); })", 30},
    {"recurrence", R"(transformed data { int N = 60000; vector[N] y; for (n in 1:N) y[n] = sin(n); }
      parameters { real a; real b; } model { real e = 0; for (n in 1:N) { e = y[n] - a - 0.5 * tanh(b) * e; target += -square(e); } })", kUnrolled},
    {"previous_round", R"(transformed data { int N = 60000; vector[N] y; for (n in 1:N) y[n] = sin(n); }
      parameters { real a; real b; } model { vector[N] mu; for (n in 1:N) { mu[n] = a * y[n]; if (n > 40000) target += -square(mu[n - 1] - b); } })", kUnrolled},
    {"guard", R"(transformed data { int N = 60000; vector[N] y; for (n in 1:N) y[n] = sin(n); }
      parameters { real a; } model { for (n in 1:N) { real t = y[n] * a; if (n > 30000 && n < 30005 && t > 0.1) target += -t; target += -square(t - 0.1); } })",
     kUnrolled},
    {"list_of_scalars", R"(transformed data { int N = 60000; vector[N] y; for (n in 1:N) y[n] = sin(n) * 3; }
      parameters { simplex[3] p; ordered[3] m; } model { for (n in 1:N) { array[3] real ps; for (k in 1:3) ps[k] = log(p[k]) + normal_lpdf(y[n] | m[k], 1); target += log_sum_exp(ps); } })",
     60},
    {"elements_of_softmax", R"(transformed data { int N = 60000; vector[N] y; for (n in 1:N) y[n] = sin(n); }
      parameters { vector[3] v; } model { for (n in 1:N) target += log_softmax(v)[1 + n % 3] * n / N + softmax(v * y[n])[2]; })",
     120},
    {"short_vectors",
     R"(transformed data { int N = 60000; array[N] vector[3] y; for (n in 1:N) for (k in 1:3) y[n, k] = sin(n + k); }
      parameters { vector[3] m; vector<lower=0>[3] s; } model { for (n in 1:N) { y[n] ~ normal(m, s); vector[3] d = m - y[n]; target += -1e-3 * dot_self(d) + 1e-3 * normal_lpdf(d | 0, 2); } })",
     80},
    {"containers_inside", R"(transformed data { int N = 60000; vector[N] y; for (n in 1:N) y[n] = sin(n); }
      parameters { vector[2] v; } model { for (n in 1:N) { target += -square(y[n] - v[1]); if (n % 30000 == 0) target += log_sum_exp(v * y[n]); } })", kUnrolled},
};

void PrintTo(const LoopCase& c, std::ostream* out) { *out << c.name; }

class LongLoops : public ::testing::TestWithParam<LoopCase> {};

bool close(double x, double y, double tolerance, double scale) {
  return std::abs(x - y) <= tolerance * std::max(1.0, scale);
}

double plain(const interp::InterpModel& model, const std::vector<double>& theta) {
  double lp = 0;
  EXPECT_TRUE(model.log_density_plain(theta, true, &lp));
  return lp;
}

double difference(const interp::InterpModel& model, std::vector<double> theta, std::size_t i) {
  const double h = 1e-3, x = theta[i];
  const auto at = [&](double step) {
    theta[i] = x + step;
    return plain(model, theta);
  };
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

TEST_P(LongLoops, AgreeWithPlainEvaluationAndDifferences) {
  const auto model = load(GetParam().text);
  ASSERT_TRUE(model);
  const auto owner = model->workspace();
  const std::size_t n = model->unconstrained_size();
  for (int k = 0; k < 2; ++k) {
    std::vector<double> theta(n), gradient(n);
    for (std::size_t i = 0; i < n; ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k);
    double lp = 0;
    const EvalStatus status = owner->log_density_gradient(theta, {.propto = false, .jacobian = true}, &lp, gradient);
    ASSERT_TRUE(status) << status.message;
    const double expected = plain(*model, theta);
    EXPECT_TRUE(close(lp, expected, 1e-11, std::abs(expected))) << lp << " on the tape, " << expected << " plainly";
    for (std::size_t i = 0; i < n; ++i) {
      const double slope = difference(*model, theta, i);
      EXPECT_TRUE(close(gradient[i], slope, 1e-6, std::abs(slope) + 1e-3 * std::abs(lp)))
          << "gradient[" << i << "] is " << gradient[i] << ", differences give " << slope;
    }
  }
  EXPECT_LE(model->statistics({.propto = false, .jacobian = true}).ops_recorded, GetParam().most_ops);
}

INSTANTIATE_TEST_SUITE_P(Loops, LongLoops, ::testing::ValuesIn(kLoops),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace fermiac::testing
