// Which files a program may include, and how much of them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "interp/model/interp_model.h"
#include "support/base/text_file.h"

namespace fermiac {
namespace {

class Includes : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "includes_test";
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_ + "/in/deep");
    write("in/a.stan", "real a;");
    write("in/deep/b.stan", "real b;");
    write("secret.stan", "real secret;");
    std::filesystem::create_symlink(root_ + "/secret.stan", root_ + "/in/link.stan");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }
  void write(const std::string& name, const std::string& text) { std::ofstream(root_ + "/" + name) << text; }

  /// Empty: it was included.
  std::string problem(const std::string& name, IncludeRule rule = IncludeRule::Anywhere) {
    const auto compiled = interp::compile_model({.text = "data {\n#include " + name + "\n}",
                                                 .path = "m.stan",
                                                 .include_paths = {root_ + "/in"},
                                                 .include_rule = rule});
    return *compiled ? "" : compiled->diagnostics.reports().front().message;
  }
  std::string root_;
};

TEST_F(Includes, CanBeSwitchedOff) {
  EXPECT_EQ(problem("a.stan"), "");
  EXPECT_EQ(problem("a.stan", IncludeRule::None), "Includes are switched off: include file 'a.stan' is not read.");
}

TEST_F(Includes, CanBeConfinedToTheirFolders) {
  const std::string outside = "' lies outside the include path '" + root_ + "/in'.";
  for (const char* inside : {"a.stan", "deep/b.stan", "deep/../a.stan"})
    EXPECT_EQ(problem(inside, IncludeRule::Confined), "");
  for (const std::string name : {"../secret.stan", "link.stan", "deep/../../secret.stan"}) {
    EXPECT_EQ(problem(name), "") << name;
    EXPECT_EQ(problem(name, IncludeRule::Confined), "The include file '" + name + outside);
  }
  EXPECT_NE(problem("../nothing.stan", IncludeRule::Confined).find("Could not find include file"), std::string::npos);
}

TEST_F(Includes, AreRegularFiles) {
  ASSERT_EQ(mkfifo((root_ + "/in/pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", root_ + "/in/zero");
  for (const std::string name : {"pipe", "zero"})
    EXPECT_EQ(problem(name), "Cannot include: '" + root_ + "/in/" + name + "' is not a regular file.");
}

TEST_F(Includes, ThatDoubleEndSomewhere) {
  write("in/x0.stan", "");
  for (int i = 1; i <= 40; ++i) {
    const std::string line = "#include x" + std::to_string(i - 1) + ".stan\n";
    write("in/x" + std::to_string(i) + ".stan", line + line);
  }
  EXPECT_EQ(problem("x40.stan"), "More than 10000 files are included.");
}

TEST_F(Includes, AreNotEndlesslyLong) {
  write("in/long.stan", "/*" + std::string(std::size_t{10} << 20, 'x') + "*/");
  write("in/often.stan",
        "#include long.stan\n#include long.stan\n#include long.stan\n#include long.stan\n"
        "#include long.stan\n#include long.stan\n#include long.stan\n");
  EXPECT_EQ(problem("long.stan"), "");
  EXPECT_EQ(problem("often.stan"), "The included files are longer than 64 MiB together.");
}

TEST_F(Includes, TheProgramItselfIsNoDevice) {
  EXPECT_EQ(read_text_file("/dev/zero", true).problem, "'/dev/zero' is not a regular file");
  EXPECT_EQ(read_text_file(root_, true).problem, "'" + root_ + "' is a folder, a file was expected");
  EXPECT_EQ(read_text_file(root_ + "/in/a.stan", true).text, "real a;");
  EXPECT_EQ(read_text_file(root_ + "/in/a.stan", true, 3).state, TextFile::State::Refused);
}

TEST_F(Includes, PlainTextComesFromAnyFileWithoutZeroBytes) {
  EXPECT_EQ(read_plain_text(root_ + "/in/a.stan").text, "real a;");
  EXPECT_EQ(read_plain_text("/dev/null").state, TextFile::State::Read);
  EXPECT_EQ(read_plain_text("/dev/zero").problem, "'/dev/zero' is no text: it has a zero byte");
  EXPECT_EQ(read_plain_text(root_).problem, "cannot read '" + root_ + "': Is a directory");
  EXPECT_EQ(read_plain_text(root_ + "/none").problem, "cannot open '" + root_ + "/none': No such file or directory");
}

}  // namespace
}  // namespace fermiac
