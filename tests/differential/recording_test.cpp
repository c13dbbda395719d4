// The tape against the plain evaluator and against differences of its values, on models that between them use every kind
// of statement, index, transform and control flow. Every point is evaluated twice, the second time with poisoned numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "interp/model/workspace.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

struct ModelCase {
  const char* name;
  const char* text;
  const char* data = "{}";
};

constexpr const char* kSeries = R"({"T": 12, "y": [1.1, 0.2, -0.5, 1.7, 2.2, 2.9, 3.1, 0.1, -0.7, 0.4, 1.2, 2.5]})";
constexpr const char* kCounts = R"({"T": 6, "n": [5, 7, 9, 4, 6, 8], "k": [2, 7, 3, 0, 5, 1], "g": [1, 2, 3, 1, 2, 3], "y": [0.4, 1.9, 0.2, 2.5, 0.9, 3.1]})";

const ModelCase kModels[] = {
    {"scalars", R"(parameters { real x; real<lower=0> s; real<upper=2> u; real<lower=-1, upper=3> w; real<offset=1, multiplier=2> z; }
      model { x ~ normal(0, s); target += -s + u * w - square(z) / 3 + x ^ 3 + (x + 2) / (s + 1) - s ^ -1.5; })"},
    {"bounds_depend_on_parameters", R"(parameters { real<lower=0> a; real<lower=a> b; vector<lower=a, upper=a + b>[3] v;
        vector<lower=[0, a, b]'>[3] w; array[2] real<offset=a, multiplier=b> z; }
      model { target += -a - b - sum(v) - dot_self(w) - z[1] * z[2]; })"},
    {"infinite_bounds", R"(data { real lo; real up; } parameters { real<lower=lo> a; real<upper=up> b; real<lower=lo, upper=1> c;
        real<lower=0, upper=up> d; real<lower=lo, upper=up> e; }
      model { target += -square(a) - square(b) - c - d - square(e); })", R"({"lo": "-Inf", "up": "Inf"})"},
    {"structured_vectors", R"(parameters { simplex[3] p; ordered[3] o; positive_ordered[2] q; unit_vector[3] u; sum_to_zero_vector[4] z; }
      model { target += sum(log(p)) * 1.5 - dot_self(o) - sum(q) + u[1] - 2 * u[3] - dot_self(z); })"},
    {"structured_matrices", R"(parameters { cholesky_factor_corr[3] L; cholesky_factor_cov[3, 2] C; corr_matrix[3] R; cov_matrix[2] S;
        column_stochastic_matrix[3, 2] A; row_stochastic_matrix[2, 3] B; sum_to_zero_matrix[3, 2] Z; }
      model { target += L[2, 1] + L[3, 2] * L[3, 3] - sum(C) + R[2, 1] * R[3, 2] - S[1, 1] - S[2, 2] + S[1, 2] + sum(A .* A) - B[1, 2] + sum(Z .* Z); })"},
    {"arrays_of_structured", R"(parameters { array[2] simplex[3] p; array[2, 2] ordered[2] o; array[2] cov_matrix[2] S; }
      model { for (i in 1:2) { p[i] ~ dirichlet([1.5, 2, 3]'); target += -o[i, 1][2] + o[i, 2][1] - S[i][1, 1] - S[i][2, 2]; }
        target += -square(o[1, 1, 1]) - square(o[2, 2, 2]); })"},
    {"tuples", R"(parameters { tuple(real<lower=0>, vector[2]) t; array[2] tuple(real, simplex[2]) a; }
      transformed parameters { tuple(real, vector[2]) u = (t.1 * 2, t.2 + a[1].1); }
      model { target += -u.1 - dot_self(u.2) - a[2].1 ^ 2 + a[1].2[1] * a[2].2[2]; })"},
    {"element_assignment", R"(data { int N; vector[N] x; array[N] int g; } parameters { vector[3] b; real<lower=0> s; }
      model { vector[N] mu; for (n in 1:N) { mu[n] = b[g[n]] + b[1] * x[n]; } mu[2] += 0.5; x ~ normal(mu, s); s ~ exponential(1); })",
     R"({"N": 5, "x": [0.1, -0.4, 1.2, 0.7, -2], "g": [1, 2, 3, 2, 1]})"},
    {"slices", R"(parameters { matrix[3, 4] m; array[2] vector[3] v; }
      model { matrix[3, 4] c = m; c[2, 2:3] = m[1, {4, 1}]; c[:, 1] = v[2]; c[{3, 1}, 4] = v[1][2:3]; c[2:3, 2:3] = c[1:2, 3:4];
        target += -0.5 * sum(c .* c) + sum(m[{1, 3}]) - v[1, 3] * c[3, 2]; target += -dot_self(v[2][{1, 1, 2}]); })"},
    {"parts_of_a_transposed_sum", R"(data { int N; real c; } parameters { vector[3] v; real q; }
      model { matrix[N, N] m = sin((rep_matrix(c, N, N) + rep_matrix(q, N, N))'); vector[N] w = reverse(rep_vector(c, N) + rep_vector(v[2], N));
        target += sum(tanh(m[1:4, 6:])) + sum(sin(w .* w)[2:8]) * v[1]; })", R"({"N": 60, "c": 1.87})"},
    {"programs_of_scalars", R"(data { int T; vector[T] y; } parameters { real<lower=0.1> k; real a; vector[3] v; }
      model { for (t in 1:T) { real x = y[t] + a; int i = 1; int n = 0;
          while (x > k && n < 9) { x *= 0.7; n += 1; if (x > 2 * k) continue; x = x - a / 5 + n * 0.01; }
          while (i < 3 && v[i] < a + (k * (a + (k * (a + (k * (a + (k * (a + (k * 0.01 * t))))))))) ) i += 1;
          target += -square(x - v[i]) - x * n; if (target() < -1e6) break; }
        target += -k - square(a) - dot_self(v); })", kSeries},
    {"compared_elements", R"(data { int T; vector[T] y; } transformed data { vector[6] g = [-2, -1, 0, 0.5, 1, 2]'; } parameters { real k; vector[6] v; }
      model { array[6] real w = to_array_1d(v); for (t in 1:T) { int i = 1; int j = 1; int n = 1;
          while (i < 6 && g[i] < k + 0.01 * t) i += 1;
          while (j < 6 && 0.1 * t - 0.3 >= v[j]) j += 1;
          while (n < 6 && w[n] != y[n]) n += 1;
          target += -square(y[t] - v[i] * w[j]) * n; }
        target += -square(k) - dot_self(v); })", kSeries},
    {"groups_in_runs", R"(transformed data { int N = 77; array[N] int g; vector[N] x; for (n in 1:N) { g[n] = 1 + (n - 1) %/% 13; x[n] = 0.1 * (n % 7) - 0.2; } }
      parameters { vector[6] a; real<lower=0> s; } model { vector[77] m = a[g] + x * s; target += -sum(square(m .* x - 0.3)) - dot_self(a) - s; target += sum(exp(0.1 * a[g] .* x)); })"},
    {"few_groups", R"(transformed data { int N = 77; array[N] int g; array[N] int h; array[N] int k; vector[N] x; for (n in 1:N) { g[n] = 1 + n % 2; h[n] = 1 + n * n % 4; k[n] = 1 + n * n % 8; x[n] = 0.1 * (n % 7) - 0.2; } }
      parameters { vector[8] a; vector[8] b; } model { target += -sum(square(a[g] .* x - a[h] + 0.1 * b[k])) - dot_self(b) - dot_self(a); })"},
    {"guards_by_constants", R"(data { int T; vector[T] y; } parameters { real k; real a; }
      model { for (t in 1:T) { int n = 1; real x = 3; while (n < 9 && n * 0.25 - 1 < k) n += 1; while (!(x <= a + 1)) x *= 0.8; if (k <= 5 && a >= -9 && 7 > k && a != 2 && k > not_a_number()) n = 0;
          target += normal_lpdf(y[t] | n + a * k, 2 + n) - 0.1 * x * square(k - a); } })", kSeries},
    {"recurrence", R"(data { int T; vector[T] y; } parameters { real mu; real<lower=-1, upper=1> phi; real<lower=0> s; }
      model { vector[T] e; e[1] = y[1] - mu; for (t in 2:T) e[t] = y[t] - mu - phi * e[t - 1]; e ~ normal(0, s); phi ~ normal(0, 0.5); mu ~ cauchy(0, 2); s ~ lognormal(0, 1); })",
     R"({"T": 6, "y": [1, 2, 0.5, -1, 0.2, 0.9]})"},
    {"forward_algorithm", R"(data { int T; array[T] real y; } parameters { array[3] simplex[3] A; ordered[3] mu; array[3] real<lower=0> sigma; simplex[3] pi1; }
      model { array[3] real acc; array[T] vector[3] la; la[1] = log(pi1) + normal_lpdf(y[1] | mu, sigma);
        for (t in 2:T) for (j in 1:3) { for (i in 1:3) acc[i] = la[t - 1, i] + log(A[i, j]) + normal_lpdf(y[t] | mu[j], sigma[j]); la[t, j] = log_sum_exp(acc); }
        target += log_sum_exp(la[T]); sigma ~ normal(0, 2); mu ~ normal(0, 3); })", kSeries},
    {"forward_algorithm_additions_apart", R"(data { int T; vector[T] y; } parameters { vector[2] a; matrix[2, 2] A; vector[2] x; }
      model { vector[2] g = a; for (t in 1:T) { vector[2] h; for (k in 1:2) h[k] = log_sum_exp(g + A[:, k]) + y[t] * x[k] - square(x[k]); g = h; target += 0.1 * g[1]; }
        target += -dot_self(g) * 0.01 - dot_self(to_vector(A)) - dot_self(a); })", kSeries},
    {"forward_algorithm_changing_transitions", R"(data { int T; vector[T] y; } parameters { vector[2] a; vector[2] b; real<lower=0> s; }
      model { array[2] real acc; array[T, 2] real g; g[1] = {a[1], a[2]};
        for (t in 2:T) for (k in 1:2) { for (j in 1:2) acc[j] = g[t - 1, j] + (j == k ? log_inv_logit(b[j] + y[t]) : log1m_inv_logit(b[j] + y[t])) + normal_lpdf(y[t] | a[k], s); g[t, k] = log_sum_exp(acc); }
        target += log_sum_exp(g[T]); a ~ std_normal(); b ~ std_normal(); s ~ exponential(1); })", kSeries},
    {"forward_algorithm_impossible_and_far", R"(data { int T; vector[T] y; } parameters { vector[3] a; real b; }
      transformed parameters { matrix[3, 3] L = [[b, -900, negative_infinity()], [-2, b, 1], [-950, -1, a[3]]]; }
      model { vector[3] g = 400 * a; for (t in 1:T) { vector[3] h; for (k in 1:3) h[k] = log_sum_exp(g + L[:, k]) - 30 * square(a[k] - y[t]); g = h; }
        target += 1e-3 * log_sum_exp(g) - dot_self(a) - square(b); })", kSeries},
    {"two_forward_algorithms_one_after_the_other", R"(data { int T; vector[T] y; } parameters { vector[2] a; matrix[2, 2] A; }
      model { vector[2] g = a; vector[2] f = a; for (t in 1:T) { vector[2] h; for (k in 1:2) h[k] = log_sum_exp(g + A[:, k]) + y[t] * a[k]; g = h; }
        for (t in 1:T) { vector[2] h; for (k in 1:2) h[k] = log_sum_exp(f + A[k]') + g[k]; f = h; }
        target += -square(f[1]) * 1e-4 + f[2] * 0.1 - dot_self(a) - dot_self(to_vector(A)); })", kSeries},
    {"sufficient_statistics", R"(data { int T; array[T] int n; array[T] int k; array[T] int g; vector[T] y; }
      parameters { real<lower=0, upper=1> p; vector<lower=0, upper=1>[3] q; real<lower=0> r; vector<lower=0>[3] w; }
      model { p ~ beta(2, 3.5); k ~ binomial(n, p); q ~ beta(1, 1); for (t in 1:T) { k[t] ~ binomial(n[t], q[g[t]]); g[t] ~ poisson(w[g[t]]); }
        n ~ poisson(r); y ~ exponential(r); y ~ gamma(2.5, w[1]); r ~ gamma(2, 0.1); w ~ exponential(0.5); target += binomial_lpmf(k | n, q[2]);
        target += log_sum_exp(binomial_lpmf(k | n, p), poisson_lpmf(n | r) + 1); target += poisson_log_lpmf(g | 2 * p); target += bernoulli_logit_lpmf(1 | r); 0 ~ bernoulli(p); })", kCounts},
    {"certain_checks", R"(parameters { real<lower=0> v; real<lower=0, upper=1> p; real<lower=0, upper=1> q; vector[3] x; }
      transformed parameters { real<lower=0> s = sqrt(v); real<lower=-1, upper=1> d = p - q; vector<lower=0>[3] e = exp(x) * s; real<lower=0, upper=1> l = inv_logit(x[1]); }
      model { target += -square(s) - d - sum(e) - l - dot_self(x); })"},
    {"short_vectors_of_many", R"(data { int N; array[N, 3] int y; array[N] int c; } parameters { vector[3] b; vector[N] a; real<lower=0> s; }
      model { for (i in 1:N) { y[i] ~ bernoulli_logit(a[i] - b); target += 0.1 * bernoulli_logit_lpmf(y[i] | b * a[i]) * a[i]; c[i] ~ categorical(softmax(append_row(0, cumulative_sum(a[i] * s - b))));
        c[i] ~ categorical_logit(append_row(b, a[i])); target += normal_lpdf(b | a[i], s) * 0.1; } a ~ std_normal(); b ~ std_normal(); s ~ exponential(1); })",
     R"({"N": 12, "y": [[1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 1, 0]], "c": [1, 2, 3, 4, 2, 1, 3, 4, 4, 1, 2, 3]})"},
    {"branches", R"(parameters { real x; real y; }
      model { real z; if (x > 0) z = x * 2; else if (y > 0) z = y - x; else z = -x * y; target += -square(z);
        if (x < y && x * y > -1) target += x; target += x > y ? x * 3 : y * y; for (i in 1:5) { if (x * i > 0.7) break; target += -0.1 * x * i; } })"},
    {"while_on_parameters", R"(parameters { real<lower=0> x; } model { real s = x; int n = 0; while (s < 3 && n < 20) { s += x; n += 1; } target += -s * n; })"},
    {"comparisons_of_elements", R"(parameters { vector[4] v; } model { real top = v[1]; for (i in 2:4) if (v[i] >= top) top = v[i]; target += -square(top) - 0.1 * dot_self(v); })"},
    {"functions", R"(functions { real sq(real a) { return a * a; } vector axpy(real a, vector x, vector y) { return a * x + y; }
        real poly(array[] real c, real x) { real r = 0; for (i in 1:size(c)) { r = r * x + c[i]; } return r; }
        real rec(real x, int n) { if (n == 0) return x; return rec(x, n - 1) * 0.5 + n; }
        real my_lpdf(real x, real m, data real s) { return normal_lpdf(x | m, s) - 0.1 * sq(m); }
        void add_lp(real x) { x ~ normal(0, 2); target += -x; }
        real both_lp(real x) { target += x; return 2 * x; } }
      parameters { real a; vector[2] v; } model { a ~ my(v[1], 1.5); target += -sq(a) - sum(axpy(a, v, v)); target += poly({a, v[2], 1}, v[1]);
        target += rec(a, 3); add_lp(a); real b = both_lp(v[2]); target += b * a; })"},
    {"propto_in_functions", R"(functions { real f_lpdf(real x, real m) { return normal_lupdf(x | m, 2) + cauchy_lpdf(m | 0, 1); } }
      parameters { real x; real m; } model { x ~ f(m); target += f_lupdf(x | m); target += f_lpdf(m | x); })"},
    {"jacobian_statement", R"(functions { real pos_jacobian(real y) { jacobian += y; return exp(y); } }
      parameters { real y; vector[2] v; } transformed parameters { real x = pos_jacobian(y); vector[2] w = exp(v); jacobian += sum(v); vector[3] p = simplex_jacobian(v); }
      model { x ~ gamma(2, 3); w ~ lognormal(0, 1); target += log(p[1]); })"},
    {"target_value", R"(parameters { real x; } model { x ~ normal(0, 1); target += -x; real t = target(); target += 0.3 * t; })"},
    {"containers_in_target", R"(parameters { vector[3] v; matrix[2, 2] m; } model { target += -v .* v; target += -m; target += {v[1], -2 * v[2]}; target += -sum(m .* m) + 1; })"},
    {"vectorised_densities", R"(data { int N; array[N] int y; vector[N] x; matrix[N, 2] X; } parameters { real a; vector[2] b; real<lower=0> s; }
      model { y ~ bernoulli_logit(a + X * b); x ~ student_t(4, a, s); y ~ poisson_log(X * b); b ~ double_exponential(0, 2); target += normal_lpdf(x | X * b, s); s ~ inv_gamma(2, 3); })",
     R"({"N": 4, "y": [0, 1, 1, 0], "x": [0.3, -1, 2, 0.5], "X": [[1, 0.2], [0.5, -1], [-0.3, 2], [1.1, 0.4]]})"},
    {"truncation", R"(data { array[3] real y; } parameters { real m; real<lower=0> s; }
      model { for (i in 1:3) y[i] ~ normal(m, s) T[-1, 4]; m ~ normal(0, 2) T[-10, ]; s ~ exponential(1) T[, 50]; })", R"({"y": [0.5, 1.5, 3]})"},
    {"matrices", R"(data { matrix[3, 3] A; } parameters { vector[3] v; matrix[3, 3] B; cov_matrix[3] S; }
      model { matrix[3, 3] C = A * B + B'; vector[3] w = C \ v; target += -dot_self(w) - 0.5 * sum(C .* C) - 0.5 * dot_self(diagonal(B)); v ~ multi_normal(rep_vector(0, 3), S);
        target += -trace(S) + log_determinant(S); })", R"({"A": [[2, 0.1, 0], [0.3, 3, 0.2], [0, 0.5, 4]]})"},
    {"checked_transformed_parameters", R"(parameters { vector[2] v; real x; } transformed parameters { real<lower=-3, upper=3> y = tanh(x) * 2.5; simplex[2] p = softmax(v); vector<lower=0>[2] e = exp(v); }
      model { target += -square(y) + sum(log(p)) - sum(e); })"},
    {"transformed_data", R"(data { int N; vector[N] x; } transformed data { real m = mean(x); vector[N] z = (x - m) / sd(x); int K = N > 3 ? 2 : 1; array[K] real c = rep_array(0.5, K); }
      parameters { real b; array[K] real<lower=c> g; } model { z ~ normal(b, sum(g)); target += -sum(g); })", R"({"N": 4, "x": [1, 2, 4, 8]})"},
    {"mixture", R"(data { int N; vector[N] y; } parameters { ordered[2] mu; simplex[2] p; real<lower=0> s; }
      model { for (n in 1:N) { vector[2] lp = log(p); for (k in 1:2) lp[k] += normal_lpdf(y[n] | mu[k], s); target += log_sum_exp(lp); } mu ~ normal(0, 3); s ~ lognormal(0, 1); })",
     R"({"N": 3, "y": [-1, 0.5, 2]})"},
    {"zero_sizes", R"(data { int N; } parameters { vector[N] v; array[0] simplex[3] p; real x; matrix[0, 3] m; } model { x ~ normal(0, 1); v ~ normal(x, 1); target += sum(v); })", R"({"N": 0})"},
    {"reduce_sum", R"(functions { real part(array[] real y, int first, int last, vector b) { return normal_lpdf(y | b[first], 1.5) * last; }
        real part_lpmf(array[] int n, int first, int last, real r) { return poisson_lupmf(n | r); } }
      data { array[3] real y; array[2] int n; } parameters { vector[3] b; real<lower=0> r; } model { target += reduce_sum(part, y, 1, b); target += reduce_sum(part_lupmf, n, 1, r); b ~ normal(0, 1); })",
     R"({"y": [1, 2, 3], "n": [2, 5]})"},
    {"profile_and_blocks", R"(parameters { real x; } model { profile("a") { real z = x * 2; { real q = z; target += -q * q; } } { real z = x; target += z; } })"},
    {"constants_in_recorded_containers", R"(data { vector[3] d; } parameters { real x; }
      model { array[2] vector[3] w = {rep_vector(x, 3), d}; x ~ normal(0, 1); target += sum(cumulative_sum(w[2])) * x + sum(tanh(w[2])) + sd(w[2]); w[2] ~ normal(0, 1); })",
     R"({"d": [1, 2, 4]})"},
    {"complex_numbers", R"(parameters { complex z; complex_vector[2] v; } model { complex w = z * z + 1; target += -abs(w) - get_real(v[1]) * get_imag(v[2]) - norm(z); })"},
};

double theta_at(std::size_t i, int k) {
  return 0.9 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k) + 0.05 * k;
}

bool close(double a, double b, double tolerance, double scale) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= tolerance * std::max(1.0, scale);
}

double largest(const std::vector<double>& v) {
  double m = 0;
  for (const double x : v) m = std::max(m, std::abs(x));
  return m;
}

class Recording : public ::testing::TestWithParam<ModelCase> {};

constexpr int kPoints = 8;

/// Fourth-order differences of the plain evaluator's values.
std::vector<double> differences(const interp::InterpModel& model, std::vector<double> theta, bool jacobian) {
  std::vector<double> gradient(theta.size());
  const double h = 1e-4;
  const auto value = [&](std::size_t i, double x) {
    const double keep = std::exchange(theta[i], x);
    double lp = 0;
    EXPECT_TRUE(model.log_density_plain(theta, jacobian, &lp));
    theta[i] = keep;
    return lp;
  };
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const double x = theta[i];
    gradient[i] = (8 * (value(i, x + h) - value(i, x - h)) - (value(i, x + 2 * h) - value(i, x - 2 * h))) / (12 * h);
  }
  return gradient;
}

void compare_at(const interp::InterpModel& model, interp::InterpWorkspace& workspace, const std::vector<double>& theta,
                bool jacobian) {
  double lp = 0, again = 0, plain = 0;
  std::vector<double> gradient(theta.size()), second(theta.size());
  const DensityOptions options{.propto = false, .jacobian = jacobian};
  const EvalStatus status = workspace.log_density_gradient(theta, options, &lp, gradient);
  ASSERT_TRUE(status) << status.message;
  workspace.poison();
  ASSERT_TRUE(workspace.log_density_gradient(theta, options, &again, second));
  EXPECT_EQ(lp, again);
  EXPECT_EQ(gradient, second);
  ASSERT_TRUE(workspace.log_density(theta, options, &again));
  EXPECT_TRUE(close(lp, again, 1e-13, std::abs(lp))) << lp << " with gradient, " << again << " without";
  ASSERT_TRUE(model.log_density_plain(theta, jacobian, &plain));
  EXPECT_TRUE(close(lp, plain, 1e-12, std::abs(plain))) << lp << " on the tape, " << plain << " plainly";
  const std::vector<double> expected = differences(model, theta, jacobian);
  for (std::size_t i = 0; i < theta.size(); ++i)
    EXPECT_TRUE(close(gradient[i], expected[i], 1e-7, largest(expected)))
        << "gradient[" << i << "] is " << gradient[i] << ", differences give " << expected[i];
}

std::vector<double> point(std::size_t n, int k) {
  std::vector<double> theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = theta_at(i, k);
  return theta;
}

TEST_P(Recording, AgreesWithPlainEvaluationAndDifferences) {
  const auto model = load(GetParam().text, GetParam().data);
  ASSERT_TRUE(model);
  const auto owner = model->workspace();
  auto& workspace = static_cast<interp::InterpWorkspace&>(*owner);
  for (int k = 0; k < kPoints; ++k) {
    SCOPED_TRACE("point " + std::to_string(k));
    compare_at(*model, workspace, point(model->unconstrained_size(), k), k % 2 == 0);
  }
}

void compare_engines(const interp::InterpModel& one, const interp::InterpModel& other) {
  const auto a = one.workspace();
  const auto b = other.workspace();
  const std::size_t n = one.unconstrained_size();
  for (int k = 0; k < kPoints; ++k) {
    const DensityOptions options{.propto = k % 2 == 0, .jacobian = k % 4 < 2};
    std::vector<double> ga(n), gb(n);
    double la = 0, lb = 0;
    ASSERT_TRUE(a->log_density_gradient(point(n, k), options, &la, ga));
    ASSERT_TRUE(b->log_density_gradient(point(n, k), options, &lb, gb));
    EXPECT_TRUE(close(la, lb, 1e-12, std::abs(lb))) << la << " and " << lb;
    for (std::size_t i = 0; i < n; ++i)
      EXPECT_TRUE(close(ga[i], gb[i], 1e-11, largest(gb))) << i << ": " << ga[i] << " and " << gb[i];
    double value = 0;
    ASSERT_TRUE(a->log_density(point(n, k), options, &value));
    EXPECT_TRUE(close(la, value, 1e-12, std::abs(lb))) << la << " with gradient, " << value << " without";
  }
}

TEST_P(Recording, RewritingChangesNothing) {
  const auto rewritten = load(GetParam().text, GetParam().data);
  const auto as_recorded = load(GetParam().text, GetParam().data, {.rewrite = false});
  compare_engines(*rewritten, *as_recorded);
}

TEST_P(Recording, NeedsNoTape) {
  const auto evaluated = load(GetParam().text, GetParam().data, {.tapes = false});
  const auto as_recorded = load(GetParam().text, GetParam().data, {.rewrite = false});
  compare_engines(*evaluated, *as_recorded);
  EXPECT_EQ(evaluated->statistics({}).tapes, 0U);
}

/// The passes do find what they are for.
TEST(Rewriting, LeavesFewOps) {
  const std::pair<const char*, std::size_t> most[] = {{"forward_algorithm", 24},
                                                      {"forward_algorithm_additions_apart", 24},
                                                      {"forward_algorithm_changing_transitions", 26},
                                                      {"forward_algorithm_impossible_and_far", 22},
                                                      {"sufficient_statistics", 28},
                                                      {"guards_by_constants", 16},
                                                      {"certain_checks", 21},
                                                      {"short_vectors_of_many", 49}};
  for (const auto& [name, ops] : most) {
    const auto is_it = [&wanted = name](const ModelCase& c) { return std::string_view(c.name) == wanted; };
    const ModelCase& c = *std::find_if(std::begin(kModels), std::end(kModels), is_it);
    const auto model = load(c.text, c.data);
    const std::size_t n = model->unconstrained_size();
    double lp = 0;
    std::vector<double> gradient(n);
    ASSERT_TRUE(model->workspace()->log_density_gradient(point(n, 0), {}, &lp, gradient));
    EXPECT_LE(model->statistics({}).ops, ops) << name;
  }
}

/// Dropping constants changes the density by the same number everywhere.
TEST_P(Recording, ConstantsAreConstant) {
  const auto model = load(GetParam().text, GetParam().data);
  const auto workspace = model->workspace();
  const std::size_t n = model->unconstrained_size();
  if (std::string(GetParam().name) == "target_value" || std::string(GetParam().name) == "reduce_sum") return;
  double first = 0;
  for (int k = 0; k < kPoints; ++k) {
    double full = 0, dropped = 0;
    std::vector<double> g(n), h(n);
    ASSERT_TRUE(workspace->log_density_gradient(point(n, k), {.propto = false, .jacobian = true}, &full, g));
    ASSERT_TRUE(workspace->log_density_gradient(point(n, k), {.propto = true, .jacobian = true}, &dropped, h));
    if (k == 0) first = full - dropped;
    EXPECT_TRUE(close(full - dropped, first, 1e-11, std::abs(full))) << "point " << k;
    for (std::size_t i = 0; i < n; ++i) EXPECT_TRUE(close(g[i], h[i], 1e-11, largest(g)));
  }
}

/// Values written out and put back give the free values again.
TEST_P(Recording, WritingAndUnconstrainingAgree) {
  const auto model = load(GetParam().text, GetParam().data);
  const auto workspace = model->workspace();
  const std::size_t n = model->unconstrained_size();
  const std::string name = GetParam().name;
  std::vector<double> theta = point(n, 1);
  std::vector<double> values(model->names(false, false).size()), all(model->names(true, true).size());
  Rng rng(1);
  ASSERT_TRUE(workspace->write_array(theta, false, false, rng, values));
  ASSERT_TRUE(workspace->write_array(theta, true, true, rng, all));
  EXPECT_TRUE(std::equal(values.begin(), values.end(), all.begin()));
  if (name == "structured_vectors") return;  // a unit vector's free values are not unique
  std::vector<double> back(n);
  const EvalStatus status = model->unconstrain_array(values, {}, back);
  ASSERT_TRUE(status) << status.message;
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(back[i], theta[i], 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Models, Recording, ::testing::ValuesIn(kModels),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace fermiac::testing
