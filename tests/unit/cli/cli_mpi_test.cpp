// map_rect under mpirun: the same draws with any number of processes, errors of other processes told like one's own, and an
// end of all processes when the first one ends. Skipped where there is no mpirun or no module for it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "tests/shared/mpi_run.h"

namespace {

namespace fs = std::filesystem;

using fermiac::testing::mpirun;
using fermiac::testing::ProgramRun;
using fermiac::testing::shell;

/// What a file says about the draws, without the times in its comments.
std::string draws_in(const fs::path& path) {
  std::ifstream in(path);
  std::string out;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("#")) out += line + "\n";
  return out;
}

class Mpi : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = fermiac::testing::why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
    dir_ = fs::path(::testing::TempDir()) / ("fermiac_mpi_" + std::to_string(getpid()));
    fs::create_directories(dir_);
    write("m.stan", R"(functions {
  vector job(vector phi, vector theta, data array[] real x, data array[] int n) {
    if (theta[2] > 8)
      reject("job ", n[1], " cannot");
    return [normal_lpdf(x | phi[1] + theta[1], exp(theta[2])) + sum(log1p_exp(phi[2] * to_vector(x)))]';
  }
  vector several(vector phi, vector theta, data array[] real x, data array[] int n) {
    if (theta[1] > 0)
      return exp(0.1 * theta[1] * head(to_vector(x), n[1])) + phi[1] * sum(log1p_exp(phi[2] * to_vector(x)));
    return head(to_vector(x), n[1]) + theta[1] * theta[2] * sum(cos(phi[2] * to_vector(x)));
  }
}
transformed data {
  array[17, 800] real rx;
  array[17, 1] int rn;
  for (i in 1:17) {
    rn[i, 1] = i;
    for (k in 1:800) rx[i, k] = sin(i * k);
  }
}
parameters { vector[2] u; array[17] vector[2] th; }
model {
  u ~ normal(0, 1);
  for (i in 1:17) th[i] ~ normal(0, 1);
  target += 0.01 * sum(map_rect(job, u, th, rx, rn)) - 1e-6 * sum(square(map_rect(several, u, th, rx, rn)));
}
)");
  }
  void TearDown() override {
    if (!dir_.empty()) fs::remove_all(dir_);
  }
  std::string path(const std::string& name) const { return (dir_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string sample(const std::string& out, const std::string& more) const {
    return "sample " + path("m.stan") + " --seed 3 --threads 2 --output " + path(out) + " " + more;
  }
  fs::path dir_;
};

TEST_F(Mpi, TheSameDrawsForAnyNumberOfProcesses) {
  const std::string few = "--chains 2 --warmup 25 --samples 10 --max-treedepth 4 --no-summary";
  ASSERT_EQ(shell(fermiac::testing::kFermiac + " " + sample("alone", few)).status, 0);
  for (const int n : {1, 2, 3}) {
    const std::string out = "out" + std::to_string(n);
    const ProgramRun o = shell(mpirun(n) + sample(out, few));
    EXPECT_EQ(o.status, 0) << o.text;
    EXPECT_EQ(o.text.find("Inference for"), o.text.rfind("Inference for")) << "printed twice:\n" << o.text;
    for (const char* file : {"/m_1.csv", "/m_2.csv"}) {
      const std::string expected = draws_in(path("alone") + file);
      ASSERT_GT(expected.size(), 1000u);
      EXPECT_EQ(draws_in(path(out) + file), expected) << n << file;
    }
  }
}

TEST_F(Mpi, LogDensitiesAndErrorsAreThoseOfOneProcess) {
  std::ostringstream points;
  for (int k = 0; k < 4; ++k) {
    points << (k ? ", [" : "[[");
    for (int i = 0; i < 36; ++i) points << (i ? "," : "") << (k % 2 == 1 && i >= 36 - 2 * k ? 9 : 0.1 * (i * (3 + k) % 7 - 3));
    points << "]";
  }
  write("points.json", points.str() + "]");
  const std::string command = "log-prob " + path("m.stan") + " --gradient --at " + path("points.json");
  const ProgramRun alone = shell(fermiac::testing::kFermiac + " " + command);
  EXPECT_NE(alone.text.find("job 17 cannot (in "), std::string::npos) << alone.text;
  EXPECT_NE(alone.text.find("job 15 cannot (in "), std::string::npos) << alone.text;
  for (const int n : {2, 3, 5}) EXPECT_EQ(shell(mpirun(n) + command).text, alone.text) << n;
}

TEST_F(Mpi, AnErrorOfTheUserIsToldOnce) {
  const std::string missing = path("none.stan");
  const ProgramRun o = shell(mpirun(3) + "sample " + missing);
  EXPECT_EQ(o.status, 1);
  EXPECT_NE(o.text.find(missing), std::string::npos) << o.text;
  EXPECT_EQ(o.text.find(missing), o.text.rfind(missing)) << o.text;
}

/// Ctrl-C reaches mpirun, which asks its processes to end.
TEST_F(Mpi, AnInterruptEndsAllProcesses) {
  const std::string pid_file = path("pid");
  const std::string command = sample("cut", "--chains 1 --warmup 5 --samples 1000000");
  std::thread killer([&] {
    const auto rows = [&] { return std::ranges::count(draws_in(path("cut") + "/m_1.csv"), '\n'); };
    for (int k = 0; k < 1200 && rows() < 2; ++k)  // the header is one; loaded machines start three processes slowly
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    shell("kill -INT $(cat " + pid_file + ")");
  });
  const ProgramRun o = shell("echo $$ > " + pid_file + "; " + mpirun(3) + command);
  killer.join();
  EXPECT_NE(o.text.find("interrupted: the draws so far ("), std::string::npos) << o.text;
  EXPECT_FALSE(draws_in(path("cut") + "/m_1.csv").empty());
  EXPECT_NE(shell("pgrep -f '^[^ ]*fermiac sample " + path("m.stan") + "'").status, 0) << "processes are left";
}

}  // namespace
