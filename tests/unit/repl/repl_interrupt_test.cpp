// The flag that Ctrl-C sets ends whatever runs, and the session goes on with what it had.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "repl/session/session.h"

namespace fermiac::repl {
namespace {

/// Sets a flag after a moment, unless it is no longer wanted.
class Alarm {
 public:
  explicit Alarm(std::atomic<bool>& flag)
      : thread_([this, &flag] {
          for (int i = 0; i < 10 && !done_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
          flag = true;
        }) {}
  ~Alarm() {
    done_ = true;
    thread_.join();
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  std::atomic<bool> done_{false};
  std::thread thread_;
};

struct Case {
  const char* name;
  std::vector<const char*> before;  // inputs that succeed
  const char* endless;              // the input that is stopped
};

constexpr const char* kSlow =
    "functions { real slow(real x) { int k = 1; while (k > 0) k = k % 7 + 1; return x; } }";
constexpr const char* kGrowth =
    "functions { vector grow(real t, vector y, real a) { vector[1] d; d[1] = a * cos(1e9 * t) * y[1]; return d; } }";

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"Loop", {"k = 1"}, "while (1) k += 1;"},
      {"ComparedElements", {"k = 1", "v = [1, 2]'"}, "while (v[k] > 0.5) k = 3 - k;"},
      {"Function", {"real f(real x) { while (1) {} return x; }"}, "f(1)"},
      {"Gradient", {"x = 1.0", "real f(real x) { int k = 1; while (k > 0) k = k % 7 + 1; return x; }"}, ":grad f(x)"},
      {"Differences", {"x = 1.0", "real f(real x) { int k = 1; while (k > 0) k = k % 7 + 1; return x; }"}, ":check f(x)"},
      {"Draws", {}, ":sample normal(0, 1) 10000000"},
      {"Curve", {"real f(real x) { while (1) {} return x; }"}, ":plot f(x), 0, 1"},
      {"Timing", {"real f(real x) { while (1) {} return x; }"}, ":time f(1.0)"},
      {"TransformedData", {}, "transformed data { int k = 0; while (1) k += 1; }"},
      {"Target", {kSlow, "parameters { real a; }", "model { a ~ normal(0, 1); if (a > -100) target += slow(a); }"}, ":lp"},
      {"Optimum", {kSlow, "parameters { real a; }", "model { a ~ normal(0, 1); if (a > -100) target += slow(a); }"}, ":optimize"},
      {"Chains", {kSlow, "parameters { real a; }", "model { a ~ normal(0, 1); if (a > -100) target += slow(a); }"},
       ":sample chains=2"},
      {"GeneratedQuantities", {kSlow, "parameters { real a; }", "model { a ~ normal(0, 1); }",
                               "generated quantities { real b = slow(a); }"}, ":sample chains=1"},
      {"DifferentialEquation", {kGrowth, "parameters { real a; }",
                                "model { a ~ normal(0, 1); target += ode_rk45(grow, [1.0]', 0.0, {1e9}, a)[1][1]; }"}, ":lp"},
      {"StiffEquation", {kGrowth, "parameters { real a; }",
                         "model { a ~ normal(0, 1); target += ode_bdf_tol(grow, [1.0]', 0.0, {1e9}, 1e-10, 1e-10, 2000000000, a)[1][1]; }"},
       ":lp"},
      {"Product", {"m = rep_matrix(1e-4, 3000, 3000)"}, "b = m * m * m * m * m * m * m * m * m * m * m * m * m * m * m * m;"},
      {"Cholesky", {"m = add_diag(rep_matrix(0.5, 4000, 4000), 1)"}, "c = cholesky_decompose(m);"},
      {"Inverse", {"m = add_diag(rep_matrix(0.5, 3000, 3000), 1)"}, "c = inverse(m);"},
      {"Exponential", {"m = add_diag(rep_matrix(1e-4, 2000, 2000), 1)"}, "e = matrix_exp(m);"},
      {"Division", {"m = add_diag(rep_matrix(0.5, 3000, 3000), 1)"}, "d = m \\ m;"},
      {"CholeskyInAModel", {"parameters { real<lower=0> a; }",
                             "model { target += sum(cholesky_decompose(add_diag(rep_matrix(0.5, 3000, 3000), a))); }"}, ":lp"},
      {"ManyIterations", {"parameters { real a; }", "model { a ~ normal(0, 1); }"}, ":sample samples=100000000"},
  };
  return all;
}

class Interrupt : public testing::TestWithParam<Case> {};

TEST_P(Interrupt, EndsTheRunAndKeepsTheSession) {
  std::atomic<bool> stop{false};
  std::string text;
  const auto sink = [&](std::string_view t) { text += t; };
  Session session({.seed = 1, .bare = false, .terminal = false, .columns = 100, .out = sink, .err = sink, .stop = &stop});
  ASSERT_EQ(session.run("kept = 7"), Session::Outcome::Ok);
  for (const char* input : GetParam().before) ASSERT_EQ(session.run(input), Session::Outcome::Ok) << input << "\n" << text;
  text.clear();
  {
    const Alarm alarm(stop);
    session.run(GetParam().endless);
  }
  EXPECT_NE(text.find("Interrupted"), std::string::npos) << text;
  stop = false;
  text.clear();
  EXPECT_EQ(session.run("kept + 1"), Session::Outcome::Ok);
  EXPECT_EQ(text, "8 : int\n");
}

INSTANTIATE_TEST_SUITE_P(Repl, Interrupt, testing::ValuesIn(cases()), [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace fermiac::repl
