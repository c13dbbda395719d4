// Bad input at the command line: one clear error on standard error, the right exit status, nothing lost.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/unit/run_fermiac.h"

namespace {

namespace fs = std::filesystem;

using Outcome = fermiac::testing::ProgramRun;

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::path(testing::TempDir()) / ("fermiac_bad_" + std::to_string(getpid()));
    fs::remove_all(dir_);
    fs::create_directories(dir_);
    write("m.stan", R"(data { int<lower=0> N; vector<lower=0>[N] y; array[2] int k; }
parameters { real mu; real<lower=0> sigma; }
model { y ~ normal(mu, sigma); }
)");
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::string path(const std::string& name) const { return (dir_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  static Outcome run(const std::string& arguments) { return fermiac::testing::run_fermiac(arguments); }
  Outcome sample(const std::string& data, const std::string& more = "") {
    write("d.json", data);
    return run("sample " + path("m.stan") + " --data " + path("d.json") + " --seed 1 --chains 1 --output " + path("out") + " " + more);
  }
  static void expect(const Outcome& o, int status, std::initializer_list<const char*> parts) {
    EXPECT_EQ(o.status, status) << o.text;
    for (const char* part : parts) EXPECT_NE(o.text.find(part), std::string::npos) << "'" << part << "' in:\n" << o.text;
  }
  fs::path dir_;
};

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
    for (const auto& entry : fs::directory_iterator(path("out")))
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
  expect(run("sample " + path("none.stan")), 1, {"none.stan", "No such file"});
  expect(run("sample " + path("m.stan") + " --data " + path("none.json")), 1, {"none.json"});
}
TEST_F(BadInput, FolderForAFile) {
  expect(run("sample " + dir_.string()), 1, {"folder"});
  expect(run("sample " + path("m.stan") + " --data " + dir_.string()), 1, {"folder"});
}
TEST_F(BadInput, EmptyProgramSamplesNothingButSaysSo) {
  write("empty.stan", "");
  expect(run("sample " + path("empty.stan") + " --chains 1 --samples 5 --output " + path("out")), 0, {"Empty file"});
}
TEST_F(BadInput, SyntaxError) {
  write("s.stan", "parameters { real x }\n");
  expect(run("sample " + path("s.stan")), 1, {"Syntax error in", "line 1, column 20"});
}
TEST_F(BadInput, UnknownFlagAndBadValues) {
  expect(run("sample " + path("m.stan") + " --chainz 3"), 2, {"--chainz"});
  expect(run("sample " + path("m.stan") + " --chains many"), 2, {"many"});
  expect(run("sample " + path("m.stan") + " --adapt-delta 1.5"), 2, {"--adapt-delta", "1.5", "above 0 and below 1"});
  expect(run(""), 2, {"subcommand"});
}
TEST_F(BadInput, InitialValuesOutsideTheSupport) {
  write("i.json", R"({"mu": 0, "sigma": -1})");
  expect(sample(R"({"N": 2, "y": [1, 2], "k": [1, 2]})", "--init " + path("i.json")), 1, {"sigma", "-1"});
}
TEST_F(BadInput, DensityThatIsNeverFinite) {
  write("m.stan", "parameters { real x; }\nmodel { target += negative_infinity() + 0 * x; }\n");
  expect(run("sample " + path("m.stan") + " --chains 1 --output " + path("out")), 1, {"100"});
}
TEST_F(BadInput, RejectAlways) {
  write("m.stan", "parameters { real x; }\nmodel { reject(\"no good: \", x > 1e9); }\n");
  expect(run("sample " + path("m.stan") + " --chains 1 --output " + path("out")), 1, {"no good: 0", "line 2"});
}
TEST_F(BadInput, FullDisk) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  fs::create_directories(dir_ / "out");
  fs::create_symlink("/dev/full", dir_ / "out" / "m_1.csv");
  expect(sample(R"({"N": 2, "y": [1, 2], "k": [1, 2]})", "--overwrite"), 1, {"m_1.csv", "No space left"});
}
TEST_F(BadInput, NothingIsOverwritten) {
  fs::create_directories(dir_ / "out");
  write("out/m_1.csv", "precious");
  expect(sample(R"({"N": 2, "y": [1, 2], "k": [1, 2]})"), 1, {"m_1.csv"});
  std::string kept;
  std::ifstream(path("out/m_1.csv")) >> kept;
  EXPECT_EQ(kept, "precious");
}
TEST_F(BadInput, UnimplementedFunctionIsNamed) {
  write("m.stan", "functions { real f(real x); }\nparameters { real x; }\nmodel { target += f(x); }\n");
  expect(run("sample " + path("m.stan")), 1, {"f"});
}

}  // namespace
