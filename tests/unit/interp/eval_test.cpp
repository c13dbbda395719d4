// Statements, functions and scalars of the plain evaluator.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "interp/model/function_call.h"
#include "support/base/memory.h"
#include "support/platform/process_memory.h"
#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

using Numbers = std::vector<double>;

struct Case {
  const char* text;
  Numbers expected;
};

TEST(Eval, IntArithmetic) {
  const Case cases[] = {
      {"int r = 7 %/% 2;", {3}},           {"int r = -7 %/% 2;", {-3}},       {"int r = -7 % 3;", {-1}},
      {"int r = 2 + 3 * 4;", {14}},        {"int r = -(3);", {-3}},           {"int r = 3 > 2;", {1}},
      {"int r = 1 && 0;", {0}},            {"int r = 0 || 5;", {1}},          {"int r = !0;", {1}},
      {"int r = 2147483647 + 1;", {-2147483648.0}},
      {"real r = 2 ^ 3;", {8}},            {"real r = 7 / 2.0;", {3.5}},      {"int r = 1.5 == 1.5;", {1}},
      {"int r = 1 < 1.5 ? 10 : 20;", {10}}};
  for (const Case& c : cases) EXPECT_EQ(results(c.text), c.expected) << c.text;
}

TEST(Eval, UninitialisedVariables) {
  EXPECT_EQ(results("array[2] int r;"), (Numbers{-2147483648.0, -2147483648.0}));
  EXPECT_TRUE(std::isnan(results("vector[1] r;")[0]));
}

TEST(Eval, DivisionByZeroOfInts) {
  EXPECT_NE(error_of("int z = 0; int r = 1 %/% z;").find("integer division by zero"), std::string::npos);
  EXPECT_NE(error_of("int z = 0; int r = 1 % z;").find("integer division by zero"), std::string::npos);
}

TEST(Eval, ElementsThatAreComparedExist) {
  const std::string error = error_of("vector[3] v = [1, 2, 3]'; { int i = 1;\nwhile (v[i] < 9) i += 1; }");
  EXPECT_NE(error.find("index 4 out of range; expecting index to be between 1 and 3 (in 'test.stan', line 4, column 0 to column 24)"), std::string::npos) << error;
}

TEST(Eval, LogicIsLazy) {
  EXPECT_EQ(results("int z = 0; int r = z != 0 && 1 %/% z > 0;"), (Numbers{0}));
  EXPECT_EQ(results("int z = 0; int r = z == 0 || 1 %/% z > 0;"), (Numbers{1}));
  EXPECT_EQ(results("int z = 0; int r = z == 0 ? 5 : 1 %/% z;"), (Numbers{5}));
}

TEST(Eval, ArgumentsAtTheEdgeOfWhatThereIs) {
  EXPECT_EQ(results("array[2] vector[0] x; matrix[2, 2] r = gp_exponential_cov(x, 2, rep_array(1.0, 0));"), (Numbers{4, 4, 4, 4}));
  EXPECT_NE(error_of("vector[3] r = csr_matrix_times_vector(3, 3, [1, 2, 3]', {1, 2, 3}, {1, 2, 3, -2147483647 - 1}, [1, 2, 3]');")
                .find("u[m] + number of values in the last row"),
            std::string::npos);
  EXPECT_EQ(results("real r = wiener_lpdf(1 | 1e-170, 0.1, 0.5, 1);"), (Numbers{-std::numeric_limits<double>::infinity()}));
}

TEST(Eval, GradientsOfCovariancesWithoutCoordinates) {
  const auto model = load("transformed data { array[2] vector[0] x; }\nparameters { real s; array[0] real l; }\n"
                          "model { target += sum(gp_exponential_cov(x, exp(s), l)); }");
  double lp = 0, slope = 0;
  const double s = 0.5;
  ASSERT_TRUE(model->workspace()->log_density_gradient({&s, 1}, {}, &lp, {&slope, 1}));
  EXPECT_DOUBLE_EQ(lp, 4 * std::exp(1.0));
  EXPECT_DOUBLE_EQ(slope, 8 * std::exp(1.0));
}

TEST(Eval, Loops) {
  const Case cases[] = {
      {"int r = 0; for (i in 1:10) r += i;", {55}},
      {"int r = 0; for (i in 3:2) r += i;", {0}},
      {"int r = 0; for (i in 1:10) { if (i == 3) continue; if (i > 5) break; r += i; }", {12}},
      {"int r = 0; while (1) { r += 1; if (r == 4) break; }", {4}},
      {"int r = 0; for (x in {5, 6}) r += x;", {11}},
      {"real r = 0; for (x in [1.5, 2.5]) r += x;", {4}},
      {"vector[4] r; { int n = 0; for (x in [[1, 2], [3, 4]]) { n += 1; r[n] = x; } }", {1, 2, 3, 4}},
      {"int r = 0; { int n = 3; for (i in 1:n) { n = 2; r += 1; } }", {2}},
      {"int r = 0; for (i in 1:3) for (j in 1:3) { if (j == 2) break; r += 1; }", {3}},
      // Loops over scalars.
      {"int r = 0; { int i = 0; while (i < 5 && r < 100) { i += 1; if (i == 2) continue; else if (i == 4) { r += 10; } else r += i * i; } }", {45}},
      {"int r = 0; { int i = 0; while (1) { i += 1; int j = 0; while (j < i) { j += 1; if (j > 3) break; r += j; } if (i >= 5) break; } }", {22}},
      {"int r = 0; { int i = 0; while (i < 3 || r < 20) { i += 1; r = r + i - 1; } }", {21}},
      {"real r = 1; { int n = 3; real x = 0.5; while (!(x > 4)) { x = x * 2 - n / 8.0; n -= 1; r += x / 2; } }", {8.4375}},
      {"int r = 2147483647; { int i = 0; while (i < 2) { r += 1; i += 1; } }", {-2147483647.0}},
      {"real r = 0; { int i = 0; vector[3] v = [1, 2, 4]'; array[3] int k = {3, 1, 2}; while (i < 3) { i += 1; r += v[k[i]] * i + k[i]; } }", {18}},
      {"real r = 0; { real a = 1.5; int i = 0; while (i < 2) { i += 1; r = a + (a * (a + (a * (a + (a * (a + (a * (a + (a * (a + r)))))))))); } }", {267.88330078125}},
      {"real r = 0; { int i = 0; while (i < 4) { i += 1; r += i == 2 ? 0.5 : i != 3; } }", {2.5}},
      // Elements that are compared.
      {"array[6] int r; { vector[4] v = [1, 2, 3, 4]'; int i = 1; while (v[i] < 2.5) i += 1; r[1] = i; i = 1; while (2.5 > v[i]) i += 1; r[2] = i; i = 1; while (v[i] <= 2) i += 1; r[3] = i; i = 1; "
       "while (2 >= v[i]) i += 1; r[4] = i; i = 1; while (v[i] != 3) i += 1; r[5] = i; i = 1; while (!(4 == v[i])) i += 1; r[6] = i; i = 1; }", {3, 3, 3, 3, 3, 4}},
      {"array[2] real r = {0, 0}; { vector[4] v = [1, 2, 3, 4]'; int i = 1; real x; while (i < 4 && v[i + 1] < 3.5) { i += 1; x = v[i]; if (x > 2) r[1] += x; } r[2] = x; }",
       {3, 3}},
      {"array[4] int r; { vector[4] v = [1, 2, 3, 4]'; row_vector[4] w = [4, 2, 3, 1]; matrix[2, 2] m = [[1, 2], [3, 4]]; array[4] int k = {1, 2, 3, 4}; int i = 1; "
       "while (v[i] < w[i]) i += 1; r[1] = i; while (v[i] < w[5 - i] - 0.5 || i < 3) i += 1; r[2] = i; i = 1; while (m[i, 1] < 2) i += 1; r[3] = i; i = 1; while (k[i] < 2.5) i += 1; r[4] = i; }",
       {2, 3, 2, 3}},
  };
  for (const Case& c : cases) EXPECT_EQ(results(c.text), c.expected) << c.text;
}

TEST(Eval, Tuples) {
  EXPECT_EQ(results("tuple(int, real) t = (1, 2); real r = t.1 + t.2;"), (Numbers{3}));
  EXPECT_EQ(results("int a; vector[2] b; (a, b) = (3, [4, 5]'); real r = a + b[2];"), (Numbers{8}));
  EXPECT_EQ(results("tuple(int, tuple(real, array[2] int)) r = (1, (2, {3, 4}));"), (Numbers{1, 2, 3, 4}));
}

TEST(Eval, Literals) {
  EXPECT_EQ(results("matrix[2, 2] r = [[1, 2], [3, 4]];"), (Numbers{1, 3, 2, 4}));
  EXPECT_EQ(results("array[2, 2] real r = {{1, 2}, {3, 4.5}};"), (Numbers{1, 3, 2, 4.5}));
  EXPECT_EQ(results("complex r = 1 + 2i;"), (Numbers{1, 2}));
  EXPECT_EQ(results("array[2] complex r = {1, 2i};"), (Numbers{1, 0, 0, 2}));
}

TEST(Eval, Functions) {
  const std::string functions = R"(functions {
    int fact(int n) { if (n <= 1) return 1; return n * fact(n - 1); }
    int is_even(int n);
    int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
    int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
    real twice(real x) { return 2 * x; }
    vector twice(vector x) { return 2 * x; }
    int forever(int n) { return forever(n + 1); }
    real first_above(vector v, real limit) { for (i in 1:size(v)) { if (v[i] > limit) return v[i]; } return -1; }
    vector changed(vector v) { vector[size(v)] w = v; w[1] = 100; return w; }
    void check(real x) { if (x < 0) reject("x is ", x, " but must not be negative"); }
  })";
  EXPECT_EQ(results("int r = fact(5);", functions), (Numbers{120}));
  EXPECT_EQ(results("int r = is_even(10);", functions), (Numbers{1}));
  EXPECT_EQ(results("real r = twice(3);", functions), (Numbers{6}));
  EXPECT_EQ(results("vector[2] r = twice([1, 2]');", functions), (Numbers{2, 4}));
  EXPECT_EQ(results("real r = first_above([1, 5, 9]', 2);", functions), (Numbers{5}));
  EXPECT_EQ(results("vector[2] a = [1, 2]'; vector[2] b = changed(a); vector[2] r = a;", functions), (Numbers{1, 2}));
  EXPECT_NE(error_of("int r = forever(1);", functions).find("calls nest deeper"), std::string::npos);
  EXPECT_NE(error_of("check(-1.5);", functions).find("x is -1.5 but must not be negative (in 'test.stan', line"),
            std::string::npos);
}

TEST(Eval, PrintRejectFatal) {
  const Outcome done = run("generated quantities { print(\"x = \", 1.5, \", v = \", [1, 2]'); }");
  EXPECT_EQ(done.printed, "x = 1.5, v = [1,2]\n");
  const auto model = load("parameters { real y; } model { if (y > 0) fatal_error(\"stop\"); if (y < -1) reject(\"low\"); }");
  double lp = 0;
  const double high[] = {1.0}, low[] = {-2.0}, middle[] = {0.0};
  const auto workspace = model->workspace();
  EXPECT_EQ(workspace->log_density(high, {}, &lp).kind, EvalStatus::Kind::Fatal);
  EXPECT_EQ(workspace->log_density(low, {}, &lp).kind, EvalStatus::Kind::Rejected);
  EXPECT_EQ(workspace->log_density(middle, {}, &lp).kind, EvalStatus::Kind::Ok);
  EXPECT_EQ(workspace->log_density(high, {}, &lp).kind, EvalStatus::Kind::Fatal);
}

TEST(Eval, EarlyReturnsKeepTheFrameApart) {
  const std::string functions = "functions { int f(int n) { int s = 0; for (i in 1:n) { s += i; if (s > 10) return s; } return -s; } }";
  EXPECT_EQ(results("array[3] int r = {f(3), f(100), f(0)};", functions), (Numbers{-6, 15, 0}));
}

TEST(Eval, SizesAreChecked) {
  EXPECT_NE(error_of("int n = -1; { vector[n] v; }").find("variable=v; dimension size expression=n; expression value=-1"),
            std::string::npos);
}

/// The text of what a function gives counts, too.
TEST(Eval, ResultsOfCallsKeepTheLimitOnMemory) {
  const auto compiled = interp::compile_model({.text = "functions { vector ones(int n) { return rep_vector(1, n); } } model {}", .name = "m"});
  std::string text;
  EXPECT_TRUE(interp::call_function(*compiled, {.name = "ones", .arguments = "[3]"}, &text));
  EXPECT_EQ(text, "[1,1,1]");
  const ad::MemoryScope limited(ad::memory_in_use() + (std::size_t{64} << 20));
  const EvalStatus status = interp::call_function(*compiled, {.name = "ones", .arguments = "[5000000]"}, &text);
  EXPECT_NE(status.message.find("out of memory"), std::string::npos) << status.message;
}

}  // namespace
}  // namespace fermiac::testing
