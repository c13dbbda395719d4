// Random lines: whatever they are, the session goes on. FERMIAC_RANDOM_LINES in the environment sets how many.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "repl/session/session.h"
#include "support/base/rng.h"

namespace fermiac::repl {
namespace {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  std::string line() {
    switch (pick(14)) {
      case 0: return name() + " = " + expr(3);
      case 1: return type() + " " + name() + " = " + expr(2) + ";";
      case 2: return name() + "[" + expr(1) + "] = " + expr(2) + ";";
      case 3: return name() + " ~ " + distribution() + "(" + expr(1) + ", " + expr(1) + ")";
      case 4: return "for (i in 1:" + std::to_string(pick(5)) + ") " + name() + " += " + expr(2) + ";";
      case 5: return ":" + command() + " " + expr(2);
      case 6: return ":" + command();
      case 7: return "real " + function() + "(real a) { return " + expr(2) + "; }";
      case 8: return "if (" + expr(1) + ") " + name() + " = " + expr(1) + "; else print(" + expr(1) + ");";
      case 9: return garbled();
      case 10: return "functions { real " + function() + "(real a) { return " + expr(1) + "; } }";
      case 11: return "parameters { real " + name() + "; } model { " + name() + " ~ normal(0, 1); }";
      default: return expr(4);
    }
  }

 private:
  std::size_t pick(std::size_t n) { return rng_() % n; }
  template <std::size_t N>
  std::string one_of(const char* const (&list)[N]) {
    return list[pick(N)];
  }
  std::string name() {
    static constexpr const char* kNames[] = {"x", "y", "n", "v", "m", "t", "target", "lower"};
    return one_of(kNames);
  }
  std::string function() {
    static constexpr const char* kNames[] = {"f", "g", "h", "x"};
    return one_of(kNames);
  }
  std::string type() {
    static constexpr const char* kTypes[] = {"int", "real", "real<lower=0>", "vector[3]", "array[2] int", "matrix[2,2]",
                                             "tuple(int, real)", "simplex[3]", "complex", "cov_matrix[2]", "vector[n]"};
    return one_of(kTypes);
  }
  std::string distribution() {
    static constexpr const char* kNames[] = {"normal", "gamma", "poisson", "cauchy", "nothing"};
    return one_of(kNames);
  }
  std::string command() {
    static constexpr const char* kNames[] = {"type", "grad", "check", "hessian", "ast", "mir", "tape", "doc", "apropos",
                                             "vars", "forget", "lp", "params", "summary", "data", "seed", "help", "hist",
                                             "trace", "explain", "plot", "nothing", "mir --optimized", "model", "optimize"};
    return one_of(kNames);
  }
  std::string expr(int depth) {
    static constexpr const char* kAtoms[] = {"1", "2.5", "-1", "0", "1e300", "3i", "{1, 2}", "[1, 2]", "[1, 2, 3]'", "[[1, 2], [3, 4]]",
                                             "(1, 2.5)", "\"s\"", "2147483647", "{}", "[]"};
    static constexpr const char* kOperators[] = {"+", "-", "*", "/", "%/%", "^", ".*", "./", "<", "==", "&&", "||", "\\", "%"};
    static constexpr const char* kFunctions[] = {"exp", "log", "sum", "size", "inverse", "sqrt", "to_vector", "normal_rng", "f", "g", "h",
                                                 "rep_vector", "max", "abs", "normal_lpdf", "append_row", "log_sum_exp", "sort_asc",
                                                 "cholesky_decompose", "to_int", "dims", "head", "lgamma", "print"};
    if (depth == 0) return pick(2) ? name() : one_of(kAtoms);
    switch (pick(7)) {
      case 0: return "(" + expr(depth - 1) + ")";
      case 1: return expr(depth - 1) + " " + one_of(kOperators) + " " + expr(depth - 1);
      case 2: return one_of(kFunctions) + "(" + expr(depth - 1) + ")";
      case 3: return one_of(kFunctions) + "(" + expr(depth - 1) + (pick(3) ? ", " : " | ") + expr(depth - 1) + ")";
      case 4: return expr(depth - 1) + "[" + expr(depth - 1) + "]";
      case 5: return expr(depth - 1) + " ? " + expr(depth - 1) + " : " + expr(depth - 1);
      default: return expr(0);
    }
  }
  std::string garbled() {
    std::string text = expr(3);
    static constexpr std::string_view kSigns = "(){}[];,~|'\":.+-*/<>=!?&%^\\ \t#@$\n0aZ_";
    for (std::size_t i = pick(4) + 1; i-- > 0 && !text.empty();) {
      const std::size_t at = pick(text.size());
      if (pick(2)) text[at] = kSigns[pick(kSigns.size())];
      else text.erase(at, 1 + pick(3));
    }
    return text;
  }

  Rng rng_;
};

TEST(ReplRandom, LinesNeverEndTheSession) {
  const char* wanted = std::getenv("FERMIAC_RANDOM_LINES");
  const int n = wanted ? std::atoi(wanted) : 1500;
  std::size_t printed = 0, complained = 0;
  Session session({.seed = 1, .bare = false, .terminal = false, .columns = 100, .out = [&](std::string_view t) { printed += t.size(); },
                   .err = [&](std::string_view t) { complained += t.size(); }, .stop = nullptr});
  Generator generator(20);
  int ok = 0;
  for (int i = 0; i < n; ++i) {
    const std::string line = generator.line();
    if (std::getenv("FERMIAC_RANDOM_SHOW")) std::fprintf(stderr, "%s\n", line.c_str());
    SCOPED_TRACE(line);
    const Session::Outcome outcome = session.run(line);
    ASSERT_NE(outcome, Session::Outcome::Quit);
    ok += outcome == Session::Outcome::Ok;
  }
  EXPECT_GT(ok, n / 20) << "hardly any line means anything: the generator is of no use";
  EXPECT_GT(printed, 0u);
  EXPECT_GT(complained, 0u);
  // The session still works.
  session.run("last_one = 6 * 7");
  ASSERT_NE(session.evaluator().find("last_one"), nullptr);
  EXPECT_EQ(session.evaluator().find("last_one")->value.as_int(), 42);
}

}  // namespace
}  // namespace fermiac::repl
