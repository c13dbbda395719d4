// The examples of examples/c_api, compiled by the system's compilers as a user would and run.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tests/shared/shell.h"
#include "tests/unit/library/library_handles.h"

namespace fermiac::testing {
namespace {

constexpr const char* kFlags = " -Wall -Wextra -pedantic -Werror -I" FERMIAC_SOURCE_DIR "/bindings/c -L" FERMIAC_BINARY_DIR
                               "/lib -lfermiac -Wl,-rpath," FERMIAC_BINARY_DIR "/lib -o ";

/// The program that became of an example; empty where the compiler refused it.
std::string compiled(const OwnFolder& folder, const std::string& compiler, const std::string& source) {
  const std::string program = folder.path().string() + "/program";
  const ProgramRun ran = shell(compiler + " " FERMIAC_SOURCE_DIR "/examples/c_api/" + source + kFlags + program);
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_EQ(ran.text, "");
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
  OwnFolder folder_;
};

TEST_F(LibraryExamples, EightSchoolsInC) {
  const ProgramRun ran = shell(compiled(folder_, "cc -std=c99", "eight_schools.c"));
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(
      ran.text.starts_with("10 unconstrained parameters, log density at 0: -44.128784, slope of mu: 0.463533\n"
                           "mean of tau over 2000 draws: "))
      << ran.text;
  EXPECT_TRUE(ran.text.ends_with("half_life(0.5) = 1.3862943611198906\n")) << ran.text;
}

TEST_F(LibraryExamples, TheModeInCpp) {
  const std::string program = compiled(folder_, std::string(FERMIAC_CXX) + " -std=c++17", "mode.cpp");
  const std::string kidiq = FERMIAC_SOURCE_DIR "/examples/kidiq/kidiq";
  const ProgramRun ran = shell(program + " " + kidiq + ".stan " + kidiq + ".json");
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.text.starts_with("lp__ = -")) << ran.text;
  EXPECT_NE(ran.text.find("\ncurvature along "), std::string::npos) << ran.text;
  const ProgramRun wrong = shell(program + " nowhere.stan nowhere.json");
  EXPECT_NE(wrong.status, 0);
  EXPECT_NE(wrong.text.find("nowhere.stan"), std::string::npos) << wrong.text;
}

TEST_F(LibraryExamples, TheHeaderIsCAndCpp) {
  for (const char* compiler :
       {"cc -std=c99 -x c", "cc -std=c11 -x c", FERMIAC_CXX " -std=c++11 -x c++", FERMIAC_CXX " -std=c++20 -x c++"}) {
    const ProgramRun ran = shell(std::string("echo '#include <fermiac.h>' | ") + compiler +
                                 " -Wall -Wextra -pedantic -Werror -fsyntax-only -I" FERMIAC_SOURCE_DIR "/bindings/c -");
    EXPECT_EQ(ran.status, 0) << compiler << ": " << ran.text;
  }
}

}  // namespace
}  // namespace fermiac::testing
