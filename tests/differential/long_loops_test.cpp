// Loops and nests of loops that are recorded by columns (autodiff/tape/record/loop.h, nest.h): what they compute is what the
// plain evaluator computes, and the tape is short. Loops that do not fit - recurrences, guards, containers - fall back without a difference. Small nests
// are recorded op by op.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "tests/shared/program_runner.h"

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
    {"sum", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = 0; for (n in 1:N) s += square(y[n] - a); target += -1e-3 * s - b^2; })", 40},
    {"sum_in_a_function", R"(functions { real ll(vector y, real a, real b) { real lp = 0; for (n in 1:size(y)) lp += normal_lpdf(y[n] | a, exp(b)); return lp; } }
      transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { target += ll(y, a, b); })", 40},
    {"sum_from_a_parameter", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = b; for (n in 1:N) s = exp(a * y[n]) + s; target += -1e-4 * s * s; })", 40},
    {"sums_of_paths", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = 0; for (n in 1:N) { if (k[n] == 1) s += log1p_exp(a + b * y[n]); else if (k[n] == 2) s -= exp(-a * y[n]); s += -0.1 * b; s -= y[n]; } target += 1e-3 * s - a^2; })", 120},
    {"constants_in_a_sum", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = a; for (n in 1:N) { s += y[n]; s -= 0.5 * k[n]; if (n % 100 == 0) s += b * y[n]; } target += -1e-6 * s * s - b^2; })", 80},
    {"partial_sums_kept", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { vector[N] c; real s = 0; for (n in 1:N) { s += exp(-a * 1e-3 * y[n]); c[n] = s; } y ~ normal(b * c / N, 2); })", 40},
    {"partial_sums_read", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = 0; for (n in 1:N) { s += 1e-4 * a * y[n]; y[n] ~ normal(s + b, 1); s += 1e-4 * b; target += -1e-4 * square(s); } })", 120},
    {"sum_of_partial_sums", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = 0; real q = 0; for (n in 1:N) { s += 1e-3 * a * y[n]; q += square(s - b); } target += -1e-3 * q; })", 80},
    {"partial_sum_read_once", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = 0; for (n in 1:N) { s += square(a - y[n]); if (n == 50000) target += -1e-4 * s * b; } target += -1e-3 * s; })", 40000},
    {"two_sums_exchanged", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = 0; real q = b; for (n in 1:N) { s += exp(a * y[n]); q -= 1e-3 * exp(b * y[n]); if (n == 30000) { real t = s; s = q; q = t; } } target += -1e-4 * s * q; })", 400},
    {"sum_that_begins_anew", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = 0; for (n in 1:N) { if (n % 20000 == 0) { target += -1e-4 * s; s = 0; } s += square(a - y[n]) + b * y[n]; } target += -1e-4 * square(s) / N; })", 40000},
    {"product_with_a_sum", R"(transformed data { int N = 60000; vector[N] y; array[N] int k; for (n in 1:N) { y[n] = sin(n); k[n] = n * 7 % 3; } }
      parameters { real a; real b; }
      model { real s = 1; for (n in 1:N) { s = s + 1e-5 * a * s; s += b * 1e-6; } target += -s; })", kUnrolled},
    {"containers_inside", R"(transformed data { int N = 60000; vector[N] y; for (n in 1:N) y[n] = sin(n); }
      parameters { vector[2] v; } model { for (n in 1:N) { target += -square(y[n] - v[1]); if (n % 30000 == 0) target += log_sum_exp(v * y[n]); } })", kUnrolled},
    {"constants_beside_parameters", R"(transformed data { int N = 60000; vector[20] d; for (k in 1:20) d[k] = 0.1 * k; }
      parameters { vector[2] v; } model { for (n in 1:N) { target += -1e-3 * square(sin(n) - v[1]); if (n % 30000 == 7) target += log_sum_exp(append_row(v, d * n / N)); } })", kUnrolled},
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

// ---------------------------------------------------------------- nests

struct NestCase {
  const char* name;
  const char* data;  // after the sizes I, J, K
  const char* model;
  std::array<int, 3> sizes;   // a long nest
  std::size_t most_ops;       // of it, recorded
  std::array<int, 3> small;   // the same one, short
};

#define ROWS "array[I] real x; array[I, J] real y; for (i in 1:I) { x[i] = cos(i); for (j in 1:J) y[i, j] = sin(i + 0.1 * j); }"
#define LENGTHS "array[I] int n; for (i in 1:I) n[i] = J %/% 2 + i * 7 % J;" ROWS "array[I, 2 * J] real z; for (i in 1:I) for (j in 1:2 * J) z[i, j] = sin(i * j);"

const NestCase kNests[] = {
    {"inner_longer", ROWS, "for (i in 1:I) for (j in 1:J) y[i, j] ~ normal(a[i] + b[j] * x[i], s);", {100, 600, 1}, 100 * 4, {5, 30, 1}},
    {"outer_longer", ROWS, "for (i in 1:I) for (j in 1:J) y[i, j] ~ normal(a[i] + b[j] * x[i], s);", {2000, 40, 1}, 400, {30, 5, 1}},
    {"statements_beside", ROWS, "for (i in 1:I) { real mu = a[i] + s; a[i] ~ normal(0, 5); for (j in 1:J) y[i, j] ~ normal(mu + b[j] * x[i], s); target += -0.1 * square(mu); }",
     {100, 600, 1}, 100 * 9, {5, 30, 1}},
    {"statements_beside_short_rows", ROWS, "for (i in 1:I) { real mu = a[i] + s; a[i] ~ normal(0, 5); for (j in 1:J) y[i, j] ~ normal(mu + b[j] * x[i], s); target += -0.1 * square(mu); }",
     {2000, 40, 1}, 600, {30, 5, 1}},
    {"three_levels_inner", ROWS, "for (i in 1:I) for (j in 1:J) for (k in 1:K) target += -1e-3 * square(y[i, j] - a[i] * k - b[j] * s);",
     {33, 33, 60}, 33 * 33 * 15, {3, 4, 5}},
    {"three_levels_middle", ROWS, "for (i in 1:I) for (j in 1:J) for (k in 1:K) target += -1e-3 * square(y[i, j] - a[i] * k - b[j] * s);",
     {12, 1000, 25}, 12000, {3, 20, 5}},
    {"three_levels_outer", ROWS, "for (i in 1:I) for (j in 1:J) for (k in 1:K) target += -1e-3 * square(y[i, j] - a[i] * k - b[j] * s);",
     {1000, 12, 25}, 5000, {20, 3, 5}},
    {"ragged", LENGTHS, "for (i in 1:I) for (j in 1:n[i]) z[i, j] ~ normal(a[i] + b[1] * j / J, s);", {120, 1000, 1}, 120 * 10, {6, 10, 1}},
    {"ragged_short_rows", LENGTHS, "for (i in 1:I) for (j in 1:n[i]) z[i, j] ~ normal(a[i] + b[1] * j / J, s);", {1500, 60, 1}, 2000, {30, 5, 1}},
    {"triangle", ROWS, "for (i in 1:I) for (j in 1:i) y[i, j] ~ normal(a[i] - a[j], s);", {600, 600, 1}, 60000, {20, 20, 1}},
    {"triangle_from_above", ROWS, "for (i in 1:I) for (j in (i + 1):J) y[i, j] ~ normal(a[i] - a[j], s);", {400, 400, 1}, 8000, {20, 20, 1}},
    {"inner_sum", ROWS, "for (i in 1:I) { real e = a[i]; for (j in 1:J) e += b[j] * x[i]; x[i] ~ normal(e, s); }", {300, 200, 1}, 2500, {20, 10, 1}},
    {"inner_sum_long_rows", ROWS, "for (i in 1:I) { real e = a[i]; for (j in 1:J) e += b[j] * y[i, j] / J; x[i] ~ normal(e, s); }", {64, 1000, 1}, 9000, {5, 40, 1}},
    {"inner_sum_of_dummies", ROWS "for (i in 1:I) for (j in 1:J) y[i, j] = i * j % 7 < 3;",
     "for (i in 1:I) { real e = a[i]; for (j in 1:J) e += b[j] * y[i, j] / J; x[i] ~ normal(e, s); }", {500, 120, 1}, 3000, {5, 40, 1}},
    {"sum_over_all", ROWS, "real e = 0; for (i in 1:I) for (j in 1:J) e += b[j] * a[i] / (I * J); target += -square(e - s);", {100, 600, 1}, 100 * 12, {5, 30, 1}},
    {"previous_row", ROWS, "array[I, J] real m; for (j in 1:J) m[1, j] = b[j]; for (i in 2:I) for (j in 1:J) { m[i, j] = a[i] + 0.5 * m[i - 1, j]; y[i, j] ~ normal(m[i, j], s); }",
     {120, 500, 1}, 3000, {5, 30, 1}},
    {"previous_row_more_rows", ROWS, "array[I, J] real m; for (j in 1:J) m[1, j] = b[j]; for (i in 2:I) for (j in 1:J) { m[i, j] = a[i] + 0.5 * m[i - 1, j]; y[i, j] ~ normal(m[i, j], s); }",
     {1000, 60, 1}, 5000, {30, 5, 1}},
    {"previous_column", ROWS, "array[I, J] real m; for (i in 1:I) { m[i, 1] = a[i]; for (j in 2:J) { m[i, j] = b[j] + 0.5 * m[i, j - 1]; y[i, j] ~ normal(m[i, j], s); } }",
     {120, 500, 1}, 5000, {5, 30, 1}},
    {"container", ROWS, "matrix[I, J] m; for (i in 1:I) for (j in 1:J) m[i, j] = a[i] * b[j] + s; target += -1e-3 * sum(m .* m); target += m[I, J] - m[2, 3];",
     {100, 600, 1}, 300, {5, 30, 1}},
    {"paths", ROWS, "for (i in 1:I) for (j in 1:J) { if (j % 3 == 0) y[i, j] ~ normal(a[i], s); else if (i % 7 == 1) target += -1e-3 * exp(b[j]); else { real t = b[j] * s; y[i, j] ~ cauchy(t, s); } }",
     {100, 600, 1}, 1000, {8, 30, 1}},
    {"guards", ROWS, "for (i in 1:I) for (j in 1:J) { real t = y[i, j] * a[i]; if (i > 50 && j == 100 && t > 0.01) target += -t; target += -1e-3 * square(t - b[j] * s); }",
     {100, 600, 1}, 5000, {60, 10, 1}},
    {"vectors_between", ROWS, "for (i in 1:I) { vector[J] v = b * a[i]; for (j in 1:J) y[i, j] ~ normal(v[j], s); target += -1e-3 * dot_self(v); }",
     {1000, 60, 1}, 6000, {30, 5, 1}},
    {"early_ends", ROWS, "for (i in 1:I) { for (j in 1:J) { if (j > 400 + i) break; if (j % 2 == 0) continue; y[i, j] ~ normal(a[i] * b[j], s); } }",
     {200, 600, 1}, 800, {10, 30, 1}},
    {"functions", "array[I] real x; for (i in 1:I) x[i] = cos(i);", "for (i in 1:I) target += row_lp(J, a[i], b, x[i], s);", {100, 600, 1}, 900, {5, 30, 1}},
};

void PrintTo(const NestCase& c, std::ostream* out) { *out << c.name; }

std::string program(const NestCase& c, const std::array<int, 3>& sizes) {
  return fmt::format("functions {{ real row_lp(int J, real a, vector b, real x, real s) {{ for (j in 1:J) {{ x ~ normal(a + b[j], s); }} return -a; }} }}"
                     "transformed data {{ int I = {}; int J = {}; int K = {}; {} }}"
                     "parameters {{ vector[I] a; vector[J] b; real<lower=0> s; }} model {{ {} }}",
                     sizes[0], sizes[1], sizes[2], c.data, c.model);
}

/// Compares with plain evaluation, slopes in two directions. Returns how many operations were recorded.
std::size_t check_nest(const NestCase& c, const std::array<int, 3>& sizes) {
  const auto model = load(program(c, sizes));
  if (!model) return 0;
  const auto owner = model->workspace();
  const std::size_t n = model->unconstrained_size();
  std::vector<double> theta(n), gradient(n), moved(n);
  for (int k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < n; ++i) theta[i] = 0.3 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k);
    double lp = 0;
    const EvalStatus status = owner->log_density_gradient(theta, {.propto = false, .jacobian = true}, &lp, gradient);
    EXPECT_TRUE(status) << status.message;
    const double expected = plain(*model, theta);
    EXPECT_TRUE(close(lp, expected, 1e-11, std::abs(expected))) << lp << " on the tape, " << expected << " plainly";
    const auto direction = [&](std::size_t i) { return std::cos(k + 1.1 * static_cast<double>(i)); };
    const auto at = [&](double step) {
      for (std::size_t i = 0; i < n; ++i) moved[i] = theta[i] + step * direction(i);
      return plain(*model, moved);
    };
    const double h = 1e-3, slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
    double product = 0;
    for (std::size_t i = 0; i < n; ++i) product += gradient[i] * direction(i);
    EXPECT_TRUE(close(product, slope, 1e-6, std::abs(slope) + 1e-3 * std::abs(lp)))
        << "the gradient says " << product << ", differences " << slope;
  }
  return model->statistics({.propto = false, .jacobian = true}).ops_recorded;
}

class Nests : public ::testing::TestWithParam<NestCase> {};

TEST_P(Nests, LongOnesAgreeWithPlainEvaluationAndDifferences) {
  EXPECT_LE(check_nest(GetParam(), GetParam().sizes), GetParam().most_ops);
}

TEST_P(Nests, SmallOnesAreRecordedOpByOp) {
  const auto& small = GetParam().small;
  const int rounds = small[0] * small[1] * small[2];
  EXPECT_GE(check_nest(GetParam(), small), static_cast<std::size_t>(rounds) / 3);
}

INSTANTIATE_TEST_SUITE_P(Loops, Nests, ::testing::ValuesIn(kNests),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace fermiac::testing
