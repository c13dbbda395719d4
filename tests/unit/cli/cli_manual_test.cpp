// Manual pages and completions: every option is there, formatters and shells take them without a word.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/shared/own_folder.h"
#include "tests/shared/programs.h"
#include "tests/shared/shell.h"

namespace fermiac::testing {
namespace {


/// Long options that help shows.
std::vector<std::string> options_in(const std::string& help) {
  std::vector<std::string> out;
  std::istringstream in(help);
  for (std::string line; std::getline(in, line);) {
    const std::size_t at = line.find("--");
    if (at == std::string::npos || at > 12 || line.find_first_not_of(" -?fhIo,N") < at) continue;
    out.push_back(line.substr(at, line.find_first_of(" ,={[", at) - at));
  }
  return out;
}

TEST(Manual, HasEveryOptionOfHelp) {
  for (const std::string command : {"sample", "optimize", "bundle", "log-prob", "laplace", "repl"}) {
    const std::string page = shell(kFermiac + " manual " + command).text;
    EXPECT_TRUE(page.starts_with(".TH \"FERMIAC\\-")) << page;
    const std::vector<std::string> options = options_in(shell(kFermiac + " " + command + " --help").text);
    EXPECT_GE(options.size(), 4u) << command;
    for (std::string option : options) {
      for (std::size_t at = 0; (at = option.find('-', at)) != std::string::npos; at += 2) option.insert(at, "\\");
      EXPECT_NE(page.find(option), std::string::npos) << command << " " << option;
    }
  }
}

TEST(Manual, OfStancHasItsOptions) {
  const std::string page = shell(kFermiac + " manual stanc").text;
  for (const char* option : {"\\-o, \\-\\-output", "\\-\\-O1", "\\-\\-print\\-cpp", "\\-\\-allow\\-undefined"})
    EXPECT_NE(page.find(option), std::string::npos) << option;
}

TEST(Manual, NamesThePagesWhereThereIsNone) {
  const ProgramRun run = shell(kFermiac + " manual nothing");
  EXPECT_EQ(run.status, 1);
  EXPECT_NE(run.text.find("there is no page 'nothing'; the pages are stanc, fermiac, sample"), std::string::npos) << run.text;
}

TEST(Manual, FormatsWithoutWarnings) {
  if (shell("groff --version").status != 0) GTEST_SKIP() << "no groff";
  const OwnFolder folder;
  ASSERT_EQ(shell(kFermiac + " manual --to " + folder.path().string() + "/man1").status, 0);
  std::size_t pages = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path().string() + "/man1")) {
    const ProgramRun run = shell("groff -man -ww -z -Tutf8 -Kutf8 " + entry.path().string());
    EXPECT_EQ(run.text, "") << entry.path();
    ++pages;
  }
  EXPECT_GE(pages, 18u);
}

class Completion : public ::testing::Test {
 protected:
  /// What bash offers for the last of the words.
  std::string offered(const std::string& words) {
    const std::string script = "source <(" + kFermiac + " completion bash); COMP_WORDS=(" + words +
                               "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); cd " + folder_.path().string() +
                               "; _complete_${COMP_WORDS[0]}; echo ${COMPREPLY[@]}";
    return shell("bash -c '" + script + "'").text;
  }
  OwnFolder folder_;
};

TEST_F(Completion, OfBashKnowsCommandsOptionsValuesAndFiles) {
  folder_.write("m.stan", "");
  folder_.write("d.json", "{}");
  EXPECT_EQ(offered("fermiac sam"), "sample\n");
  EXPECT_EQ(offered("fermiac sample --max"), "--max-discrete-states --max-samples --max-treedepth --max-energy-error --max-halvings --max-restarts --max-memory\n");
  EXPECT_EQ(offered("fermiac sample m.stan --metric d"), "diag_e dense_e\n");
  EXPECT_EQ(offered("fermiac sample --data = d"), "d.json\n");
  EXPECT_EQ(offered("fermiac sample m"), "m.stan\n");
  EXPECT_EQ(offered("fermiac bench --evaluator n"), "native\n");
  EXPECT_EQ(offered("stanc --print-c"), "--print-canonical --print-cpp\n");
  EXPECT_EQ(offered("stanc m"), "m.stan\n");
}

TEST_F(Completion, IsWellFormed) {
  EXPECT_EQ(shell(kFermiac + " completion bash | bash -n").text, "");
  for (const std::string other : {"zsh", "fish"}) {
    if (shell("command -v " + other).status != 0) continue;
    const std::string file = folder_.path().string() + "/c";
    ASSERT_EQ(shell(kFermiac + " completion " + other + " > " + file).status, 0);
    EXPECT_EQ(shell(other + " -n " + file).text, "") << other;
  }
}

}  // namespace
}  // namespace fermiac::testing
