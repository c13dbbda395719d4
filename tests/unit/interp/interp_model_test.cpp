// The interpreted model behind the Model interface: names, order of values, data, initial values, errors, threads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "tests/shared/program_runner.h"

namespace fermiac::testing {
namespace {

using Names = std::vector<std::string>;

TEST(InterpModel, NamesAreColumnMajorOverAllDimensions) {
  const auto model = load(R"(
    parameters { real a; vector[2] v; matrix[2, 2] m; array[2, 2] real q; array[2] vector[2] w;
      tuple(real, vector[2]) t; array[2] tuple(real, array[2] real) u; complex z; array[2] complex_vector[1] c; simplex[3] s; }
    transformed parameters { real b = a; } generated quantities { array[2] int k = {1, 2}; })");
  EXPECT_EQ(model->names(false, false),
            (Names{"a", "v.1", "v.2", "m.1.1", "m.2.1", "m.1.2", "m.2.2", "q.1.1", "q.2.1", "q.1.2", "q.2.2", "w.1.1",
                   "w.2.1", "w.1.2", "w.2.2", "t:1", "t:2.1", "t:2.2", "u.1:1", "u.1:2.1", "u.1:2.2", "u.2:1", "u.2:2.1",
                   "u.2:2.2", "z.real", "z.imag", "c.1.1.real", "c.1.1.imag", "c.2.1.real", "c.2.1.imag", "s.1", "s.2",
                   "s.3"}));
  const Names all = model->names(true, true);
  EXPECT_EQ(Names(all.end() - 3, all.end()), (Names{"b", "k.1", "k.2"}));
  EXPECT_EQ(model->names(true, false).size(), all.size() - 2);
  EXPECT_EQ(model->unconstrained_size(), 32u);
  EXPECT_EQ(model->unconstrained_names().back(), "s.2");
}

/// Free values stand in order of storage: arrays element after element, matrices by columns, tuples slot by slot.
TEST(InterpModel, FreeValuesInStorageOrder) {
  const auto done = run(R"(
    parameters { array[2] vector[2] w; matrix[2, 2] m; array[2] tuple(real, vector[2]) u; complex z; })",
                        "{}", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  EXPECT_EQ(done.error, "");
  EXPECT_EQ(done.values.at("w.1.2"), 2);
  EXPECT_EQ(done.values.at("w.2.1"), 3);
  EXPECT_EQ(done.values.at("m.2.1"), 6);
  EXPECT_EQ(done.values.at("u.1:1"), 9);
  EXPECT_EQ(done.values.at("u.1:2.2"), 11);
  EXPECT_EQ(done.values.at("u.2:1"), 12);
  EXPECT_EQ(done.values.at("z.imag"), 16);
}

TEST(InterpModel, DataOfAllTypes) {
  const std::string program = R"(
    data { int n; array[2] int k; vector[n] v; matrix[2, 3] m; array[2] matrix[1, 2] am; tuple(int, vector[2]) t; complex z;
           array[2, n] real<lower=0> x; simplex[2] p; }
    transformed data { real total = sum(v) + m[2, 1] * 10 + am[2, 1, 2] * 100 + t.2[2] * 1000; }
    generated quantities { real r = total; real q = get_imag(z) + x[2, 3] + p[1]; })";
  const std::string data = R"({"n": 3, "k": [1, 2], "v": [1, 2, 3], "m": [[1, 2, 3], [4, 5, 6]], "am": [[[1, 2]], [[3, 4]]],
      "t": {"1": 5, "2": [6, 7]}, "z": [1, 2], "x": [[1, 2, 3], [4, 5, 6]], "p": [0.25, 0.75]})";
  const auto done = run(program, data);
  EXPECT_EQ(done.error, "");
  EXPECT_EQ(done.values.at("r"), 6 + 40 + 400 + 7000);
  EXPECT_EQ(done.values.at("q"), 2 + 6 + 0.25);
}

TEST(InterpModel, ErrorsOfSizesNameTheType) {
  const auto error = [](const std::string& type) { return run("data { int N; } parameters { " + type + " z; }", R"({"N": 0})").error; };
  for (const std::string type : {"simplex[N]", "sum_to_zero_vector[N]", "sum_to_zero_matrix[N, 2]", "sum_to_zero_matrix[2, N]", "column_stochastic_matrix[N, 2]",
                                 "row_stochastic_matrix[2, N]", "array[3] sum_to_zero_vector[N]"}) {
    const std::size_t begin = type.starts_with("array") ? 9 : 0;
    const std::string word = type.substr(begin, type.find('[', begin) - begin);
    EXPECT_NE(error(type).find("Found dimension size less than one in " + word + " declaration; variable=z"), std::string::npos) << error(type);
  }
  EXPECT_NE(error("tuple(real, tuple(simplex[3], sum_to_zero_vector[N]))").find("one in sum_to_zero_vector declaration; variable=z.2.2"), std::string::npos);
  const std::string computed = run("data { int N; } transformed parameters { sum_to_zero_vector[N] z; }", R"({"N": 0})").error;
  EXPECT_NE(computed.find("z has size 0, but must have a non-zero size"), std::string::npos) << computed;
}

TEST(InterpModel, BrokenConstraintsOfDataAreNamed) {
  const std::string low = run("data { array[2] int<lower=1> k; }", R"({"k": [1, 0]})").error;
  EXPECT_NE(low.find("k[2] is 0, but must be greater than or equal to 1"), std::string::npos) << low;
  EXPECT_NE(low.find("(in 'test.stan', line 1"), std::string::npos) << low;
  const std::string simplex = run("data { simplex[2] p; }", R"({"p": [0.5, 0.6]})").error;
  EXPECT_NE(simplex.find("p is not a valid simplex"), std::string::npos) << simplex;
  const std::string sums = run("data { array[2] sum_to_zero_vector[2] z; }", R"({"z": [[1, -1], [1, 2]]})").error;
  EXPECT_NE(sums.find("z[2] is not a valid sum-to-zero vector. sum(z[2]) = 3, but should be 0"), std::string::npos) << sums;
  const std::string rows = run("data { row_stochastic_matrix[2, 2] z; }", R"({"z": [[1, 0], [1, 2]]})").error;
  EXPECT_NE(rows.find("z is not a valid row stochastic matrix. sum(z[2]) = 3, but should be 1"), std::string::npos) << rows;
  const std::string bound = run("data { vector[2] a; vector<upper=a>[2] v; }", R"({"a": [1, 2], "v": [1, 3]})").error;
  EXPECT_NE(bound.find("v[2] is 3, but must be less than or equal to 2"), std::string::npos) << bound;
}

TEST(InterpModel, TransformedParametersAreChecked) {
  const auto model = load("parameters { real x; vector[2] v; } transformed parameters { real<upper=1> y = x; vector<lower=-5>[2] w = v; } model { x ~ normal(0, 1); }");
  const auto workspace = model->workspace();
  double lp = 0;
  std::vector<double> gradient(3);
  const std::vector<double> inside = {0.5, 0, 0}, above = {1.5, 0, 0}, below = {0.5, 0, -6};
  EXPECT_TRUE(workspace->log_density_gradient(inside, {}, &lp, gradient));
  const EvalStatus first = workspace->log_density_gradient(above, {}, &lp, gradient);
  EXPECT_EQ(first.kind, EvalStatus::Kind::Rejected);
  EXPECT_NE(first.message.find("y is 1.5, but must be less than or equal to 1 (in 'test.stan', line 1"), std::string::npos)
      << first.message;
  const EvalStatus second = workspace->log_density_gradient(below, {}, &lp, gradient);
  EXPECT_NE(second.message.find("w[2] is -6, but must be greater than or equal to -5"), std::string::npos) << second.message;
  EXPECT_TRUE(workspace->log_density_gradient(inside, {}, &lp, gradient));
  EXPECT_EQ(gradient[0], -0.5);
}

TEST(InterpModel, InitialValuesFromJson) {
  const auto model = load("parameters { real<lower=1> a; vector<lower=a>[2] b; simplex[2] p; } model { }");
  std::vector<double> theta(4, 0.25);
  const EvalStatus all = model->unconstrain_json(R"({"a": 2, "b": [3, 4], "p": [0.5, 0.5]})", {}, theta);
  ASSERT_TRUE(all) << all.message;
  EXPECT_NEAR(theta[0], 0, 1e-15);
  EXPECT_NEAR(theta[1], 0, 1e-15);
  EXPECT_NEAR(theta[2], std::log(2.0), 1e-15);
  EXPECT_NEAR(theta[3], 0, 1e-15);
  std::vector<double> some = {0.0, 0.25, 0.5, 0.75};
  ASSERT_TRUE(model->unconstrain_json(R"({"b": [3, 4]})", {.partial = true}, some));
  EXPECT_EQ(some[0], 0.0);
  EXPECT_NEAR(some[1], 0, 1e-15);  // above a = 1 + exp(0)
  EXPECT_EQ(some[3], 0.75);
  EXPECT_FALSE(model->unconstrain_json(R"({"b": [3, 4]})", {}, some));
  EXPECT_FALSE(model->unconstrain_json(R"({"a": 0.5})", {.partial = true}, some));
}

TEST(InterpModel, RefusesTermsThatAreNoNumbers) {
  const std::pair<const char*, const char*> terms[] = {{"(1, 2)", "tuple(int, int)"}, {"2i", "complex"}, {"{(1, 2.5)}", "array[] tuple(int, real)"}};
  for (const auto& [term, type] : terms) {
    const auto compiled = interp::compile_model({.text = fmt::format("model {{ target += {}; }}", term), .path = "m.stan", .name = "m"});
    ASSERT_FALSE(*compiled) << term;
    const std::string message = render_errors(compiled->sources(), compiled->diagnostics);
    EXPECT_NE(message.find(std::string("must be a number or a container of numbers, found type ") + type), std::string::npos) << message;
  }
}

TEST(InterpModel, PrintsAtEveryEvaluation) {
  std::string printed;
  const auto compiled = compile("parameters { real x; } model { print(\"x=\", x); x ~ normal(0, 1); }");
  const interp::InterpModel model(compiled, interp::DataSource(), 1, [&](std::string_view text) { printed += text; });
  const auto workspace = model.workspace();
  double lp = 0, gradient = 0;
  for (const double x : {1.0, 2.0, 2.0}) ASSERT_TRUE(workspace->log_density_gradient({&x, 1}, {}, &lp, {&gradient, 1}));
  EXPECT_EQ(printed, "x=1\nx=2\nx=2\n");
  EXPECT_EQ(gradient, -2);
}

TEST(InterpModel, RandomNumbersComeFromTheGivenStream) {
  const auto model = load("parameters { real x; } generated quantities { real y = normal_rng(x, 1); }");
  const auto workspace = model->workspace();
  const double theta = 0.5;
  std::vector<double> first(2), second(2), other(2);
  Rng a(1), b(1), c(2);
  ASSERT_TRUE(workspace->write_array({&theta, 1}, true, true, a, first));
  ASSERT_TRUE(workspace->write_array({&theta, 1}, true, true, b, second));
  ASSERT_TRUE(workspace->write_array({&theta, 1}, true, true, c, other));
  EXPECT_EQ(first, second);
  EXPECT_NE(first, other);
}

TEST(InterpModel, UnimplementedAndUndefinedFunctionsAreReported) {
  const auto compiled = interp::compile_model(
      {.text = "functions { real f(real x); } parameters { real x; } model { target += f(x); }", .path = "test.stan",
       .name = "test_model", .include_paths = {}, .allow_undefined = true});
  EXPECT_FALSE(*compiled);
  EXPECT_NE(render_errors(compiled->sources(), compiled->diagnostics).find("function f is declared, but not defined"),
            std::string::npos);
}

/// More paths than tapes are kept; then one path only, which must not be recorded for ever.
TEST(InterpModel, SettlesAfterManyPaths) {
  const auto model = load(
      "parameters { vector[10] v; } model { for (i in 1:10) if (v[i] > 0) { real t = -v[i]; target += t; } else target "
      "+= 2 * v[i]; }");
  const auto workspace = model->workspace();
  Rng rng(3);
  std::vector<double> v(10), gradient(10);
  double lp = 0;
  for (int i = 0; i < 200; ++i) {
    for (double& x : v) x = rng.normal();
    ASSERT_TRUE(workspace->log_density_gradient(v, {}, &lp, gradient));
    for (int k = 0; k < 10; ++k) EXPECT_EQ(gradient[k], v[k] > 0 ? -1 : 2);
  }
  const std::size_t before = model->statistics({}).tapes;
  EXPECT_LT(before, 20u);  // … after which points are evaluated directly
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(workspace->log_density_gradient(v, {}, &lp, gradient));
  EXPECT_LE(model->statistics({}).tapes, before + 1);
}

/// A path that lasts gets a tape, although others print.
TEST(InterpModel, GetsTapesWhereItDoesNotPrint) {
  const auto model = load("parameters { real x; } model { if (x > 0) print(\"x = \", x); target += -square(x); }");
  std::string printed;
  model->set_print([&](std::string_view text) { printed += text; });
  const auto workspace = model->workspace();
  std::vector<double> gradient(1);
  double lp = 0;
  const auto evaluate = [&](double x) {
    ASSERT_TRUE(workspace->log_density_gradient(std::vector{x}, {}, &lp, gradient));
    EXPECT_EQ(lp, -x * x);
    EXPECT_EQ(gradient[0], -2 * x);
  };
  for (int i = 1; i <= 3; ++i) evaluate(i);
  EXPECT_EQ(printed, "x = 1\nx = 2\nx = 3\n");
  for (int i = 1; i <= 100; ++i) evaluate(-i);
  EXPECT_EQ(model->statistics({}).tapes, 2U);  // of the first printing path, and of the other
  evaluate(4);
  EXPECT_EQ(printed, "x = 1\nx = 2\nx = 3\nx = 4\n");
}

/// Workspaces of one model in several threads, on both sides of a branch.
TEST(InterpModel, ThreadsShareTapes) {
  const auto model = load(
      "parameters { vector[3] v; } model { for (i in 1:3) if (v[i] > 0) { real t = -v[i]; target += t; } else target "
      "+= 2 * v[i]; }");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const auto workspace = model->workspace();
      Rng rng(7, static_cast<std::uint64_t>(t));
      for (int i = 0; i < 500; ++i) {
        std::vector<double> v(3), gradient(3);
        for (double& x : v) x = rng.normal();
        double lp = 0, expected = 0;
        for (const double x : v) expected += x > 0 ? -x : 2 * x;
        if (!workspace->log_density_gradient(v, {}, &lp, gradient) || std::abs(lp - expected) > 1e-12) ++wrong[t];
        for (int k = 0; k < 3; ++k)
          if (gradient[k] != (v[k] > 0 ? -1 : 2)) ++wrong[t];
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  EXPECT_LE(model->statistics({}).ops, 12u);
}

}  // namespace
}  // namespace fermiac::testing
