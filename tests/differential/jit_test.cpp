// Machine code made while programs run against their nodes: the same numbers bit for bit, the same messages with the same
// places. Programs written by hand for every construct, the examples, random ones, and hostile ones. FERMIAC_JIT_PROGRAMS and
// FERMIAC_JIT_SEED make the run longer or another one:
//   FERMIAC_JIT_PROGRAMS=300 FERMIAC_JIT_SEED=5000 build/tests/jit_test
#include <fstream>
#include <thread>

#include "interp/exec/runs/jit_unit.h"
#include "support/base/render.h"
#include "tests/differential/engine_cases.h"
#include "tests/differential/example_models.h"
#include "tests/fuzz/programs/generate.h"
#include "tests/shared/machine_text.h"

namespace fermiac::interp {
namespace {

std::shared_ptr<const CompiledModel> compiled(const std::string& text, Jit jit) {
  auto out = compile_model({.text = text, .path = "m.stan", .name = "m_model"}, {.jit = jit});
  EXPECT_TRUE(*out) << render_errors(out->sources(), out->diagnostics) << text;
  return out;
}

/// As many units as that must become machine code.
void expect_same(const std::string& text, const std::string& data, std::size_t least_units = 0) {
  const auto nodes = compiled(text, Jit::Never), code = compiled(text, Jit::Always);
  if (!*nodes || !*code) return;
  EXPECT_EQ(nodes->code->jit_units.size(), 0u);
  EXPECT_GE(code->code->jit_units.size(), jit::has_machine_code() ? least_units : 0) << text;
  EXPECT_EQ(told(nodes, data), told(code, data)) << text << data;
  SCOPED_TRACE(text + data);
  for (const bool propto : {false, true}) {
    expect_near(evaluated(nodes, data, propto), evaluated(code, data, propto));
    expect_identical(evaluated(nodes, data, propto, true), evaluated(code, data, propto, true));
  }
}

class Jits : public ::testing::TestWithParam<Case> {};
TEST_P(Jits, SayWhatTheNodesSay) {
  expect_same(GetParam().text, GetParam().data);
}
INSTANTIATE_TEST_SUITE_P(Programs, Jits, ::testing::ValuesIn(kCases), [](const auto& it) { return std::string(it.param.name); });
INSTANTIATE_TEST_SUITE_P(WithDerivatives, Jits, ::testing::ValuesIn(kTracedCases), [](const auto& it) { return std::string(it.param.name); });

class JitExamples : public ::testing::TestWithParam<std::string> {};
TEST_P(JitExamples, SayWhatTheNodesSay) {
  const std::string stem = FERMIAC_SOURCE_DIR "/examples/" + GetParam() + "/" + GetParam();
  std::ifstream program(stem + ".stan"), data(stem + ".json");
  expect_same({std::istreambuf_iterator<char>(program), {}}, {std::istreambuf_iterator<char>(data), {}});
}
INSTANTIATE_TEST_SUITE_P(All, JitExamples, ::testing::ValuesIn(example_names()), [](const auto& it) { return it.param; });

// ---------------------------------------------------------------- what has machine code, and what goes wrong in it

struct Construct {
  const char* name;
  const char* text;
  const char* data = "{}";
  std::size_t units = 1;
};

const Construct kConstructs[] = {
    {"ints", R"(
data { int low; int big; }
generated quantities { array[12] int r = rep_array(0, 12); int n = big;
  for (i in 1:3) { n = n + i; r[1] = n * 3 - low; r[2] = -low; r[3] = low %/% -1; r[4] = low % -1; r[5] = big % (i + 4); r[6] = (n > i) + (n == i) * 2 + (low <= n) * 4;
    r[7] = !n; r[8] = n && i; r[9] = n || 0; r[10] = i > 1 ? n : low; r[11] = -7 %/% 2 + -7 % i; r[12] += min(i, n) + max(i, low) + abs(low + 1); } })",
     R"({"low": -2147483648, "big": 2147483647})"},
    {"not_a_number", R"(
data { real x; real y; }
generated quantities { array[12] int r = rep_array(0, 12); real s = x;
  for (i in 1:2) { if (x < y) r[1] = 1; if (x <= y) r[2] = 1; if (x > y) r[3] = 1; if (x >= y) r[4] = 1; if (x == y) r[5] = 1; if (x != y) r[6] = 1;
    if (!(x < y)) r[7] = 1; if (!(x == x)) r[8] = 1; r[9] = x < y; r[10] = x != x; r[11] = x == x; r[12] = !(x >= y) || x == y; s = -s + abs(x) * 0; } })",
     R"({"x": "NaN", "y": 1})"},
    {"zeros", R"(
data { real z; } generated quantities { array[5] real r; for (i in 1:2) { r[1] = -z; r[2] = 1 / -z; r[3] = 0 * -z; r[4] = z == -z; r[5] = sqrt(z * z) - abs(-z); } })",
     R"({"z": 0.0})"},
    {"last_int", R"(
generated quantities { int n = 0; for (i in 2147483646:2147483647) n += 1; for (i in -2147483647:-2147483646) n += 1; for (i in 3:2) n = 99; })"},
    {"moving_bound", R"(
generated quantities { int n = 6; int k = 0; for (i in 1:n) { if (i == 2) n = 3; k += i; } for (i in 1:n) { n += i < 4; k += 100; } })", "{}", 2},
    {"array_of_matrices", R"(
data { int N; array[N, 2] matrix[2, 3] m; array[2, 2, 2] int k; array[N] vector[2] v; array[N] row_vector[2] r; }
generated quantities { real s = 0; array[N, 2] matrix[2, 3] w = m; array[2, 2, 2] int q = k;
  for (i in 1:N) for (j in 1:2) for (a in 1:2) for (b in 1:3) { s += m[i, j, a, b] * m[i][j][a, b] + v[i, a] - r[i][j]; w[i, j, a, b] = s + w[N, 2, 2, 3]; }
  for (i in 1:2) for (j in 1:2) q[i, j, 3 - i] = k[j, i, 1] + q[1, 1, 1]; })",
     R"({"N": 2, "m": [[[[1,2,3],[4,5,6]],[[7,8,9],[10,11,12]]],[[[1,2,3],[4,5,6]],[[7,8,9],[10,11,12]]]], "k": [[[1,2],[3,4]],[[5,6],[7,8]]],
 "v": [[1,2],[3,4]], "r": [[5,6],[7,8]]})", 2},
    {"copies", R"(
transformed data { vector[3] a = [1, 2, 3]'; vector[3] b; vector[3] c; for (i in 1:3) { b = a; a[i] = 10; c = b; b[1] = i; } }
generated quantities { vector[3] d = a; vector[3] e = d; for (i in 1:3) d[i] = e[4 - i] * b[i] + c[i]; for (i in 1:3) { e[i] = d[i]; d[1] += sum(e); } })", "{}", 3},
    {"recursion", R"(
functions { int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
  real power(real x, int n) { if (n == 0) return 1; real half = power(x, n %/% 2); return n % 2 == 0 ? half * half : half * half * x; } }
generated quantities { int f = fib(15); real p = power(1.1, 13); })", "{}", 2},
    {"random_numbers", R"(
functions { real noisy_rng(real m) { real s = 0; for (i in 1:3) s += normal_rng(m, i) * bernoulli_rng(0.5); return s; } }
generated quantities { real s = 0; for (i in 1:5) { s += noisy_rng(i) + poisson_rng(i) + uniform_rng(0, i); if (s > 4) s -= exponential_rng(1); } })", "{}", 2},
    {"ints_drawn_in_loops", R"(
generated quantities {
  array[4, 5] int y; array[4, 5] real z; array[5] int k; int pushed = 0;
  for (i in 1:4) for (j in 1:5) { y[i, j] = bernoulli_rng(inv_logit(0.3 * pushed - 0.1 * j)); pushed += y[i, j]; z[i, j] = normal_rng(y[i, j], j); }
  for (j in 1:5) k[j] = poisson_rng(j + pushed) + binomial_rng(j, 0.4) + neg_binomial_2_rng(j, 2.5) + beta_binomial_rng(j, 1, 2);
})", "{}", 2},
    {"functions_in_place", R"(
functions {
  real pair(real x, int n) { if (n % 2 == 0) return x * n; return x - n; }
  int steps(real x) { real y = x; int n = 0; while (y > 0.1 && n < 9) { y *= 0.5; n += 1; if (n == 7) return -n; } return n; }
  real at(vector v, array[,] int k, int i, int j) { real s = 0; for (a in 1:i) { if (a == 3) break; s += v[k[a, j]] * pair(v[a], a); } return s; }
  real whole(vector x, real i) { vector[2] w = [i, sum(x)]'; return w[1] + w[2] + x[1]; }
  real outer(real i, vector x, int n) { return at(x, {{1, 2}, {2, 1}, {3, 3}}, n, 1) + whole(x, i) + steps(i) + pair(i, n); }
  real promoted(real x) { return x / 2; }
  real local_names(real x, vector p) { vector[2] u = [x, p[2]]'; for (i in 1:2) u[i] += p[i]; return sum(u); }
  real noise_rng(real m, int n) { real s = m; for (i in 1:n) s += normal_rng(0, 1); return s; }
}
data { vector[3] x; array[3, 2] int k; vector[1] w; }
transformed data { real t = 0; for (i in 1:2) t += whole(x, i) + w[1]; }
parameters { real p; vector[2] u; }
model { real s = p + u[1]; for (i in 1:2) s += local_names(s, u); for (i in 1:3) { s += pair(s, i) + steps(s) + at(x, k, i, 2) + promoted(i) + outer(s, x * s, i); if (s > promoted(p)) s *= 0.5; } target += -square(s); }
generated quantities { real s = 0; array[3] real r; int i = 4; real n = 2;
  for (j in 1:3) { real y = pair(j, j) + promoted(j); r[j] = outer(y, x, j) + at(x, k, j, 1) + noise_rng(s, j); s += r[j] + i + n + pair(pair(s, 2), steps(y)); } })",
     R"({"x": [0.5, 1.5, -1], "k": [[1, 2], [3, 1], [2, 2]], "w": [7]})", 3},
    {"mistake_in_place", R"(
functions { real f(vector v, int n) { return v[n] * 2; } real g(real x) { if (x > 2) reject("too much: ", x); return x; } }
data { vector[2] x; } generated quantities { real s = 0; for (j in 1:4) s += g(j) + f(x, j); })", R"({"x": [1, 2]})"},
    {"no_result", R"(
functions { real f(real x) { for (i in 1:3) if (x > i) return x * i; reject("none of ", x); return 0; } }
generated quantities { real s = f(2.5) + f(1.5); s += f(0.5); })"},
    {"shadowed_loops", R"(
generated quantities { int n = 0; for (i in 1:3) { int k = i; while (k > 0) { k -= 1; if (k == 1) continue; for (j in 1:k) { if (j == 2) break; n += j; } } for (k2 in 1:2) { int m; m = k2; n += m * k; } } })"},
    {"mistake_row", R"(generated quantities { matrix[2, 3] m = rep_matrix(1, 2, 3); real s = 0; for (i in 1:3) s += m[i, 5]; })"},
    {"mistake_column", R"(generated quantities { matrix[2, 3] m = rep_matrix(1, 2, 3); real s = 0; for (i in 1:4) s += m[1, i]; })"},
    {"mistake_zero", R"(generated quantities { vector[2] v = [1, 2]'; for (i in 1:2) v[i - 1] = 3; })"},
    {"mistake_negative", R"(data { int low; } generated quantities { array[3] int v = {1, 2, 3}; for (i in 1:2) v[low] = v[low] + i; })", R"({"low": -2147483648})"},
    {"mistake_nested", R"(generated quantities { array[2] vector[3] v = rep_array(rep_vector(0, 3), 2); for (i in 1:3) v[i, 4 - i] = i; })"},
    {"mistake_modulus", R"(generated quantities { int n = 1; for (i in 1:3) n += 5 % (2 - i); })"},
    {"mistake_map", R"(generated quantities { real s = 0; for (i in 1:3) s += bessel_first_kind(i, 2.0) + lmgamma(2, 1.0 - i) + log1m(0.5 * i) + inv_Phi(0.5 * i); })"},
    {"mistake_density", R"(generated quantities { real s = 0; for (i in 1:3) s += normal_lpdf(1.0 | i, 2 - i); })"},
    {"mistake_in_callee", R"(
functions { real f(real x, int n) { vector[2] v = [x, 2 * x]'; real s = 0; for (i in 1:n) s += v[i]; return s; } }
generated quantities { real s = 0; for (i in 1:4) s += f(i, i); })", "{}", 2},
};

class JitConstructs : public ::testing::TestWithParam<Construct> {};
TEST_P(JitConstructs, SayWhatTheNodesSay) {
  expect_same(GetParam().text, GetParam().data, GetParam().units);
}
INSTANTIATE_TEST_SUITE_P(All, JitConstructs, ::testing::ValuesIn(kConstructs), [](const auto& it) { return std::string(it.param.name); });

// ---------------------------------------------------------------- programs that ask for trouble

std::string repeated(int n, const std::string& piece) {
  std::string out;
  for (int i = 0; i < n; ++i) out += piece;
  return out;
}

/// What takes too long to be made into machine code runs as nodes.
TEST(JitHostile, ManyStatementsInALoop) {
  const auto loop = [](int n) { return "generated quantities { real s = 1; for (i in 1:2) {" + repeated(n, "s = s * 0.5 + i;\n") + "} }"; };
  EXPECT_EQ(compiled(loop(100000), Jit::Always)->code->jit_units.size(), 0u);
  expect_same(loop(10000), "{}");
}
TEST(JitHostile, AsManyStatementsAsThereMayBe) {
  expect_same("parameters { real x; } generated quantities { real s = 1; for (i in 1:2) {" + repeated(1200, "s = s * 0.5 + i * x;\n") + "} }", "{}", 1);
}
TEST(JitHostile, LoopsWithinLoops) {
  std::string open, close;
  for (int i = 0; i < 200; ++i) open += "for (i" + std::to_string(i) + " in 1:1) {", close += "}";
  expect_same("generated quantities { real s = 1; " + open + "s = s * 0.5 + i3;" + close + "}", "{}", 1);
}
TEST(JitHostile, HighExpressions) {
  expect_same("parameters { real x; } generated quantities { real s = 1; for (i in 1:2) s = " + repeated(900, "(s + ") + "x" + repeated(900, ")") + "; }", "{}", 1);
  expect_same("parameters { real x; } generated quantities { real s = 1; for (i in 1:2) s = x" + repeated(1000, " * 0.9 + s") + "; }", "{}", 1);
}
TEST(JitHostile, ManyFunctions) {
  std::string functions = "real f0(real x) { return x * 2 + 1; }", calls;
  for (int i = 1; i < 10000; ++i) functions += fmt::format("real f{}(real x) {{ return x * f{}(x) / {} + 1; }}\n", i, (i - 1) / 2, i + 1);
  expect_same("functions {" + functions + "} generated quantities { real s = 0; for (i in 1:3) s += f9999(i); }", "{}", 2);
}
/// Units become machine code while others run them.
TEST(JitWarm, BecomesMachineCodeWhileThreadsRunIt) {
  const std::string text = "parameters { real x; } generated quantities { real s = 0; for (i in 1:2000) s = s * 0.9 + x / i; real e = normal_rng(s, 1); }";
  const auto warm = compiled(text, Jit::Warm), nodes = compiled(text, Jit::Never);
  const EvaluationSettings without_tapes{.tapes = false};
  const InterpModel model(warm, DataSource::parse("{}", "data"), 1, {}, nullptr, without_tapes);
  const InterpModel other(nodes, DataSource::parse("{}", "data"), 1, {}, nullptr, without_tapes);
  const auto draws = [](const InterpModel& m) {
    const auto workspace = m.workspace();
    std::vector<double> out(m.names(true, true).size()), all;
    Rng rng(5);
    for (int k = 0; k < 400; ++k) {
      EXPECT_TRUE(workspace->write_array(std::vector<double>{0.1 * k}, true, true, rng, out));
      all.insert(all.end(), out.begin(), out.end());
    }
    return all;
  };
  const std::vector<double> expected = draws(other);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back([&] { EXPECT_EQ(draws(model), expected); });
  for (std::thread& t : threads) t.join();
}
TEST(JitSwitch, WithoutItThereAreNoUnits) {
  EXPECT_EQ(compiled("generated quantities { real s = 0; for (i in 1:3) s += i * s; }", Jit::Never)->code->jit_units.size(), 0u);
}
TEST(JitText, ShowsWhatRuns) {
  if (!jit::has_machine_code()) GTEST_SKIP() << "nothing becomes machine code here";
  const auto program = compiled("data { vector[3] y; } generated quantities { real s = 0; for (i in 1:3) s += y[i] * 2; }", Jit::Always);
  const std::string text = jit_text(*program->code, false);
  EXPECT_NE(text.find("element v0 y [i"), std::string::npos) << text;
  EXPECT_NE(text.find(" = multiply r"), std::string::npos) << text;
  EXPECT_NE(jit_text(*program->code, true).find(testing::kMultiply), std::string::npos);
}

TEST(JitPrograms, SayWhatTheNodesSay) {
  const std::uint64_t first = setting("FERMIAC_JIT_SEED", 1), count = setting("FERMIAC_JIT_PROGRAMS", 60);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(seed);
    const fuzz::GeneratedProgram program = fuzz::generate_program(seed);
    expect_same(program.source, program.data);
  }
}

}  // namespace
}  // namespace fermiac::interp
