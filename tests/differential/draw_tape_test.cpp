// Draws by tapes and by nodes: the same numbers within 1e-12, the same random numbers, messages and printed text.
// FERMIAC_MODELS=LIST.tsv compares the models of a list (name, program, data between tabs) as well.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "interp/model/interp_model.h"
#include "support/base/render.h"
#include "tests/differential/example_models.h"

namespace fermiac::interp {
namespace {

std::shared_ptr<const CompiledModel> compiled(const std::string& source) {
  auto out = compile_model({.text = source, .path = "test.stan", .name = "test_model"});
  EXPECT_TRUE(*out) << render_errors(out->sources(), out->diagnostics);
  return out;
}

struct Side {
  std::unique_ptr<InterpModel> model;
  std::string printed;
  std::unique_ptr<ModelWorkspace> workspace;
  Rng rng{7};
  EvalStatus status;
  std::vector<double> row;

  void begin() {
    model->set_print([this](std::string_view text) { printed += text; });
    workspace = model->workspace();
    row.resize(model->names(true, true).size());
  }
  void draw(const std::vector<double>& theta) { status = workspace->write_array(theta, true, true, rng, row); }
};

std::vector<double> point(std::size_t n, int k) {
  std::vector<double> theta(n);
  for (std::size_t i = 0; i < n; ++i) theta[i] = 0.6 * std::sin(1 + 0.7 * static_cast<double>(i) + 1.3 * k);
  return theta;
}

double distance(double x, double y) {
  if (x == y || (std::isnan(x) && std::isnan(y))) return 0;
  return std::isnan(x) || std::isnan(y) ? std::numeric_limits<double>::infinity() : std::fabs(x - y);
}

/// What rounding does to the columns: how far they move with a point that moves by some units in the last place.
std::vector<double> noise(Side& nodes, const std::vector<double>& theta, const Rng& rng) {
  constexpr double kUlp = std::numeric_limits<double>::epsilon();
  const std::vector<double> here = nodes.row;
  const std::string printed = nodes.printed;
  std::vector<double> out(here.size());
  for (const double factor : {1 - 3 * kUlp, 1 + 4 * kUlp, 1 - 11 * kUlp}) {
    std::vector<double> moved = theta;
    for (double& x : moved) x *= factor;
    nodes.rng = rng;
    nodes.draw(moved);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::max(out[i], distance(nodes.row[i], here[i]));
  }
  nodes.row = here;
  nodes.printed = printed;
  return out;
}

bool all_within(const std::vector<double>& got, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < got.size(); ++i)
    if (distance(got[i], expected[i]) > 1e-12 * std::fabs(expected[i])) return false;
  return true;
}

/// Within 1e-12, or within what rounding does to the program as it is written.
void expect_same(const Side& tape, Side& nodes, const std::vector<double>& theta, const Rng& before) {
  if (all_within(tape.row, nodes.row)) return;
  const Rng behind = nodes.rng;
  const std::vector<double> allowed = noise(nodes, theta, before);
  nodes.rng = behind;
  const std::vector<std::string> names = nodes.model->names(true, true);
  for (std::size_t i = 0; i < names.size(); ++i)
    EXPECT_LE(distance(tape.row[i], nodes.row[i]), 1e-12 * std::fabs(nodes.row[i]) + 10 * allowed[i])
        << names[i] << " is " << fmt::format("{}", tape.row[i]) << ", not " << fmt::format("{}", nodes.row[i]);
}

/// Compares draws at many points. Statistics of the side with tapes.
DrawStatistics compare(std::unique_ptr<InterpModel> by_tape, std::unique_ptr<InterpModel> by_nodes, int draws = 16) {
  Side tape{std::move(by_tape)}, nodes{by_nodes->with_settings({.tapes = false})};
  tape.begin();
  nodes.begin();
  for (int k = 0; k < draws; ++k) {
    SCOPED_TRACE(fmt::format("draw {}", k));
    const std::vector<double> theta = point(nodes.model->unconstrained_size(), k);
    const Rng before = nodes.rng;
    tape.draw(theta);
    nodes.draw(theta);
    EXPECT_EQ(tape.status.kind, nodes.status.kind);
    EXPECT_EQ(tape.status.message, nodes.status.message);
    EXPECT_EQ(tape.printed, nodes.printed);
    EXPECT_EQ(tape.rng.state(), nodes.rng.state());
    expect_same(tape, nodes, theta, before);
  }
  return tape.model->draw_statistics();
}

DrawStatistics compare(const std::string& source, const std::string& data = "{}") {
  const auto code = compiled(source);
  const auto model = [&] { return std::make_unique<InterpModel>(code, DataSource::parse(data, "data"), 1); };
  return compare(model(), model());
}

// ---------------------------------------------------------------- what a tape computes

TEST(DrawTape, TransformedParametersAndQuantities) {
  const DrawStatistics s = compare(R"(
    data { int N; vector[N] y; }
    parameters { real mu; real<lower=0> sigma; simplex[3] p; array[2] ordered[2] o; corr_matrix[3] C; }
    transformed parameters { vector[N] d = y - mu; real q; { real z = mu * 2; for (n in 1:N) z += d[n]; q = z + sigma; } }
    generated quantities {
      vector[N] ll; array[2, 2] matrix[2, 3] a; int k = 3; real<lower=0> m;
      for (n in 1:N) ll[n] = normal_lpdf(y[n] | mu, sigma);
      for (i in 1:2) for (j in 1:2) for (r in 1:2) for (c in 1:3) a[i, j, r, c] = i * mu + j * sigma + r * p[c];
      m = mean(exp(ll));
      tuple(real, array[2] int, complex) t = (mu, {1, 2}, to_complex(mu, sigma));
    })",
                               R"({"N": 5, "y": [1, 2, 3, -1, 0.5]})");
  EXPECT_GT(s.ops, 0u);
  EXPECT_EQ(s.by_nodes, 0u);
}

TEST(DrawTape, RandomReals) {
  const DrawStatistics s = compare(R"(
    functions { real twice_rng(real m) { return normal_rng(m, 1) + normal_rng(m, 2); } real fixed_rng() { return std_normal_rng(); } }
    data { int N; vector[N] x; }
    parameters { real a; real<lower=0> s; simplex[3] p; }
    transformed parameters { vector[N] mu = a * x; }
    generated quantities {
      array[N] real y = normal_rng(mu, s);
      vector[N] ll; vector[N] z; real level = normal_rng(0.5, s); real fixed = uniform_rng(0, 1); real f = fixed_rng();
      for (n in 1:N) { ll[n] = normal_lpdf(x[n] | mu[n], s); z[n] = normal_rng(mu[n] + level, s); }
      real w = z[1] * fixed + twice_rng(a) + f;
      vector[3] d = dirichlet_rng(10 * p);
      vector[2] mn = multi_normal_rng([a, level]', identity_matrix(2));
    })",
                               R"({"N": 4, "x": [0.1, 0.2, -1, 3]})");
  EXPECT_EQ(s.by_nodes, 0u);
}

TEST(DrawTape, RandomIntegers) {
  const DrawStatistics s = compare(R"(
    data { int N; array[N] int seen; }
    parameters { real a; vector[N] l; simplex[3] p; }
    generated quantities {
      array[N] int<lower=0> y; array[N] int z = poisson_log_rng(l); int<lower=1, upper=3> c = categorical_rng(p); array[3] int m = multinomial_rng(p, 7);
      array[2, N] int g; int total;
      for (n in 1:N) { if (seen[n] > 0) y[n] = 1; else { real r = inv_logit(l[n]); y[n] = bernoulli_rng(r * 0.9); } }
      for (i in 1:2) g[i] = poisson_log_rng(l + i);
      total = sum(y) + sum(m) + c;
      real after = normal_rng(a, 1);
      real last = after + total;
    })",
                               R"({"N": 4, "seen": [0, 1, 0, 0]})");
  EXPECT_EQ(s.by_nodes, 2u);  // the total, and what reads it
}

/// Draws that decide what is drawn next.
TEST(DrawTape, IntegersThatAreRead) {
  const DrawStatistics s = compare(R"(
    functions { int steps_rng(real p) { int n = 0; while (bernoulli_rng(p) == 0) n += 1; return n; } }
    parameters { real a; }
    transformed parameters { real<lower=0, upper=1> p = inv_logit(a); }
    generated quantities {
      array[20] int y; real before = normal_rng(a, 1);
      y[1] = 1;
      for (t in 2:20) y[t] = bernoulli_rng(y[t - 1] == 1 ? p : 1 - p);
      real behind = normal_rng(a, 1);
      int n = steps_rng(p);
      real x = poisson_rng(3) * a;
      real exact = exp(a);
    })");
  EXPECT_GT(s.by_nodes, 3u);
  EXPECT_GT(s.taped, 4u);
}

/// A tape that breaks them leaves the draw to nodes, which say so.
TEST(DrawTape, BoundsOfIntegers) {
  const DrawStatistics s = compare(R"(
    parameters { real a; }
    transformed parameters { real p = inv_logit(a); }
    generated quantities {
      int<lower=0, upper=9> n = binomial_rng(9, p);
      array[3] int<lower=1, upper=3> c = {1, 2, 3};
      array[4] int<upper=2> y;
      y = poisson_rng(rep_array(p, 4));
      int<lower=0> big = poisson_rng(40 * p);
      int<upper=30> little = poisson_rng(40 * p);
      int<lower=n> bounded = 10 + binomial_rng(9, p);
    })");
  EXPECT_EQ(s.by_nodes, 2u);  // the last one, which computes with what it draws, and its check
}

TEST(DrawTape, WhatDependsOnNoParameter) {
  const DrawStatistics s = compare("generated quantities { real x = normal_rng(0, 1); real y = 2 * x; int k = poisson_rng(3); vector[3] z = rep_vector(2, 3); }");
  EXPECT_GT(s.ops, 0u);
}

// ---------------------------------------------------------------- what stays as it is written

TEST(DrawTape, PrintsInOrder) {
  const DrawStatistics s = compare(R"(
    parameters { real a; }
    transformed parameters { real b = exp(a); }
    generated quantities { real c = b * 2; print("c = ", c); real d = c + normal_rng(0, 1); print("d = ", d, " ", b); })");
  EXPECT_EQ(s.by_nodes, 2u);
}

TEST(DrawTape, RefusalsReadTheSame) {
  compare(R"(
    parameters { real a; }
    transformed parameters { real b = a; if (a < -0.3) reject("a is ", a); }
    generated quantities { real u = uniform_rng(0, 1); real c = sqrt(a + 0.2); real s = normal_rng(0, a + 0.25); vector<lower=0>[2] v = [a + 0.24, 1]'; })");
}

TEST(DrawTape, SolversStay) {
  const DrawStatistics s = compare(R"(
    functions { vector decay(real t, vector y, real k) { return -k * y; } }
    parameters { real<lower=0> k; }
    transformed parameters { array[2] vector[1] y = ode_rk45(decay, [1]', 0, {1, 2}, k); real end = y[2, 1]; real half = log2() / k; }
    generated quantities { real z = normal_rng(end, 1); })");
  EXPECT_EQ(s.by_nodes, 3u);
}

// ---------------------------------------------------------------- paths and limits

/// A statement whose path changes from draw to draw is left to nodes, the others stay.
TEST(DrawTape, PathsThatChange) {
  const DrawStatistics s = compare(R"(
    parameters { vector[8] v; }
    transformed parameters { vector[8] e = exp(v); }
    generated quantities { array[8] int up; int n = 0; for (i in 1:8) { up[i] = v[i] > 0; if (v[i] > 0.1) { n += 1; n *= 2; } } real m = sum(e) + n; })");
  EXPECT_GT(s.by_nodes, 0u);
  EXPECT_GT(s.taped, 1u);
}

TEST(DrawTape, ChoicesOnBothSides) {
  compare(R"(
    parameters { vector[8] v; }
    generated quantities { vector[8] w; for (i in 1:8) { if (v[i] > 0) w[i] = log(v[i]); else w[i] = sqrt(-v[i]); } real m = fmax(w[1], w[2]); })");
}

TEST(DrawTape, LoopsThatAreTooLong) {
  const DrawStatistics s = compare(R"(
    parameters { real a; }
    transformed parameters { real b = exp(a); real x = a; for (i in 1:600000) { x = sin(x + b); } }
    generated quantities { real y = x + b; })");
  EXPECT_EQ(s.by_nodes, 2u);  // the loop, and what reads its result
  EXPECT_GE(s.taped, 2u);
}

/// Only a part is asked for: nodes.
TEST(DrawTape, PartsOfADraw) {
  const InterpModel model(compiled("parameters { real a; } transformed parameters { real b = 2 * a; } generated quantities { real c = b + 1; }"),
                          DataSource::parse("{}", "data"), 1);
  const auto workspace = model.workspace();
  Rng rng(1);
  const double a = 0.5;
  std::vector<double> one(1), two(2), three(3);
  for (int k = 0; k < 8; ++k) {
    ASSERT_TRUE(workspace->write_array({&a, 1}, true, true, rng, three));
    ASSERT_TRUE(workspace->write_array({&a, 1}, true, false, rng, two));
    ASSERT_TRUE(workspace->write_array({&a, 1}, false, false, rng, one));
    EXPECT_EQ(three, (std::vector<double>{0.5, 1, 2}));
    EXPECT_EQ(two, (std::vector<double>{0.5, 1}));
    EXPECT_EQ(one, (std::vector<double>{0.5}));
  }
}

TEST(DrawTape, ThreadsGiveWhatOneGives) {
  const InterpModel model(compiled(R"(
    parameters { vector[5] v; }
    transformed parameters { vector[5] e = exp(v); }
    generated quantities { array[5] real y = normal_rng(v, e); int n = 0; for (i in 1:5) { y[i] += e[i]; if (v[i] > 0) n += 1; } })"),
                          DataSource::parse("{}", "data"), 1);
  const auto run = [&](std::vector<double>& all) {
    const auto workspace = model.workspace();
    Rng rng(5);
    std::vector<double> row(model.names(true, true).size());
    for (int k = 0; k < 40; ++k) {
      EXPECT_TRUE(workspace->write_array(point(5, k), true, true, rng, row));
      all.insert(all.end(), row.begin(), row.end());
    }
  };
  std::vector<std::vector<double>> draws(4);
  std::vector<std::thread> threads;
  for (std::vector<double>& mine : draws) threads.emplace_back([&] { run(mine); });
  for (std::thread& t : threads) t.join();
  for (const std::vector<double>& mine : draws) EXPECT_EQ(mine, draws[0]);
}

// ---------------------------------------------------------------- whole models

TEST(DrawTape, Examples) {
  for (const std::string& name : example_names()) {
    SCOPED_TRACE(name);
    compare(load_example(name), load_example(name));
  }
}

TEST(DrawTape, ModelsOfAList) {
  const char* list = std::getenv("FERMIAC_MODELS");
  if (!list) GTEST_SKIP() << "only on demand";
  std::ifstream in(list);
  for (std::string name, program, data; std::getline(in, name, '\t') && std::getline(in, program, '\t') && std::getline(in, data);) {
    SCOPED_TRACE(name);
    std::ifstream text(program);
    const auto code = compiled(std::string(std::istreambuf_iterator<char>(text), {}));
    const auto model = [&] { return std::make_unique<InterpModel>(code, DataSource::open(data), 1); };
    compare(model(), model(), 8);
  }
}

}  // namespace
}  // namespace fermiac::interp
