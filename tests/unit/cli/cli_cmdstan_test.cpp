// The hidden command that runs a model under CmdStan's command line.
#include <gtest/gtest.h>

#include "tests/shared/cmdstan_run.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac {
namespace {

using testing::CmdstanFolder;
using testing::run_fermiac;

TEST(CliCmdstan, RunsAModelFromItsFile) {
  const CmdstanFolder folder;
  folder.write("my-model.stan", testing::kNormal);
  const std::string command = "cmdstan-run " + folder.at("my-model.stan") + " ";
  EXPECT_TRUE(run_fermiac(command + "info").text.starts_with("stan_version_major = 2\nstan_version_minor = 39\n"));
  const auto run = run_fermiac(command + "sample num_samples=3 num_warmup=5 output file=" + folder.at("a.csv"));
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_NE(folder.read("a.csv").find("# model = my_model_model\n"), std::string::npos);
  EXPECT_EQ(run_fermiac(command).status, 1);
}

TEST(CliCmdstan, AModelThatIsNotThere) {
  const auto run = run_fermiac("cmdstan-run none.stan sample");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(run.text.starts_with("fermiac: cannot open 'none.stan'")) << run.text;
  EXPECT_EQ(run_fermiac("cmdstan-run").status, 1);
}

TEST(CliCmdstan, HelpDoesNotShowIt) {
  EXPECT_EQ(run_fermiac("--help").text.find("cmdstan-run"), std::string::npos);
}

}  // namespace
}  // namespace fermiac
