// The examples of examples/c_api, compiled by the system's compilers as a user would and run.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/unit/library_handles.h"

namespace fermiac::testing {
namespace {

struct Ran {
  int status;
  std::string output;
};

Ran shell(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  Ran ran{0, ""};
  for (int c; (c = std::fgetc(pipe)) != EOF;) ran.output += static_cast<char>(c);
  ran.status = pclose(pipe);
  return ran;
}

constexpr const char* kFlags = " -Wall -Wextra -pedantic -Werror -I" FERMIAC_SOURCE_DIR "/capi -L" FERMIAC_BINARY_DIR
                               "/lib -lfermiac -Wl,-rpath," FERMIAC_BINARY_DIR "/lib -o ";

/// The program that became of an example; empty where the compiler refused it.
std::string compiled(const HandleFolder& folder, const std::string& compiler, const std::string& source) {
  const std::string program = folder.path() + "/program";
  const Ran ran = shell(compiler + " " FERMIAC_SOURCE_DIR "/examples/c_api/" + source + kFlags + program);
  EXPECT_EQ(ran.status, 0) << ran.output;
  EXPECT_EQ(ran.output, "");
  return program;
}

class LibraryExamples : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef FERMIAC_SANITIZED
    GTEST_SKIP() << "programs without the sanitizer's run time cannot load the library";
#endif
    if (shell("cc --version").status != 0) GTEST_SKIP() << "no C compiler";
  }
  HandleFolder folder_;
};

TEST_F(LibraryExamples, EightSchoolsInC) {
  const Ran ran = shell(compiled(folder_, "cc -std=c99", "eight_schools.c"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.output.starts_with("10 unconstrained parameters, log density at 0: -44.128784, slope of mu: 0.463533\n"
                                     "mean of tau over 2000 draws: "))
      << ran.output;
  EXPECT_TRUE(ran.output.ends_with("half_life(0.5) = 1.3862943611198906\n")) << ran.output;
}

TEST_F(LibraryExamples, TheModeInCpp) {
  const std::string program = compiled(folder_, std::string(FERMIAC_CXX) + " -std=c++17", "mode.cpp");
  const std::string kidiq = FERMIAC_SOURCE_DIR "/examples/kidiq/kidiq";
  const Ran ran = shell(program + " " + kidiq + ".stan " + kidiq + ".json");
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.output.starts_with("lp__ = -")) << ran.output;
  EXPECT_NE(ran.output.find("\ncurvature along "), std::string::npos) << ran.output;
  const Ran wrong = shell(program + " nowhere.stan nowhere.json");
  EXPECT_NE(wrong.status, 0);
  EXPECT_NE(wrong.output.find("nowhere.stan"), std::string::npos) << wrong.output;
}

TEST_F(LibraryExamples, TheHeaderIsCAndCpp) {
  for (const char* compiler : {"cc -std=c99 -x c", "cc -std=c11 -x c", FERMIAC_CXX " -std=c++11 -x c++", FERMIAC_CXX " -std=c++20 -x c++"}) {
    const Ran ran = shell(std::string("echo '#include <fermiac.h>' | ") + compiler + " -Wall -Wextra -pedantic -Werror -fsyntax-only -I" FERMIAC_SOURCE_DIR "/capi -");
    EXPECT_EQ(ran.status, 0) << compiler << ": " << ran.output;
  }
}

}  // namespace
}  // namespace fermiac::testing
