// Programs made with STAN_MPI, which share jobs of map_rect through the installation that made them.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/shared/cmdstan_make.h"
#include "tests/shared/mpi_run.h"

namespace fermiac {
namespace {

constexpr char kModel[] = R"(functions {
  vector job(vector phi, vector theta, data array[] real x, data array[] int n) {
    if (n[1] == 6) reject("job ", n[1], " cannot");
    return [normal_lpdf(x | phi[1] + theta[1], exp(theta[2]))]';
  }
}
data { int last; }
transformed data {
  array[last, 40] real x;
  array[last, 1] int n;
  for (i in 1:last) {
    n[i, 1] = i;
    for (k in 1:40) x[i, k] = sin(i * k);
  }
}
parameters { vector[2] u; array[last] vector[2] th; }
model {
  u ~ normal(0, 1);
  for (i in 1:last) th[i] ~ normal(0, 1);
  target += sum(map_rect(job, u, th, x, n));
}
)";

class MpiProgram : public CmdstanFolder {
 protected:
  void SetUp() override {
    CmdstanFolder::SetUp();
    write("m.stan", kModel);
    write("five.json", R"({"last": 5})");
    write("six.json", R"({"last": 6})");
    ASSERT_EQ(make("STAN_MPI=TRUE " + at("m")).status, 0);
  }
  void write(const char* name, const std::string& text) const { std::ofstream(at(name)) << text; }
  std::string sample(const std::string& data, const std::string& output) const {
    return at("m") + " sample num_warmup=30 num_samples=20 random seed=4 data file=" + at(data.c_str()) + " output file=" + at(output.c_str());
  }
  std::string draws(const char* file) const { return run("grep -v '^#' " + at(file)).out; }
};

TEST_F(MpiProgram, RunsAloneAndSaysWhatItIs) {
  EXPECT_NE(run(at("m") + " info").out.find("\nSTAN_MPI=true\n"), std::string::npos);
  ASSERT_EQ(run(sample("five.json", "alone.csv")).status, 0);
  EXPECT_NE(run("cat " + at("alone.csv")).out.find("\n# mpi_enabled = 1\n# stanc_version"), std::string::npos);
}

TEST_F(MpiProgram, ProcessesShareJobs) {
  if (const std::string why = testing::why_no_mpi(); !why.empty()) GTEST_SKIP() << why;
  ASSERT_EQ(run(sample("five.json", "alone.csv")).status, 0);
  const Outcome three = run(testing::in_processes(3, sample("five.json", "three.csv")));
  EXPECT_EQ(three.status, 0) << three.out;
  EXPECT_EQ(draws("three.csv"), draws("alone.csv"));
  EXPECT_EQ(three.out.find("method = sample"), three.out.rfind("method = sample")) << three.out;  // one process speaks

  const Outcome refused = run(testing::in_processes(2, sample("six.json", "refused.csv")));
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.out.find("job 6 cannot"), std::string::npos) << refused.out;
  const Outcome mistyped = run(testing::in_processes(2, at("m") + " smple"));
  EXPECT_EQ(mistyped.status, 1);
  EXPECT_NE(mistyped.out.find("smple is either mistyped or misplaced."), std::string::npos) << mistyped.out;
  const Outcome off = run("OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 FERMIAC_MPI=off " + sample("five.json", "off.csv"));
  EXPECT_EQ(off.status, 0) << off.out;
  EXPECT_EQ(draws("off.csv"), draws("alone.csv"));
}

}  // namespace
}  // namespace fermiac
