// Files as other programs write them, and names that look like numbers, through the command line.
#include <gtest/gtest.h>

#include <string>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace {

using Outcome = fermiac::testing::ProgramRun;

constexpr char kMark[] = "\xEF\xBB\xBF";

class ForeignFiles : public fermiac::testing::InOwnFolder {
 protected:
  static Outcome run(const std::string& arguments) { return fermiac::testing::run_fermiac(arguments); }
  void expect_ok(const std::string& arguments) {
    const Outcome o = run(arguments);
    EXPECT_EQ(o.status, 0) << arguments << "\n" << o.text;
  }
  void write_model() {
    write("nan.stan",
          "data { int N; vector[N] y; } parameters { real inf; real<lower=0> nan; vector[2] Infinity; } model { y ~ normal(inf, nan); "
          "inf ~ std_normal(); nan ~ std_normal(); Infinity ~ std_normal(); } generated quantities { real NaN = inf; real Inf = nan; }");
    write("d.json", R"({"N": 4, "y": [0.1, 0.4, -0.2, 0.3]})");
  }
};

TEST_F(ForeignFiles, VariablesNamedLikeNumbers) {
  write_model();
  const std::string model = at("nan.stan") + " --data " + at("d.json"), draws = at("s");
  expect_ok("sample " + model + " --seed 1 --samples 200 --refresh 0 --output " + draws);
  const Outcome summary = run("summary --pars inf,nan,NaN,Inf,Infinity " + draws);
  EXPECT_EQ(summary.status, 0) << summary.text;
  EXPECT_NE(summary.text.find("Infinity[2]"), std::string::npos) << summary.text;
  expect_ok("check " + draws);
  expect_ok("generate " + model + " --fitted " + draws + " --output " + at("g"));
  expect_ok("loo " + model + " " + draws);
  expect_ok("trace " + model + " --draws " + draws);
}

TEST_F(ForeignFiles, FoldersOfOptimizeAreDraws) {
  write_model();
  const std::string model = at("nan.stan") + " --data " + at("d.json"), mode = at("o");
  expect_ok("optimize " + model + " --seed 1 --jacobian --refresh 0 --output " + mode);
  expect_ok("summary " + mode);
  expect_ok("generate " + model + " --fitted " + mode + " --output " + at("g"));
  expect_ok("trace " + model + " --draws " + mode);
  expect_ok("laplace " + model + " --refresh 0 --mode " + mode + " --output " + at("l"));
}

TEST_F(ForeignFiles, ByteOrderMarks) {
  write("part.stan", std::string(kMark) + "real f(real x) { return x; }\n");
  write("m.stan", std::string(kMark) + "functions {\n#include part.stan\n}\ndata { int N; vector[N] y; } parameters { real m; } model { y ~ normal(f(m), 1); }");
  write("d.json", std::string(kMark) + R"({"N": 2, "y": [1, 2]})");
  write("d.R", std::string(kMark) + "N <- 2\ny <- c(1, 2)\n");
  write("at.json", std::string(kMark) + R"({"m": 1})");
  for (const char* data : {"d.json", "d.R"}) expect_ok("trace " + at("m.stan") + " --data " + at(data) + " --at " + at("at.json"));
}

TEST_F(ForeignFiles, TraceAndMarginalsSayThatTheyNeedAPoint) {
  write_model();
  for (const std::string command : {"terms", "discrete-marginals"}) {
    const Outcome o = run(command + " " + at("nan.stan") + " --data " + at("d.json"));
    EXPECT_EQ(o.status, 1) << o.text;
    EXPECT_NE(o.text.find("fermiac: " + command + " needs a point: give values of the parameters with --at P.json or draws with --draws DIR"),
              std::string::npos) << o.text;
  }
  write("none.stan", "data { real y; } model { y ~ normal(0, 1); }");
  write("y.json", R"({"y": 1})");
  expect_ok("trace " + at("none.stan") + " --data " + at("y.json"));
}

}  // namespace
