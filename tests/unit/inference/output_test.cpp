// Output that is checked: one place writes to standard output, files are whole or as they were.
#include "support/platform/output.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "inference/model/time_limit.h"
#include "support/base/text_file.h"
#include "tests/shared/analytic_models.h"

namespace fermiac {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Every line of the sources outside the files of `homes` that has `pattern` in it is a failure.
void expect_only_in(const std::set<std::string>& homes, const std::string& pattern) {
  const std::regex wanted(pattern);
  const fs::path root = FERMIAC_SOURCE_DIR;
  std::size_t files = 0;
  for (const char* folder : {"support", "frontend", "mir", "autodiff", "interp", "inference", "repl", "cli"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if ((extension != ".cpp" && extension != ".h") || homes.contains(fs::relative(entry.path(), root).string())) continue;
      ++files;
      std::ifstream in(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        EXPECT_FALSE(std::regex_search(line, wanted)) << entry.path() << ":" << number << ": " << line;
      }
    }
  EXPECT_GT(files, 300U);
}

TEST(Output, NobodyElseWritesToStandardOutput) {
  expect_only_in({"support/platform/output.cpp", "cli/fermiac/shared/stop.cpp" /* ends the program, whatever holds the stream */},
                 R"((^|[^a-z_])(std::cout|std::puts|std::putchar|std::printf|puts\(|(fwrite|fputs|fprintf|fflush)\([^;]*stdout))");
}

TEST(Output, NobodyElseQuotesJson) {
  expect_only_in({"support/base/json.cpp", "support/base/json_tree.cpp" /* reads them */, "cli/jupyter/message.cpp" /* replaces lone surrogates */}, R"(\\\\u|\\"(NaN|-?Infinity)\\")");
}

TEST(Output, NobodyElseReadsWholeFiles) {
  const std::set<std::string> homes = {
      "support/base/text_file.cpp",
      "inference/output/csv_read.cpp",          // row by row
      "support/platform/process_memory.cpp",        // lines that the system makes
      "cli/stanc/main.cpp",              // whether there is a file
      "support/base/checksum.cpp",            // piece by piece
      "support/platform/perf_map.cpp",            // lines at the end of a file that others write, too
  };
  expect_only_in(homes, R"(istreambuf_iterator|rdbuf\(|ifstream|fopen\(|fread\()");
}

TEST(Output, OtherStreamsDoNotCountAsStandardOutput) {
  std::FILE* full = std::fopen("/dev/full", "w");
  if (!full) GTEST_SKIP() << "no /dev/full here";
  EXPECT_TRUE(write_output("text", full));  // still in the buffer
  EXPECT_FALSE(flush_output(full));
  std::fclose(full);
  EXPECT_TRUE(flush_output());
}

TEST(WriteFile, ReplacesAndKeepsTheMode) {
  const testing::OwnFolder dir;
  const fs::path file = dir.path().string() + "/a.stan", link = dir.path().string() + "/link.stan";
  EXPECT_TRUE(write_whole_file(file, "one"));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink(file, link);
  EXPECT_TRUE(write_whole_file(link, "two"));
  EXPECT_EQ(text_of(file), "two");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  EXPECT_EQ(write_whole_file(dir.path().string() + "/none/a", "x").message, "No such file or directory");
  EXPECT_EQ(write_whole_file(dir.path().string(), "x").message, "Is a directory");
  EXPECT_TRUE(write_whole_file("/dev/null", "x"));
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path().string()), fs::directory_iterator()), 2);
}

TEST(TimeLimit, SetsTheFlagAtItsTime) {
  std::atomic<bool> flag{false};
  inference::TimeLimit limit(0.05, flag);
  EXPECT_EQ(limit.text(), "time limit of 0.05 s reached");
  while (!flag) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(limit.reached());
  EXPECT_TRUE(limit.end());
}

TEST(TimeLimit, EndsAtOnceWhenNotNeeded) {
  std::atomic<bool> flag{false};
  const auto start = std::chrono::steady_clock::now();
  for (const double seconds : {1e3, 1e300, inference::kNoLimit}) EXPECT_FALSE(inference::TimeLimit(seconds, flag).end());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
  EXPECT_FALSE(flag);
}

TEST(TimeLimit, LeavesTheReasonToWhoWasFirst) {
  std::atomic<bool> flag{true};
  inference::TimeLimit limit(0.01, flag);
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_FALSE(limit.end());
}

}  // namespace
}  // namespace fermiac
