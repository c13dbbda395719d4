// Runs stanc on every program under tests/golden/programs and compares with the `//|` block at the program's end:
//
//   // RUN: --auto-format %s        the arguments
//   // WHY: one sentence
//   …program…
//   //|exit 1
//   //|stdout                       or //|stderr; absent if empty
//   //| text, line by line
//
// The block is stripped before stanc sees the file. FERMIAC_UPDATE_GOLDENS=1 rewrites the blocks instead of comparing.
// Files named bad_… must fail and no others may.
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/golden/block.h"

namespace {

namespace fs = std::filesystem;
using namespace fermiac::golden;  // NOLINT: its blocks

/// What stanc does with `program`, as a block.
std::string observe(const fs::path& file, const std::string& program, int& exit) {
  const fs::path folder = fs::path(testing::TempDir()) / ("golden_program." + std::to_string(getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy(file.parent_path() / "includes", folder / "includes");
  spill(folder / file.filename(), program);
  const std::string args = arguments(program, file);
  const std::string command = "cd '" + folder.string() + "' && '" FERMIAC_BINARY_DIR "/bin/stanc' </dev/null " + args +
                              " >stdout.txt 2>stderr.txt";
  const int status = std::system(command.c_str());
  exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  std::string block = "//|exit " + std::to_string(exit) + "\n" + section("stdout", slurp(folder / "stdout.txt")) +
                      section("stderr", slurp(folder / "stderr.txt"));
  fs::remove_all(folder);
  return block;
}

class Golden : public testing::TestWithParam<fs::path> {};

TEST_P(Golden, Matches) {
  const std::string text = slurp(GetParam());
  const std::size_t block = std::min(text.find("//|exit"), text.size());
  const std::string program = text.substr(0, block);
  EXPECT_NE(program.find("// RUN: "), std::string::npos);
  EXPECT_NE(program.find("// WHY: "), std::string::npos);
  int exit = 0;
  const std::string got = observe(GetParam(), program, exit);
  EXPECT_EQ(exit != 0, GetParam().filename().string().starts_with("bad_"));
  if (std::getenv("FERMIAC_UPDATE_GOLDENS")) return spill(GetParam(), program + got);
  EXPECT_EQ(text.substr(block), got);
}

INSTANTIATE_TEST_SUITE_P(Programs, Golden, testing::ValuesIn(files_in(FERMIAC_SOURCE_DIR "/tests/golden/programs")),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
