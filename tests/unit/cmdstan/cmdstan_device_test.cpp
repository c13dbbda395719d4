// Programs made with STAN_OPENCL, which open devices through the installation that made them.
#include <gtest/gtest.h>

#include <string>

#include "tests/shared/cmdstan_make.h"

namespace fermiac {
namespace {

class CmdstanDevice : public CmdstanFolder {};

TEST_F(CmdstanDevice, AProgramUsesDevices) {
  ASSERT_EQ(make("STAN_OPENCL=TRUE 'STANCFLAGS=--use-opencl' " + at("bernoulli")).status, 0);
  const std::string sample = "cd " + work_.string() + " && ./bernoulli sample num_samples=20 num_warmup=20 data file=bernoulli.data.json";
  EXPECT_NE(run(at("bernoulli") + " info").out.find("STAN_OPENCL=true\n"), std::string::npos);
  EXPECT_NE(run(at("bernoulli") + " help-all").out.find("  opencl\n    OpenCL options\n    Valid subarguments: device, platform\n"), std::string::npos);
  EXPECT_EQ(run(sample).status, 0);
  const Outcome one_alone = run(sample + " opencl device=0");
  EXPECT_EQ(one_alone.status, 1);
  EXPECT_NE(one_alone.out.find("Please set both device and platform OpenCL IDs.\n"), std::string::npos) << one_alone.out;
  const Outcome none = run(sample + " opencl platform=1000 device=1000");
  EXPECT_EQ(none.status, 1);

  const Outcome devices = run(FERMIAC_BINARY_DIR "/bin/fermiac devices");
  if (!devices.out.starts_with("opencl:0:0  ")) GTEST_SKIP() << devices.out;
  const std::string name = devices.out.substr(12, devices.out.find('\n') - 12);
  EXPECT_NE(none.out.find("there is no device opencl:1000:1000"), std::string::npos) << none.out;
  const Outcome drawn = run(sample + " opencl platform=0 device=0 output save_cmdstan_config=1");
  EXPECT_EQ(drawn.status, 0) << drawn.out;
  const std::string csv = run("cat " + at("output.csv")).out, config = run("cat " + at("output_config.json")).out;
  for (const std::string& lines : {std::string("# opencl\n#   device = 0\n#   platform = 0\n# opencl_platform_name = "), "\n# opencl_device_name = " + name + "\n# stanc_version"})
    EXPECT_NE(csv.find(lines), std::string::npos) << csv.substr(0, 2000);
  EXPECT_NE(config.find("\"opencl_device_name\" : \"" + name + "\""), std::string::npos) << config;
}

}  // namespace
}  // namespace fermiac
