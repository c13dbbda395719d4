// The switches of machine code that is made while programs run: --no-jit, FERMIAC_JIT, --dump-code, --asm, FERMIAC_PERF_MAP.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "jit/emit.h"
#include "tests/shared/machine_text.h"
#include "tests/shared/run_fermiac.h"

namespace fermiac {
namespace {

using testing::kMultiply;
using testing::run_fermiac;

class CliJit : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!jit::has_machine_code()) GTEST_SKIP() << "nothing becomes machine code here";
    std::ofstream(model_) << "parameters { real x; } model { x ~ normal(0, 1); }\n"
                             "generated quantities { real s = 0; for (i in 1:9) s = s * 0.5 + x * i; }\n";
  }
  void TearDown() override { std::filesystem::remove(model_); }
  const std::string model_ = ::testing::TempDir() + "cli_jit.stan";
};

TEST_F(CliJit, DumpsItsCode) {
  const std::string code = run_fermiac("bench " + model_ + " --dump-code").text;
  EXPECT_NE(code.find("loop at "), std::string::npos) << code;
  EXPECT_NE(code.find(" = multiply r"), std::string::npos) << code;
  EXPECT_EQ(code.find(kMultiply), std::string::npos);
  EXPECT_NE(run_fermiac("bench " + model_ + " --dump-code --asm").text.find(kMultiply), std::string::npos);
}
TEST_F(CliJit, InstructionsOfTheMachineStandBesideTheCode) {
  EXPECT_NE(run_fermiac("bench " + model_ + " --asm").status, 0);
}
TEST_F(CliJit, CanBeSwitchedOff) {
  EXPECT_EQ(run_fermiac("bench " + model_ + " --dump-code --no-jit").text, "");
  EXPECT_EQ(run_fermiac("bench " + model_ + " --dump-code", "FERMIAC_JIT=never ").text, "");
}
TEST_F(CliJit, NamesItsCodeForProfilers) {
  const std::string map = ::testing::TempDir() + "cli_jit_maps";
  const std::string folder = ::testing::TempDir() + "cli_jit_out";
  const std::string run = "sample " + model_ + " --chains 1 --warmup 50 --samples 5 --seed 1 --overwrite --output " + folder;
  // The shell's number is the program's, for it is replaced by it.
  const auto named = testing::shell("sh -c 'echo $$ > " + map + "; FERMIAC_JIT=always FERMIAC_PERF_MAP=1 exec " FERMIAC_BINARY_DIR "/bin/fermiac " + run + "'");
  EXPECT_EQ(named.status, 0) << named.text;
  std::ifstream number(map);
  std::string process;
  number >> process;
  const std::string file = "/tmp/perf-" + process + ".map";
  std::ifstream in(file);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  EXPECT_NE(text.find(" stan loop at "), std::string::npos) << text;
  for (const std::string& made : {map, file, folder}) std::filesystem::remove_all(made);
}

}  // namespace
}  // namespace fermiac
