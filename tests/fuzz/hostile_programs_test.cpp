// Programs that ask for trouble, run through the interpreter: sizes, indexes, recursion, overflow, conditions on NaN,
// loops without end. Each ends well or with an error that says where; whoever sets the stop flag gets the end of it.
// FERMIAC_HOSTILE_PROGRAMS: how many, FERMIAC_HOSTILE_SEED: the first seed.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "interp/model/interp_model.h"
#include "support/base/errors.h"
#include "support/base/interrupted.h"
#include "support/base/render.h"
#include "tests/shared/setting.h"

namespace fermiac {
namespace {

using testing::setting;

using Clock = std::chrono::steady_clock;

// ---------------------------------------------------------------- running one

constexpr const char* kData =
    R"({"n0": 0, "n1": 1, "n3": 3, "neg": -1, "big": 2147483647, "low": -2147483648, "nan": "NaN", "inf": "Infinity",
  "idx": [1, 3, 0, 7], "v3": [1, 2, 3], "m23": [[1, 2, 3], [4, 5, 6]]})";
constexpr const char* kDataBlock =
    "data { int n0; int n1; int n3; int neg; int big; int low; real nan; real inf; array[4] int idx; vector[3] v3; "
    "matrix[2, 3] m23; }\n";

struct End {
  std::string error;  // empty: it ended well
  bool interrupted = false;
  bool placed = false;  // the error says where
};

End ended(const EvalStatus& status) {
  return {status.message, status.kind == EvalStatus::Kind::Interrupted,
          status.message.find("in 'h.stan'") != std::string::npos};
}

/// Transformed data, log density with gradient, then what is written.
End run(const std::string& program, mir::OptLevel level, const std::atomic<bool>* stop) {
  const auto compiled = interp::compile_model({.text = program, .path = "h.stan", .level = level});
  if (!*compiled) return {render_errors(compiled->sources(), compiled->diagnostics), false, true};
  try {
    interp::InterpModel model(
        compiled, interp::DataSource::parse(kData, "data"), 1, [](std::string_view) {}, stop);
    model.set_stop(stop);
    const std::vector<double> theta(model.unconstrained_size(), 0.5);
    std::vector<double> gradient(theta.size()), row(model.names(true, true).size());
    const auto workspace = model.workspace();
    double lp = 0;
    const End first = ended(workspace->log_density_gradient(theta, {}, &lp, gradient));
    if (!first.error.empty()) return first;
    Rng rng(1);
    return ended(workspace->write_array(theta, true, true, rng, row));
  } catch (const ad::Interrupted&) {
    return {"interrupted", true, true};
  } catch (const std::exception& e) {  // InputError
    const std::string text = e.what();
    return {text, text.starts_with("interrupted"), text.find("in 'h.stan'") != std::string::npos};
  }
}

// ---------------------------------------------------------------- programs

class Hostile {
 public:
  explicit Hostile(unsigned long seed) : random_(seed) {}

  std::string program() {
    const std::string functions =
        "functions {\n int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }\n"
        " int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
        " int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
        " real part(array[] real x, int a, int b, real s) { return sum(x) * s + down(" +
        depth() +
        "); }\n"
        " vector rhs(real t, vector y, int k) { return -y * k + down(" +
        depth() +
        "); }\n"
        " void shout(real x) { if (" +
        one_of({"x > 0", "x != x", "0", "1"}) + ") reject(\"no\", x); print(x); }\n}\n";
    std::string body;
    for (int i = pick(1, 5); i > 0; --i) body += "  " + statement(2) + "\n";
    switch (pick(0, 3)) {
      case 0:
        return functions + kDataBlock + "transformed data {\n" + kLocals + body + "}\n";
      case 1:
        return functions + kDataBlock + "parameters { real p; }\nmodel {\n" + kLocals + "  x = p;\n" + body +
               "  target += x;\n}\n";
      case 2:
        return functions + kDataBlock + "parameters { real p; }\ntransformed parameters {\n real tp = p;\n {\n" +
               kLocals + body + " tp += x;\n }\n}\n";
      default:
        return functions + kDataBlock + "generated quantities {\n real out = 0;\n {\n" + kLocals + body +
               "  out = x;\n }\n}\n";
    }
  }

 private:
  static constexpr const char* kLocals =
      "  int i = 1; real x = 0.5; vector[3] v = v3; matrix[2, 3] m = m23; array[2, 2] real a = {{1, 2}, {3, 4}};\n"
      "  array[3] int k = {1, 2, 3}; tuple(real, array[2] int) t = (1.5, {1, 2}); real unset; vector[2] unset_v; int "
      "unset_i;\n";

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  template <std::size_t N>
  std::string one_of(const char* const (&list)[N]) {
    return list[static_cast<std::size_t>(pick(0, static_cast<int>(N) - 1))];
  }

  std::string number() {
    static constexpr const char* kInts[] = {"0",
                                            "1",
                                            "2",
                                            "3",
                                            "-1",
                                            "4",
                                            "n0",
                                            "n3",
                                            "neg",
                                            "big",
                                            "low",
                                            "i",
                                            "unset_i",
                                            "idx[4]",
                                            "k[2]",
                                            "(big + n1)",
                                            "(low - n1)",
                                            "(big * big)",
                                            "(-low)",
                                            "(low %/% neg)",
                                            "(n1 %/% n0)",
                                            "(n1 % n0)",
                                            "(low % neg)",
                                            "size(k)",
                                            "down(3)",
                                            "even(2)",
                                            "num_elements(a)",
                                            "t.2[1]",
                                            "to_int(nan)",
                                            "to_int(3e9)",
                                            "abs(low)"};
    return one_of(kInts);
  }
  /// As a size or as depth: nothing that would run for minutes.
  std::string small() {
    static constexpr const char* kSmall[] = {"0", "1", "3", "-1", "n3", "neg", "low", "100", "2000", "big"};
    return one_of(kSmall);
  }
  std::string depth() {
    static constexpr const char* kDepths[] = {"0", "1", "3", "-1", "100", "2000", "2147483647"};
    return one_of(kDepths);
  }
  std::string size() {
    static constexpr const char* kSizes[] = {"0", "1", "3", "n3", "neg", "low", "unset_i", "n0", "n1"};
    return one_of(kSizes);
  }
  /// Several elements.
  std::string range() {
    switch (pick(0, 4)) {
      case 0:
        return "";
      case 1:
        return number() + ":" + number();
      case 2:
        return number() + ":";
      case 3:
        return ":" + number();
      default:
        return one_of({"idx", "k", "{1, 0}", "{big, low}"});
    }
  }
  std::string real() {
    switch (pick(0, 13)) {
      case 0:
        return "v[" + number() + "]";
      case 1:
        return "m[" + number() + ", " + number() + "]";
      case 2:
        return "a[" + number() + ", " + number() + "]";
      case 3:
        return "sum(v[" + range() + "])";
      case 4:
        return "sum(m[" + range() + ", " + range() + "])";
      case 5:
        return "a[" + number() + "][" + number() + "]";
      case 6:
        return one_of({"x", "nan", "inf", "unset", "t.1", "1e308 * 10", "log(-1)", "0.0 / 0", "sqrt(neg)"});
      case 7:
        return "sum(unset_v)";
      case 8:
        return "(" + real() + " * " + real() + ")";
      case 9:
        return "down(" + small() + ")";
      case 10:
        return "reduce_sum(part, a[" + number() + "], " + number() + ", x)";
      case 11:
        return "sum(ode_rk45_tol(rhs, v, 0, {1.0}, 1e-3, 1e-3, 50, " + number() + ")[1])";
      case 12:
        return "sum(rep_vector(x, " + size() + "))";
      default:
        return number();
    }
  }
  std::string condition() {
    switch (pick(0, 4)) {
      case 0:
        return "nan " + one_of({"<", ">", "==", "!=", "<=", ">="}) + " nan";
      case 1:
        return number() + " == " + number();
      case 2:
        return number() + " || " + number();
      case 3:
        return "!(inf - inf < 0)";
      default:
        return number();
    }
  }
  std::string statement(int depth) {
    switch (pick(0, depth > 0 ? 17 : 11)) {
      case 0:
        return "x = " + real() + ";";
      case 1:
        return "v[" + number() + "] = " + real() + ";";
      case 2:
        return "v[" + range() + "] = rep_vector(" + real() + ", " + size() + ");";
      case 3:
        return "m[" + range() + ", " + range() + "] = rep_matrix(" + real() + ", " + size() + ", " + size() + ");";
      case 4:
        return "a[" + number() + ", " + number() + "] = " + real() + ";";
      case 5:
        return "a[" + range() + "] = a[" + range() + "];";
      case 6:
        return "t.2[" + number() + "] = " + number() + ";";
      case 7:
        return "k[" + range() + "] = k[" + range() + "];";
      case 8:
        return "print(" + one_of({"x", "v", "m", "a", "k", "t", "unset", "unset_v", "unset_i"}) + ", " + real() + ");";
      case 9:
        return "i = " + number() + " " + one_of({"+", "-", "*"}) + " " + number() + ";";
      case 10:
        return "{ vector[" + size() + "] w; array[" + size() + ", " + size() + "] real b; print(w, b); }";
      case 11:
        return "if (" + condition() + ") " + one_of({"reject", "fatal_error"}) + "(\"end\", " + real() + ");";
      case 12:
        return "if (" + condition() + ") { " + statement(depth - 1) + " } else { " + statement(depth - 1) + " }";
      case 13:
        return "for (j in " + number() + ":" + number() + ") { if (j > 3 || j < -3) break; " + statement(depth - 1) +
               " }";
      case 14:
        return "for (e in " + one_of({"v", "m", "a", "k"}) + ") { " + statement(depth - 1) +
               one_of({"", " break;", " continue;"}) + " }";
      case 15:
        return "{ int c = 0; while (" + condition() + ") { c += 1; if (c > 5) break; " + statement(depth - 1) + " } }";
      case 16:
        return "shout(" + real() + ");";
      default:
        return "profile(\"p\") { " + statement(depth - 1) + " }";
    }
  }
  std::mt19937_64 random_;
};

TEST(HostilePrograms, EndWellOrWithAnErrorThatSaysWhere) {
  const long count = setting("FERMIAC_HOSTILE_PROGRAMS", 3000);
  const auto first = static_cast<unsigned long>(setting("FERMIAC_HOSTILE_SEED", 1));
  long ok = 0, failed = 0, refused = 0;
  for (unsigned long seed = first; seed < first + static_cast<unsigned long>(count); ++seed) {
    const std::string program = Hostile(seed).program();
    if (std::getenv("FERMIAC_HOSTILE_PRINT")) std::fprintf(stderr, "// seed %lu\n%s\n", seed, program.c_str());
    const auto level = std::array{mir::OptLevel::O0, mir::OptLevel::O1, mir::OptLevel::Oexperimental}[seed % 3];
    const End end = run(program, level, nullptr);
    EXPECT_TRUE(end.error.empty() || end.placed) << "seed " << seed << ": " << end.error << "\n" << program;
    refused += end.error.find("error in 'h.stan'") != std::string::npos;
    (end.error.empty() ? ok : failed) += 1;
  }
  std::printf("%ld ended well, %ld with an error, of these %ld when compiled\n", ok, failed, refused);
  EXPECT_GT(ok, count / 50);
  EXPECT_LT(refused, count / 3);
}

// ---------------------------------------------------------------- without end

constexpr const char* kEndless[] = {
    "transformed data { while (1) {} }",
    "transformed data { while (1) { int i = 1; i += 1; } }",
    "transformed data { int c = 0; for (i in 1:2147483647) for (j in 1:2147483647) c = i; }",
    "transformed data { for (i in 1:2147483647) {} while (1) {} }",
    "transformed data { real x = 0; while (x < 1 || 1) { if (x > 5) { x = 0; continue; } x += 1; } }",
    "parameters { real p; } model { real x = 0; while (1) x = x + 1; }",
    "parameters { real p; } model { real x = p; for (i in 1:2147483647) x = x + p * i; target += x; }",
    "parameters { real p; } model { for (i in 1:2147483647) target += p; }",
    "parameters { real p; } transformed parameters { real q = p; while (q == p) { } }",
    "parameters { real p; } model { while (p > 0) { } }",
    "generated quantities { real x = 0; for (i in 1:2147483647) for (j in 1:100000) x += 1; }",
    "generated quantities { array[3] real y = {1, 2, 3}; while (1) y[2] = y[1] + normal_rng(0, 1); }",
    "functions { int f(int n) { int m = n; while (m > 0) m = n; return m; } } transformed data { int k = f(3); }",
    "functions { void g() { while (1) ; } } generated quantities { g(); }",
    "functions { int ever(int n) { return n + 1; } } transformed data { int i = 0; while (ever(i)) i = ever(i) - 1; }",
    "functions { vector f(real t, vector y) { while (1) ; return y; } } generated quantities { array[1] vector[1] z = "
    "ode_rk45(f, [1]', 0, {1.0}); }",
    "functions { vector f(real t, vector y) { real s = 0; for (i in 1:2147483647) for (j in 1:2147483647) s = i; "
    "return y + s; } } "
    "parameters { real p; } model { target += ode_bdf(f, [p]', 0, {1.0})[1][1]; }",
    "functions { real f(real x, real xc, array[] real th, data array[] real xr, data array[] int xi) { while (1) ; "
    "return x; } } "
    "generated quantities { real z = integrate_1d(f, 0, 1, {1.0}, {1.0}, {1}); }",
    "functions { vector f(vector y) { while (1) ; return y; } } generated quantities { vector[1] z = solve_newton(f, "
    "[1]'); }",
    "functions { real f(array[] real x, int a, int b) { while (1) ; return 0; } } generated quantities { real z = "
    "reduce_sum(f, {1.0, 2.0}, 1); }",
    "transformed data { for (x in rep_vector(0, 3)) { while (1) { profile(\"p\") { } } } }",
};

class Endless : public ::testing::TestWithParam<mir::OptLevel> {};

TEST_P(Endless, ProgramsEndWhenTheyAreStopped) {
  for (const char* program : kEndless) {
    std::atomic<bool> stop{false}, over{false};
    Clock::time_point stopped;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stopped = Clock::now();
      stop = true;
      for (int i = 0; i < 600 && !over; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (!over) std::fprintf(stderr, "does not end: %s\n", program), std::abort();
    });
    const End end = run(program, GetParam(), &stop);
    const auto late = std::chrono::duration<double>(Clock::now() - stopped).count();
    over = true;
    other.join();
    if (end.error.empty()) continue;  // an optimiser found the end
    EXPECT_TRUE(end.interrupted) << program << "\n" << end.error;
    EXPECT_LT(late, 5.0) << program;  // a second on a machine that has nothing else to do
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Endless,
                         ::testing::Values(mir::OptLevel::O0, mir::OptLevel::O1, mir::OptLevel::Oexperimental));

// ---------------------------------------------------------------- the last int

TEST(HostilePrograms, LoopsEndAtTheLastInt) {
  const End end =
      run("transformed data { int c = 0; for (i in 2147483645:2147483647) c += 1; if (c != 3) reject(\"rounds\", c);\n"
          " for (i in (-2147483647 - 1):-2147483647) c += 1; if (c != 5) reject(\"rounds\", c); for (i in "
          "2147483647:(-2147483647 - 1)) reject(\"none\"); }",
          mir::OptLevel::O0, nullptr);
  EXPECT_EQ(end.error, "");
  EXPECT_EQ(run("parameters { real p; } model { for (i in 2147483646:2147483647) target += p * i; for (i in "
                "2147483646:2147483647) { real x = p; target += x; } }",
                mir::OptLevel::Oexperimental, nullptr)
                .error,
            "");
}

}  // namespace
}  // namespace fermiac
