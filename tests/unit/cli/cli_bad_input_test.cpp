// Bad input at the command line: one clear error on standard error, the right exit status, nothing lost.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace {

namespace fs = std::filesystem;

using Outcome = fermiac::testing::ProgramRun;

class BadInput : public fermiac::testing::InOwnFolder {
 protected:
  void SetUp() override {
    write("m.stan", R"(data { int<lower=0> N; vector<lower=0>[N] y; array[2] int k; }
parameters { real mu; real<lower=0> sigma; }
model { y ~ normal(mu, sigma); }
)");
  }

  static Outcome run(const std::string& arguments) { return fermiac::testing::run_fermiac(arguments); }
  Outcome sample(const std::string& data, const std::string& more = "") {
    write("d.json", data);
    return run("sample " + at("m.stan") + " --data " + at("d.json") + " --seed 1 --chains 1 --output " + at("out") + " " + more);
  }
  static void expect(const Outcome& o, int status, std::initializer_list<const char*> parts) {
    EXPECT_EQ(o.status, status) << o.text;
    for (const char* part : parts) EXPECT_NE(o.text.find(part), std::string::npos) << "'" << part << "' in:\n" << o.text;
  }
};

TEST_F(BadInput, NearMissesGetAGuess) {
  expect(run("smaple m.stan"), 2, {"fermiac: there is no command 'smaple'; did you mean sample?", "See 'fermiac --help'."});
  expect(run("frobnicate"), 2, {"there is no command 'frobnicate'; there are sample, optimize", " or completion"});
  expect(run(""), 2, {"fermiac: a command is needed: sample, optimize"});
  const Outcome two = run("sample " + at("m.stan") + " --sample 100 --adapt_delta 0.9 --chain=2");
  expect(two, 2, {"sample has no option --sample; did you mean --samples", "no option --adapt_delta; did you mean --adapt-delta?",
                  "no option --chain; did you mean --chains or --chain-ids?", "See 'fermiac sample --help'."});
  EXPECT_LT(two.text.find("--sample;"), two.text.find("--adapt_delta"));
  expect(run("sample " + at("m.stan") + " --nr-samples 5"), 2, {"did you mean --samples?"});
  expect(run("sample " + at("m.stan") + " -d x"), 2, {"sample has no option -d"});
}
TEST_F(BadInput, HabitsOfOtherProgramsGetAGuess) {
  const std::string sample = "sample " + at("m.stan");
  expect(run(sample + " --iter 2000 --cores 4 -d x"), 2, {"--iter; did you mean --warmup and --samples?", "--cores; did you mean --threads?", "-d; did you mean --data?"});
  expect(run(sample + " --max_depth 5"), 2, {"no option --max_depth; did you mean --max-treedepth?"});
  expect(run(sample + " --sampler static --max-treedepth 5"), 1,
         {"--max-treedepth limits the trees of nuts and walnuts; static, which is chosen, has none: --int-time says how far it goes"});
  expect(run(sample + " data file=d.json"), 2, {"sample takes no further argument", "data are given with --data FILE"});
  expect(run(sample + " num_samples=500 num_chains=2"), 2,
         {"sample takes no further argument: num_samples=500 num_chains=2; did you mean --samples 500? CmdStan's command line is fermiac cmdstan-run"});
  expect(run(sample + " --seed 1 --chains 2 --seed=2"), 2, {"fermiac: --seed is given 2 times, but only one value counts"});
  expect(run(at("m.stan")), 2, {("did you mean fermiac sample " + at("m.stan") + "?").c_str()});
  expect(run("help sample"), 0, {"--adapt-delta"});
  expect(run("--help sample"), 0, {"--adapt-delta"});
  expect(run("help"), 0, {"sample", "optimize"});
  expect(run("summary"), 2, {"summary needs a file: fermiac summary FILES"});
  expect(run("jupyter"), 2, {"jupyter needs an action: fermiac jupyter install"});
  expect(run("check-model " + at("m.stan")), 1, {"no data were given, see --data"});
}
TEST_F(BadInput, MissingDataThatTheProgramDoesNotHave) {
  const std::string data = R"({"N": 2, "y": [1, 2], "k": [1, 2]})";
  for (const char* name : {"z", "mu"}) expect(sample(data, std::string("--missing ") + name), 1, {("the program has no data variable '" + std::string(name) + "' that could be missing").c_str()});
}
TEST_F(BadInput, AnUnknownInstructionSetIsTold) {
  const char* const before = std::getenv("FERMIAC_ISA");
  const std::string old = before ? before : "";
  setenv("FERMIAC_ISA", "nonsense", 1);
  expect(run("eval 1"), 2, {"fermiac: FERMIAC_ISA is 'nonsense' in the environment, which is none of "});
  setenv("FERMIAC_ISA", "", 1);
  expect(run("eval 1"), 0, {"1"});
  if (before) setenv("FERMIAC_ISA", old.c_str(), 1);
  else unsetenv("FERMIAC_ISA");
}
TEST_F(BadInput, PathfinderIsSilentWithoutRefresh) {
  write("free.stan", "parameters { real x; } model { x ~ normal(0, 1); }");
  EXPECT_EQ(run("pathfinder " + at("free.stan") + " --seed 1 --refresh 0 --output " + at("paths")).text, "");
  expect(run("pathfinder " + at("free.stan") + " --seed 1 --output " + at("told")), 0, {"Mean", "Path ["});
}
TEST_F(BadInput, WhatIsMissingIsNamed) {
  expect(run("sample --chains 4"), 2, {"fermiac: sample needs a model: fermiac sample M.stan"});
  expect(run("sample " + at("m.stan") + " --data"), 2, {"fermiac: --data needs a value: --data D.json"});
  expect(run("sample " + at("m.stan")), 1, {"fermiac: data: the variable 'N' is missing", "no data were given, see --data"});
  expect(run("completion foo"), 2, {"shell is 'foo', but must be bash, zsh or fish"});
}
TEST_F(BadInput, InitialValuesOfNobodyAreTold) {
  write("n.stan", "parameters { real mu; vector[0] v; } model { mu ~ normal(0, 1); }");
  write("init.json", R"({"nu": 3, "v": []})");
  expect(run("sample " + at("n.stan") + " --init " + at("init.json") + " --samples 50 --warmup 100 --output " + at("out")), 0,
         {"init.json': the model has no parameter 'nu'"});
}
TEST_F(BadInput, NothingButProblemsWithoutRefresh) {
  write("n.stan", "parameters { real mu; } model { mu ~ normal(0, 1); }");
  for (const char* method : {"sample --no-summary --warmup 300", "optimize", "variational", "laplace --mode OUT/n_optimize.csv"}) {
    std::string words = method;
    if (const std::size_t out = words.find("OUT"); out != words.npos) words.replace(out, 3, at("optimize"));
    const std::string name = words.substr(0, words.find(' '));
    const Outcome o = run(words + " " + at("n.stan") + " --refresh 0 --seed 1 --output " + at(name) + " 2>&1 >/dev/null");
    expect(o, 0, {});
    EXPECT_EQ(o.text, "") << name;
  }
  for (const char* method : {"optimize", "variational", "laplace", "pathfinder", "diagnose"})
    EXPECT_EQ(run(std::string(method) + " " + at("n.stan") + " --refresh 0 --seed 1 --output " + at("silent")).text, "") << method;
}
TEST_F(BadInput, FilesThatAreNotThereGetAGuess) {
  write("line.stan", "data { int N; } parameters { real mu; } model { mu ~ normal(0, 1); }");
  write("line.json", R"({"N": 1})");
  expect(run("sample " + at("lien.stan")), 1, {("did you mean '" + at("line.stan") + "'?").c_str()});
  expect(run("sample " + at("line.stan") + " --data " + at("lines.json")), 1, {("there is no such file; did you mean '" + at("line.json") + "'?").c_str()});
}
TEST_F(BadInput, ADensityThatEndsWhereNoBoundIsDeclared) {
  write("u.stan", "parameters { real a; } model { a ~ uniform(0, 1); }");
  expect(run("sample " + at("u.stan") + " --seed 1 --init 0.5 --warmup 100 --samples 200 --output " + at("u")), 0,
         {"proposals: the density is 0 there. Where it ends at bounds, the program has to declare them, as in real<lower=0, upper=1>"});
  write("n.stan", "parameters { real a; } model { a ~ normal(0, 1); }");
  EXPECT_EQ(run("sample " + at("n.stan") + " --seed 1 --output " + at("n")).text.find("density is 0"), std::string::npos);
}
TEST_F(BadInput, AnImproperPosteriorNamesWhatLooksAtIt) {
  write("f.stan", "parameters { real a; } model { target += a; }");
  expect(run("sample " + at("f.stan") + " --seed 1 --output " + at("f")), 1, {"improper", "fermiac check-model says along which parameters the density does not fall."});
}
TEST_F(BadInput, LaplaceTellsHowFarThePosteriorIsFromIt) {
  write("t.stan", "parameters { vector[40] a; } model { a ~ student_t(1, 0, 1); }");
  const Outcome far = run("laplace " + at("t.stan") + " --seed 1 --refresh 0 --output " + at("t"));
  expect(far, 0, {"Pareto k value", "the posterior is far from the normal approximation at its mode"});
  write("n.stan", "parameters { vector[3] a; } model { a ~ normal(1, 2); }");
  EXPECT_EQ(run("laplace " + at("n.stan") + " --seed 1 --refresh 0 --output " + at("n")).text, "");
  EXPECT_EQ(run("pathfinder " + at("n.stan") + " --seed 1 --refresh 0 --output " + at("p")).text, "");
}
TEST_F(BadInput, PointsByName) {
  write("n.stan", "parameters { real<lower=0> s; vector[2] v; } model { s ~ exponential(1); v ~ normal(0, 1); }");
  const auto log_prob = [&](const std::string& points) {
    write("at.json", points);
    return run("log-prob --gradient " + at("n.stan") + " --at " + at("at.json"));
  };
  const Outcome free = log_prob("[[0, 1, 2]]");
  expect(free, 0, {"\"lp\": "});
  EXPECT_EQ(log_prob(R"({"s": 1, "v": [1, 2]})").text, free.text);
  EXPECT_EQ(log_prob(R"( [ {"v": [1, 2], "s": 1}, {"v": [1, 2], "s": 1} ])").text, free.text + free.text);
  expect(log_prob(R"({"s": -1, "v": [1, 2]})"), 1, {"at.json: s", "-1"});
  expect(log_prob(R"({"s": 1})"), 1, {"at.json", "v"});
}
TEST_F(BadInput, TheStrictCheckFails) {
  std::string rows = "lp__,x\n";
  for (int i = 0; i < 40; ++i) rows += "-1," + std::to_string(i) + "\n";
  write("draws.csv", rows);
  expect(run("check " + at("draws.csv")), 0, {"Effective sample size: below 100 for x ("});
  expect(run("check --strict " + at("draws.csv")), 1, {"Effective sample size"});
  expect(run("summary --csv --pars x --percentiles 50 " + at("draws.csv")), 0, {"name,Mean,MCSE,StdDev,MAD,50%,", "\n\"x\","});
  expect(run("summary --pars z " + at("draws.csv")), 1, {"fermiac: there is no 'z' among the columns"});
  expect(run("summary --sort rhat --digits 3 " + at("draws.csv")), 0, {"R_hat"});
  expect(run("check-model --strict " + at("m.stan") + " --data " + at("none.json")), 1, {"none.json"});
}
TEST_F(BadInput, IncludesBesideTheModelAreFound) {
  write("half.stan", "real half(real x) { return x / 2; }");
  write("inc.stan", "functions {\n#include half.stan\n}\nparameters { real mu; } model { mu ~ normal(half(1), 1); }");
  expect(run("sample " + at("inc.stan") + " --samples 50 --warmup 100 --output " + at("out")), 0, {"Draws are in"});
}
TEST_F(BadInput, OneReasonForAllStartsIsToldOnce) {
  write("nan.stan", "data { int N; vector[N] y; } parameters { real mu; } model { y ~ normal(mu, 1); }");
  write("nan.json", R"({"N": 2, "y": [1, NaN]})");
  const Outcome o = run("sample " + at("nan.stan") + " --data " + at("nan.json") + " --output " + at("out"));
  expect(o, 1, {"fermiac: Initialization between (-2, 2) failed at each of 100 attempts for one reason:\n  normal_lpdf: Random variable[2] is nan",
                "line 1", "A NaN at every point comes from the data"});
  EXPECT_EQ(o.text.find("harmless"), std::string::npos) << o.text;
  EXPECT_EQ(o.text.find("is nan"), o.text.rfind("is nan")) << o.text;
  write("index.stan", "parameters { vector[2] b; } model { b[0] ~ normal(0, 1); }");
  expect(run("sample " + at("index.stan") + " --output " + at("out2")), 1,
         {"failed at each of 3 attempts", "index 0 out of range", "indexes begin with 1"});
}
TEST_F(BadInput, AStatementThatIsNeverFiniteIsNamed) {
  write("bound.stan", "data { int N; vector[N] y; }\nparameters { real<lower=0> b; }\nmodel {\n  b ~ exponential(1);\n  y ~ uniform(0, b);\n}\n");
  write("bound.json", R"({"N": 3, "y": [0.001, 100, 0.002]})");
  for (const char* method : {"sample", "optimize"})
    expect(run(method + (" " + at("bound.stan")) + " --data " + at("bound.json") + " --seed 1 --output " + at("out")), 1,
           {"the log density is log(0), negative infinity", "y[2]", "line 5, column 2"});
  write("nan.stan", "parameters { real x; }\nmodel {\n  real z;\n  x ~ normal(0, 1);\n  target += z * x;\n}\n");
  expect(run("sample " + at("nan.stan") + " --output " + at("out")), 1, {"the log density is nan", "line 5, column"});
}
TEST_F(BadInput, OptionsThatExcludeEachOther) {
  expect(run("sample " + at("m.stan") + " --timestamp --output x"), 2, {"--output and --timestamp are not given together"});
}
TEST_F(BadInput, SwappedFilesAreTold) {
  write("d.json", "{\"N\": 0}");
  expect(run("sample " + at("d.json") + " --data " + at("m.stan")), 1, {"d.json' was read as the program, '", "m.stan' as data: are they swapped?"});
}

TEST_F(BadInput, AProgramIsNoFileOfDraws) {
  expect(run("summary " + at("m.stan")), 1, {"m.stan:1: expected the header line with the names of the columns, found 'data { int<lower=0> N; vector<lower=0>[N] y; array[2] int k; }'"});
}

TEST_F(BadInput, MissingVariable) { expect(sample(R"({"N": 2, "k": [1, 2]})"), 1, {"y", "d.json"}); }
TEST_F(BadInput, ExtraVariablesAreFine) {
  expect(sample(R"({"N": 3, "y": [1, 2, 4], "k": [1, 2], "z": {"a": []}})", "--warmup 200 --samples 50"), 0, {"Draws are in"});
}
TEST_F(BadInput, WrongLength) { expect(sample(R"({"N": 3, "y": [1, 2], "k": [1, 2]})"), 1, {"y", "3", "2"}); }
TEST_F(BadInput, WrongDepth) { expect(sample(R"({"N": 2, "y": [[1, 2], [3, 4]], "k": [1, 2]})"), 1, {"y"}); }
TEST_F(BadInput, FractionForInt) { expect(sample(R"({"N": 2, "y": [1, 2], "k": [1, 2.5]})"), 1, {"k", "2.5", "integer"}); }
TEST_F(BadInput, TextForNumber) { expect(sample(R"({"N": 2, "y": [1, "two"], "k": [1, 2]})"), 1, {"y", "two"}); }
TEST_F(BadInput, BrokenBound) { expect(sample(R"({"N": 2, "y": [1, -2], "k": [1, 2]})"), 1, {"y[2]", "-2"}); }
TEST_F(BadInput, NanWhereABoundIsDeclared) { expect(sample(R"({"N": 2, "y": [1, NaN], "k": [1, 2]})"), 1, {"y[2]", "nan"}); }
TEST_F(BadInput, NegativeSize) { expect(sample(R"({"N": -2, "y": [], "k": [1, 2]})"), 1, {"N", "-2"}); }
TEST_F(BadInput, TruncatedJson) { expect(sample(R"({"N": 2, "y": [1, )"), 1, {"d.json", "line 1"}); }
TEST_F(BadInput, EmptyDataFile) { expect(sample(""), 1, {"d.json", "empty"}); }
TEST_F(BadInput, NumbersOfThreads) {
  const std::string rest = "--warmup 5 --samples 5 --no-summary --overwrite --save-config";
  const auto threads = [&](const std::string& variable, const std::string& more = "") {
    setenv("STAN_NUM_THREADS", variable.c_str(), 1);
    const Outcome o = sample(R"({"N": 2, "y": [1, 2], "k": [1, 2]})", rest + more);
    unsetenv("STAN_NUM_THREADS");
    return o;
  };
  for (const char* bad : {"many", "0", "-2", "3x", "2.5", ""})
    expect(threads(bad), 2, {("STAN_NUM_THREADS is '" + std::string(bad) + "', but must be a whole number from 1 to 4096, or -1 for all cores").c_str()});
  expect(threads("many", " --threads 1"), 0, {"Draws are in"});
  expect(threads("3", " --threads none"), 2, {"--threads is 'none', but must be a whole number from 1 to 4096"});
  const auto written = [&] {
    for (const auto& entry : fs::directory_iterator(at("out")))
      if (entry.path().extension() == ".csv") {
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);)
          if (line.starts_with("# num_threads = ")) return line.substr(16, line.find(' ', 16) - 16);
      }
    return std::string("nothing");
  };
  expect(threads("3"), 0, {"Draws are in"});
  EXPECT_EQ(written(), "3");
  expect(threads("-1"), 0, {"Draws are in"});
  EXPECT_EQ(written(), std::to_string(std::max(1U, std::thread::hardware_concurrency())));
  expect(threads("3", " --threads 2"), 0, {"Draws are in"});
  EXPECT_EQ(written(), "2");
}
TEST_F(BadInput, MissingFiles) {
  expect(run("sample " + at("none.stan")), 1, {"none.stan", "No such file"});
  expect(run("sample " + at("m.stan") + " --data " + at("none.json")), 1, {"none.json"});
}
TEST_F(BadInput, FolderForAFile) {
  expect(run("sample " + folder_.path().string()), 1, {"folder"});
  expect(run("sample " + at("m.stan") + " --data " + folder_.path().string()), 1, {"folder"});
}
TEST_F(BadInput, EmptyProgramSamplesNothingButSaysSo) {
  write("empty.stan", "");
  expect(run("sample " + at("empty.stan") + " --chains 1 --samples 5 --output " + at("out")), 0, {"Empty file"});
}
TEST_F(BadInput, SyntaxError) {
  write("s.stan", "parameters { real x }\n");
  expect(run("sample " + at("s.stan")), 1, {"Syntax error in", "line 1, column 20"});
}
TEST_F(BadInput, UnknownFlagAndBadValues) {
  expect(run("sample " + at("m.stan") + " --chainz 3"), 2, {"--chainz"});
  expect(run("sample " + at("m.stan") + " --chains many"), 2, {"many"});
  expect(run("sample " + at("m.stan") + " --adapt-delta 1.5"), 2, {"--adapt-delta", "1.5", "above 0 and below 1"});
  expect(run(""), 2, {"a command is needed"});
}
TEST_F(BadInput, InitialValuesOutsideTheSupport) {
  write("i.json", R"({"mu": 0, "sigma": -1})");
  expect(sample(R"({"N": 2, "y": [1, 2], "k": [1, 2]})", "--init " + at("i.json")), 1, {"sigma", "-1"});
}
TEST_F(BadInput, DensityThatIsNeverFinite) {
  write("m.stan", "parameters { real x; }\nmodel { target += negative_infinity() + 0 * x; }\n");
  expect(run("sample " + at("m.stan") + " --chains 1 --output " + at("out")), 1, {"100"});
}
TEST_F(BadInput, RejectAlways) {
  write("m.stan", "parameters { real x; }\nmodel { reject(\"no good: \", x > 1e9); }\n");
  expect(run("sample " + at("m.stan") + " --chains 1 --output " + at("out")), 1, {"no good: 0", "line 2"});
}
TEST_F(BadInput, FullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  fs::create_directories(at("out"));
  fs::create_symlink("/dev/full", at("out/m_1.csv"));
  expect(sample(R"({"N": 2, "y": [1, 2], "k": [1, 2]})", "--overwrite"), 1, {"m_1.csv", "No space left"});
}
TEST_F(BadInput, NothingIsOverwritten) {
  fs::create_directories(at("out"));
  write("out/m_1.csv", "precious");
  expect(sample(R"({"N": 2, "y": [1, 2], "k": [1, 2]})"), 1, {"m_1.csv"});
  std::string kept;
  std::ifstream(at("out/m_1.csv")) >> kept;
  EXPECT_EQ(kept, "precious");
}
TEST_F(BadInput, UnimplementedFunctionIsNamed) {
  write("m.stan", "functions { real f(real x); }\nparameters { real x; }\nmodel { target += f(x); }\n");
  expect(run("sample " + at("m.stan")), 1, {"f"});
}

}  // namespace
