// --max-memory, and what never ends or has no sensible size: an error, not a dead program or machine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace {

namespace fs = std::filesystem;

using Outcome = fermiac::testing::ProgramRun;

class CliMemory : public fermiac::testing::InOwnFolder {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    write(name, text);
    return at(name);
  }
  static Outcome run(const std::string& arguments) { return fermiac::testing::run_fermiac(arguments); }
  static void expect(const Outcome& o, int status, std::initializer_list<const char*> parts) {
    EXPECT_EQ(o.status, status) << o.text;
    for (const char* part : parts) EXPECT_NE(o.text.find(part), std::string::npos) << "'" << part << "' in:\n" << o.text;
  }
};

TEST_F(CliMemory, Eval) {
  expect(run("eval --max-memory 300M 'sum(rep_vector(1, 100000000))'"), 1, {"out of memory: 763 MB more are needed", "limit is 300 MB"});
  expect(run("eval --max-memory 300M 'sum(rep_vector(1, 10000000))'"), 0, {"1e+07"});
  expect(run("eval 'sum(rep_matrix(1.0, 65536, 65536))'"), 1, {"matrix[65536, 65536] is too large"});
  expect(run("eval 'sum(generate_laplace_options(2147483647).1)'  --max-memory 1G"), 1, {"out of memory"});
}

TEST_F(CliMemory, TheOptionIsChecked) {
  for (const char* bad : {"0", "-1", "much", "1T", "1e30", "nan", "5Mb"})
    expect(run(std::string("eval 1 --max-memory=") + bad), 2, {"--max-memory is '", "but must be a positive number of bytes"});
  for (const char* good : {"300000000", "300M", "0.5G", "500000k"}) expect(run(std::string("eval 1+1 --max-memory ") + good), 0, {"2"});
}

TEST_F(CliMemory, EveryCommandThatRunsAModel) {
  const std::string large = file("large.stan", "data { int n; } transformed data { vector[n] x = rep_vector(1, n); } parameters { real y; } model { y ~ normal(x[1], 1); }");
  const std::string data = file("n.json", "{\"n\": 100000000}"), points = file("p.json", "[[0]]");
  const std::string rest = " " + large + " --data " + data + " --max-memory 200M ";
  for (const std::string command : {"sample", "optimize", "pathfinder", "variational", "diagnose", "bench"})
    expect(run(command + rest), 1, {"out of memory: 763 MB more are needed", "line 1, column"});
  expect(run("log-prob" + rest + "--at " + points), 1, {"out of memory"});
  expect(run("check-model" + rest), 1, {"out of memory"});
}

TEST_F(CliMemory, ManySmallPiecesAddUp) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers reserve memory that no limit of the system allows";
#endif
  const std::string model = file("small.stan", R"(transformed data {
  array[10000000] tuple(vector[1], vector[1]) x;
  for (i in 1:10000000) {
    x[i] = (rep_vector(i, 1), rep_vector(i, 1));
  }
}
)");
  expect(run("sample " + model + " --chains 1 --max-memory 300M --output " + at("out")), 1,
         {"out of memory (in '", "line 4"});
}

TEST_F(CliMemory, GeneratedQuantitiesThatDoNotFitEndTheRun) {
  const std::string model = file("gq.stan", R"(parameters { real y; }
model { y ~ normal(0, 1); }
generated quantities {
  real s = sum(rep_vector(y, 100000000));
}
)");
  expect(run("sample " + model + " --chains 2 --warmup 20 --samples 20 --no-summary --max-memory 200M --output " + at("gq")), 1,
         {"out of memory: 763 MB more are needed", "line 4"});
}

TEST_F(CliMemory, EndlessFiles) {
  expect(run("sample /dev/zero"), 1, {"'/dev/zero' is not a regular file"});
  const std::string model = file("m.stan", "data { int n; } parameters { real y; } model { y ~ normal(n, 1); }");
  expect(run("sample " + model + " --data /dev/zero"), 1, {"'/dev/zero': it is no text"});
  expect(run("log-prob " + model + " --data " + file("n.json", "{\"n\": 1}") + " --at /dev/zero"), 1, {"'/dev/zero' is not a regular file"});
}

TEST_F(CliMemory, NumbersOfChains) {
  const std::string model = file("m.stan", "parameters { real y; } model { y ~ normal(0, 1); }");
  for (const char* chains : {"4294967295", "2147483648", "10001", "0"})
    expect(run("sample " + model + " --chains " + chains), 2, {"--chains is '", "', but must be a whole number from 1 to 10000"});
}

}  // namespace
