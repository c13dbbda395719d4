// What tests of the engines that run programs share: programs for every construct, and what one engine says about one.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "interp/model/interp_model.h"
#include "support/base/rng.h"
#include "tests/shared/setting.h"

namespace fermiac::interp {

using testing::setting;

/// All that one way of evaluation says: messages, numbers as bits, printed text.
inline std::string told(const std::shared_ptr<const CompiledModel>& compiled, const std::string& data) {
  std::string out;
  const auto numbers = [&](const std::vector<double>& all) {
    for (const double x : all) out += fmt::format(" {:x}", std::isnan(x) ? 0x7ff8u : std::bit_cast<std::uint64_t>(x));
    out += "\n";
  };
  try {
    InterpModel model(compiled, DataSource::parse(data, "data"), 7, [&](std::string_view text) { out += text; });
    const auto workspace = model.workspace();
    for (int k = 0; k < 3; ++k) {
      std::vector<double> theta(model.unconstrained_size());
      for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.4 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k);
      double lp = 0;
      const EvalStatus density = model.log_density_plain(theta, true, &lp);
      out += density.message + "\n";
      if (density) numbers({lp});
      std::vector<double> draw(model.names(true, true).size());
      Rng rng(11);
      const EvalStatus written = workspace->write_array(theta, true, true, rng, draw);
      out += written.message + "\n";
      if (written) numbers(draw);
    }
  } catch (const InputError& e) {
    out += std::string("bind: ") + e.what() + "\n";
  }
  return out;
}

/// Log density and gradient at some points, or why not.
struct Evaluated {
  std::vector<std::string> messages;
  std::vector<std::vector<double>> numbers;
  bool operator==(const Evaluated&) const = default;
};

inline Evaluated evaluated(const std::shared_ptr<const CompiledModel>& compiled, const std::string& data, bool propto, bool tapes = false) {
  Evaluated out;
  try {
    InterpModel model(compiled, DataSource::parse(data, "data"), 7, [](std::string_view) {}, nullptr, {.tapes = tapes});
    const auto workspace = model.workspace();
    for (int k = 0; k < 4; ++k) {
      std::vector<double> theta(model.unconstrained_size()), numbers(theta.size());
      for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.6 * std::sin(1 + 0.9 * static_cast<double>(i) + 1.3 * k);
      double lp = 0;
      const EvalStatus status = workspace->log_density_gradient(theta, {.propto = propto}, &lp, numbers);
      numbers.push_back(lp);
      out.messages.push_back(status.message);
      out.numbers.push_back(status ? numbers : std::vector<double>());
    }
  } catch (const InputError&) {
  }
  return out;
}

/// The order in which adjoints are added may differ.
inline bool is_near(double x, double y, double largest) {
  return x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-12 * largest;
}

inline void expect_near(const Evaluated& nodes, const Evaluated& code) {
  EXPECT_EQ(nodes.messages, code.messages);
  for (std::size_t k = 0; k < nodes.numbers.size(); ++k) {
    double largest = 1;
    for (const double x : nodes.numbers[k])
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
    ASSERT_EQ(nodes.numbers[k].size(), code.numbers.at(k).size());
    for (std::size_t i = 0; i < nodes.numbers[k].size(); ++i)
      EXPECT_TRUE(is_near(nodes.numbers[k][i], code.numbers[k][i], largest))
          << "point " << k << ", number " << i << ": " << nodes.numbers[k][i] << " and " << code.numbers[k][i];
  }
}

/// To the last bit.
inline void expect_identical(const Evaluated& nodes, const Evaluated& code) {
  EXPECT_EQ(nodes.messages, code.messages);
  for (std::size_t k = 0; k < nodes.numbers.size(); ++k) {
    ASSERT_EQ(nodes.numbers[k].size(), code.numbers.at(k).size());
    for (std::size_t i = 0; i < nodes.numbers[k].size(); ++i) EXPECT_TRUE(is_near(nodes.numbers[k][i], code.numbers[k][i], 0)) << "point " << k << ", number " << i << ": " << nodes.numbers[k][i] << " and " << code.numbers[k][i];
  }
}

struct Case {
  const char* name;
  const char* text;
  const char* data = "{}";
};

inline const Case kCases[] = {
    {"scalars", R"(
parameters { real x; }
generated quantities {
  real s = 0; int n = 0; array[6] real r;
  for (i in 1:20) {
    s += x * i - s / 3 + (-x) ^ 2 + pow(abs(x), 1.5) + i % 7 + i %/% 3;
    n = n + (s > x) - (i == 4 || !(i < 9) && x != 0) + min(i, 3);
    if (i > 5 && n < 3) continue; else if (i > 15) break;
  }
  for (k in 1:6) r[k] = [exp(x), log(abs(x)), lgamma(x + 3), fma(x, 2, k), inv_logit(x), sqrt(x * x)][k];
})"},
    {"elements", R"(
data { int N; array[N, 2] int a; matrix[N, 3] m; array[N] vector[2] v; array[2, N] row_vector[3] r; }
transformed data { array[N, 2] int b = a; for (i in 1:N) for (j in 1:2) b[i, j] = a[i, j] * b[N, j] - a[i][j]; }
parameters { real x; }
generated quantities {
  matrix[N, 3] w = m; array[N] vector[2] u = v; real s = 0; array[N] real q; row_vector[3] last;
  for (i in 1:N) {
    for (j in 1:3) { w[i, j] = m[i, j] * x + w[N, 4 - j]; s += w[i, j] + r[2, i, j] + r[1][i][j]; }
    u[i, 1] = v[i][2] + s; u[i] = u[i] * 2; q[i] = sum(u[i]) + b[i, 1]; w[i] = w[N]; last = w[i, {3, 2, 1}]; w[ : , 2] = w[ : , 1];
    w[i, 2:3] = w[i, :2]; s += sum(w[i:N, 1]) + q[i];
  }
})", R"({"N": 3, "a": [[1,2],[3,4],[5,6]], "m": [[1,2,3],[4,5,6],[7,8,9]], "v": [[1,2],[3,4],[5,6]],
 "r": [[[1,2,3],[4,5,6],[7,8,9]],[[1,1,1],[2,2,2],[3,3,3]]]})"},
    {"functions", R"(
functions {
  real f(real x, vector y, data int n) { real s = 0; for (i in 1:n) s += x * y[i]; while (s > 10) s = s / 2; return s; }
  int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
  vector g(vector x, real a) { vector[rows(x)] out = x; for (i in 1:rows(x)) out[i] += f(a, x, i); return out; }
  matrix h(int n) { matrix[n, n] out; for (i in 1:n) for (j in 1:n) out[i, j] = i == j ? 1 : fib(i) * 0.1; return out; }
  real d_lpdf(real x, real m) { return normal_lpdf(x | m, 2) + 1; }
  real d_rng(real m) { return normal_rng(m, 2) + uniform_rng(0, 1) - uniform_rng(1, 2); }
  void add_lp(real x) { target += x; target += -x * x; }
  real over(real x) { return x; }
  real over(vector x) { return x[1]; }
  real over(matrix x) { return x[1, 1] * over(x[ : , 1]); }
  tuple(real, vector) t(real x) { return (x, [x, 2 * x]'); }
}
transformed data { vector[4] z; for (i in 1:4) z[i] = fib(i + 3) + d_rng(i); }
parameters { real x; vector[3] y; }
transformed parameters { real q = 0; vector[3] p = g(y, x); for (i in 1:3) q += f(x, y, i) + over(y) + over(h(2)) + over(x); }
model { add_lp(x); for (i in 1:3) { y[i] ~ d(x); target += std_normal_lpdf(y); add_lp(y[i]); } x ~ normal(target() * 0, 1); }
generated quantities { real s = 0; for (i in 1:4) { tuple(real, vector[2]) u = t(s); s += d_rng(s) + u.1 + u.2[2]; u.2[1] = s; s -= u.2[1] / 2; } })",
     "{}"},
    {"values", R"(
parameters { vector[2] x; }
generated quantities {
  complex z = to_complex(x[1], 2); complex_vector[2] cv; array[2] tuple(int, array[2] real) at; array[3] int o; real s = 0; int none = 3;
  array[2, 2] real nested; matrix[2, 2] mm;
  for (i in 1:2) {
    z = z * z + 1.5i; cv[i] = z; at[i].1 = i; at[i].2[1] = x[i]; at[i].2 = {s, x[3 - i]};
    nested = {{x[1], s}, {1.0 * i, 2}}; mm = [[x[2], i], [s, get_real(z)]]; s += nested[1, 1] + mm[1, 2] + at[i].2[2];
    array[i] int k = {3, 1, 2}[1:i]; o[1:i] = k; { vector[i] v = rep_vector(s, i); s += sum(v) + size(k) + num_elements(mm); }
  }
})"},
    {"literals_of_ints_and_reals", R"(
data { array[2] int k; } parameters { real x; }
generated quantities { array[2, 2] real a; array[3, 2] real b; array[2, 2, 2] real c; array[2, 2] complex z; array[2] real s = {x, 2};
  for (i in 1:2) { a = {k, s}; b = {rep_array(k[i], 2), s, k}; c = {{k, s}, {s, k}}; z = {k, {1i, x}}; a = sin({rep_array(k[i], 2), s}); s[i] += a[1, i] + b[3, 1] + c[2, 2, i] + get_real(z[1, i]); } })",
     R"({"k": [3, 4]})"},
    {"loops", R"(
transformed data { int n = 5; array[10] int seen = rep_array(0, 10); int k = 1;
  for (i in 1:n) { if (i == 2) n = 3; seen[i] = n; } for (i in 3:1) seen[10] = 1;
  while (k < 8) { k += 1; if (k % 2 == 0) continue; seen[k] = k; if (k == 7) break; }
  for (i in 2147483646:2147483647) seen[9] += i - 2147483645; }
parameters { real x; }
generated quantities { array[10] int out = seen; real y = 0; for (v in [1.5, 2.5]') y += v * x; for (row in [[1, 2], [3, 4]]) y += row; print("y ", y, " ", out[1:2], x > 3); })"},
    {"mistake_index", R"(
data { int N; vector[N] y; } parameters { real x; }
generated quantities { real s = 0; for (i in 1:4) s += y[i]; })", R"({"N": 3, "y": [1, 2, 3]})"},
    {"mistake_domain", R"(
functions { real f(real s) { real t = s - 2; return normal_lpdf(1 | 0, t); } }
parameters { real x; } generated quantities { real s = 0; for (i in 1:4) s += f(i - 1 > 5 ? 9 : 1); })"},
    {"mistake_sizes", R"(
parameters { real x; } generated quantities { vector[3] v; real s; for (i in 1:4) { v = rep_vector(1, 5 - i); s = v[1]; } })"},
    {"mistake_negative_size", R"(
functions { real f(int n) { vector[n] v; return sum(v); } }
parameters { real x; } generated quantities { real s; for (i in 1:4) s = f(2 - i); })"},
    {"mistake_division", R"(transformed data { int s = 0; for (i in 1:4) s += 7 %/% (3 - i); } parameters { real x; })"},
    {"mistake_reject", R"(
parameters { real x; } generated quantities { real s = 0; for (i in 1:4) { s += x; if (i == 3) reject("at ", i, " it is ", s, {1, 2}); } })"},
    {"mistake_fatal", R"(parameters { real x; } generated quantities { for (i in 1:4) { if (i == 3) fatal_error("no ", i); } })"},
    {"mistake_depth", R"(
functions { real f(real x) { return 1 + f(x + 1); } }
parameters { real x; } generated quantities { real s = f(x); })"},
    {"interpreted_inside", R"(
functions { vector rhs(real t, vector y, real k) { return -k * y; }
  real run(real k) { array[2] vector[1] y = ode_rk45(rhs, [1.0]', 0, {0.5, 1.0}, k); real s = 0; for (i in 1:2) s += y[i, 1]; return s; } }
parameters { real<lower=0> k; } generated quantities { real s = 0; for (i in 1:3) s += run(k * i); })"},
};

/// What runs with derivatives.
inline const Case kTracedCases[] = {
    {"while_on_parameters", R"(
data { int N; vector[N] y; } parameters { real<lower=0> k; real<lower=0> s; }
model { k ~ normal(0, 1); s ~ normal(0, 1);
  for (n in 1:N) { real x = 1 + 0.1 * n; int i = 0; while (x > k && i < 50) { x *= 0.8; i += 1; } y[n] ~ normal(x, s); } })",
     R"({"N": 5, "y": [1, 2, -1, 0.5, 3]})"},
    {"operators", R"(
parameters { real a; real b; }
model { real s = 0; for (i in 1:4) { s += a * b - a / (b + i) + -b * 2 + 0 + a * 1 + 3 / (a + 5) + square(b) + a ^ 2 + b ^ 3 + i * a + 1.5 - a;
    s = s / 2; s += i % 3 + i %/% 2; s *= 1; s -= 0; } target += s; target += -1; target += s * 2; target += 3; })"},
    {"functions_of_scalars", R"(
parameters { real a; real b; }
model { for (i in 1:3) { real x = exp(a) + log(square(b) + 1) + sqrt(a * a + i) + inv_logit(b) + fma(a, b, 2) + pow(abs(a) + 1, b) + lgamma(i + 2.5) + fmax(a, b) + atan2(a, b) + beta(2 + a * a, i);
    target += x; target += normal_lpdf(a | b, exp(b)); target += normal_lupdf(i | 0, 2); target += std_normal_lcdf(x); target += student_t_lpdf(b | 3, a, 1.5);
    1.0 * i ~ gamma(2 + a * a, exp(b)); i ~ poisson_log(a); i - 1 ~ bernoulli_logit(b) ; } })"},
    {"containers", R"(
data { int N; matrix[N, 2] X; array[N] int g; } parameters { vector[2] b; array[2] real c; matrix[2, 2] m; }
model { vector[N] mu; matrix[N, 2] w = X; array[N, 2] real q; array[N] vector[2] v; row_vector[2] r = b'; vector[3] plain = [1, 2, 3]';
  for (i in 1:N) { mu[i] = X[i] * b + c[g[i]]; w[i, 1] += b[2] * mu[i]; q[i, 1] = w[i, 1]; q[i, 2] = i; v[i] = b * c[1]; v[i][2] = 4; v[i, 1] += 1;
    r[1] = r[2] * 0.5; plain[2] = plain[1]; plain[1] = b[1]; plain[1] = 2; w[i] = w[N]; w[ : , 2] = X[ : , 1]; mu[1:i] *= 0.9;
    target += sum(v[i]) + dot_product(m[1], r) + num_elements(mu); target += v[i]; target += q[i]; mu[i] ~ normal(c[2], 1); X[i, 1] ~ normal(mu[i], 2); }
  target += sum(w) + sum(to_array_1d(q)) + plain[1] + plain[2]; mu ~ normal(0, 1); { array[2] vector[2] z = {b, [1, c[1]]'}; for (z1 in z) z1 ~ normal(0, 1); } })",
     R"({"N": 3, "X": [[1, 2], [0.5, -1], [2, 0]], "g": [1, 2, 1]})"},
    {"literals_of_ints_and_reals_traced", R"(
data { array[2] int k; } parameters { real x; array[2] real y; }
model { for (i in 1:2) { array[2, 2] real a = {k, y}; array[3, 2] real b = {rep_array(k[i], 2), y, rep_array(x, 2)}; array[2, 2, 2] real c = {{k, y}, {{1.5, 2}, k}}, u = sin({{y, {3.0, 2.0}}, {rep_array(1.0, 2), y}});
    array[2, 2] real e = sin({rep_array(k[i], 2), y}); target += e[1, i] * e[2, 1] + a[1, i] * x + b[1, i] * b[2, i] * b[3, 1] + sum(c[1, 2]) * sum(c[1, 1]) + c[2, 2, i] * y[1] + u[1, 2, i] * u[2, 1, i]; } })",
     R"({"k": [3, 4]})"},
    {"results_in_target", R"(
functions {
  real sum_of(real a, real b) { for (i in 1:2) print("no tape"); return 0.4 * tanh(a) + inv_logit(tanh(b)); }
  real chosen(real a, real b, int n) { real s = a; for (i in 1:n) { s *= 0.7; if (s < 0.1) return s + b / 3; } return n > 2 ? normal_lpdf(b | s, 3) : s * b; }
  real nested(real a, real b) { for (i in 1:3) if (a < i) return sum_of(a, b) + chosen(b, a, i) + 0.1; return normal_lpdf(a | b, 2); }
}
data { real z; }
parameters { real x; real y; }
model { for (i in 1:3) { target += sum_of(x, z) + 1; target += chosen(x, y, i + 1) + 0.3; target += nested(y * i, x) + sum_of(z, y); } target += nested(x, z) + chosen(z, x, 4); })",
     R"({"z": 0.7})"},
    {"program_functions", R"(
functions {
  real f(real x, vector y, data real d, int n) { real s = d; for (i in 1:n) s += x * y[i]; while (s > 3) s = s / 2; return s; }
  vector g(vector x, real a) { vector[rows(x)] out = x; for (i in 1:rows(x)) out[i] += f(a, x, 0.5, i); return out; }
  real d_lpdf(real y, real m) { return normal_lpdf(y | m, 2) + 1; }
  real e_lpdf(vector y, real m) { return normal_lupdf(y | m, 2); }
  void add_lp(real x) { target += x; target += -x * x; }
  real shrink_jacobian(real x) { jacobian += -x; return x / 2; }
  real fact(real x, int n) { if (n == 0) return 1; return x * fact(x + 1, n - 1); }
  tuple(real, vector[]) pair(real x) { return (x, {[x, 1]'}); }
  real only_data(real x) { return 2 * x; }
}
data { real z; }
parameters { real x; vector[3] y; }
transformed parameters { vector[3] p = g(y, x); real t = 0; for (i in 1:2) t += shrink_jacobian(x * i); }
model { add_lp(x); for (i in 1:3) { y[i] ~ d(x); y ~ e(y[i]); target += d_lupdf(p[i] | 1); add_lp(y[i]); target += fact(x, i) + only_data(z) + f(z, [z, 1, 2]', z, 3);
    tuple(real, array[1] vector[2]) u = pair(x); u.1 = y[i]; target += u.1 * u.2[1][1]; target += f(y[i], p, i, 3); } })",
     R"({"z": 0.7})"},
    {"functions_from_nodes", R"(
functions {
  real f_lp(real x, int n) { real s = 0; for (i in 1:n) { s += x * i; target += -square(s); } return sin(s); }
  real only_data_lp(int n) { for (i in 1:n) target += i; return n; }
  real d_lpdf(vector y, real m) { real s = 0; for (i in 1:rows(y)) s += normal_lupdf(y[i] | m, 1); return s; }
}
parameters { real x; vector[3] y; }
model { target += f_lp(x, 3); target += only_data_lp(2); real k = f_lp(y[1], 2); y ~ d(x); target += k + d_lupdf(y | k) + only_data_lp(1); })",
     "{}"},
    {"target_is_read", R"(
parameters { real x; vector[2] y; }
model { x ~ normal(0, 1); for (i in 1:2) { real before = target(); y[i] ~ normal(x, 1); target += 0.1 * square(target() - before); target += y; if (target() > -3) target += x; } })"},
    {"control", R"(
parameters { real x; vector[6] y; }
model { int k = 0; real s = 0;
  for (i in 1:6) { if (y[i] < x) continue; if (y[i] > 0.55) break; s += y[i]; k += y[i] >= x; k += (y[i] == 0.3) + (x != y[i]) + (x <= 1); }
  for (v in y) s += v > 0 ? v : x; while (s > 0.1 || k > 100) { s *= 0.5; k += 1; } target += s + k; target += x > 0 ? square(x) : 1.0; if (!(x > 2)) y ~ normal(0, 1); })"},
    {"complex_numbers", R"(
parameters { real x; vector[2] y; }
model { complex z = to_complex(x, 1); for (i in 1:2) { z = z * to_complex(y[i], 0.5) + 2i; target += abs(z) + get_real(z); } })"},
    {"profiles", R"(
parameters { real x; vector[3] y; }
model { profile("all") { real s = 0; for (i in 1:3) { profile("one") { s += y[i] * x; } } for (i in 1:3) s += square(y[i]); target += -s; } })"},
    {"printing", R"(
parameters { real x; } model { for (i in 1:2) { print("x ", x > 100, i); x ~ normal(i, 1); } })"},
    {"mistake_index", R"(
data { int N; vector[N] y; } parameters { real x; } model { real s = x; for (i in 1:4) s += y[i] * x; target += s; })", R"({"N": 3, "y": [1, 2, 3]})"},
    {"mistake_reject", R"(
parameters { real x; } model { real s = x; for (i in 1:4) { s += x; if (s > 0.4) reject("at ", i, " it is ", s > 0); } target += s; })"},
    {"mistake_domain", R"(
parameters { real x; } model { real s = 1; for (i in 1:4) { s -= 0.4; x ~ normal(s, s); } })"},
    {"mistake_kernel", R"(
parameters { real x; } model { for (i in 1:2) { matrix[2, 2] m = [[1, x], [x, -x * x * 9]]; target += sum(cholesky_decompose(m)); } })"},
    {"loops_that_grow", R"(
parameters { real x; }
model { real s = x; vector[3] v = rep_vector(0, 3); for (i in 1:20000) { s = s * 0.9999 + x * 0.001; v[1 + i % 3] += s * 1e-3; if (i % 4000 == 0) { target += log_sum_exp(v); s ~ normal(v[1], 2); } } target += s; })"},
};

}  // namespace fermiac::interp
