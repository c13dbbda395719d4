// --device and `fermiac devices`: what users see with a device, without one, and with a driver that is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "plugins/opencl/device.h"
#include "tests/shared/own_folder.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac::testing {
namespace {

namespace fs = std::filesystem;

class CliDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_device_module()) GTEST_SKIP() << "built without OpenCL";
    dir_.write("m.stan",
               "data { int N; vector[N] y; vector[N] x; }\n"
               "parameters { real a; real b; real<lower=0> s; }\n"
               "model { a ~ normal(0, 1); b ~ normal(0, 1); s ~ exponential(1); y ~ student_t(4, a + b * x, s); }\n");
    dir_.write("d.json", R"({"N": 9, "y": [1, 2.5, 3, 2, 4, 3, 5, 4, 6], "x": [0, 1, 2, 3, 4, 5, 6, 7, 8]})");
    dir_.write("at.json", "[[0.1, 0.2, 0.3]]");
    fs::create_directories(dir_.at("none"));
    fs::create_directories(dir_.at("wrong"));
    dir_.write("wrong/driver.icd", "libfermiac_no_such_driver.so\n");
  }
  std::string model(const std::string& command, const std::string& more) const {
    return command + " " + dir_.at("m.stan") + " --data " + dir_.at("d.json") + " " + more;
  }
  std::string log_prob(const std::string& more) const { return model("log-prob", "--gradient --at " + dir_.at("at.json") + " " + more); }
  std::string vendors(const std::string& folder) const { return "OCL_ICD_VENDORS=" + dir_.at(folder) + " "; }
  OwnFolder dir_;
};

TEST_F(CliDevice, WithoutADriverEverythingElseWorks) {
  const ProgramRun plain = run_fermiac(log_prob(""));
  ASSERT_EQ(plain.status, 0) << plain.text;
  for (const char* folder : {"none", "wrong"}) {
    for (const char* choice : {"none", "auto"}) {
      const ProgramRun run = run_fermiac(log_prob("--device " + std::string(choice)), vendors(folder));
      EXPECT_EQ(run.status, 0);
      EXPECT_EQ(run.text, plain.text);
    }
    for (const char* choice : {"gpu", "cpu", "opencl:0:0"}) {
      const ProgramRun run = run_fermiac(log_prob("--device " + std::string(choice)), vendors(folder));
      EXPECT_EQ(run.status, 1);
      EXPECT_EQ(run.text, "fermiac: --device " + std::string(choice) +
                              ": OpenCL knows no device: no driver found; a loader (ocl-icd-libopencl1) and the driver of the device are needed; pocl-opencl-icd is one for processors\n");
    }
    const ProgramRun list = run_fermiac("devices", vendors(folder));
    EXPECT_EQ(list.status, 1);
    EXPECT_TRUE(list.text.starts_with("fermiac: OpenCL knows no device")) << list.text;
  }
}

TEST_F(CliDevice, WhatIsNoChoiceIsWrongUsage) {
  for (const char* choice : {"CPU", "opencl", "opencl:0", "cuda:0"}) {
    const ProgramRun run = run_fermiac(log_prob("--device " + std::string(choice)));
    EXPECT_EQ(run.status, 2) << run.text;
    EXPECT_NE(run.text.find("'" + std::string(choice) + "' is not a device: it is none, auto, gpu, cpu or opencl:PLATFORM:DEVICE"), std::string::npos) << run.text;
  }
}

/// As one that is older or newer than the program.
TEST_F(CliDevice, AModuleOfAnotherVersionIsNotUsed) {
  const DeviceList list = list_devices(FERMIAC_BINARY_DIR "/lib/fermiac/model_template.so");
  EXPECT_TRUE(list.devices.empty());
  EXPECT_NE(list.problem.find("is of another version of fermiac"), std::string::npos) << list.problem;
  EXPECT_NE(list_devices(dir_.at("nowhere.so")).problem.find("there is no '"), std::string::npos);
}

/// With a driver.
class CliPlaced : public CliDevice {
 protected:
  void SetUp() override {
    CliDevice::SetUp();
    if (IsSkipped()) return;
    if (const OpenedDevice opened = open_device("cpu"); !opened.device) GTEST_SKIP() << opened.problem;
  }
};

TEST_F(CliPlaced, DevicesAreListedAndOthersAreNot) {
  const ProgramRun list = run_fermiac("devices");
  EXPECT_EQ(list.status, 0);
  for (const char* part : {"opencl:0:0  ", "\n  platform: ", "\n  driver: ", "\n  doubles: yes\n", " GiB, at most "}) EXPECT_NE(list.text.find(part), std::string::npos) << list.text;
  const ProgramRun run = run_fermiac(log_prob("--device opencl:9:9"));
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(run.text.starts_with("fermiac: --device opencl:9:9: there is no device opencl:9:9; there are opencl:0:0 (")) << run.text;
}

TEST_F(CliPlaced, NumbersAreThose) {
  const std::string everything = "FERMIAC_PLACE=all ";
  const ProgramRun tape = run_fermiac(model("bench", "--device cpu --dump-tape"), everything);
  EXPECT_EQ(tape.status, 0);
  EXPECT_NE(tape.text.find(" device site "), std::string::npos) << tape.text;
  const ProgramRun bench = run_fermiac(model("bench", "--device cpu --seconds 0.01"), everything);
  EXPECT_EQ(bench.text.find("\"ops_on_device\": 0,"), std::string::npos) << bench.text;
  EXPECT_NE(run_fermiac(model("bench", "--seconds 0.01")).text.find("\"ops_on_device\": 0,"), std::string::npos);
  double here[4] = {}, there[4] = {};
  const char* form = R"({"lp":%lf,"grad":[%lf,%lf,%lf]})";
  const auto read = [&](const std::string& text, double* x) {
    std::string tight;
    for (const char c : text)
      if (c != ' ') tight += c;
    EXPECT_EQ(std::sscanf(tight.c_str(), form, &x[0], &x[1], &x[2], &x[3]), 4) << text;
  };
  read(run_fermiac(log_prob("")).text, here);
  read(run_fermiac(log_prob("--device cpu"), everything).text, there);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(there[i], here[i], 1e-10 * std::max(1.0, std::abs(here[i])));
}

TEST_F(CliPlaced, ChainsShareIt) {
  const auto draws = [&](const std::string& out) {
    const ProgramRun run = run_fermiac(model("sample", "--device cpu --seed 3 --chains 2 --warmup 50 --samples 20 --refresh 0 --no-summary --output " + dir_.at(out)), "FERMIAC_PLACE=all ");
    EXPECT_EQ(run.status, 0) << run.text;
    std::string rows;
    for (const char* chain : {"1", "2"}) {
      std::ifstream in(dir_.at(out + "/m_" + chain + ".csv"));
      for (std::string line; std::getline(in, line);)
        if (!line.starts_with("#")) rows += line + "\n";
    }
    return rows;
  };
  const std::string first = draws("one");
  EXPECT_GT(first.size(), 1000u);
  EXPECT_EQ(draws("two"), first);
}

}  // namespace
}  // namespace fermiac::testing
